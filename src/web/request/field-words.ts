import { type User, userText } from '../../cases/case.ts';
import { refusals } from '../../core/fhir/references/refusals.ts';
import { engineerWords } from '../../core/mapping/refused.ts';
import type { Gap, Look, Provenance, RefusedValue } from '../../core/mapping/result.ts';
import { sentence } from '../ui/common-words.ts';
import { allSections } from './kind-pages.ts';
import { fieldAt, inSentence } from './labels.ts';

export { plural, sentence } from '../ui/common-words.ts';

/** The source of a value in a few words, with the person who entered it if known: `From the medication order`. */
export function originText({ kind, source }: Provenance, enteredBy?: User): string {
  const where = source === undefined ? 'chart' : resourceWords(source.resource);
  const words: Readonly<Record<Provenance['kind'], string>> = {
    chart: `From the ${where}`,
    derived: source === undefined ? 'Calculated' : `Calculated from the ${where}`,
    site: 'From site settings',
    constant: 'Standard value',
    entered: enteredBy === undefined ? 'Entered by a person' : `Entered by ${userText(enteredBy)}`,
    proposed: `Proposed from the ${where}`,
  };
  return words[kind];
}

/** What an entry replaced, and where that came from: `the chart had “30”`. */
export function replacedText(had: string, kind: Provenance['replacedKind']): string {
  const words: Readonly<Record<NonNullable<Provenance['replacedKind']>, string>> = {
    derived: 'calculated from the chart was',
    proposed: 'proposed from the chart was',
    site: 'the site settings have',
    constant: 'the standard value is',
  };
  return `${kind === undefined ? 'the chart had' : words[kind]} “${had}”`;
}

/** How far one FHIRPath expression matched: `Found Coverage (2), then class (3), but nothing at where(...).` */
export function lookText(look: Look): string {
  const found = look.steps.filter((step) => step.items > 0).map((step) => `${step.step} (${step.items})`);
  const missing = look.steps.find((step) => step.items === 0)?.step;
  const start = found.length === 0 ? 'Found nothing' : `Found ${found.join(', then ')}`;
  const end = missing === undefined ? '' : found.length === 0 ? ` at ${missing}` : `, but nothing at ${missing}`;
  const why = [...new Set((look.refused ?? []).map(engineerWords))];
  return `${start}${end}.${why.length === 0 ? '' : ` Not taken: ${why.join('; ')}.`}`;
}

/** Where a value was found and why it was not used: `the prescriber’s record: its period is over`. */
export function refusedText(one: RefusedValue): string {
  const { source } = one;
  const where = source === undefined ? 'the chart' : `the ${resourceWords(source.resource)}`;
  return `${where}: ${whyNot(one)}`;
}

/**
 * A value that was not used, and why, as a sentence: `The coverage in the chart is not used: it ended on 2026-12-31.`
 */
export function notUsedText(one: RefusedValue): string {
  const what = one.source === undefined ? 'What is' : `The ${resourceWords(one.source.resource)}`;
  return sentence(`${what} in the chart is not used: ${whyNot(one)}`);
}

// The reference at the beginning is for engineers only, so it is removed.
function whyNot({ why, words }: RefusedValue): string {
  return words?.replace(/^[A-Z][A-Za-z]+\/\S+: /, '') ?? refusals[why].staff;
}

export function gapWord(gap: Gap): string {
  const words: Readonly<Record<Gap['reason'], string>> = {
    missing: 'missing',
    invalid: 'not valid',
    uncertain: 'not certain',
    choice: 'choose',
    unconfirmed: 'confirm',
    advice: 'check',
  };
  return words[gap.reason];
}

/** A gap as an instruction with the name of its field or part: `Choose the diagnosis`, `Fix the prescriber’s NPI`. */
export function gapRequest({ target, reason }: Gap, label: string): string {
  const verbs: Readonly<Record<Gap['reason'], string>> = {
    missing: 'Enter',
    invalid: 'Fix',
    uncertain: 'Confirm',
    choice: 'Choose',
    unconfirmed: 'Confirm',
    advice: 'Check',
  };
  return `${verbs[reason]} ${askedFor(target) ?? `the ${inSentence(label)}`}`;
}

/**
 * The text of a gap beside its field: `Enter the patient’s city.` for a missing value, else the gap's message without
 * the name of the field.
 */
export function gapText({ target, severity, reason, message }: Gap): string {
  if (severity === 'blocks' && reason === 'missing' && / (?:is|are) missing\.$/.test(message)) {
    const asked = askedFor(target);
    if (asked !== undefined) return `Enter ${asked}.`;
  }
  const text = message.replace(/^[A-Z][a-z ]+: [^:]+: (?=\S)/, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The name of a field in a sentence: `the patient’s city`. Undefined for a target without a field. */
function askedFor(target: string): string | undefined {
  for (const section of allSections) {
    const field = fieldAt(target, [section]);
    if (field !== undefined) return `${section.owner ?? 'the'} ${inSentence(field.label)}`;
  }
  return undefined;
}

const resources: Readonly<Record<string, string>> = {
  AllergyIntolerance: 'allergy list',
  Condition: 'problem list',
  Coverage: 'coverage',
  DiagnosticReport: 'report',
  DocumentReference: 'note',
  Encounter: 'visit',
  Location: 'location',
  Medication: 'medication record',
  MedicationDispense: 'fill history',
  MedicationRequest: 'medication order',
  MedicationStatement: 'medication list',
  Observation: 'results',
  Organization: 'organization',
  Patient: 'patient record',
  Practitioner: 'prescriber’s record',
  PractitionerRole: 'prescriber’s record',
  Procedure: 'procedure',
};

/** Names of one entry, for parts of the chart whose entries are not called like the part. */
const entries: Readonly<Record<string, string>> = {
  AllergyIntolerance: 'allergy list entry',
  Condition: 'problem list entry',
  MedicationDispense: 'fill',
  MedicationStatement: 'medication list entry',
  Observation: 'result',
};

/** The entry of the chart that a reference points to: `problem list entry`. */
export function entryWords(reference: string): string {
  return entries[reference.replace(/\/.*/, '')] ?? resourceWords(reference);
}

/** The part of the chart that a reference points to, in the words of clinic staff: `medication order`. */
export function resourceWords(reference: string): string {
  return resources[reference.replace(/\/.*/, '')] ?? 'chart';
}
