import type {
  Annotation,
  CodeableConcept,
  Dosage,
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { daysOfDuration } from '../fhir/time/duration.ts';
import { type Cited, cite, citeFirst } from './cite.ts';
import { clearestDate } from './dates.ts';
import { type Drug, evidenceDrug } from './drug.ts';
import type { EvidenceChart } from './evidence-chart.ts';

/** An order, statement, dispense or administration of a drug. Dates are as in the chart. */
export interface TherapyEntry {
  readonly kind: 'order' | 'statement' | 'dispense' | 'administration';
  readonly located: Located;
  readonly drug: Drug;
  readonly status: Cited<string>;
  readonly isSample: boolean;
  /** The order is only a plan or a patient's report. */
  readonly isPlan?: boolean;
  /** What the drug was ordered or taken for. Not sent. */
  readonly purposes: readonly CodeableConcept[];
  /** The day of the order, which does not show that the drug was taken. */
  readonly ordered?: Cited<string> | undefined;
  readonly start?: Cited<string> | undefined;
  readonly stop?: Cited<string> | undefined;
  readonly handedOver?: Cited<string> | undefined;
  readonly reported?: Cited<string> | undefined;
  /** The entry has a note, which may say why the drug was stopped. */
  readonly hasNote?: boolean;
  /** Why the drug was stopped. */
  readonly reasons: readonly Cited<string>[];
  readonly directions?: Cited<string> | undefined;
  readonly daysSupply?: number | undefined;
}

/**
 * Every entry about a drug that the patient took or takes, except this order. Errors, drafts, proposals, and entries
 * that were withdrawn or never taken are left out.
 */
export function therapyEntries(chart: EvidenceChart): TherapyEntry[] {
  const orders = chart
    .mine('MedicationRequest')
    .filter(({ reference, resource }) => reference !== chart.order.reference && isTherapy(resource));
  const statements = chart
    .mine('MedicationStatement')
    .filter(({ resource }) => !['entered-in-error', 'not-taken', 'intended'].includes(resource.status));
  const dispenses = chart.mine('MedicationDispense').filter(({ resource }) => resource.status === 'completed');
  return [
    ...orders.map((order) => fromOrder(chart, order)),
    ...statements.map((statement) => fromStatement(chart, statement)),
    ...dispenses.map((dispense) => fromDispense(chart, dispense)),
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

function fromOrder(chart: EvidenceChart, order: Located<MedicationRequest>): TherapyEntry {
  const { resource } = order;
  const [instruction] = resource.dosageInstruction ?? [];
  const { start, end } = instruction?.timing?.repeat?.boundsPeriod ?? {};
  const isPlan = resource.intent === 'plan';
  const written = citeFirst(order, { authoredOn: resource.authoredOn });
  const drug = evidenceDrug(chart, order, resource);
  const bounds = 'dosageInstruction[0].timing.repeat.boundsPeriod';
  return {
    kind: 'order',
    located: order,
    drug,
    status: cite(order, resource.status, 'status'),
    isSample: saysSample(drug.product.value, ...(resource.category ?? [])),
    isPlan,
    hasNote: hasWords(resource.note),
    purposes: resource.reasonCode ?? [],
    ...(isPlan ? { reported: written } : { ordered: written }),
    start: citeFirst(order, { [`${bounds}.start`]: start }),
    stop: citeFirst(order, { [`${bounds}.end`]: end }),
    reasons: labelsOf(order, { statusReason: resource.statusReason }),
    directions: directionsOf(order, 'dosageInstruction[0]', instruction),
    daysSupply: daysOfDuration(resource.dispenseRequest?.expectedSupplyDuration),
  };
}

function fromStatement(chart: EvidenceChart, statement: Located<MedicationStatement>): TherapyEntry {
  const { resource } = statement;
  const { effectivePeriod, effectiveDateTime, dateAsserted, statusReason = [], dosage = [], note = [] } = resource;
  const drug = evidenceDrug(chart, statement, resource);
  return {
    kind: 'statement',
    located: statement,
    drug,
    isSample: saysSample(drug.product.value, resource.category, ...note.map(({ text }) => text)),
    hasNote: hasWords(note),
    purposes: resource.reasonCode ?? [],
    status: cite(statement, resource.status, 'status'),
    start: citeFirst(statement, { 'effectivePeriod.start': effectivePeriod?.start, effectiveDateTime }),
    stop: citeFirst(statement, { 'effectivePeriod.end': effectivePeriod?.end }),
    reported: citeFirst(statement, { dateAsserted }),
    reasons: statusReason.flatMap((reason, index) => labelsOf(statement, { [`statusReason[${index}]`]: reason })),
    directions: directionsOf(statement, 'dosage[0]', dosage[0]),
  };
}

function hasWords(note: readonly Annotation[] = []): boolean {
  return note.some(({ text }) => meaningful(text) !== undefined);
}

function fromDispense(chart: EvidenceChart, dispense: Located<MedicationDispense>): TherapyEntry {
  const { resource } = dispense;
  const { whenHandedOver, whenPrepared, type, category, note = [] } = resource;
  const drug = evidenceDrug(chart, dispense, resource);
  return {
    kind: 'dispense',
    located: dispense,
    drug,
    isSample: saysSample(drug.product.value, type, category, ...note.map(({ text }) => text)),
    purposes: [],
    status: cite(dispense, resource.status, 'status'),
    handedOver: citeFirst(dispense, { whenHandedOver, whenPrepared }),
    reasons: [],
    daysSupply: daysOfDuration(resource.daysSupply),
  };
}

export function administrations(chart: EvidenceChart): TherapyEntry[] {
  return chart
    .mine('MedicationAdministration')
    .filter(({ resource }) => resource.status === 'completed' || resource.status === 'in-progress')
    .map((given) => fromAdministration(chart, given));
}

function fromAdministration(chart: EvidenceChart, given: Located<MedicationAdministration>): TherapyEntry {
  const { resource } = given;
  const { effectiveDateTime, effectivePeriod, reasonCode = [], category, note = [] } = resource;
  const drug = evidenceDrug(chart, given, resource);
  return {
    kind: 'administration',
    located: given,
    drug,
    isSample: saysSample(drug.product.value, category, ...note.map(({ text }) => text)),
    purposes: reasonCode,
    status: cite(given, resource.status, 'status'),
    start: citeFirst(given, { effectiveDateTime, 'effectivePeriod.start': effectivePeriod?.start }),
    reasons: [],
  };
}

/** The patient instruction of a Dosage, or else its text. */
export function directionsOf(located: Located, path: string, dosage: Dosage | undefined): Cited<string> | undefined {
  return citeFirst(located, {
    [`${path}.patientInstruction`]: meaningful(dosage?.patientInstruction),
    [`${path}.text`]: meaningful(dosage?.text),
  });
}

// MS is a manufacturer sample (HL7 v3 ActCode, ActPharmacySupplyType, FHIR R4).
function saysSample(...stated: readonly (CodeableConcept | string | undefined)[]): boolean {
  return stated.some((one) => {
    if (typeof one === 'object' && hasCode(one, 'MS')) return true;
    const texts = typeof one === 'object' ? [one.text, ...(one.coding ?? []).map(({ display }) => display)] : [one];
    return texts.some((text) => text !== undefined && /\bsamples?\b/i.test(text));
  });
}

/** The date that places an entry in the timeline. A full date is preferred to a partial one. */
export function entryDate({ handedOver, start, ordered, reported }: TherapyEntry): Cited<string> | undefined {
  return clearestDate(handedOver, start, ordered, reported);
}

function labelsOf(located: Located, elements: Readonly<Record<string, CodeableConcept | undefined>>): Cited<string>[] {
  return Object.entries(elements).flatMap(([path, concept]) => {
    const label = meaningful(labelOf(concept));
    return label === undefined ? [] : [cite(located, label, path)];
  });
}
