import { isObject } from '../../core/fhir/is-object.ts';
import { isResourceType } from '../../core/fhir/model/model.ts';
import { capitalized } from '../ui/common-words.ts';
import { placeText } from './answer-places.ts';

/** The records of the chart that the content of a supporting document was read from. */

/** The records in the content, as FHIR addresses them: `Observation/9`. */
export function recordsIn(content: unknown): string[] {
  return [...new Set(foundIn(content))];
}

/** The content without its records. */
export function withoutRecords(content: unknown): unknown {
  return replaced(content, () => undefined);
}

/**
 * The content with each record replaced by its kind and, if the content states it, its day: `Result of May 3, 2026`.
 */
export function withRecordWords(content: unknown): unknown {
  const days = new Map(daysIn(content));
  return replaced(content, (records) => {
    const texts = records.map((resource) => placeText({ resource, ...days.get(resource) }));
    const counted = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) =>
      length === 1 ? text : `${text} (${length})`,
    );
    return capitalized(counted.join(', '));
  });
}

function foundIn(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(foundIn);
  if (!isObject(content)) return [];
  return Object.entries(content).flatMap(([name, part]) => recordsOf(name, part) ?? foundIn(part));
}

/** The day of each record, if the row of the record has one. */
function daysIn(content: unknown): (readonly [record: string, day: { readonly date: string }])[] {
  if (Array.isArray(content)) return content.flatMap(daysIn);
  if (!isObject(content)) return [];
  const { source, date = content.day ?? content.recorded } = content;
  const own = isRecord(source) && typeof date === 'string' ? [[source, { date }] as const] : [];
  return [...own, ...Object.values(content).flatMap(daysIn)];
}

function replaced(content: unknown, said: (records: readonly string[]) => string | undefined): unknown {
  if (Array.isArray(content)) return content.map((item) => replaced(item, said));
  if (!isObject(content)) return content;
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, part]) => {
      const records = recordsOf(name, part);
      const next = records === undefined ? replaced(part, said) : said(records);
      const isNone = next === undefined || (isObject(next) && Object.keys(next).length === 0);
      return isNone ? [] : [[name, next]];
    }),
  );
}

/** The records that a part cites; undefined if the part is not a citation. */
function recordsOf(name: string, part: unknown): readonly string[] | undefined {
  if (name === 'source') return isRecord(part) ? [part] : undefined;
  // The answers have a list of records for each cell.
  return Array.isArray(part) && part.length > 0 && part.every(isRecord) ? part : undefined;
}

/** `Observation/9`, or `Medication/m1 in MedicationRequest/9`. */
const record = /^([A-Z]\w+)\/\S+( in ([A-Z]\w+)\/\S+)?$/;

function isRecord(value: unknown): value is string {
  const [, type, , outer] = record.exec(typeof value === 'string' ? value : '') ?? [];
  return type !== undefined && isResourceType(type) && (outer === undefined || isResourceType(outer));
}
