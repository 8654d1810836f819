import type { Coding } from 'fhir/r4.js';
import { anything, type Change, change, type Draft, put } from '../draft.ts';

const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const ndc = 'http://hl7.org/fhir/sid/ndc';
const [name, strength, form] = ['prescription.drug_name', 'prescription.strength', 'prescription.dose_form'];
const codes = { 'prescription.extra.rxnorm': anything, 'prescription.extra.ndc': anything };

/** A drug of one ingredient in tablets or capsules: `apremilast`, `30`, `Oral Tablet`, `Otezla`. */
interface Plain {
  readonly ingredient: string;
  readonly amount: number;
  readonly form: string;
  readonly brand: string | undefined;
}

function plainOf({ drug }: Draft): Plain | undefined {
  const texts = [
    ...(drug.coding ?? []).filter(({ system }) => system === rxnorm).map(({ display }) => display),
    drug.text,
  ];
  for (const text of texts) {
    const found = /^([a-z ]+) (\d+(?:\.\d+)?) MG ((?:[A-Z][a-z]+ )*Oral (?:Tablet|Capsule))(?: \[(.+)\])?$/.exec(
      text ?? '',
    );
    if (found !== null)
      return { ingredient: found[1] ?? '', amount: Number(found[2]), form: found[3] ?? '', brand: found[4] };
  }
  return undefined;
}

/** A change of the drug's text beside its name in a code. */
function text(
  name: string,
  about: string,
  verdict: Change['verdict'],
  write: (plain: Plain) => string | undefined,
): Change {
  return change(name, about, verdict, 'drug', (draft) => {
    const plain = plainOf(draft);
    const hasName = draft.drug.coding?.some(({ system, display }) => system === rxnorm && display !== undefined);
    const written = plain === undefined || hasName !== true ? undefined : write(plain);
    if (written === undefined) return undefined;
    draft.drug.text = written;
    return {};
  });
}

/** A further coding of the drug. */
function coding(
  name: string,
  about: string,
  verdict: Change['verdict'],
  write: (plain: Plain) => Coding | undefined,
  first = false,
): Change {
  return change(name, about, verdict, 'drug', (draft) => {
    const plain = plainOf(draft);
    const further = plain === undefined ? undefined : write(plain);
    if (further === undefined) return undefined;
    draft.drug.coding = first ? [further, ...(draft.drug.coding ?? [])] : [...(draft.drug.coding ?? []), further];
    return { sent: codes, warned: ['prescription.extra.rxnorm', 'prescription.extra.ndc'] };
  });
}

/** The only name of the drug. */
function only(
  name: string,
  about: string,
  verdict: Change['verdict'],
  written: string,
  sent: Readonly<Record<string, unknown>>,
): Change {
  return change(name, about, verdict, 'drug dose', (draft) => {
    if (plainOf(draft) === undefined || draft.medication !== undefined) return undefined;
    draft.drug.text = written;
    delete draft.drug.coding;
    return { sent: { ...sent, [form]: anything, ...codes } };
  });
}

const word = (plain: Plain) => plain.form.replace(/^.*Oral /, '').toLowerCase();

/** Sources that name the drug must agree in meaning, whatever their spelling. */
export const drugChanges: readonly Change[] = [
  only('a decimal comma', 'V2', 'open', 'prednisone 12,5 MG Oral Tablet', {
    [name]: 'prednisone',
    [strength]: anything,
  }),
  only('a decimal comma behind a zero', 'V2', 'open', 'digoxin 0,125 MG Oral Tablet', {
    [name]: 'digoxin',
    [strength]: anything,
  }),
  only('a decimal comma in front', 'V2', 'open', '1,5 ML triptorelin 7,5 MG/ML Injectable Suspension', {
    [name]: anything,
  }),
  only('a strength without a unit', 'V10', 'asks', 'metformin 250 Oral Tablet', {}),
  coding('a second code of another drug', 'V3', 'asks', () => ({
    system: rxnorm,
    code: '310488',
    display: 'glipizide 10 MG Oral Tablet',
  })),
  coding('a second code of another strength', 'V3', 'asks', (plain) => ({
    system: rxnorm,
    code: '999999',
    display: `${plain.ingredient} ${plain.amount * 2} MG ${plain.form}`,
  })),
  coding('a second code of the same product by its ingredient', '3', 'agrees', (plain) =>
    plain.brand === undefined
      ? undefined
      : { system: rxnorm, code: '999998', display: `${plain.ingredient} ${plain.amount} MG ${plain.form}` },
  ),
  coding('an NDC of another strength', 'V3', 'asks', (plain) => ({
    system: ndc,
    code: '50881-0010-60',
    display: `${plain.brand ?? plain.ingredient} ${plain.amount * 2} mg ${word(plain)}`,
  })),
  coding('an NDC of another form', 'V3', 'asks', (plain) => ({
    system: ndc,
    code: '50881-0010-60',
    display: `${plain.brand ?? plain.ingredient} ${plain.amount} mg ${word(plain) === 'tablet' ? 'capsule' : 'tablet'}`,
  })),
  coding('an NDC that says the same in other words', '3', 'agrees', (plain) => ({
    system: ndc,
    code: '50881-0010-60',
    display: `${plain.brand ?? plain.ingredient} ${plain.amount} mg ${word(plain)}`,
  })),
  coding(
    'the name of a class in front',
    'V5',
    'agrees',
    () => ({ system: 'http://www.whocc.no/atc', code: 'C09AA', display: 'ACE inhibitors, plain' }),
    true,
  ),
  coding(
    'a code without a name in front',
    'V5',
    'agrees',
    () => ({ system: 'http://snomed.info/sct', code: '999999999' }),
    true,
  ),
  text(
    'another strength in the text',
    'V3',
    'asks',
    (plain) => `${plain.ingredient} ${plain.amount * 2} MG ${plain.form}`,
  ),
  text(
    'another strength behind the form in the text',
    'V3',
    'asks',
    (plain) => `${plain.ingredient} ${word(plain)} ${plain.amount * 2} mg`,
  ),
  text(
    'ten times the strength in the text',
    'V3',
    'asks',
    (plain) => `${plain.ingredient} ${plain.amount * 10} MG ${plain.form}`,
  ),
  text('another drug in the text', 'V3', 'asks', (plain) => `lisinopril ${plain.amount} MG ${plain.form}`),
  text('another brand in the text', 'V3', 'asks', (plain) =>
    plain.brand === 'Lipitor' ? undefined : `Lipitor ${plain.amount} mg ${word(plain)}`,
  ),
  text(
    'another form in the text',
    'V3',
    'asks',
    (plain) => `${plain.ingredient} ${plain.amount} MG Oral ${word(plain) === 'tablet' ? 'Capsule' : 'Tablet'}`,
  ),
  text('extended release only in the text', 'V3', 'asks', (plain) =>
    /Release/.test(plain.form) ? undefined : `${plain.ingredient} ${plain.amount} MG Extended Release ${plain.form}`,
  ),
  text('ER only in the text', 'V3', 'asks', (plain) =>
    /Release/.test(plain.form) ? undefined : `${plain.ingredient} ${plain.amount} mg ER ${word(plain)}`,
  ),
  text('extended release written short', '3', 'agrees', (plain) =>
    /Extended Release/.test(plain.form) ? `${plain.ingredient} ${plain.amount} mg ER ${word(plain)}` : undefined,
  ),
  text(
    'the same strength in grams',
    '3',
    'agrees',
    (plain) => `${plain.ingredient} ${plain.amount / 1000} g ${plain.form}`,
  ),
  text(
    'the same strength in micrograms',
    '3',
    'agrees',
    (plain) => `${plain.ingredient} ${plain.amount * 1000} mcg ${plain.form}`,
  ),
  text('the text in capitals', '3', 'agrees', (plain) =>
    `${plain.ingredient} ${plain.amount} mg ${plain.form}`.toUpperCase(),
  ),
  text('blanks in the text', '3', 'agrees', (plain) => `  ${plain.ingredient}  ${plain.amount} MG   ${plain.form} `),
  text(
    'the form before the strength',
    '3',
    'agrees',
    (plain) => `${plain.ingredient.toUpperCase()} ${plain.form} ${plain.amount} MG`,
  ),
  text('the ingredient alone', '3', 'agrees', (plain) => plain.ingredient),
  text('the brand and its strength', '3', 'agrees', (plain) =>
    plain.brand === undefined ? undefined : `${plain.brand} ${plain.amount} mg ${word(plain)}`,
  ),
  text('the ingredient with the brand in parentheses', '3', 'agrees', (plain) =>
    plain.brand === undefined
      ? undefined
      : `${plain.ingredient} (${plain.brand.toUpperCase()}) ${plain.amount} mg ${word(plain)}`,
  ),
  text('a zero behind the decimal point', '3', 'agrees', (plain) =>
    Number.isInteger(plain.amount) ? `${plain.ingredient} ${plain.amount}.0 MG ${plain.form}` : undefined,
  ),
  change('the ingredient’s strength is another', 'V3', 'asks', 'drug', ({ medication }) => {
    const numerator = medication?.ingredient?.[0]?.strength?.numerator;
    if (numerator?.value === undefined) return undefined;
    numerator.value *= 2;
    return {};
  }),
  change('the ingredient’s strength differs by the rounding of RxNorm', '3', 'agrees', 'drug', ({ medication }) => {
    const numerator = medication?.ingredient?.[0]?.strength?.numerator;
    if (numerator?.value === undefined) return undefined;
    numerator.value *= 1.004;
    return { sent: { [strength]: anything } };
  }),
  change('the ingredient’s strength has no unit', 'V10', 'open', 'drug', ({ medication }) => {
    const numerator = medication?.ingredient?.[0]?.strength?.numerator;
    if (numerator === undefined) return undefined;
    delete numerator.unit;
    delete numerator.code;
    return {};
  }),
  change('the ingredient’s strength is a rate', 'V10', 'open', 'drug', ({ medication }) => {
    const ratio = medication?.ingredient?.[0]?.strength;
    if (ratio === undefined) return undefined;
    ratio.denominator = { value: 1, unit: 'h', code: 'h', system: 'http://unitsofmeasure.org' };
    return {};
  }),
  change(
    'the medication’s form is another',
    'V3',
    'asks',
    'drug',
    ({ medication }) => {
      const isTablet = /tablet/i.test(medication?.form?.text ?? '');
      if (medication?.form === undefined) return undefined;
      medication.form = isTablet
        ? { coding: [{ system: 'http://snomed.info/sct', code: '385219001', display: 'Solution for injection' }] }
        : { coding: [{ system: 'http://snomed.info/sct', code: '385055001', display: 'Tablet' }] };
      return {};
    },
    'open',
  ),
  change('the medication entered in error', 'D14', 'open', 'drug', ({ medication }) => {
    if (medication === undefined) return undefined;
    medication.status = 'entered-in-error';
    return {};
  }),
  change(
    'a route that contradicts the form',
    'V3',
    'asks',
    'route drug',
    ({ drug, dosage }) => {
      if (!/Oral (Tablet|Capsule)/.test(JSON.stringify(drug))) return undefined;
      dosage.route = { coding: [{ system: 'http://snomed.info/sct', code: '47625008', display: 'Intravenous route' }] };
      return {};
    },
    'agrees',
  ),
  change(
    'two instructions with two routes',
    'D',
    'asks',
    'route dose',
    ({ order, dosage }) => {
      const route = { coding: [{ system: 'http://snomed.info/sct', code: '37161004', display: 'Rectal route' }] };
      if (order.dosageInstruction?.length !== 1 || dosage.route === undefined) return undefined;
      order.dosageInstruction = [
        dosage,
        {
          ...structuredClone(dosage),
          sequence: 2,
          text: 'Then as before',
          patientInstruction: 'Then as before',
          route,
        },
      ];
      return {};
    },
    'agrees',
  ),
  change('the display of the reference names another strength', 'V3', 'asks', 'drug', (draft) => {
    const plain = plainOf(draft);
    if (plain === undefined || draft.order.medicationReference === undefined) return undefined;
    draft.order.medicationReference.display = `${plain.ingredient} ${plain.amount * 2} MG ${plain.form}`;
    return {};
  }),
  change('a resource of the drug in another type', 'D', 'open', 'drug', (draft) => {
    put(draft.drug, 'coding', { system: rxnorm, code: '1' });
    return {};
  }),
  change('neither a drug nor directions', 'V4', 'asks', 'drug route dose', ({ order }) => {
    delete order.medicationCodeableConcept;
    delete order.dosageInstruction;
    order.medicationReference = { reference: 'Medication/nowhere' };
    return {};
  }),
  change('the directions are gone', 'D', 'asks', 'dose', ({ order }) => {
    for (const dosage of order.dosageInstruction ?? []) {
      delete dosage.text;
      delete dosage.patientInstruction;
    }
    return {};
  }),
  change('the directions are of another drug', 'D', 'asks', 'drug dose', ({ order }) => {
    for (const dosage of order.dosageInstruction ?? []) {
      dosage.text = 'Take 1 tablet of warfarin by mouth once daily';
      delete dosage.patientInstruction;
    }
    return {};
  }),
  change('the directions are of another dose', 'D', 'asks', 'timing dose', ({ order, dosage }) => {
    const { value, unit } = dosage.doseAndRate?.[0]?.doseQuantity ?? {};
    if (value === undefined || !/^tab/.test(unit ?? '') || order.dosageInstruction?.length !== 1) return undefined;
    dosage.text = `Take ${value + 1} tablets by mouth once daily in the morning`;
    delete dosage.patientInstruction;
    return {};
  }),
  change('a drug that is only a companion in the directions', '3', 'agrees', 'dose', ({ dosage }) => {
    const key = dosage.patientInstruction === undefined ? 'text' : 'patientInstruction';
    const companion = `${dosage[key]?.replace(/\.$/, '')}, with folic acid`;
    if (dosage[key] === undefined) return undefined;
    dosage[key] = companion;
    return { sent: { 'prescription.directions': anything } };
  }),
  change('the directions are a placeholder', 'D', 'asks', 'dose', ({ order }) => {
    for (const dosage of order.dosageInstruction ?? []) {
      dosage.text = 'NA';
      delete dosage.patientInstruction;
    }
    return {};
  }),
  change('an instruction that says the same again', 'D', 'agrees', 'dose', ({ order }) => {
    const [first] = order.dosageInstruction ?? [];
    if (first === undefined || order.dosageInstruction?.length !== 1) return undefined;
    order.dosageInstruction.push(structuredClone(first));
    return {};
  }),
];
