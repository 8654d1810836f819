import { wholeDate } from './date-time.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * `1980-02-03` as `Feb 3, 1980`: no reader takes day for month. Of an instant the day; a partial date, or what is none,
 * stays as it is.
 */
export function dayText(date: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(date);
  if (parts === null) return date;
  return `${months[Number(parts[2]) - 1] ?? parts[2]} ${Number(parts[3])}, ${parts[1]}`;
}

/** `on Feb 3, 1980`; of a partial date `in 1980`, `in 1980-02`; nothing without a date. */
export function whenText(date: string | undefined): string {
  if (date === undefined) return '';
  return `${wholeDate(date) === undefined ? 'in' : 'on'} ${dayText(date)}`;
}
