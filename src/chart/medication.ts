import type { CodeableConcept, Medication, MedicationRequest } from 'fhir/r4.js';
import { labelOf } from '../fhir/concept.ts';
import { readRxNormName } from '../fhir/drug/rxnorm-name.ts';
import { unitOf } from '../fhir/drug/unit.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { systems } from '../fhir/systems.ts';
import type { Gap } from '../mapping/result.ts';
import { type Decision, emptyRoot, look, nodeAt, rootOf, type Scene } from '../roles/scene.ts';

/** The Medication that the order names (contained, referenced) and the concept that names the drug. */
export function chooseMedication(scene: Scene): Decision {
  const { order } = scene;
  const inline = order.resource.medicationCodeableConcept;
  const reference = order.resource.medicationReference;
  const medication = scene.resolve(reference, order, 'Medication');
  if (inline !== undefined)
    return {
      roots: { medication: emptyRoot(), drug: rootOf([nodeAt(order, inline, 'medicationCodeableConcept')]) },
      questions: [...contradictions(inline), ...strengthInText(inline, undefined)],
    };
  if (medication === undefined) {
    const found = reference?.reference === undefined ? 0 : 1;
    const none = emptyRoot(
      look('%order.medication.resolve()', [
        ['MedicationRequest', 1],
        ['medication', reference === undefined ? 0 : 1],
        ['resolve()', 0],
      ]),
    );
    return {
      roots: { medication: none, drug: none },
      warnings: found === 1 ? [`${reference?.reference} is not in the chart; only its display is known.`] : [],
    };
  }
  const { code, status } = medication.resource;
  return {
    roots: {
      medication: rootOf([nodeAt(medication, medication.resource)]),
      drug:
        code === undefined
          ? emptyRoot(
              look('%medication.code', [
                ['Medication', 1],
                ['code', 0],
              ]),
            )
          : rootOf([nodeAt(medication, code, 'code')]),
    },
    questions:
      code === undefined
        ? []
        : [
            ...contradictions(code),
            ...strengthDiffers(medication.resource, code),
            ...strengthInText(code, medication.resource),
          ],
    warnings: status === undefined || status === 'active' ? [] : [`${medication.reference} has the status ${status}.`],
  };
}

/** What the order is for, for lists: the concept's text or display, the reference's display, else "a medication without a name". */
export function drugLabel(order: MedicationRequest, medication: Located<Medication> | undefined): string {
  const concept = order.medicationCodeableConcept ?? medication?.resource.code;
  return (
    meaningful(labelOf(concept)) ?? meaningful(order.medicationReference?.display) ?? 'a medication without a name'
  );
}

// Codes of one concept must mean one product: RxNorm names that disagree on strength or form are a question, not a choice of ours.
function contradictions(drug: CodeableConcept): Gap[] {
  const names = (drug.coding ?? [])
    .filter((coding) => coding.system === systems.rxnorm && coding.display !== undefined)
    .flatMap((coding) => readRxNormName(coding.display ?? '') ?? []);
  const strengths = new Set(names.flatMap((name) => name.strength?.toLowerCase() ?? []));
  if (strengths.size < 2) return [];
  return [
    {
      target: 'prescription.strength',
      severity: 'blocks',
      reason: 'choice',
      message: 'The drug is coded with products of different strengths.',
      looks: [],
      options: [...strengths].map((strength) => ({ value: strength.toUpperCase(), label: strength.toUpperCase() })),
    },
  ];
}

// What the Medication states is sent; a name that says otherwise is told, not chosen between.
function strengthDiffers(medication: Medication, drug: CodeableConcept): Gap[] {
  const [ingredient, ...more] = (medication.ingredient ?? []).filter(({ isActive }) => isActive !== false);
  const { value, unit, code } = ingredient?.strength?.numerator ?? {};
  const perPiece = (ingredient?.strength?.denominator?.value ?? 1) === 1;
  const names = [...(drug.coding ?? []).map(({ display }) => display), drug.text].flatMap((text) =>
    text === undefined ? [] : (readRxNormName(text) ?? []),
  );
  const [named] = names
    .filter(({ amounts, holds }) => amounts.length === 1 && holds === undefined)
    .map(({ amounts }) => amounts[0]);
  if (more.length > 0 || value === undefined || !perPiece || named === undefined || named.per !== undefined) return [];
  const stated = unitOf(code ?? unit ?? '');
  const sameUnit = stated?.unit === named.amount.unit;
  if (!sameUnit || named.amount.value === value * stated.factor) return [];
  return [
    {
      target: 'prescription.strength',
      severity: 'warns',
      reason: 'advice',
      message: 'The medication’s ingredient strength and its name do not agree.',
      looks: [],
    },
  ];
}

const unit = '(?:mg|mcg|g|mEq|unit|units|mL|%)';
// Epic writes "ingredient (BRAND) form strength": `3-0.02 mg`, `0.25-35 mg-mcg`, `40 mg/0.4 mL`.
const behindTheForm = new RegExp(
  String.raw`[a-z)] (\d[\d.,]*(?:-\d[\d.,]*)* ?${unit}(?:-${unit})*(?:/[\d.]* ?${unit})?)$`,
  'i',
);

// What only a free text says is offered for a click, never sent by itself.
function strengthInText(drug: CodeableConcept, medication: Medication | undefined): Gap[] {
  const [, strength] = behindTheForm.exec(drug.text?.trim() ?? '') ?? [];
  const texts = [...(drug.coding ?? []).map(({ display }) => display), drug.text];
  const isStated =
    texts.some((text) => text !== undefined && readRxNormName(text) !== undefined) ||
    medication?.ingredient?.some((ingredient) => ingredient.strength !== undefined);
  if (strength === undefined || isStated === true) return [];
  const options = [{ value: strength, label: strength, reason: 'behind the dose form in the drug’s text' }];
  return [
    {
      target: 'prescription.strength',
      severity: 'blocks',
      reason: 'choice',
      message: 'The strength stands only in the drug’s text. Confirm it.',
      looks: [],
      options,
    },
  ];
}
