import { once } from '../once.ts';
import { htmlNames } from './html-names.ts';

/**
 * The characters of an HTML escape that ends in a semicolon, by the HTML Standard; undefined if it is not an escape.
 *
 * @example decodeHtmlEscape('&eacute;') // 'é'
 * @example decodeHtmlEscape('&#x96;') // '–': numbers of C1 controls are those of Windows-1252
 */
export function decodeHtmlEscape(written: string): string | undefined {
  const [, hex, decimal, name] = /^&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z][a-z0-9]*));$/i.exec(written) ?? [];
  if (name !== undefined) return textByName().get(name);
  const number = hex ?? decimal;
  return number === undefined ? undefined : textOfNumber(Number.parseInt(number, hex === undefined ? 10 : 16));
}

const textByName = once(() => {
  const rows = htmlNames.trim().split(/\s/);
  return new Map(
    rows.map((row) => {
      const [name = '', codes = ''] = row.split(':');
      return [name, String.fromCodePoint(...codes.split('.').map((code) => Number.parseInt(code, 16)))] as const;
    }),
  );
});

const windows1252 = new TextDecoder('windows-1252');
const replacement = '\ufffd';

function textOfNumber(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return replacement;
  return code >= 0x80 && code <= 0x9f ? windows1252.decode(Uint8Array.of(code)) : String.fromCodePoint(code);
}
