import { type User, userText } from '../../cases/case.ts';
import type { Gap, Look, Provenance } from '../../mapping/result.ts';

/** Where a value came from, in a few words; who entered it where that is known. */
export function originText(provenance: Provenance, enteredBy?: User): string {
  const words: Readonly<Record<Provenance['kind'], string>> = {
    chart: 'From chart',
    derived: 'Worked out',
    site: 'From site settings',
    constant: 'Set by the mapping',
    entered: enteredBy === undefined ? 'Entered by a person' : `Entered by ${userText(enteredBy)}`,
    proposed: 'Proposed',
  };
  return words[provenance.kind];
}

/** How far one look got, in words: `Found Coverage (2), class (3), but no where(...).` */
export function lookText(look: Look): string {
  const found = look.steps.filter((step) => step.items > 0).map((step) => `${step.step} (${step.items})`);
  const missing = look.steps.find((step) => step.items === 0)?.step;
  const start = found.length === 0 ? 'Found nothing' : `Found ${found.join(', then ')}`;
  const end = missing === undefined ? '' : found.length === 0 ? ` at ${missing}` : `, but nothing at ${missing}`;
  return `${start}${end}.${look.refused === undefined ? '' : ` Not taken: ${look.refused}.`}`;
}

/** What a search found and why it was not used, without its paths. */
export function foundText(looks: readonly Look[]): string {
  const refused = [...new Set(looks.flatMap((look) => look.refused ?? []))];
  return refused.length === 0 ? 'Nothing.' : `Found, but not used: ${refused.join('; ')}.`;
}

/** What a gap asks for, as a heading in lists. */
export function gapWord(gap: Gap): string {
  const words: Readonly<Record<Gap['reason'], string>> = {
    missing: 'missing',
    invalid: 'not valid',
    uncertain: 'not certain',
    choice: 'choose',
    unconfirmed: 'confirm',
    advice: 'worth a look',
  };
  return words[gap.reason];
}

/** The same after the name of the field, as one phrase: `Diagnosis needs a choice`. */
export function gapPhrase(gap: Gap): string {
  const phrases: Readonly<Record<Gap['reason'], string>> = {
    missing: 'is missing',
    invalid: 'needs to be corrected',
    uncertain: 'is not clear in the chart',
    choice: 'needs a choice',
    unconfirmed: 'needs to be confirmed',
    advice: 'is worth a look',
  };
  return phrases[gap.reason];
}

/** How many answers are needed and how many entries are wrong: `2 answers needed, 1 to correct`. */
export function neededText(gaps: readonly Gap[]): string {
  const wrong = gaps.filter(({ reason }) => reason === 'invalid').length;
  const needed = gaps.length - wrong;
  return [
    ...(needed === 0 ? [] : [plural(needed, 'answer needed', 'answers needed')]),
    ...(wrong === 0 ? [] : [plural(wrong, 'to correct', 'to correct')]),
  ].join(', ');
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

/** The part of the chart that a reference leads to, as clinic staff call it: `medication order`. */
export function resourceWords(reference: string): string {
  return resources[reference.replace(/\/.*/, '')] ?? 'chart';
}

/** The words as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
