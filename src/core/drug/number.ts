/** A number as a drug name writes it: `12.5`, `12,5`, `1,000`, `.5`. */
export const numberPattern = String.raw`(?:\d{1,12}(?:[.,]\d{1,12}){0,4}|\.\d{1,6})`;

/** What a written number may mean; two values where a comma may be a decimal comma or divide thousands (`1,500`). */
export interface WrittenNumber {
  readonly values: readonly number[];
  /**
   * With a point and without dividers: `12.5` of `12,5`, `1000` of `1,000`; undefined where the meaning is not
   * certain.
   */
  readonly text?: string | undefined;
}

/**
 * The values that a number may have, in plain decimals. A decimal is never written with a trailing zero (ISMP,
 * Error-Prone
 * Abbreviations), so `1,000` divides thousands; `0,125` and `12,5` are decimals; `1,500` may be either, except of
 * units of activity
 * (UNT, IU), of which nobody counts thousandths. Nothing where it is no number (`1,2,3`) or zero.
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
 * One in the last digit of a number in plain decimals.
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

/** The product in exact decimals: 100 x 0.4 is 40 and never 40.00000001. Undefined with more than three decimals. */
export function multiply(left: string, right: string): string | undefined {
  const [a, b] = [left.split('.'), right.split('.')];
  const decimals = (a[1]?.length ?? 0) + (b[1]?.length ?? 0);
  const digits = (BigInt(a.join('')) * BigInt(b.join(''))).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  if (fraction.length > 3) return undefined;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
