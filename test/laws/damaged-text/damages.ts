/**
 * One way in which a text is damaged on its way. Made by rule and by no reader of the product; `stands` is what nothing
 * that goes out may hold, `reads` what it says where it can be decoded.
 */
export interface TextDamage {
  readonly name: string;
  readonly stands: string;
  readonly reads?: string;
  /** Whether it takes the place of a character; else it stands beside it. */
  readonly replaces?: boolean;
}

// No chart of fixtures/charts has this letter.
const letter = 'ŵ';

const asLatin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const asUtf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');

export const textDamages: readonly TextDamage[] = [
  { name: 'a lost character', stands: '\ufffd', replaces: true },
  { name: 'a Latin-1 byte', stands: asUtf8('\u00e9'), replaces: true },
  { name: 'a Latin-1 byte before a letter', stands: asUtf8('\u00bd tablet') },
  { name: 'a lost character as UTF-8 read as Latin-1', stands: asLatin1('\ufffd'), replaces: true },
  { name: 'half a character', stands: '\ud835', replaces: true },
  { name: 'an escape by number', stands: '&#x175;', reads: letter },
  { name: 'an escape by decimal number', stands: '&#373;', reads: letter },
  { name: 'an escape by name', stands: '&wcirc;', reads: letter },
  { name: 'an escape escaped again', stands: '&amp;#x175;', reads: letter },
  { name: 'an escape cut off', stands: '&#x17' },
  { name: 'an escape outside Unicode', stands: '&#x110000;' },
  { name: 'an escape in capital letters', stands: '&UUML;' },
  { name: 'an escape of a sign that no text has', stands: '&Lang;' },
  { name: 'an ampersand', stands: `&amp;${letter}`, reads: `&${letter}` },
  { name: 'a blank', stands: `&nbsp;${letter}`, reads: ` ${letter}` },
  { name: 'a line end', stands: `<br/>${letter}`, reads: `\n${letter}` },
  { name: 'looks', stands: `<b>${letter}</b>`, reads: letter },
  { name: 'an escaped tag', stands: `&lt;i&gt;${letter}&lt;/i&gt;`, reads: letter },
  { name: 'what is struck out', stands: '<s>2</s>' },
  { name: 'a power', stands: '<sup>2</sup>' },
  { name: 'a tag that begins', stands: '<b>' },
  { name: 'a tag of a table', stands: '<td>' },
  { name: 'a tag cut off', stands: '</div' },
  { name: 'UTF-8 read as Latin-1', stands: asLatin1('\u0440'), reads: '\u0440' },
  { name: 'a control character that means nothing', stands: '\u0081ŵ' },
];
