import { join } from 'node:path';
import type { Bundle, Coverage, MedicationRequest } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { readFixtureChart } from '../../../../src/base/fixture-chart.ts';
import type { Kind } from '../../../../src/core/contract/kinds.ts';
import { listFixtures, loadFixture } from '../../../../src/dev/kit/fixture.ts';
import { kindPages } from '../../../../src/web/request/kind-pages.ts';
import { anchorOf, fieldId } from '../../../../src/web/request/labels.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(async () => {
  orderOfCase = undefined;
  await scene?.app.close();
});

let orderOfCase: string | undefined;
const review = () => `${scene.home}/orders/${orderOfCase ?? scene.order}`;
const theCase = () => [...scene.cases.all.values()][0]!;
const [first, second] = ['Coverage/differ-coverage', 'Coverage/differ-coverage-2'];

async function submit(changes: Record<string, string | string[]>, path = review()) {
  const page = await scene.get(path);
  return scene.post(path, { ...formOf(page.body, 'review'), ...changes });
}

/** The fieldset of a field that offers readings, as text without tags between the options. */
function choiceAt(page: string, target: string): string {
  const legend = page.indexOf(`<legend id="${fieldId(target)}"`);
  return legend === -1 ? '' : page.slice(page.lastIndexOf('<fieldset', legend), page.indexOf('</fieldset>', legend));
}

function picked(page: string, target: string): string | undefined {
  return formOf(page, 'review')[`pick.${target}`]?.[0];
}

function optionsAt(page: string, target: string): string[] {
  return [...choiceAt(page, target).matchAll(/type="radio" name="pick[^"]*" value="([^"]+)"/g)].map(
    ([, value = '']) => value,
  );
}

/** The pages over the chart of a mapping case; its order is the only one, or the first. */
async function openCase(name: string): Promise<void> {
  scene = await openScene('story-complete');
  const bundle = readFixtureChart(join(import.meta.dirname, '../../../../fixtures/charts', name)) as Bundle;
  scene.resources = (bundle.entry ?? []).flatMap(({ resource }) => resource ?? []);
  const idOf = (type: string) => scene.resources.find(({ resourceType }) => resourceType === type)?.id ?? '';
  scene.smart.launch = { ...scene.smart.launch, patient: idOf('Patient') };
  orderOfCase = idOf('MedicationRequest');
}

function changeOrder(change: (order: MedicationRequest) => MedicationRequest): void {
  scene.resources = scene.resources.map((resource) =>
    resource.resourceType === 'MedicationRequest' ? change(resource as MedicationRequest) : resource,
  );
}

describe.each([
  ['prior authorization', '', 'prescription.strength'],
  ['enrollment', '/enrollment', 'prescription.dosage'],
])('V3: a strength on which text and code differ, in the %s', (_, path, target) => {
  const here = () => `${review()}${path}`;

  test('offers both readings, each with the words it comes from, and another value', async () => {
    scene = await openScene('story-sources-differ');
    const choice = choiceAt((await scene.get(here())).body, target);
    expect(choice).toContain('The RxNorm name says 10 MG, the text says 25 mg. Which strength is ordered?');
    const buttons = [...choice.matchAll(/type="radio" name="([^"]+)" value(?:="([^"]*)")?/g)];
    expect(buttons.map(([, name, value = '']) => [name, value])).toEqual([
      [`pick.${target}`, '10 MG'],
      [`pick.${target}`, '25 mg'],
      [`pick.${target}`, ''],
    ]);
    expect(choice).toContain('RxNorm name: empagliflozin 10 MG Oral Tablet [Jardiance].');
    expect(choice).toContain('Text: Jardiance 25 mg tablet.');
    expect(choice).not.toContain('checked');
  });

  test('is answered by one button; the answer is kept over a re-pull, with who gave it and its words', async () => {
    scene = await openScene('story-sources-differ');
    await submit({ [`pick.${target}`]: '25 mg', action: 'save' }, here());
    expect(theCase()).toMatchObject({
      edits: { [target]: '25 mg' },
      enteredBy: { [target]: { name: 'Riley Okafor, MA' } },
    });
    await submit({ action: 'pull' }, here());
    const { body } = await scene.get(here());
    expect(picked(body, target)).toBe('25 mg');
    const choice = choiceAt(body, target);
    expect(choice).toContain('Entered by Riley Okafor, MA');
    expect(choice).toContain('<dt>Why</dt><dd>chosen between what the chart says; text: Jardiance 25 mg tablet</dd>');
    expect(choice).not.toContain('class="gap blocks"');
  });

  test('stays the first person’s when another one saves the page', async () => {
    scene = await openScene('story-sources-differ');
    await submit({ [`pick.${target}`]: '25 mg', action: 'save' }, here());
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/prac-2', userName: 'Second Person' };
    await submit({ 'f.patient.phone': '217-555-0111', action: 'save' }, here());
    expect(theCase().enteredBy).toMatchObject({
      [target]: { name: 'Riley Okafor, MA' },
      'patient.phone': { name: 'Second Person' },
    });
  });

  test('takes another value from the text field, whichever button is set', async () => {
    scene = await openScene('story-sources-differ');
    await submit({ [`f.${target}`]: '12.5 mg', action: 'save' }, here());
    expect(theCase().edits).toEqual({ [target]: '12.5 mg' });
    const { body } = await scene.get(here());
    expect([picked(body, target), formOf(body, 'review')[`f.${target}`]]).toEqual(['', ['12.5 mg']]);
    await submit({ [`pick.${target}`]: '10 MG', action: 'save' }, here());
    expect(theCase().edits).toEqual({ [target]: '10 MG' });
    await submit({ [`pick.${target}`]: '', [`f.${target}`]: '15 mg', action: 'save' }, here());
    expect(theCase().edits).toEqual({ [target]: '15 mg' });
  });

  test('is asked again once the answer is taken back, or "Other" is left empty', async () => {
    scene = await openScene('story-sources-differ');
    await submit({ [`pick.${target}`]: '25 mg', action: 'save' }, here());
    await submit({ reset: target }, here());
    expect(theCase().edits).toEqual({});
    await submit({ [`pick.${target}`]: '25 mg', action: 'save' }, here());
    await submit({ [`pick.${target}`]: '', action: 'save' }, here());
    expect(theCase().edits).toEqual({});
    expect(choiceAt((await scene.get(here())).body, target)).toContain('class="gap blocks"');
  });

  test('is no choice any more when the chart has agreed meanwhile; the answer stays an entry', async () => {
    scene = await openScene('story-sources-differ');
    await submit({ [`pick.${target}`]: '25 mg', action: 'save' }, here());
    changeOrder((order) => ({
      ...order,
      medicationCodeableConcept: { ...order.medicationCodeableConcept, text: 'Jardiance 10 mg tablet' },
    }));
    await submit({ action: 'pull' }, here());
    const { body } = await scene.get(here());
    expect(choiceAt(body, target)).toBe('');
    expect(formOf(body, 'review')[`f.${target}`]).toEqual(['25 mg']);
    expect(body).toContain('The chart says <q>10 MG</q>');
  });
});

test.each([
  ['25 mg', undefined],
  ['10 MG', '1545664'],
])('with %s goes the drug code %s: a code stays with its own strength only', async (strength, code) => {
  scene = await openScene('story-sources-differ');
  await submit({ 'pick.prescription.strength': strength, coverage: first, action: 'check' });
  const confirm = await scene.get(`${review()}/confirm`);
  expect(confirm.body).not.toContain('The drug was changed by a person');
  expect(confirm.body).not.toContain('the chart had “10 MG”');
  await scene.post(`${review()}/confirm`, { ...formOf(confirm.body), action: 'send' });
  const { body } = scene.cases.sent[0] as { body: { prescription: { extra: { rxnorm?: string } } } };
  expect(body.prescription).toMatchObject({ strength });
  expect(body.prescription.extra.rxnorm).toBe(code);
});

test('a strength that no source states is a change of the drug, and the last look says so', async () => {
  scene = await openScene('story-sources-differ');
  await submit({ 'f.prescription.strength': '12.5 mg', coverage: first, action: 'check' });
  expect((await scene.get(`${review()}/confirm`)).body).toContain('The drug was changed by a person');
});

test('days that quantity and dose contradict are a choice between numbers', async () => {
  await openCase('days-supply-that-does-not-fit-the-dose-is-asked');
  const target = 'prescription.days_supply';
  const [stated = '', derived = ''] = optionsAt((await scene.get(review())).body, target);
  expect([stated, derived]).toEqual(['90', '30']);
  expect(choiceAt((await scene.get(review())).body, target)).toContain(
    '<span class="reason">The order states 90 days.</span>',
  );
  await submit({ [`pick.${target}`]: derived, action: 'save' });
  expect(theCase().edits).toEqual({ [target]: 30 });
  expect(picked((await scene.get(review())).body, target)).toBe('30');
});

test.each([
  ['drug-brand-of-another-ingredient-in-the-text-is-asked', 'prescription.drug_name'],
  ['drug-form-of-the-text-differs-is-asked', 'prescription.dose_form'],
  ['routes-mixed-in-one-order-are-asked', 'prescription.route_of_administration'],
  ['dispense-unit-that-does-not-fit-the-form-is-asked', 'prescription.dispense_unit'],
  ['npi-two-different-are-asked', 'provider.npi'],
  ['member-numbers-of-one-plan-that-differ-are-asked', 'insurance_content.member_number'],
  ['group-stated-twice-is-asked', 'insurance_content.group_number'],
])('%s: each option is an answer', async (name, target) => {
  await openCase(name);
  const options = optionsAt((await scene.get(review())).body, target);
  expect(options.length).toBeGreaterThan(1);
  for (const option of options) {
    await submit({ [`pick.${target}`]: option, action: 'save' });
    const { body } = await scene.get(review());
    expect(picked(body, target)).toBe(option);
    expect(choiceAt(body, target)).not.toContain('class="gap blocks"');
  }
});

describe('two coverages that are called the same', () => {
  test('are told apart by member number, RxBIN, group and period', async () => {
    scene = await openScene('story-sources-differ');
    const { body } = await scene.get(review());
    expect(body).toContain('Member ID ending in 1184 · RxBIN 005888 · Group NF-6110 · Jan 1, 2026 to Dec 31, 2026');
    expect(body).toContain('Member ID ending in 2207 · RxBIN 005888 · Group NF-7305 · Jul 1, 2026 to Jun 30, 2027');
    expect(body).not.toContain('NF40071184');
  });

  test('say so in the enrollment too, where the question stands in the section of insurance', async () => {
    scene = await openScene('story-sources-differ');
    const { body } = await scene.get(`${review()}/enrollment`);
    expect(body).toContain('Member ID ending in 2207');
    expect(body).toContain('<a href="#section-insurance">Choose the insurance</a>');
  });

  test('are one answer: what the plan would bring is not asked beside it', async () => {
    scene = await openScene('story-sources-differ');
    const { body } = await scene.get(review());
    expect(body).toContain('<h2 id="verdict-title">2 answers needed</h2>');
    await submit({ coverage: second, 'pick.prescription.strength': '10 MG', action: 'save' });
    expect((await scene.get(review())).body).toContain('id="verdict-title">Ready to send. No documents attached<');
  });

  test('are named without what the chart does not say of them', async () => {
    scene = await openScene('story-sources-differ');
    scene.resources = scene.resources.map((resource) => {
      if (resource.resourceType !== 'Coverage') return resource;
      const { period: _, class: __, ...rest } = resource as Coverage;
      return rest as Coverage;
    });
    const { body } = await scene.get(review());
    expect(body).toContain('<span class="reason">Member ID ending in 1184</span>');
  });
});

describe('after Save', () => {
  test('the next open question follows, in the order of the page, and the verdict when none is left', async () => {
    scene = await openScene('story-sources-differ');
    const next = async (changes: Record<string, string>) =>
      (await submit({ ...changes, action: 'save' })).headers.location;
    expect(await next({ 'f.patient.phone': '217-555-0111' })).toBe(
      `${review()}?notice=saved#field-prescription-strength`,
    );
    expect(await next({ 'pick.prescription.strength': '25 mg' })).toBe(`${review()}?notice=saved#section-insurance`);
    expect(await next({ coverage: first })).toBe(`${review()}?notice=saved#verdict`);
  });

  test('the focus can go there: to the heading of the choice, the section and the verdict', async () => {
    scene = await openScene('story-sources-differ');
    const { body } = await scene.get(`${review()}?notice=saved`);
    expect(body).toMatch(/<legend id="field-prescription-strength" tabindex="-1">/i);
    expect(body).toMatch(/<div class="asked-section" id="section-insurance"[^>]*tabindex="-1"/i);
    expect(body).toMatch(/id="verdict"[^>]*tabindex="-1"/i);
    expect(body).toMatch(/role="status">Saved\./);
  });
});

describe('what a person types is checked before it is sent', () => {
  test.each([
    ['f.prescription.strength', 'banana', 'Enter a number with its unit, such as 10 mg.'],
    ['f.prescription.strength', '10', 'Enter a number with its unit, such as 10 mg.'],
    ['f.prescription.quantity', '0', 'A number above zero is expected.'],
    ['f.prescription.quantity', '-3', 'A number above zero is expected.'],
    ['f.prescription.quantity', 'ten', 'A number is expected.'],
    ['f.prescription.days_supply', '0', 'A number above zero is expected.'],
    ['f.prescription.days_supply', '2.5', 'A whole number is expected.'],
    ['f.patient.date_of_birth', '2030-01-01', 'The birth date is in the future. Enter the right one.'],
    ['f.patient.phone', '555-0142', 'Enter a 10-digit number with its area code, such as 217-555-0142.'],
    ['f.provider.fax', '12', 'Enter a 10-digit number with its area code, such as 217-555-0142.'],
    [
      'f.prescription.prescription_date',
      '2030-01-01',
      'The date written is in the future. Enter the day of the order.',
    ],
    ['f.patient.address.state_province', 'Illinoi', 'Enter a US state or territory by its two letters, such as IL.'],
    ['f.patient.address.zip_postal_code', 'ABC', 'Enter a ZIP code of five digits, such as 62701.'],
    ['f.provider.npi', '1234567890', 'Enter a valid NPI; check this one for a typo.'],
    ['f.insurance_content.rx_bin', '12', 'Enter six digits, or clear the field to leave it out.'],
  ])('%s = %s', async (field, value, sentence) => {
    scene = await openScene('story-complete');
    const target = field.slice(2);
    const reply = await submit({ [field]: value, action: 'check' });
    expect(reply.headers.location).toBe(`${review()}?notice=incomplete#${fieldId(target)}`);
    const { body } = await scene.get(review());
    expect(body).toContain(sentence);
    expect(body).toContain('<h2 id="verdict-title">1 to fix</h2>');
    expect(formOf(body, 'review')[field]).toEqual([value]);
  });

  test.each([
    ['f.prescription.dosage', 'banana'],
    ['f.patient.date_of_birth', '2030-01-01'],
    ['f.patient.address.zip_postal_code', '1234'],
    ['f.patient.address.state_province', 'Illinoi'],
    ['f.patient.phone', '12'],
    ['f.patient.insurance_details.data.rx_bin', '12'],
  ])('%s = %s, in the enrollment too', async (field, value) => {
    scene = await openScene('story-complete');
    const path = `${review()}/enrollment`;
    const consent = { 'consent.by': 'the patient', 'consent.on': '2026-11-20', 'consent.how': 'Signed form' };
    const reply = await submit({ ...consent, 'pick.programId': 'prog-1', [field]: value, action: 'check' }, path);
    expect(reply.headers.location).toBe(`${path}?notice=incomplete#${fieldId(field.slice(2))}`);
  });
});

test('every question of the mapping cases that offers something to choose has its place on the page', () => {
  const root = join(import.meta.dirname, '../../../../fixtures/charts');
  const asked = listFixtures(root).flatMap(gapsOf);
  expect(asked.length).toBeGreaterThan(30);
  const homeless = asked.filter(({ kind, target }) => {
    const { sections } = kindPages[kind];
    const isField = sections.some(({ fields }) => fields.some((field) => field.target === target));
    return !isField && !['section-insurance', 'section-diagnoses'].includes(anchorOf(target, sections));
  });
  expect(homeless).toEqual([]);
});

type Choices = Readonly<Record<string, { readonly gaps?: Readonly<Record<string, { readonly options?: unknown }>> }>>;

function gapsOf(folder: string): { kind: Kind; target: string }[] {
  const { expected, recorded = {} } = loadFixture(folder);
  return (['prior-auth', 'enrollment'] as const).flatMap((kind) => {
    const stated = (expected[kind]?.gaps ?? []).filter(({ options }) => options !== undefined);
    const left = Object.entries((recorded as Choices)[kind]?.gaps ?? {}).filter(
      ([, { options }]) => options !== undefined,
    );
    return [...stated.map(({ target }) => target), ...left.map(([target]) => target)].map((target) => ({
      kind,
      target,
    }));
  });
}
