import type { CodeableConcept } from 'fhir/r4.js';
import { compareDrugs } from '../src/core/drug/compare-drugs.ts';
import type { DrugReading } from '../src/core/drug/reading.ts';
import { compareReleases } from '../src/core/drug/release.ts';
import { readDrugs } from '../src/core/drug/several-drugs.ts';
import { isObject } from '../src/core/fhir/is-object.ts';
import type { Follows } from '../src/core/mapping/words/rules.ts';
import { knowledge } from './drug-roles.ts';

/** Paths of the request's leaves that state the drug. */
export interface DrugLeaves {
  readonly name: string;
  readonly strength: string;
  readonly form?: string;
}

/**
 * Whether a code of `system` is still sent after a person edited the leaves that state the drug: only if the names of
 * the concept's codes agree with the entries. `agrees` returns undefined if a code has no name, or if a name does not
 * state enough, such as the strength.
 */
export function drugCode(system: string, leaves: DrugLeaves): Follows {
  const { name, strength, form } = leaves;
  return {
    targets: [name, strength, ...(form === undefined ? [] : [form])],
    agrees: {
      name: 'drugCode',
      sentence: 'sent only where the name of the code says the same',
      call(concept, entered) {
        const stated = namesOf(concept, system).flatMap((display) => readDrugs(display, knowledge));
        const outcomes = stated.map((reading) => says(reading, leaves, entered));
        if (outcomes.includes(false)) return false;
        return outcomes.length === 0 || outcomes.includes(undefined) ? undefined : true;
      },
    },
  };
}

function namesOf(concept: unknown, system: string): string[] {
  const codings = isObject(concept) ? ((concept as CodeableConcept).coding ?? []) : [];
  return codings.flatMap((coding) =>
    coding.system === system && typeof coding.display === 'string' ? [coding.display] : [],
  );
}

function says(code: DrugReading, leaves: DrugLeaves, entered: ReadonlyMap<string, unknown>): boolean | undefined {
  const of = (leaf: string | undefined) => (leaf === undefined ? undefined : entered.get(leaf));
  const [name, strength, form] = [of(leaves.name), of(leaves.strength), of(leaves.form)];
  const entries = isOfEach(strength)
    ? [
        [name, form],
        [strength, form],
      ]
    : [[name ?? code.name, strength, form]];
  const person = entries.flatMap((parts) => {
    const words = parts.filter((part) => part !== undefined).join(' ');
    return words === '' ? [] : readDrugs(words, knowledge).slice(0, 1);
  });
  if (person.length === 0) return undefined;
  const differences = person.flatMap((reading) => compareDrugs(code, reading, knowledge));
  if (differences.some(({ certainty }) => certainty === 'differs')) return false;
  const [named] = person;
  if (name !== undefined && named !== undefined && !isSameRelease(code, named)) return false;
  const isSilent =
    (strength !== undefined && (!hasStrength(code) || !person.some(hasStrength))) ||
    (form !== undefined && code.form === undefined) ||
    (name !== undefined && code.name === undefined);
  return isSilent || differences.length > 0 ? undefined : true;
}

// "carbidopa 25 MG / levodopa 100 MG" gives a strength for each ingredient.
function isOfEach(strength: unknown): boolean {
  return typeof strength === 'string' && readDrugs(strength, knowledge)[0]?.components !== undefined;
}

// A person who chose the plain drug did not choose an extended-release one.
function isSameRelease({ release: ours }: DrugReading, { release: theirs }: DrugReading): boolean {
  if (ours === undefined || theirs === undefined)
    return (ours ?? theirs)?.kind === undefined || (ours ?? theirs)?.kind === 'immediate';
  return compareReleases(ours, theirs) === 'same';
}

function hasStrength({ amounts, possible }: DrugReading): boolean {
  return amounts.length > 0 || possible.length > 0;
}
