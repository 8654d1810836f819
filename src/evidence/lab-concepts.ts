import type { CodeableConcept } from 'fhir/r4.js';
import { systems } from '../fhir/systems.ts';

/** A test that several LOINC codes mean: results of one are told together, and suggestions speak of it. */
export interface LabConcept {
  readonly name: string;
  readonly kind: 'Lab Result' | 'Vital Sign' | 'Score';
  /** LOINC, separated by blanks. */
  readonly codes: string;
  /** How a name without any LOINC code tells it. */
  readonly words?: RegExp;
}

export const labConcepts: readonly LabConcept[] = [
  {
    name: 'Hemoglobin A1c',
    kind: 'Lab Result',
    codes: '4548-4 17856-6 4549-2 59261-8 62388-4 71875-9 17855-8 41995-2',
    words: /\b(hba1c|a1c)\b/i,
  },
  { name: 'Glucose', kind: 'Lab Result', codes: '2345-7 2339-0 1558-6 15074-8 14749-6 41653-7' },
  {
    name: 'LDL cholesterol',
    kind: 'Lab Result',
    codes: '13457-7 2089-1 18262-6 18261-8 22748-8 39469-2',
    words: /\bldl\b/i,
  },
  { name: 'HDL cholesterol', kind: 'Lab Result', codes: '2085-9 14646-4' },
  { name: 'Total cholesterol', kind: 'Lab Result', codes: '2093-3 14647-2 35200-5' },
  { name: 'Triglycerides', kind: 'Lab Result', codes: '2571-8 14927-8 35217-9 3043-7' },
  {
    name: 'Body mass index',
    kind: 'Vital Sign',
    codes: '39156-5',
    words: /\b(bmi|body mass index)\b(?!.*(percentile|%))/i,
  },
  { name: 'Body mass index percentile', kind: 'Vital Sign', codes: '59576-9 59574-4' },
  { name: 'Body weight', kind: 'Vital Sign', codes: '29463-7 3141-9 3142-7 8341-0 8335-2' },
  { name: 'Body height', kind: 'Vital Sign', codes: '8302-2 3137-7 3138-5 8301-4 8306-3' },
  { name: 'Blood pressure', kind: 'Vital Sign', codes: '85354-9 55284-4' },
  { name: 'Systolic blood pressure', kind: 'Vital Sign', codes: '8480-6' },
  { name: 'Diastolic blood pressure', kind: 'Vital Sign', codes: '8462-4' },
  { name: 'Oxygen saturation', kind: 'Vital Sign', codes: '2708-6 59408-5' },
  {
    name: 'Tuberculosis screen',
    kind: 'Lab Result',
    codes: '71773-6 71775-1 45323-3 46217-6 64084-7',
    words: /quantiferon|t-?spot|\bigra\b|tubercul/i,
  },
  {
    name: 'Hepatitis B surface antigen',
    kind: 'Lab Result',
    codes: '5195-3 5196-1 58452-4 63557-3',
    words: /\bhbsag\b|hepatitis b (virus )?surface (ag|antigen)/i,
  },
  {
    name: 'Hepatitis B core antibody',
    kind: 'Lab Result',
    codes: '16933-4 13952-7',
    words: /(anti-?hbc\b|hepatitis b (virus )?core)(?!.*igm)/i,
  },
  { name: 'Hepatitis B core IgM antibody', kind: 'Lab Result', codes: '31204-1 24113-3' },
  {
    name: 'Hepatitis B surface antibody',
    kind: 'Lab Result',
    codes: '22322-2 16935-9 10900-9 5193-8',
    words: /anti-?hbs\b|hepatitis b (virus )?surface (ab|antibod)/i,
  },
  {
    name: 'Hepatitis C antibody',
    kind: 'Lab Result',
    codes: '16128-1 13955-0 5198-7',
    words: /anti-?hcv\b|hepatitis c (virus )?(ab|antibod)/i,
  },
  {
    name: 'Hepatitis C RNA',
    kind: 'Lab Result',
    codes: '11259-9 20416-4 11011-4 20571-6',
    words: /\bhcv rna\b|hepatitis c (virus )?(rna|viral load)/i,
  },
  {
    name: 'C-reactive protein',
    kind: 'Lab Result',
    codes: '1988-5 30522-7 71426-1',
    words: /\bc-?reactive protein\b|\b(hs-?)?crp\b/i,
  },
  {
    name: 'Erythrocyte sedimentation rate',
    kind: 'Lab Result',
    codes: '4537-7 30341-2 18184-2',
    words: /sedimentation rate|\besr\b/i,
  },
  { name: 'Rheumatoid factor', kind: 'Lab Result', codes: '11572-5 15205-8', words: /rheumatoid factor/i },
  {
    name: 'Anti-CCP antibody',
    kind: 'Lab Result',
    codes: '32218-0 53027-9 33935-8',
    words: /anti-?ccp\b|cyclic citrullinated/i,
  },
  { name: 'Antinuclear antibody', kind: 'Lab Result', codes: '8061-4 5048-4', words: /\bana\b|antinuclear/i },
  { name: 'HLA-B27', kind: 'Lab Result', codes: '', words: /hla-?b-?27/i },
  {
    name: 'eGFR',
    kind: 'Lab Result',
    codes: '33914-3 62238-1 98979-8 69405-9 48642-3 48643-1 77147-7 88293-6 88294-4',
    words: /\begfr\b|glomerular filtration/i,
  },
  { name: 'Creatinine', kind: 'Lab Result', codes: '2160-0 38483-4 14682-9' },
  { name: 'Urine albumin/creatinine', kind: 'Lab Result', codes: '9318-7 14959-1 32294-1 14958-3' },
  { name: 'Alanine aminotransferase', kind: 'Lab Result', codes: '1742-6 1743-4 1744-2' },
  { name: 'Aspartate aminotransferase', kind: 'Lab Result', codes: '1920-8 30239-8' },
  { name: 'Bilirubin', kind: 'Lab Result', codes: '1975-2 14631-6' },
  { name: 'Albumin', kind: 'Lab Result', codes: '1751-7' },
  { name: 'Potassium', kind: 'Lab Result', codes: '2823-3 6298-4' },
  { name: 'Calcium', kind: 'Lab Result', codes: '17861-6 49765-1' },
  { name: 'Hemoglobin', kind: 'Lab Result', codes: '718-7 30350-3 20509-6' },
  { name: 'White cell count', kind: 'Lab Result', codes: '6690-2 26464-8 804-5' },
  { name: 'Neutrophil count', kind: 'Lab Result', codes: '751-8 26499-4 753-4' },
  { name: 'Lymphocyte count', kind: 'Lab Result', codes: '731-0 26474-7 732-8' },
  { name: 'Platelet count', kind: 'Lab Result', codes: '777-3 26515-7 778-1' },
  { name: 'Ferritin', kind: 'Lab Result', codes: '2276-4' },
  { name: 'Transferrin saturation', kind: 'Lab Result', codes: '2502-3' },
  { name: 'Vitamin D', kind: 'Lab Result', codes: '1989-3 62292-8 35365-6' },
  { name: 'TSH', kind: 'Lab Result', codes: '3016-3 11580-8 11579-0' },
  { name: 'Testosterone', kind: 'Lab Result', codes: '2986-8 14913-8' },
  { name: 'Free testosterone', kind: 'Lab Result', codes: '2991-8' },
  { name: 'IGF-1', kind: 'Lab Result', codes: '2484-4', words: /\bigf-?1\b/i },
  { name: 'NT-proBNP', kind: 'Lab Result', codes: '33762-6', words: /\bnt-?pro-?bnp\b/i },
  { name: 'BNP', kind: 'Lab Result', codes: '30934-4 42637-9' },
  {
    name: 'Ejection fraction',
    kind: 'Lab Result',
    codes: '10230-1 8806-2 18043-0 8808-8',
    words: /ejection fraction|\blvef\b/i,
  },
  {
    name: 'Immunoglobulin E',
    kind: 'Lab Result',
    codes: '19113-0',
    words: /\bige\b.*total|total ige|immunoglobulin e\b/i,
  },
  {
    name: 'Eosinophils',
    kind: 'Lab Result',
    codes: '711-2 26449-9 712-0',
    words: /eosinophil(?!.*(%|percent|\/100))/i,
  },
  { name: 'Eosinophils per 100 leukocytes', kind: 'Lab Result', codes: '713-8 26450-7 714-6' },
  { name: 'FEV1', kind: 'Lab Result', codes: '20150-9 20155-8', words: /\bfev-?1\b(?!.*(fvc|%|predicted))/i },
  { name: 'FEV1 of predicted', kind: 'Lab Result', codes: '33452-4' },
  { name: 'FEV1/FVC', kind: 'Lab Result', codes: '19926-5' },
  { name: 'Bone density T-score', kind: 'Lab Result', codes: '38265-5', words: /t-?score/i },
  { name: 'JC virus antibody', kind: 'Lab Result', codes: '', words: /\bjcv?\b.*(ab|antibod|index)/i },
  { name: 'DAS28', kind: 'Score', codes: '', words: /\bdas-?28\b/i },
  { name: 'CDAI', kind: 'Score', codes: '', words: /\bcdai\b|clinical disease activity index|crohn.*activity index/i },
  { name: 'PASI', kind: 'Score', codes: '', words: /\bpasi\b|psoriasis area/i },
  { name: 'EASI', kind: 'Score', codes: '', words: /\beasi\b|eczema area/i },
  { name: 'Mayo score', kind: 'Score', codes: '', words: /\bmayo\b.*score/i },
  { name: 'PHQ-9', kind: 'Score', codes: '44261-6 44249-1' },
];

const byCode = new Map(
  labConcepts.flatMap((concept) =>
    concept.codes
      .split(' ')
      .filter((code) => code !== '')
      .map((code) => [code, concept] as const),
  ),
);
// Scores first: DAS28-CRP is no C-reactive protein.
const byWords = labConcepts
  .filter(({ words }) => words !== undefined)
  .toSorted((left, right) => Number(right.kind === 'Score') - Number(left.kind === 'Score'));

/** The concept that a test's LOINC codes name; only a test without any LOINC code is told by its words. */
export function labConceptOf({ coding = [], text }: CodeableConcept = {}): LabConcept | undefined {
  const codes = coding.filter(({ system, code }) => system === systems.loinc && code !== undefined);
  if (codes.length > 0) return codes.map(({ code }) => byCode.get(code ?? '')).find((concept) => concept !== undefined);
  const told = [text, ...coding.map(({ display }) => display)].filter((name) => name !== undefined);
  return byWords.find(({ words }) => told.some((name) => words?.test(name)));
}
