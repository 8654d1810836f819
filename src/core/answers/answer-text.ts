import type { AnsweredTest, AnsweredTrial, AnswersSheet, CellName } from '../contract/answers-sheet.ts';
import { amountsInWords } from '../drug/amount-words.ts';
import { dayText, whenText } from '../fhir/time/day-text.ts';
import type { DeepPartial } from '../mapping/words/rules.ts';

interface CellText<Name extends CellName> {
  readonly question: string;
  readonly lines: (value: NonNullable<DeepPartial<AnswersSheet>[Name]>) => readonly string[];
}

type Row<Name extends 'intolerance' | 'response' | 'concurrent' | 'diagnosis'> = DeepPartial<
  NonNullable<AnswersSheet[Name]>[number]
>;

/** Joins the parts that have a value with `; `. Every part except the last loses its final period. */
function joined(...parts: readonly (string | undefined | false)[]): string {
  const said = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return said.map((part, at) => (at < said.length - 1 ? part.replace(/(?<!\.\w)\.$/, '') : part)).join('; ');
}

function dated(word: string, date: string | undefined): string | undefined {
  return date === undefined ? undefined : `${word} ${dayText(date)}`;
}

function validText(from: string | undefined, until: string | undefined): string | undefined {
  if (from === undefined && until === undefined) return undefined;
  return ['order valid', dated('from', from), dated('until', until)].filter(Boolean).join(' ');
}

function quoted(words: string): string {
  return `“${words}”`;
}

function notesOf({ notes = [] }: { readonly notes?: readonly (string | undefined)[] | undefined }): string[] {
  return notes.flatMap((note) => (note === undefined ? [] : [quoted(note)]));
}

function counted(count: number | undefined, words: string): string | undefined {
  return count === undefined ? undefined : `${count} ${words}`;
}

function statedDays(days: number | undefined): string | undefined {
  return days === undefined ? undefined : `about ${days} days, as told`;
}

// A value that ends like a sentence is text from a report, so it is quoted.
function valueText(value: unknown): string {
  return /[.!?]$/.test(`${value}`) ? quoted(`${value}`) : `${value}`;
}

/** Example: `Systolic 128 mmHg, Diastolic 76 mmHg`. */
function saidText({ value, components = [] }: Pick<DeepPartial<AnsweredTest>, 'value' | 'components'>): string {
  const parts = components.map((one) => `${one?.test} ${one?.value}`).join(', ');
  if (value === undefined) return parts;
  return parts === '' ? valueText(value) : `${valueText(value)} (${parts})`;
}

/** `Tuberculosis screen (“TB skin test”): Negative on May 25, 2026 (180 days ago); “0 mm at 48 hours”` */
export function testText(test: DeepPartial<AnsweredTest>): string {
  const { date = '', age_days: age, interpretation, reference_range: range, method } = test;
  const name = test.called === undefined ? test.test : `${test.test} (${quoted(test.called)})`;
  const aged = age === undefined ? '' : age === 0 ? ' (today)' : ` (${age} ${age === 1 ? 'day' : 'days'} ago)`;
  return joined(
    `${name}: ${saidText(test)} ${whenText(date)}${aged}`,
    interpretation,
    range === undefined ? undefined : `reference ${range}`,
    method,
    ...notesOf(test),
  );
}

export interface TrialParts {
  /** `methotrexate 2.5 MG` */
  readonly drug: string;
  /** `from Jan 9, 2024; until Apr 13, 2024; 86 days covered` */
  readonly taken: string;
  /** `inadequate response: “Nausea”` */
  readonly ended: string;
}

const givenAsSamples = 'given as samples';
const notProved = 'ordered, not proved taken';

// The words in the answer that tell the payer that the trial may not count.
function sentProof({ sample, proof }: DeepPartial<AnsweredTrial>): string | undefined {
  if (sample === true) return givenAsSamples;
  return proof === notProved ? proof : undefined;
}

export function trialParts(trial: DeepPartial<AnsweredTrial>): TrialParts {
  const {
    brands = [],
    strengths = [],
    releases = [],
    directions = [],
    outcome = [],
    reasons = [],
    ordered_as: orderedAs = [],
  } = trial;
  const release = releases.join(', ');
  const isInPart = trial.release_in_part === true && release !== '';
  const name = [trial.ingredient, ...(isInPart ? [] : [release]), ...brands.map((brand) => `(${brand})`)];
  const drug = [
    [...name, strengths.join(', ')].filter((part) => part !== undefined && part !== '').join(' '),
    ...(isInPart ? [`in part ${release}`] : []),
  ].join(', ');
  const ended = outcome.length === 0 ? trial.remark : outcome.join(', ');
  const taken = joined(
    ...directions,
    trial.sample === true && givenAsSamples,
    orderedAs.length === 0 ? undefined : `ordered as ${orderedAs.join(', ')}`,
    trial.proof === notProved ? trial.proof : undefined,
    dated('ordered', trial.ordered),
    dated('from', trial.first),
    dated('until', trial.last),
    dated('last dispensed', trial.last_dispensed),
    dated('taken as of', trial.as_of),
    trial.stopped === trial.last ? undefined : dated('stopped', trial.stopped),
    counted(trial.days_covered, 'days covered'),
    counted(trial.days_ahead, 'of them still ahead'),
    counted(trial.days_after_stop, 'of them after the stop'),
    statedDays(trial.about_days),
    counted(trial.times_given, trial.times_given === 1 ? 'dose given' : 'doses given'),
    trial.dose_interval === undefined ? undefined : `one every ${trial.dose_interval}`,
    counted(trial.unmeasured, 'fills that do not say how long they last'),
  );
  const kinds = outcome.map((kind) => kind?.toLowerCase());
  const quotes = reasons.filter((reason) => !kinds.includes(reason?.trim().toLowerCase()));
  const end = joined(quotes.length === 0 ? ended : joined(ended, `“${quotes.join('”, “')}”`).replace('; ', ': '));
  return { drug, taken, ended: end };
}

/** A judgment for staff that is never sent to a payer. */
export interface Remark {
  readonly text: string;
  /** The words in the answer that the remark is about. These words are sent; the remark is not. */
  readonly judges?: string | undefined;
}

export function trialRemarks(trial: DeepPartial<AnsweredTrial>): Remark[] {
  const { contradiction, not_counted: uncounted, parts_not_counted: parts, unexplained } = trial;
  const reason = uncounted === undefined ? undefined : `not counted: ${uncounted}`;
  const silence = unexplained === true ? 'the chart gives no reason for stopping it' : undefined;
  return [
    { text: contradiction },
    { text: silence },
    { text: reason, judges: sentProof(trial) },
    { text: parts },
  ].flatMap(({ text, ...judged }) => (text === undefined ? [] : [{ text, ...judged }]));
}

/** `methotrexate 2.5 MG; from Jan 9, 2024; until Apr 13, 2024; 86 days covered; inadequate response: Nausea` */
export function trialText(trial: DeepPartial<AnsweredTrial>): string {
  const { drug, taken, ended } = trialParts(trial);
  return joined(drug, taken, ended);
}

function measureText(measure: Row<'response'>['before'] = {}): string {
  const beside = joined(measure.called && quoted(measure.called), ...notesOf(measure));
  return `${saidText(measure)}${beside === '' ? '' : ` (${beside})`} ${whenText(measure.date)}`;
}

/** In HL7's category codes, `community` means at home, not in a clinic or hospital. */
function settingText(setting: string | undefined): string | undefined {
  return setting?.toLowerCase() === 'community' ? 'At home (community prescription)' : setting;
}

/** `the first dose, ordered Jul 1, 2025` */
function beginningText({
  ordered,
  by_order: isByOrder,
  sampled,
}: Pick<Row<'response'>, 'ordered' | 'by_order' | 'sampled'>): string {
  if (sampled !== undefined) return `the samples of ${dayText(sampled)}`;
  if (ordered === undefined) return 'the first dose';
  return isByOrder ? `it was ordered on ${dayText(ordered)}` : `the first dose, ordered ${dayText(ordered)}`;
}

/** `same class: TNF inhibitors` */
function relationText(row: { readonly relation?: string | undefined; readonly class?: string | undefined }) {
  return row.class === undefined ? row.relation : `${row.relation}: ${row.class}`;
}

function orderedText(words: string | undefined): string | undefined {
  return words === undefined ? undefined : `ordered as “${words}”`;
}

interface DoseWords {
  readonly dose?: string | undefined;
  readonly timing?: string | undefined;
  readonly route?: string | undefined;
}

function doseText({ dose, timing, route }: DoseWords): string {
  const amount = dose === undefined ? undefined : amountsInWords(dose);
  return [[amount, timing].filter(Boolean).join(' '), route].filter(Boolean).join(', ');
}

const names = { weight: 'weight', height: 'height', bmi: 'BMI', bsa: 'body surface area' } as const;

export const cellTexts: { readonly [Name in CellName]: CellText<Name> } = {
  therapy: {
    question: 'Is the patient new to this drug, or continuing it?',
    lines: ({
      status,
      basis,
      in_other_form: isInOtherForm,
      taken_as: takenAs = [],
      since,
      ordered,
      gaps = [],
      supplied_as: supplied = [],
      samples,
      remark,
      dose_interval: interval,
      ...days
    }) => [
      joined(
        [status && `${status}${isInOtherForm === true ? ' in another form' : ''}`, basis].filter(Boolean).join(': '),
        takenAs.length > 0 && `${days.taken_as_in_part ? 'in part as' : 'as'} ${takenAs.join(', ')}`,
        dated('ordered', ordered),
        dated(ordered === undefined ? 'since' : 'first known to be taken', since),
        counted(days.days_covered, 'days covered'),
        statedDays(days.about_days),
        interval === undefined ? undefined : `a dose every ${interval}`,
        remark,
        samples,
      ),
      ...supplied.map(({ day, words }) => `${dated('supplied on', day) ?? 'supplied'}: “${words}”`),
      ...gaps.map(
        (gap) => `without supply from ${dayText(gap.from ?? '')} to ${dayText(gap.to ?? '')}: ${gap.days} days`,
      ),
    ],
  },
  diagnosis: {
    question: 'What is the diagnosis for this drug?',
    lines: (rows) =>
      rows.map(({ code, text, onset, recorded, notes = [] }: Row<'diagnosis'>) =>
        joined(
          [...new Set([code, text])].filter(Boolean).join(' '),
          dated('since', onset),
          dated('recorded', recorded),
          ...notes.map(quoted),
        ),
      ),
  },
  severity: {
    question: 'How severe is the disease?',
    lines: ({ scores = [], severity = [], stages = [] }) => [...severity, ...stages, ...scores.map(testText)],
  },
  trials: {
    question: 'Which other drugs were tried, for how long, and how did it end?',
    lines: (rows) => rows.map(trialText),
  },
  intolerance: {
    question: 'Does the patient not tolerate other drugs?',
    lines: (rows) =>
      rows.map((row: Row<'intolerance'>) =>
        joined(
          row.substance,
          orderedText(row.ordered_as),
          relationText(row),
          row.type === 'not tolerated' || row.type === 'contraindicated' ? row.type : undefined,
          row.reactions?.join(', '),
          ...(row.notes ?? []).map(quoted),
          row.reasons?.map((reason) => `“${reason}”`).join(', '),
          row.verification,
          dated('since', row.onset),
          dated('recorded', row.recorded),
        ),
      ),
  },
  response: {
    question: 'How did the patient respond to this drug?',
    lines: (rows) =>
      rows.map(
        ({
          measure,
          before,
          now,
          before_restart: later,
          restarted = '',
          without_supply: gap,
          ...row
        }: Row<'response'>) =>
          `${measure}: ${measureText(before)} before ${beginningText(row)}, ` +
          (later === undefined ? '' : `${measureText(later)} before it was begun again on ${dayText(restarted)}, `) +
          measureText(now) +
          (gap === undefined ? '' : `, without supply from ${dayText(gap.from ?? '')} to ${dayText(gap.to ?? '')}`),
      ),
  },
  tests: {
    question: 'What are the results of the tests?',
    lines: ({ results = [] }) => results.map(testText),
  },
  patient: {
    question: 'What are the birth date, age, sex, weight and height of the patient?',
    lines: ({ birth_date: born, age_years: years, age_months: months, sex, deceased, deceased_on: died, ...rest }) => [
      joined(
        months === undefined ? counted(years, years === 1 ? 'year' : 'years') : `${months} months`,
        sex,
        dated('born', born),
        dated('deceased on', died) ?? (deceased === true && 'deceased'),
      ),
      ...(['weight', 'height', 'bmi', 'bsa'] as const).flatMap((key) => {
        const vital = rest[key];
        if (vital?.value === undefined) return [];
        return [joined(`${names[key]} ${vital.value} ${whenText(vital.date)}`, ...notesOf(vital))];
      }),
    ],
  },
  specialty: {
    question: 'What is the specialty of the prescriber?',
    lines: ({ text, nucc }) => [joined(text, nucc)],
  },
  dose: {
    question: 'What are the dose, the quantity and the length of therapy?',
    lines: (dose) => [
      [
        [dose.drug ?? orderedText(dose.ordered_as), dose.ingredient && `(${dose.ingredient})`]
          .filter(Boolean)
          .join(' '),
        ...[dose.release, dose.strength, dose.form, dose.route],
      ]
        .filter(Boolean)
        .join(', '),
      joined(
        dose.directions,
        // The directions come before the structured numbers because the two may disagree.
        ...(dose.directions === undefined ? (dose.doses ?? []).map(({ text }) => text) : []),
        (dose.doses ?? []).map(doseText).filter(Boolean).join(', '),
        dose.quantity === undefined ? undefined : `quantity ${amountsInWords(dose.quantity)}`,
        counted(dose.days_supply, 'days'),
        counted(dose.refills, dose.refills === 1 ? 'refill' : 'refills'),
        dose.length === undefined ? undefined : `for ${dose.length}`,
        validText(dose.valid_from, dose.valid_until),
      ),
      ...(dose.dispensed ?? []).map(({ day, product, quantity, days }) =>
        joined(
          `${dated('dispensed on', day) ?? 'dispensed'}: ${product}`,
          quantity === undefined ? undefined : `quantity ${amountsInWords(quantity)}`,
          counted(days, 'days'),
        ),
      ),
    ],
  },
  concurrent: {
    question: 'Which other drugs of this class or for this use does the patient take now?',
    lines: (rows) =>
      rows.map((row: Row<'concurrent'>) =>
        joined(
          row.drug,
          relationText(row),
          row.proof === notProved ? row.proof : undefined,
          dated('since', row.since),
          dated('last dispensed or given', row.supplied),
          dated('as of', row.as_of),
          dated('ordered', row.ordered),
          row.directions,
        ),
      ),
  },
  place: {
    question: 'Where is the drug given, and which pharmacy dispenses it?',
    lines: ({ setting = [], performer, stated = [], pharmacy, pharmacy_phone: phone }) => [
      joined(...setting.map(settingText), performer, ...stated.map((words) => `“${words}”`), pharmacy, phone),
    ],
  },
  rationale: { question: 'Why is this drug needed, and not another one?', lines: (text) => [text] },
  'on-label': { question: 'Is the use in line with the label of the drug?', lines: (text) => [text] },
  attestation: { question: 'What does the prescriber attest?', lines: (text) => [text] },
  signature: { question: 'Who signs?', lines: (text) => [text] },
};

export function answerLines<Name extends CellName>(
  name: Name,
  value: DeepPartial<AnswersSheet>[Name],
): readonly string[] {
  if (value === undefined) return [];
  const { lines } = cellTexts[name];
  return lines(value).filter((line) => line !== '');
}
