import type { Duration } from 'date-fns';
import { z } from 'zod';

const pattern = /^P(?=\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/;

/** Parses an ISO 8601 duration of years, months, weeks and days (`P7Y`, `P1Y6M`); undefined for any other text. */
export function durationOf(text: string): Duration | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0] = found.slice(1).map((number) => Number(number ?? 0));
  return { years, months, weeks, days };
}

/** A retention time, as an ISO 8601 duration. */
export const keepingTime = z
  .string()
  .refine((text) => durationOf(text) !== undefined, 'not an ISO 8601 duration of years to days, such as P7Y');
