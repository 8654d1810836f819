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

/** A submitted form: one or several texts by name. The route refuses anything else. */
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

/** The text of a leaf in its field. */
export function shown(spec: FieldSpec, value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  return spec.input === 'day' ? String(value).slice(0, 10) : String(value);
}

/** The name of the radio buttons of a field that offers readings; the empty value selects its text field. */
export function pickName(target: string): string {
  return `pick.${target}`;
}

/**
 * The changes of the form to the case's edits. Each field is sent with the text that the page showed (`o.` beside
 * `f.`), so that only a person's change is an edit, even if the chart was refreshed in the meantime. Typing the chart's
 * own value removes the edit. For a field with options, a newly selected option is the entry, else the text; a field
 * without either is asked again.
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

// Undefined if the person changed nothing here. A typed text counts even if its radio button is not selected.
function enteredIn(form: Form, target: string, read = (text: string) => text): string | undefined {
  const change = (name: string) => {
    const text = textOf(form, name);
    return !(name in form) || text === textOf(form, `o.${name.replace(/^f\./, '')}`) ? undefined : text;
  };
  const [picked, typed] = [change(pickName(target)), change(`f.${target}`)];
  if (picked !== undefined && picked !== '') return picked;
  return picked === '' ? read(typed ?? '') : typed === undefined ? undefined : read(typed);
}

/** The person's choices of coverage, diagnoses and evidence; an unchanged group changes nothing. */
export function answersOf(form: Form, answers: Answers): Answers {
  const coverage = textOf(form, 'coverage');
  // A code that was typed and selected stays in the field until the page receives the result of its save.
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
 * The changes from an enrollment's consent block: a `consent` once it is complete (who, a day of the patient’s life
 * that has begun, how), else the `consentEntry` as typed. Nothing if the form has no such block or the block is
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
  // The patient agreed to one program; another program needs a new consent.
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
    // The consent was recorded before a program was selected; this form showed the program's text.
    return before.wording === undefined && wording !== '' ? { consent: { ...before, wording } } : {};
  return consentFaults(entry, { now, today, birthDate: banner.birthDate }).length === 0
    ? { consent: { ...entry, recordedBy, ...(wording === '' ? {} : { wording }) } }
    : { consentEntry: entry };
}

/** Buttons that enter the patient's name and today. */
export const consentPicks = { by: 'consent.pick-by', on: 'consent.pick-on' } as const;

function isChanged(form: Form, target: string): boolean {
  if (textOf(form, 'reset') === target) return true;
  return enteredIn(form, target) !== undefined;
}

/** The missing parts of a consent, in words; empty if it is complete. */
export function consentFaults({ by, on, how }: ConsentEntry, life: Life): string[] {
  return [
    by === '' ? 'who gave it is missing' : undefined,
    dayFault(on, life),
    how === '' ? 'how it was recorded is missing' : undefined,
  ].filter((fault) => fault !== undefined);
}

/** The days between which a consent can have been given. */
interface Life {
  readonly now: Date;
  /** YYYY-MM-DD at the site, if the chart has it. */
  readonly today: string | undefined;
  /** The patient's birth date, as precise as in the chart. */
  readonly birthDate: string | undefined;
}

function dayFault(on: string, { now, today, birthDate }: Life): string | undefined {
  if (on === '') return 'the day is missing';
  if (!z.iso.date().safeParse(on).success) return 'the day is not a date';
  if (on > (today ?? latestDayOnEarth(now))) return 'the day is after today';
  // A partial date counts as its beginning: `1980` is before every day of that year.
  return birthDate !== undefined && on < birthDate ? 'the day is before the patient’s birth' : undefined;
}

/** The date in the world's latest time zone, YYYY-MM-DD: no later day has begun anywhere. */
export function latestDayOnEarth(now: Date): string {
  return new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
}

// An unreadable number stays a text, and the contract reports it at the field.
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

// Items that another window selected meanwhile stay selected.
function changedList(stored: readonly string[], listed: readonly string[], now: readonly string[]): readonly string[] {
  if (sameList(stored, listed)) return now;
  const kept = stored.filter((one) => now.includes(one) || !listed.includes(one));
  return [...new Set([...kept, ...now.filter((one) => !listed.includes(one))])];
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
