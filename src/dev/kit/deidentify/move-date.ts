const fhirDate =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?Z| ?[+-]\d{2}:?\d{2})?)?)?)?$/i;

/**
 * Moves a FHIR date, dateTime or instant by whole days; undefined for any other text. A month or a year is moved by its
 * middle day, and stays a month or a year. The time of day is kept. A nonexistent day gets another year, so that it
 * stays nonexistent.
 *
 * @example movedDate('2026-10-05', -70) // '2026-07-27'
 */
export function movedDate(text: string, days: number): string | undefined {
  const padded = text.trim();
  const [, year, month, day, time = ''] = fhirDate.exec(padded) ?? [];
  if (year === undefined) return undefined;
  if (!isDay(Number(year), Number(month ?? 7), Number(day ?? 1))) return text.replace(year, yearText(Number(year) - 1));
  const middle = month === undefined ? 1 : 15;
  const moved = new Date(0);
  moved.setUTCFullYear(Number(year), Number(month ?? 7) - 1, Number(day ?? middle) + days);
  const parts = [yearText(moved.getUTCFullYear()), twoDigits(moved.getUTCMonth() + 1), twoDigits(moved.getUTCDate())];
  const kept = [year, month, day].filter((part) => part !== undefined).length;
  return text.replace(padded, parts.slice(0, kept).join('-') + time);
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

// FHIR has no year 0000.
function yearText(year: number): string {
  return String(Math.max(year, 1)).padStart(4, '0');
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
