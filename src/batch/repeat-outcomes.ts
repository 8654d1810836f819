import { maybeDeletedText } from './deletions.ts';
import { type OrderOutcome, type Place, type Problem, placeWords } from './outcome.ts';
import type { PoolFacts } from './pool.ts';
import type { Slot } from './slot.ts';

/** Types whose loss a reader must know of: a chart may lack something by it. */
const chartTypes = new Set(
  (
    'AllergyIntolerance Binary Condition Coverage DiagnosticReport DocumentReference Encounter Location Medication ' +
    'MedicationDispense MedicationStatement Observation Organization Patient Practitioner PractitionerRole'
  ).split(' '),
);

/**
 * Orders that stand twice or were deleted are outcomes; of other resources those whose contents differ, and those that
 * were deleted, are told of their file.
 */
export function outcomesOfRepeats(
  { repeated, replaced, conflicts, deleted, maybeDeleted }: PoolFacts,
  tell: (file: string, problem: Problem) => void,
): OrderOutcome[] {
  for (const { slot, other } of conflicts.filter(({ slot }) => chartTypes.has(slot.type))) {
    const { file, ...within } = slot.place;
    tell(file, { ...within, reason: `${slot.name} ${disputed(other)}: neither was used` });
  }
  for (const { slot, by } of deleted.filter(({ slot }) => chartTypes.has(slot.type))) {
    const { file, ...within } = slot.place;
    tell(file, { ...within, reason: `${slot.name} was deleted (${placeWords(by)})` });
  }
  for (const one of maybeDeleted.filter(({ slot }) => chartTypes.has(slot.type) || isOrder(slot))) {
    const { file, ...within } = one.slot.place;
    tell(file, { ...within, reason: maybeDeletedText(one) });
  }
  return [
    ...deleted.filter(({ slot }) => isOrder(slot)).map(({ slot }) => deletedOrder(slot)),
    ...repeated
      .filter(({ slot }) => isOrder(slot))
      .map(({ slot, first }) => duplicate(slot, `the same order as ${placeWords(first)}`)),
    ...replaced
      .filter(isOrder)
      .map((slot) => duplicate(slot, 'an older version of an order that the input holds in a newer one')),
    ...conflicts
      .filter(({ slot }) => isOrder(slot))
      .map(
        ({ slot: { place, name }, other }): OrderOutcome => ({
          place,
          order: name,
          state: 'cannot_map',
          reason: disputed(other),
        }),
      ),
  ];
}

function isOrder({ type }: Slot): boolean {
  return type === 'MedicationRequest';
}

function disputed(other: Place): string {
  return `stands twice with different content and nothing tells which is newer (the other: ${placeWords(other)})`;
}

function deletedOrder({ place, name }: Slot): OrderOutcome {
  return { place, order: name, state: 'not_candidate', reason: 'it was deleted in the EHR' };
}

function duplicate({ place, name }: Slot, reason: string): OrderOutcome {
  return { place, order: name, state: 'duplicate', reason };
}
