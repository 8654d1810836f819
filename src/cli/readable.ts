import { wrap } from './text.ts';

const width = 120;
/** Longer code moves to a footnote: a pattern, or a path with many codes. */
const longest = 80;

/** Markdown in lines of 120 columns; long code becomes footnotes at the end, without repetition. */
export function readable(markdown: string): string {
  const notes = new Map<string, number>();
  const noted = markdown.replaceAll(/``.+?``|`[^`\n]+`/g, (code) => {
    if (code.length <= longest) return code;
    const number = notes.get(code) ?? notes.size + 1;
    notes.set(code, number);
    return `[^${number}]`;
  });
  const lines = noted.split('\n').map(wrapped);
  const footnotes = [...notes].map(([code, number]) => wrap(`[^${number}]: ${code}`, { width, indent: 4 }));
  return footnotes.length === 0 ? lines.join('\n') : `${lines.join('\n')}\n${footnotes.join('\n')}\n`;
}

/** Further lines of an item are indented below its text. */
function wrapped(line: string): string {
  const start = /^ *(?:- )?/.exec(line)?.[0] ?? '';
  return `${start}${wrap(line.slice(start.length), { width, indent: start.length })}`;
}
