import type { Gap, Look, Provenance } from '../../mapping/result.ts';

/** Where a value came from, in a few words. */
export function originText(provenance: Provenance): string {
  const words: Readonly<Record<Provenance['kind'], string>> = {
    chart: 'From chart',
    derived: 'Worked out',
    site: 'From site settings',
    constant: 'Set by the mapping',
    entered: 'Entered by you',
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
    invalid: 'is not valid',
    uncertain: 'is not certain',
    choice: 'needs a choice',
    unconfirmed: 'needs to be confirmed',
    advice: 'is worth a look',
  };
  return phrases[gap.reason];
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
