import { Tokenizer } from 'htmlparser2';

/**
 * Returns the text that a person would read on an HTML or XHTML page: headings, paragraphs, lists and table rows as
 * lines, with tabs between cells, and no links, images or scripts. It reads the page once and builds no tree, so no
 * page content can make it slow.
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
/** `paragraphs`: elements with an empty line before and after. `lines`: elements that only start a new line. */
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
  /** For each enclosing list, the number of its next item; undefined for a list without numbers. */
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

/** Collects text in lines. Repeated spaces become one, and no line begins with a space. */
class LineWriter {
  private readonly parts: string[] = [];
  private breaks = 0;
  private endsBlank = true;

  /** `verbatim`: spaces and line ends are kept. */
  write(text: string, verbatim: boolean): void {
    const collapsed = verbatim ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
    const isAtBlank = this.endsBlank || this.breaks > 0;
    const shown = !verbatim && isAtBlank && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (shown === '') return;
    if (this.breaks > 0) this.parts.push('\n'.repeat(this.breaks));
    this.breaks = 0;
    this.parts.push(shown);
    this.endsBlank = /\s$/.test(shown.slice(-1));
  }

  /** Puts at least this many line ends before the next text. */
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
