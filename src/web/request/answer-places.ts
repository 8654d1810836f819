import type { Place } from '../../core/answers/sheet.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { entryWords, resourceWords } from './field-words.ts';

/** A resource of the chart from which an answer was read. */
export interface ReadPlace {
  readonly resource: string;
  readonly date?: string;
  readonly paths: readonly string[];
}

/** The place from which a value was read, as pages show it. */
export type Cited = Pick<Place, 'source' | 'date'>;

/** The resources from which an answer was read, each once. */
export function readPlaces(places: readonly Cited[]): ReadPlace[] {
  const cited = places.flatMap(({ source, date }) => (source === undefined ? [] : [{ source, date }]));
  return [...Map.groupBy(cited, ({ source }) => source.resource)].map(([resource, own]) => {
    const [date] = own.flatMap((one) => one.date ?? []);
    const paths = [...new Set(own.map(({ source }) => source.path))];
    return { resource, paths, ...(date === undefined ? {} : { date }) };
  });
}

/** `result of May 25, 2026`; without a date, the part of the chart: `results` */
export function placeText({ resource, date }: Pick<ReadPlace, 'resource' | 'date'>): string {
  return date === undefined ? resourceWords(resource) : `${entryWords(resource)} of ${dayText(date)}`;
}
