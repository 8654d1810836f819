const needle = /\b(?:needle|lancet|syringe)s?\b/i;

/** true where a number before a G says how thick a needle is: 31 of `pen needle 31G`. Needles have 18 to 36. */
export function isGauge(number: string, unit: string, text: string): boolean {
  return /^g$/i.test(unit) && Number(number) >= 18 && Number(number) <= 36 && needle.test(text);
}
