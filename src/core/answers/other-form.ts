import type { MedicationRequest } from 'fhir/r4.js';
import { compareForms, type FormReading, formOf, isWhole } from '../drug/form.ts';
import { readDrugName } from '../drug/read-drug-name.ts';
import { compareReleases, type Release } from '../drug/release.ts';
import type { Drug } from '../evidence/drug.ts';
import { orderedDrug } from '../evidence/therapies.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Around } from './around.ts';
import { isBrand } from './ingredients.ts';

export function isOtherForm(entry: Mention, around: Around): boolean {
  const { chart } = around;
  return areOtherForms({ located: chart.order, drug: orderedDrug(chart) }, entry, around);
}

type Mention = Pick<TherapyEntry, 'located' | 'drug'>;

/**
 * Whether two entries of a drug differ in form or release: a tablet and an injection, or a plain and an
 * extended-release tablet. A pen and a syringe are the same form.
 */
export function areOtherForms(one: Mention, other: Mention, around: Around): boolean {
  const [ours, theirs] = [one, other].map(({ located, drug }) => shapeOf(located, drug, around)) as [Shape, Shape];
  if (ours.form !== undefined && theirs.form !== undefined && compareForms(ours.form, theirs.form) === 'differs')
    return true;
  if (ours.release !== undefined && theirs.release !== undefined)
    return compareReleases(ours.release, theirs.release) === 'differs';
  const [stated, silent] = ours.release === undefined ? [theirs, ours] : [ours, theirs];
  return stated.release !== undefined && stated.release.kind !== 'immediate' && silent.isPlain;
}

interface Shape {
  readonly form: FormReading | undefined;
  readonly release: Release | undefined;
  /**
   * The form is stated and the release is not. A brand may imply a release, so a branded name counts only if its form
   * is written as in RxNorm.
   */
  readonly isPlain: boolean;
}

// The display of a code may state what the text leaves out.
function shapeOf({ resource }: Located, { product }: Drug, { knowledge: { drugs } }: Around): Shape {
  // Every kind of entry has `medication[x]`.
  const { coding = [] } = (resource as MedicationRequest).medicationCodeableConcept ?? {};
  const names = [product.value, ...coding.flatMap(({ display }) => display ?? [])];
  const readings = names.flatMap((name) => readDrugName(name) ?? []);
  const forms = readings.flatMap(({ form }) => formOf(form) ?? []).map(({ device: _device, ...form }) => form);
  const form = forms.find(({ family }) => family !== 'any');
  const release = readings.find((one) => one.release !== undefined)?.release;
  const isBranded = readings.some(
    ({ brands, ingredients }) => brands.length > 0 || ingredients.some((name) => isBrand(name, drugs)),
  );
  const isPlain = form !== undefined && release === undefined && (isWhole(form) || !isBranded);
  return { form, release, isPlain };
}
