/** A number as drug names write it: `12.5`, `12,5`, `1,000`, `.5`. */
export const numberPattern = String.raw`(?:\d{1,12}(?:[.,]\d{1,12}){0,4}|\.\d{1,6})`;

/**
 * The possible values of a written number. `1,500` has two, because its comma may be a decimal comma or a thousands
 * separator.
 */
export interface WrittenNumber {
  readonly values: readonly number[];
  /** With a decimal point and no separators: `12.5` for `12,5`, `1000` for `1,000`. Undefined when uncertain. */
  readonly text?: string | undefined;
}

/**
 * The possible values of a number. A decimal never has a trailing zero (ISMP, Error-Prone Abbreviations), so the comma
 * in `1,000` separates thousands. `0,125` and `12,5` are decimals; `1,500` may be either, except in units of activity
 * (UNT, IU), which are whole numbers. Empty for zero or an invalid number (`1,2,3`).
 *
 * @example writtenNumber('12,5') // { values: [12.5], text: '12.5' }
 */
export function writtenNumber(written: string, ofUnits = false): WrittenNumber {
  if (/^\d+(\.\d+)?$/.test(written)) return certain(written);
  if (/^\.\d+$/.test(written)) return certain(`0${written}`);
  if (/^[1-9]\d{0,2}(,\d{3})+\.\d+$/.test(written) || /^[1-9]\d{0,2}(,\d{3}){2,}$/.test(written))
    return certain(written.replaceAll(',', ''));
  const [, whole = '', fraction = ''] = /^(\d+),(\d+)$/.exec(written) ?? [];
  if (whole === '') return { values: [] };
  const mayDivide = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (!mayDivide) return certain(`${whole}.${fraction}`);
  if (ofUnits || fraction === '000') return certain(`${whole}${fraction}`);
  return { values: [Number(`${whole}.${fraction}`), Number(`${whole}${fraction}`)] };
}

/**
 * The value of one unit in the last digit of a number: `0.01` for `1.25`.
 *
 * @example stepOf('12.5') // 0.1
 */
export function stepOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 1 : 10 ** -(text.length - point - 1);
}

function certain(text: string): WrittenNumber {
  return Number(text) === 0 ? { values: [] } : { values: [Number(text)], text };
}

/** The exact decimal product: 100 x 0.4 is 40, not 40.00000001. Undefined if it has more than three decimals. */
export function multiply(left: string, right: string): string | undefined {
  const [a, b] = [left.split('.'), right.split('.')];
  const decimals = (a[1]?.length ?? 0) + (b[1]?.length ?? 0);
  const digits = (BigInt(a.join('')) * BigInt(b.join(''))).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  if (fraction.length > 3) return undefined;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
