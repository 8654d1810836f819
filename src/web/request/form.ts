import { z } from 'zod';
import type { Banner, ConsentEntry, Entries, User } from '../../cases/case.ts';
import type { Edits } from '../../core/mapping/result.ts';
import type { Answers } from '../../core/roles/chart.ts';
import type { FieldSpec, SectionSpec } from './labels.ts';
import type { Leaves } from './leaves.ts';
import { listedWord, type TypedWord } from './typed/listed-word.ts';

const one = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? value : (value.at(-1) ?? '')));
const many = z.union([z.string().transform((value) => [value]), z.array(z.string())]);

/** A submitted form: one or several texts for each name. Other forms are refused. */
export const Form = z.record(
  z.string().max(200),
  z.union([z.string().max(20_000), z.array(z.string().max(2_000)).max(200)]),
);
export type Form = z.infer<typeof Form>;

export function textOf(form: Form, name: string): string {
  return name in form ? one.parse(form[name]).trim() : '';
}

export function textsOf(form: Form, name: string): string[] {
  return name in form ? many.parse(form[name]).map((text) => text.trim()) : [];
}

/** The text that a field shows for the value of its leaf. */
export function shown(spec: FieldSpec, value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  return spec.input === 'day' ? String(value).slice(0, 10) : String(value);
}

/** The name of the radio buttons of a field with options. The empty value stands for its text field. */
export function pickName(target: string): string {
  return `pick.${target}`;
}

/**
 * The case's edits after the form was saved. The form has each field (`f.`) and the text that the page showed in it
 * (`o.`), so that only what the person changed becomes an edit, even if the chart was refreshed in between. Entering
 * the chart's own value removes the edit. In a field with options, a newly chosen option counts before the text; if
 * both are empty, the edit is removed.
 */
export function editsOf(
  form: Form,
  sections: readonly SectionSpec[],
  edits: Edits,
  chartValues: Leaves,
  typedWord?: TypedWord,
): Edits {
  const next: Record<string, unknown> = { ...edits };
  for (const spec of sections.flatMap((section) => section.fields)) {
    const { target } = spec;
    const entered = enteredIn(form, target, (text) => listedWord(spec, text, typedWord));
    if (entered === undefined) continue;
    const isAskedAgain = entered === '' && `o.${pickName(target)}` in form;
    if (isAskedAgain || entered === shown(spec, chartValues.get(target))) delete next[target];
    else next[target] = entryOf(spec, entered);
  }
  delete next[textOf(form, 'reset')];
  return next;
}

// What the person entered; undefined if they changed nothing. Typed text counts even if its radio button is not
// selected, unless another option was newly picked.
function enteredIn(form: Form, target: string, read = (text: string) => text): string | undefined {
  const change = (name: string) => {
    const text = textOf(form, name);
    return !(name in form) || text === textOf(form, `o.${name.replace(/^f\./, '')}`) ? undefined : text;
  };
  const [picked, typed] = [change(pickName(target)), change(`f.${target}`)];
  if (picked !== undefined && picked !== '') return picked;
  return picked === '' ? read(typed ?? '') : typed === undefined ? undefined : read(typed);
}

/**
 * The answers after the form was saved: coverage, diagnoses and evidence. A group that the person did not change keeps
 * its answer.
 */
export function answersOf(form: Form, answers: Answers): Answers {
  const coverage = textOf(form, 'coverage');
  // A code can be selected and in the text field until the page has the answer to the save, so duplicates are removed.
  const typed = splitCodes(textOf(form, 'diagnosis-codes'));
  const diagnoses = [...new Set([...textsOf(form, 'diagnosis'), ...typed])];
  const [evidence, listed] = [textsOf(form, 'evidence'), textsOf(form, 'o.evidence')];
  return {
    ...answers,
    ...(coverage === '' || coverage === textOf(form, 'o.coverage') ? {} : { coverage }),
    ...(sameList(diagnoses, textsOf(form, 'o.diagnosis')) ? {} : { diagnoses }),
    ...(sameList(evidence, listed) ? {} : { evidence: changedList(answers.evidence ?? listed, listed, evidence) }),
  };
}

/**
 * What a form changes in an enrollment's consent: `consent` once it is complete (who, how, and a day between the
 * patient's birth and today), else `consentEntry` as typed. Empty if the form has no consent block or the block is
 * unchanged.
 */
export function consentOf(
  form: Form,
  {
    consent: before,
    banner,
    today,
  }: Pick<Entries, 'consent'> & { readonly banner: Banner; readonly today: string | undefined },
  recordedBy: User,
  now: Date,
): Pick<Entries, 'consent' | 'consentEntry'> {
  // The patient agreed to one program, so another program needs a new consent.
  if (before?.wording !== undefined && isChanged(form, 'programId'))
    return { consentEntry: { by: '', on: '', how: '' } };
  if (!('consent.by' in form)) return {};
  const entry: ConsentEntry = {
    by: textOf(form, consentPicks.by) || textOf(form, 'consent.by'),
    on: textOf(form, consentPicks.on) || textOf(form, 'consent.on'),
    how: textOf(form, 'consent.how'),
  };
  const wording = textOf(form, 'consent.wording');
  if (before !== undefined && entry.by === before.by && entry.on === before.on && entry.how === before.how)
    // The consent was recorded before a program was chosen. This form showed the text of the program, so it is added.
    return before.wording === undefined && wording !== '' ? { consent: { ...before, wording } } : {};
  return consentFaults(entry, { now, today, birthDate: banner.birthDate }).length === 0
    ? { consent: { ...entry, recordedBy, ...(wording === '' ? {} : { wording }) } }
    : { consentEntry: entry };
}

/** Names of the buttons that enter the patient's name and today. */
export const consentPicks = { by: 'consent.pick-by', on: 'consent.pick-on' } as const;

function isChanged(form: Form, target: string): boolean {
  if (textOf(form, 'reset') === target) return true;
  return enteredIn(form, target) !== undefined;
}

/** What is missing or wrong in a consent, one text per fault; empty if nothing. */
export function consentFaults({ by, on, how }: ConsentEntry, life: Life): string[] {
  return [
    by === '' ? 'who gave it is missing' : undefined,
    dayFault(on, life),
    how === '' ? 'how it was recorded is missing' : undefined,
  ].filter((fault) => fault !== undefined);
}

/** The limits for the day of a consent. */
interface Life {
  readonly now: Date;
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string | undefined;
  /** The patient's birth date, as precise as in the chart. */
  readonly birthDate: string | undefined;
}

function dayFault(on: string, { now, today, birthDate }: Life): string | undefined {
  if (on === '') return 'the day is missing';
  if (!z.iso.date().safeParse(on).success) return 'the day is not a date';
  if (on > (today ?? latestDayOnEarth(now))) return 'the day is after today';
  // Compared as text: the partial date `1980` comes before every day of that year.
  return birthDate !== undefined && on < birthDate ? 'the day is before the patient’s birth' : undefined;
}

/** The latest date anywhere in the world, YYYY-MM-DD. */
export function latestDayOnEarth(now: Date): string {
  return new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
}

// Text that is not a number is kept, so that the contract reports it at the field.
function entryOf(spec: FieldSpec, entered: string): unknown {
  if (entered === '') return null;
  const numeric = spec.input === 'number' || spec.input === 'whole' || spec.isNumber === true;
  if (numeric) return /^-?\d+([.,]\d+)?$/.test(entered) ? Number(entered.replace(',', '.')) : entered;
  if (spec.input === 'flag') return entered === 'true';
  return spec.input === 'day' ? `${entered}T00:00:00.000000` : entered;
}

function splitCodes(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
    .map((code) => code.toUpperCase());
}

// Items that another window selected in the meantime stay selected.
function changedList(stored: readonly string[], listed: readonly string[], now: readonly string[]): readonly string[] {
  if (sameList(stored, listed)) return now;
  const kept = stored.filter((one) => now.includes(one) || !listed.includes(one));
  return [...new Set([...kept, ...now.filter((one) => !listed.includes(one))])];
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
