import { type CellName, cellNames } from '../contract/answers-sheet.ts';
import { isObject } from '../fhir/is-object.ts';
import { dayText } from '../fhir/time/day-text.ts';
import type { MappingResult, Provenance } from '../mapping/result.ts';
import { isWithin } from '../mapping/target.ts';
import { answerLines, cellTexts } from './answer-text.ts';
import type { Place, Sheet, Statement } from './sheet.ts';
import { type Picked, type ShownSheet, sentSheet } from './shown.ts';

export const answersTitle = 'Answers';

/** Whether the answers are sent as one `evidence` item or as a questionnaire. */
export type AnswerForm = 'evidence' | 'questionnaires';

export interface GoingAlong extends Picked {
  readonly form: AnswerForm;
  /** The day at the site on which the answers were made: `2026-11-21`. */
  readonly day: string;
}

/**
 * Adds the answers of a sheet to a request: as the item "Answers" after the other evidence, or as a questionnaire.
 * Statements of persons are marked as such, and sensitive rows are sent only when ticked. An empty sheet leaves the
 * request unchanged.
 *
 * @example
 * const options = { mapping: priorAuth, roles, now: new Date() };
 * for (const { chart, result } of mapChart(bundle, options).orders)
 *   if (chart !== undefined) {
 *     const sheet = answersSheet(answers, chartUnder(chart, answerRoles));
 *     console.log(withAnswers(result, sheet, { form: 'evidence', day: '2026-11-21' }));
 *   }
 */
export function withAnswers<T>(result: MappingResult<T>, sheet: Sheet, going: GoingAlong): MappingResult<T> {
  const shown = sentSheet(sheet, going);
  const statements = sheet.cells.flatMap(({ statement }) => statement ?? []);
  if (Object.keys(shown.body).length === 0 && statements.length === 0) return result;
  const body: unknown = result.status === 'complete' ? result.body : result.draft;
  const earlier: unknown = isObject(body) ? body[going.form] : undefined;
  const items = Array.isArray(earlier) ? earlier : [];
  const at = `${going.form}[${items.length}]`;
  const { item, provenance } =
    going.form === 'evidence' ? evidenceItem(shown, statements, going) : questionnaire(shown, statements, going);
  const whole = { ...(isObject(body) ? body : {}), [going.form]: [...items, item] };
  const { gaps } = result;
  const known = { gaps, provenance: [...result.provenance, ...provenance.map((one) => placedAt(one, at))] };
  return result.status === 'complete'
    ? { status: 'complete', body: whole as T, ...known }
    : { status: 'incomplete', draft: whole as typeof result.draft, ...known };
}

function placedAt(one: Provenance, at: string): Provenance {
  return { ...one, target: `${at}.${one.target}` };
}

interface Part {
  readonly item: unknown;
  readonly provenance: readonly Provenance[];
}

// The contract has no plain dates, so a day becomes local midnight, as for dates from the chart.
const midnight = (day: string) => `${day}T00:00:00.000000`;

function evidenceItem({ body, places }: ShownSheet, statements: readonly Statement[], { day }: GoingAlong): Part {
  const sources = Object.fromEntries(
    cellNames.flatMap((name) => {
      const read = [...new Set(placesOf(name, places).flatMap(({ source }) => source?.resource ?? []))];
      return read.length === 0 ? [] : [[name, read] as const];
    }),
  );
  const stated = statements.map(({ cell, text, by, at }) => ({ cell, text, by, at }));
  const content = { ...body, sources, ...(stated.length === 0 ? {} : { stated }) };
  return {
    item: { title: answersTitle, date_created: midnight(day), content },
    provenance: places.map(({ value: _value, date: _date, ...entry }) => ({
      ...entry,
      target: `content.${entry.target}`,
    })),
  };
}

function questionnaire({ body, places }: ShownSheet, statements: readonly Statement[], { day }: GoingAlong): Part {
  const asked = cellNames.flatMap((name) => {
    const lines = answerLines(name, body[name]);
    const said = statements.filter(({ cell }) => cell === name).map(statedText);
    const answer = [...lines, ...said].join('\n');
    return answer === '' ? [] : [{ name, question: cellTexts[name].question, answer }];
  });
  return {
    item: { questions: asked.map(({ question, answer }) => ({ question, answer })), date_created: midnight(day) },
    provenance: asked.flatMap(({ name }, index) => composedOf(placesOf(name, places), `questions[${index}].answer`)),
  };
}

/** Example: `Dana Whitfield, RN stated on Nov 21, 2026: Two trials failed.` */
export function statedText({ text, by, at }: Omit<Statement, 'cell'>): string {
  return `${by} stated on ${dayText(at)}: ${text}`;
}

function placesOf(name: CellName, places: readonly Place[]): Place[] {
  return places.filter(({ target }) => isWithin(target, name));
}

// The answer text combines all values of its cell. Its provenance is the source of the first value and the number of
// the others.
function composedOf(places: readonly Place[], target: string): Provenance[] {
  const [first] = places;
  if (first === undefined) return [];
  const { value: _value, date: _date, ...entry } = first;
  const others = places.length - 1;
  return [{ ...entry, target, kind: 'derived', ...(others === 0 ? {} : { others }) }];
}
