const needle = /\b(?:needle|lancet|syringe)s?\b/i;

/**
 * Whether a number before a G is the gauge of a needle, such as 31 in `pen needle 31G`. Needles have gauges 18 to 36.
 */
export function isGauge(number: string, unit: string, text: string): boolean {
  return /^g$/i.test(unit) && Number(number) >= 18 && Number(number) <= 36 && needle.test(text);
}
