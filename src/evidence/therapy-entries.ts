import type { MedicationDispense, MedicationRequest, MedicationStatement, Quantity } from 'fhir/r4.js';
import { labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { daysOfDuration } from '../fhir/time/duration.ts';
import type { Scene } from '../roles/scene.ts';
import { type Drug, drugOf } from './drug.ts';
import { fullDate } from './item.ts';

/** One mention of a drug: ordered, told or dispensed. Dates as the chart has them. */
export interface TherapyEntry {
  readonly located: Located;
  readonly drug: Drug;
  readonly kind: 'order' | 'statement' | 'dispense';
  readonly status: string;
  /** When it was ordered. That it was taken from then on, nothing tells. */
  readonly ordered?: string;
  readonly start?: string;
  readonly stop?: string;
  readonly handedOver?: string;
  readonly reported?: string;
  readonly reasons: readonly string[];
  readonly directions?: string;
  readonly quantity?: string;
  readonly daysSupply?: number;
}

/** Everything that the chart says of what the patient took, besides the order itself; mistakes, drafts, proposals and what was withdrawn or never taken left out. */
export function therapyEntries(scene: Scene): TherapyEntry[] {
  return [
    ...scene
      .mine('MedicationRequest')
      .filter((order) => order.reference !== scene.order.reference && isTherapy(order.resource))
      .map((order) => fromOrder(scene, order)),
    ...scene
      .mine('MedicationStatement')
      .filter(({ resource }) => resource.status !== 'entered-in-error' && resource.status !== 'not-taken')
      .map((told) => fromStatement(scene, told)),
    ...scene
      .mine('MedicationDispense')
      .filter(({ resource }) => resource.status === 'completed')
      .map((dispense) => fromDispense(scene, dispense)),
  ];
}

function isTherapy({ status, intent, doNotPerform }: MedicationRequest): boolean {
  return (
    !['entered-in-error', 'draft', 'cancelled'].includes(status) &&
    intent !== 'proposal' &&
    intent !== 'option' &&
    doNotPerform !== true
  );
}

function fromOrder(scene: Scene, order: Located<MedicationRequest>): TherapyEntry {
  const { resource } = order;
  const [instruction] = resource.dosageInstruction ?? [];
  const bounds = instruction?.timing?.repeat?.boundsPeriod;
  const { quantity, expectedSupplyDuration } = resource.dispenseRequest ?? {};
  return {
    located: order,
    drug: drugOf(scene, order, resource),
    kind: 'order',
    status: resource.status,
    ...known({ ordered: resource.authoredOn, start: bounds?.start, stop: bounds?.end }),
    ...known({
      directions: meaningful(instruction?.patientInstruction) ?? meaningful(instruction?.text),
      quantity: quantityText(quantity),
    }),
    ...known({ daysSupply: daysOfDuration(expectedSupplyDuration) }),
    reasons: labelsOf([resource.statusReason]),
  };
}

function fromStatement(scene: Scene, statement: Located<MedicationStatement>): TherapyEntry {
  const { resource } = statement;
  return {
    located: statement,
    drug: drugOf(scene, statement, resource),
    kind: 'statement',
    status: resource.status,
    ...known({
      start: resource.effectivePeriod?.start ?? resource.effectiveDateTime,
      stop: resource.effectivePeriod?.end,
      reported: resource.dateAsserted,
    }),
    ...known({
      directions: meaningful(resource.dosage?.[0]?.patientInstruction) ?? meaningful(resource.dosage?.[0]?.text),
    }),
    reasons: labelsOf(resource.statusReason ?? []),
  };
}

function fromDispense(scene: Scene, dispense: Located<MedicationDispense>): TherapyEntry {
  const { resource } = dispense;
  return {
    located: dispense,
    drug: drugOf(scene, dispense, resource),
    kind: 'dispense',
    status: resource.status,
    ...known({ handedOver: resource.whenHandedOver ?? resource.whenPrepared }),
    ...known({ quantity: quantityText(resource.quantity), daysSupply: daysOfDuration(resource.daysSupply) }),
    reasons: [],
  };
}

/** The newest day that an entry tells, for its place in the timeline; a full date before a partial one. */
export function entryDate({ handedOver, start, ordered, reported }: TherapyEntry): string | undefined {
  return fullDate(handedOver, start, ordered, reported) ?? handedOver ?? start ?? ordered ?? reported;
}

function labelsOf(concepts: readonly Parameters<typeof labelOf>[0][]): string[] {
  return concepts.flatMap((concept) => meaningful(labelOf(concept)) ?? []);
}

function quantityText(quantity: Quantity | undefined): string | undefined {
  if (quantity?.value === undefined) return undefined;
  const unit = quantity.unit ?? quantity.code;
  return unit === undefined ? `${quantity.value}` : `${quantity.value} ${unit}`;
}

function known<T extends Record<string, unknown>>(facts: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  }; // what was undefined is gone
}
