import { Tokenizer } from 'htmlparser2';

/**
 * What a person would read of an HTML or XHTML page: headings, paragraphs, lists and table rows as lines, cells apart
 * by a tab; no links, images, scripts. Reads the page once from start to end without building a tree of it, so that
 * nothing in it can make that slow.
 */
export function textOfHtml(html: string): string {
  const text = new LineWriter();
  const page = new PageReader(html, text);
  const tokenizer = new Tokenizer({ decodeEntities: true, xmlMode: false }, page);
  tokenizer.write(html);
  tokenizer.end();
  return text.written();
}

const skipped = new Set(['script', 'style', 'title', 'svg', 'object', 'iframe', 'template']);
/** Elements that stand apart by an empty line, and those that only start a line. */
const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr'.split(' '));
const lines = new Set(
  (
    'div li tr dt dd section article header footer main nav aside address form fieldset figure figcaption caption ' +
    'body'
  ).split(' '),
);

class PageReader {
  private skipping: { readonly name: string; depth: number } | undefined;
  private opened = '';
  private preformatted = 0;
  /** The number of the next item of each list around; undefined for a list without numbers. */
  private readonly lists: (number | undefined)[] = [];
  private cells = 0;

  private readonly html: string;
  private readonly out: LineWriter;

  constructor(html: string, out: LineWriter) {
    this.html = html;
    this.out = out;
  }

  ontext(start: number, end: number): void {
    this.write(this.html.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.write(String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    this.opened = name;
    if (this.skipping?.name === name) this.skipping.depth += 1;
    if (this.skipping !== undefined) return;
    if (skipped.has(name)) this.skipping = { name, depth: 1 };
    else this.open(name);
  }

  onselfclosingtag(): void {
    this.close(this.opened);
  }

  onclosetag(start: number, end: number): void {
    this.close(this.html.slice(start, end).toLowerCase());
  }

  private open(name: string): void {
    this.breakAround(name);
    if (name === 'br') this.out.lineBreak();
    if (name === 'pre') this.preformatted += 1;
    if (name === 'ul') this.lists.push(undefined);
    if (name === 'ol') this.lists.push(1);
    if (name === 'li') this.out.write(this.bullet(), true);
    if (name === 'tr') this.cells = 0;
    if (name === 'td' || name === 'th') this.cell();
  }

  private close(name: string): void {
    if (this.skipping !== undefined) {
      if (this.skipping.name === name) this.skipping.depth -= 1;
      if (this.skipping.depth === 0) this.skipping = undefined;
      return;
    }
    if (name === 'pre') this.preformatted = Math.max(0, this.preformatted - 1);
    if (name === 'ul' || name === 'ol') this.lists.pop();
    this.breakAround(name);
  }

  private breakAround(name: string): void {
    if (paragraphs.has(name)) this.out.separate(2);
    else if (lines.has(name)) this.out.separate(1);
  }

  private bullet(): string {
    const indent = ' '.repeat(Math.min(this.lists.length, 6));
    const number = this.lists.at(-1);
    if (number === undefined) return `${indent}* `;
    this.lists[this.lists.length - 1] = number + 1;
    return `${indent}${number}. `;
  }

  private cell(): void {
    if (this.cells > 0) this.out.write('\t', true);
    this.cells += 1;
  }

  private write(text: string): void {
    if (this.skipping === undefined) this.out.write(text, this.preformatted > 0);
  }

  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}
}

/** Collects text in lines: blanks in a row become one, none stands at the beginning of a line. */
class LineWriter {
  private readonly parts: string[] = [];
  private breaks = 0;
  private endsBlank = true;

  /** `asItStands`: its blanks and line ends are kept. */
  write(text: string, asItStands: boolean): void {
    const collapsed = asItStands ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
    const isAtBlank = this.endsBlank || this.breaks > 0;
    const shown = !asItStands && isAtBlank && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (shown === '') return;
    if (this.breaks > 0) this.parts.push('\n'.repeat(this.breaks));
    this.breaks = 0;
    this.parts.push(shown);
    this.endsBlank = /\s$/.test(shown.slice(-1));
  }

  /** What comes next stands at least so many line ends away from what is there. */
  separate(lineEnds: 1 | 2): void {
    if (this.parts.length > 0) this.breaks = Math.max(this.breaks, lineEnds);
  }

  lineBreak(): void {
    this.parts.push('\n'.repeat(this.breaks + 1));
    this.breaks = 0;
    this.endsBlank = true;
  }

  written(): string {
    return this.parts.join('');
  }
}
