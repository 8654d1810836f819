import { wrap } from './text.ts';

const width = 120;
/** Characters. Longer code, such as a path with many codes, moves to a footnote. */
const longest = 80;

/** Wraps Markdown at 120 columns and moves long code to numbered footnotes at the end, each listed once. */
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

/** Further lines of a list item are indented to the item's text. */
function wrapped(line: string): string {
  const start = /^ *(?:- )?/.exec(line)?.[0] ?? '';
  return `${start}${wrap(line.slice(start.length), { width, indent: start.length })}`;
}
