import { describe, expect, test } from 'vitest';
import { knowledge } from '../../../mappings/drug-roles.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { readMedication } from '../../../src/core/drug/read-medication.ts';
import type { DrugReading } from '../../../src/core/drug/reading.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

function read(text: string): DrugReading {
  const [drug, ...others] = readDrugs(text, knowledge);
  if (drug === undefined || others.length > 0) throw new Error(`not one drug: ${text}`);
  return drug;
}

describe('[K14] the kind of a tablet that the list of forms has no place for stands behind the name', () => {
  test.each([
    ['lamotrigine 100 MG Disintegrating Oral Tablet', 'lamotrigine ODT'],
    ['ondansetron 4 mg disintegrating tablet', 'ondansetron ODT'],
    ['ondansetron 4 mg tablet,disintegrating', 'ondansetron ODT'],
    ['Ondansetron 4 MG Oral Tablet Disintegrating', 'Ondansetron ODT'],
    ['ondansetron 4 mg ODT', 'ondansetron ODT'],
    ['ondansetron 4 mg TbDL', 'ondansetron ODT'],
    ['montelukast 5 mg chewable tablet', 'montelukast chewable'],
    ['montelukast 5 mg tablet,chewable', 'montelukast chewable'],
    ['montelukast 5 mg chew tabs', 'montelukast chewable'],
    ['aspirin 81 mg chewable', 'aspirin chewable'],
    ['lisdexamfetamine dimesylate 30 MG Chewable Tablet [Vyvanse]', 'Vyvanse Chewable'],
    ['potassium bicarbonate 25 MEQ Effervescent Oral Tablet [Effer-K]', 'Effer-K Effervescent'],
    ['everolimus 2 MG Tablet for Oral Suspension [Afinitor]', 'Afinitor for Oral Suspension'],
    ['everolimus 2 mg tablet for oral suspension', 'everolimus for oral suspension'],
    ['zanvitide 2 mg tabs for susp', 'zanvitide for susp'],
    ['lamotrigine 25 mg dispersible tablet', 'lamotrigine dispersible'],
    ['topiramate 25 mg capsule, sprinkle', 'topiramate sprinkle'],
    ['zanvitide 10 MG Extended Release Disintegrating Oral Tablet', 'zanvitide ER ODT'],
    ['lansoprazole 15 MG Delayed Release Disintegrating Oral Tablet', 'lansoprazole DR ODT'],
    ['zanvitide 2 mg sublingual tablet,disintegrating', 'zanvitide disintegrating'],
    ['methylphenidate ER 20 mg chewable tablet', 'methylphenidate ER chewable'],
  ])('%s', (text, name) => {
    expect(read(text).name).toBe(name);
  });

  test.each([
    ['Nurtec ODT 75 mg tablet,disintegrating', 'Nurtec ODT'],
    ['ondansetron ODT 4 mg tab', 'ondansetron ODT'],
    ['ondansetron ODT 4 mg disintegrating tablet', 'ondansetron ODT'],
    ['Zofran ODT 8 mg oral disintegrating tablet', 'Zofran ODT'],
    ['rimegepant 75 MG Disintegrating Oral Tablet [Nurtec ODT]', 'Nurtec ODT'],
    ['lamotrigine 100 MG Oral Tablet', 'lamotrigine'],
    ['zolpidem tartrate 5 MG Sublingual Tablet', 'zolpidem tartrate'],
    ['amoxicillin 80 MG/ML Oral Suspension', 'amoxicillin'],
  ])('a name that says it, or a form without one, stays as it is: %s', (text, name) => {
    expect(read(text).name).toBe(name);
  });

  test.each([
    '12 HR bupropion hydrochloride 150 MG Extended Release Oral Tablet',
    'dimethyl fumarate 240 MG Delayed Release Oral Capsule',
    'rimegepant 75 MG Disintegrating Oral Tablet',
    'lansoprazole 15 MG Delayed Release Disintegrating Oral Tablet',
  ])('read again with strength and form, the name is that of the same drug: %s', (text) => {
    const { name = '', strength = '', form = '' } = read(text);
    const again = read(`${name} ${strength} ${form.replace(/Oral|Disintegrating/g, '').trim()}`);
    expect(again.name?.toLowerCase()).toBe(name.toLowerCase());
    expect(compareDrugs(again, read(text), knowledge)).toEqual([]);
  });

  test('of a Medication too', () => {
    const reading = readMedication({
      resourceType: 'Medication',
      form: { text: 'Chewable tablet' },
      ingredient: [{ itemCodeableConcept: { text: 'montelukast' } }],
    });
    expect(reading?.name).toBe('montelukast Chewable');
  });
});

function releases(left: string, right: string): string[] {
  return compareDrugs(read(left), read(right), knowledge).map(({ aspect, certainty }) => `${aspect} ${certainty}`);
}

describe('[K14] another kind of tablet is another drug', () => {
  test.each([
    ['lamotrigine 100 MG Oral Tablet', 'lamotrigine 100 MG Disintegrating Oral Tablet'],
    ['lamotrigine 100 MG Oral Tablet', 'lamotrigine ODT 100 mg tab'],
    ['montelukast 5 MG Oral Tablet', 'montelukast 5 mg chewable tablet'],
    ['everolimus 2.5 MG Oral Tablet', 'everolimus 2.5 mg tablet for oral suspension'],
    ['lamotrigine 25 MG Chewable Tablet', 'lamotrigine 25 mg tablet,disintegrating'],
    ['potassium bicarbonate 25 MEQ Oral Tablet', 'potassium bicarbonate 25 MEQ Effervescent Oral Tablet'],
  ])('%s and %s', (left, right) => {
    expect(releases(left, right)).toEqual(['release differs']);
  });

  test.each([
    ['lamotrigine 100 MG Disintegrating Oral Tablet', 'lamotrigine 100 mg tablet'],
    ['lamotrigine 100 MG Disintegrating Oral Tablet', 'lamotrigine ODT 100 mg tab'],
    ['montelukast 5 MG Chewable Tablet', 'montelukast 5 mg tablet'],
    ['everolimus 2 MG Tablet for Oral Suspension', 'everolimus 2 mg tablet, dispersible'],
    ['lamotrigine 25 MG Disintegrating Oral Tablet', 'lamotrigine 25 mg tablet, dispersible'],
    ['topiramate 25 MG Oral Capsule', 'topiramate 25 mg capsule, sprinkle'],
  ])('%s agrees with %s', (left, right) => {
    expect(releases(left, right)).toEqual([]);
  });

  test('a capsule and a chewable tablet are two forms, asked once', () => {
    const left = 'lisdexamfetamine dimesylate 30 MG Oral Capsule [Vyvanse]';
    expect(releases(left, 'Vyvanse 30 mg chewable tablet')).toEqual(['form differs']);
  });
});
