/**
 * Whether a text is a phone or fax number of the United States: ten digits in any grouping, with or without the country
 * code 1, with or without an extension. Area code and exchange begin with 2 to 9 (North American Numbering Plan).
 * @example isUsPhone('(217) 555-0142') // true
 * @example isUsPhone('555-0142') // false: it cannot be called from outside without an area code
 */
export function isUsPhone(text: string): boolean {
  const [number = ''] = text.split(/\s*(?:;?ext(?:ension)?|x|#)[.:=\s]*\d+\s*$/i);
  const digits = number.replace(/^tel:/i, '').replace(/\D/g, '');
  return /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits);
}
