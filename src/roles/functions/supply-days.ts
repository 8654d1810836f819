import type { Dosage, Quantity } from 'fhir/r4.js';
import { type DaysRead, daysOf, daysOfDirections, daysOfQuantity, type Supply } from '../../fhir/dosage/days-supply.ts';
import type { Amount } from '../../fhir/dosage/dose-unit.ts';
import { oddDose } from '../../fhir/dosage/odd-dose.ts';
import { unitKindsOf } from '../../fhir/drug/dispense-unit.ts';
import type { DrugReading } from '../../fhir/drug/reading.ts';
import type { Strength } from '../../fhir/drug/strength.ts';
import { isObject } from '../../fhir/is-object.ts';
import type { Derived, Worked } from '../computed.ts';
import type { Facts } from '../facts.ts';

/** The days that the supply lasts at the order's dose, and how that was found; or why it is not certain. */
export function supplyDays(facts: Facts): Derived {
  const supply = { quantity: quantityOf(facts), dosages: dosagesOf(facts), strength: strengthOfOne(facts) };
  const days = unreadPart(facts) ?? daysOf(supply);
  if (typeof days === 'string') {
    const directed = daysOfDirections(supply);
    return { refused: days, otherwise: directed && workedOut(directed, supply) };
  }
  const [dose] = facts.root('dose').nodes;
  const path = dose?.source?.path ?? 'MedicationRequest';
  return { ...workedOut(days, supply), from: path };
}

// Directions may end before the quantity does: that is no statement of how long it lasts.
function workedOut({ days, note, endsAfter }: DaysRead, supply: Supply): Worked {
  const lasting = endsAfter === undefined ? days : daysOfQuantity(supply);
  const lasts = typeof lasting === 'number' ? `its quantity and dose last ${lasting}` : undefined;
  if (endsAfter === undefined) return { value: days, note, says: `${lasts} (${note})` };
  return { value: days, note, says: [lasts, `its directions end after ${endsAfter}`].filter(Boolean).join(', ') };
}

// Read without its misshapen or foreign parts, a timing says another thing than it meant ("2" times, R5's asNeeded).
function unreadPart({ graph, request }: Facts): string | undefined {
  const { misshapen = [], foreign = [] } = graph.shapeOf(request.order) ?? {};
  const isUnread = [...misshapen.map(({ path }) => path), ...foreign].some((path) =>
    path.startsWith('dosageInstruction'),
  );
  return isUnread ? 'a part of the dosage instruction could not be read' : undefined;
}

/** Whether one dose is implausibly large by the instructions and the quantity. */
export function hasOddDose(facts: Facts): boolean {
  return oddDose(dosagesOf(facts), quantityOf(facts), () => strengthOfOne(facts)) !== undefined;
}

function quantityOf(facts: Facts): Quantity | undefined {
  const supply = facts.root('supply').nodes[0]?.value;
  return isObject(supply) && isObject(supply.quantity) ? supply.quantity : undefined;
}

function dosagesOf(facts: Facts): Dosage[] {
  return facts.root('dose').nodes.map(({ value }) => value as Dosage); // what the role holds
}

/** The mass in one tablet or capsule, when every source that states one says the same. */
function strengthOfOne(facts: Facts): Amount | undefined {
  const { nodes } = facts.root('drug');
  // asReading put it there
  const readings = nodes.flatMap(({ value }) => (isObject(value) ? [value.drug as DrugReading] : []));
  const solid = readings.filter(({ form, amounts }) => amounts.length === 1 && unitKindsOf(form).includes('counted'));
  const amounts = solid.flatMap(({ amounts: [only] }) => (only === undefined ? [] : [only]));
  const [first] = amounts;
  if (first === undefined) return undefined;
  const isOne = amounts.every(
    ({ amount, per }) => isOfOne(per) && amount.value === first.amount.value && amount.unit === first.amount.unit,
  );
  return isOne ? first.amount : undefined;
}

// "10 mg per 1 tablet" of a Medication's ingredient is the "10 mg" of a name.
function isOfOne(per: Strength['per']): boolean {
  return per === undefined || (per.unit === 'piece' && per.value === 1);
}
