import { compile } from 'html-to-text';

const skipped = ['img', 'script', 'style', 'head', 'title', 'svg', 'object', 'iframe', 'template'];

const convert = compile({
  wordwrap: false,
  baseElements: { selectors: ['body'], returnDomByDefault: true },
  limits: { maxDepth: 200, maxInputLength: 5_000_000 },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false, colSpacing: 2 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...skipped.map((selector) => ({ selector, format: 'skip' })),
  ],
});

/** What a person would read of an HTML or XHTML page: headings, paragraphs, lists and tables as lines; no links, images, scripts. */
export function textOfHtml(html: string): string {
  return convert(html);
}
