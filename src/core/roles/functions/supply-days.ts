import type { Dosage, MedicationRequest, Quantity } from 'fhir/r4.js';
import {
  type DaysRead,
  type DaysSupplyInput,
  daysOf,
  daysOfDirections,
  daysOfQuantity,
} from '../../drug/dosage/days-supply.ts';
import { oddDose } from '../../drug/dosage/odd-dose.ts';
import { singleDoseOf } from '../../drug/single-dose.ts';
import { type MassOfOne, strengthOfOne } from '../../drug/strength-of-one.ts';
import { isObject } from '../../fhir/is-object.ts';
import type { Derived, Worked } from '../computed.ts';
import { drugReadings } from '../drug-of.ts';
import type { Facts } from '../facts.ts';

/**
 * The days that the supply lasts at the order's dose, with a note on how they were computed, or the reason why they are
 * not certain.
 */
export function supplyDays(facts: Facts): Derived {
  const drugs = facts.root('drug').nodes.flatMap(drugReadings);
  const supply = {
    quantity: quantityOf(facts),
    dosages: dosagesOf(facts),
    strength: strengthOfOne(drugs),
    container: singleDoseOf(drugs),
    fills: fillsOf(facts),
  };
  const days = unreadPart(facts) ?? daysOf(supply);
  if (typeof days === 'string') {
    const directed = daysOfDirections(supply);
    return { refused: days, otherwise: directed && workedDays(directed, supply) };
  }
  const [dose] = facts.root('dose').nodes;
  const path = dose?.source?.path ?? 'MedicationRequest';
  return { ...workedDays(days, supply), from: path };
}

// The end of the directions does not say how long the quantity lasts, because directions may end before the quantity is
// used up.
function workedDays({ days, note, endsAfter }: DaysRead, supply: DaysSupplyInput): Worked {
  const lasting = endsAfter === undefined ? days : daysOfQuantity(supply);
  const lasts = typeof lasting === 'number' ? `its quantity and dose last ${lasting}` : undefined;
  if (endsAfter === undefined) return { value: days, note, says: `${lasts} (${note})` };
  return { value: days, note, says: [lasts, `its directions end after ${endsAfter}`].filter(Boolean).join(', ') };
}

// A timing may mean something else without the parts that are not in the form of FHIR R4, such as the text "2" for a
// number, or R5's asNeeded.
function unreadPart({ graph, request }: Facts): string | undefined {
  const shape = graph.shapeOf(request.order);
  if (shape === undefined) return undefined;
  const { misshapen, foreign } = shape;
  const isUnread = [...misshapen.map(({ path }) => path), ...foreign].some((path) =>
    path.startsWith('dosageInstruction'),
  );
  return isUnread ? 'a part of the dosage instruction could not be read' : undefined;
}

export function hasOddDose(facts: Facts): boolean {
  return oddDose(dosagesOf(facts), quantityOf(facts), () => strengthOf(facts)) !== undefined;
}

function quantityOf(facts: Facts): Quantity | undefined {
  const supply = facts.root('supply').nodes[0]?.value;
  return isObject(supply) && isObject(supply.quantity) ? supply.quantity : undefined;
}

// The chart does not say how often a first fill is dispensed.
function fillsOf(facts: Facts): number | undefined {
  const dispenseRequest = facts.resource<MedicationRequest>('order')?.resource.dispenseRequest;
  const supply = facts.root('supply').nodes[0]?.value;
  const { numberOfRepeatsAllowed } = dispenseRequest ?? {};
  return numberOfRepeatsAllowed === undefined || supply !== dispenseRequest ? undefined : numberOfRepeatsAllowed + 1;
}

function dosagesOf(facts: Facts): Dosage[] {
  return facts.root('dose').nodes.map(({ value }) => value as Dosage);
}

function strengthOf({ root }: Facts): MassOfOne | undefined {
  return strengthOfOne(root('drug').nodes.flatMap(drugReadings));
}
