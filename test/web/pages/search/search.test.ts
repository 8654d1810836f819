import type { Condition, MedicationRequest, Organization } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { isOlderEdition } from '../../../../src/web/pages/search/code-search.tsx';
import { loadedCodes, usedInMemory } from '../../code-tables.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()][0]!;

async function find(what: 'diagnosis' | 'pharmacy', q: string, accept = 'application/json') {
  const page = await scene.get(review());
  const { token = [], patient = [] } = formOf(page.body, 'review');
  return scene.post(`${review()}/find/${what}`, { token, patient, q }, { accept });
}

const codesFor = async (q: string) => JSON.parse((await find('diagnosis', q)).body);

describe('a diagnosis code', () => {
  test('is found by code or words in the loaded file, never a category', async () => {
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, codes: loadedCodes() }));
    const codes = async (q: string) => (await codesFor(q)).codes.map(({ code }: { code: string }) => code);
    expect(await codes('m05.79')).toEqual(['M05.79']);
    expect(await codes('crohns')).toEqual(['K50.90']);
    const found = await codesFor('L40');
    expect(found.codes.map(({ code }: { code: string }) => code)).toEqual(['L40.0', 'L40.50']);
    expect(found.category).toMatchObject({ code: 'L40', billable: false });
    expect(await codes('zebra')).toEqual([]);
  });

  test('of the chart comes first and says so; what the practice used is told by how often', async () => {
    const used = usedInMemory();
    await used.note('valley', 'diagnosis for humira', [{ key: 'M06.9', content: { code: 'M06.9' } }]);
    await used.note('valley', 'diagnosis for humira', [{ key: 'M06.9', content: { code: 'M06.9' } }]);
    scene = await openScene('story-complete', (deps) => ({ ...deps, codes: loadedCodes(), used }));
    const { body } = await scene.get(review());
    const own = /name="o\.diagnosis" value="([^"]+)"/.exec(body)?.[1];
    const { codes } = await codesFor('');
    expect(codes[0]).toMatchObject({ code: own, note: 'In the chart' });
    expect(codes).toContainEqual({
      code: 'M06.9',
      title: 'Rheumatoid arthritis, unspecified',
      note: 'Used 2 times here',
    });
  });

  test('that was used for other drugs is found by its words, and does not stand in the empty field', async () => {
    const used = usedInMemory();
    await used.note('valley', 'diagnosis', [{ key: 'M06.9', content: { code: 'M06.9' } }]);
    await used.note('valley', 'diagnosis for humira', [{ key: 'M06.9', content: { code: 'M06.9' } }]);
    scene = await openScene('story-many-gaps', (deps) => ({ ...deps, codes: loadedCodes(), used }));
    const codes = async (q: string) => (await codesFor(q)).codes.map(({ code }: { code: string }) => code);
    expect(await codes('')).not.toContain('M06.9');
    expect(await codes('rheum')).toContain('M06.9');
  });

  test('has the edition of its file beside it; a used one that the file lacks is not offered', async () => {
    const used = usedInMemory();
    await used.note('valley', 'diagnosis', [{ key: 'E66.8', content: { code: 'E66.8', title: 'Other obesity' } }]);
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, codes: loadedCodes(), used }));
    expect((await scene.get(review())).body).toContain('or words to search in ICD-10-CM 2026.');
    expect((await find('diagnosis', 'E66', 'text/html')).body).toContain('ICD-10-CM 2026.');
    expect((await codesFor('E66')).codes).toEqual([]);
    await scene.app.close();
    scene = await openScene('story-snomed-only', (deps) => ({
      ...deps,
      codes: loadedCodes(),
      codesArePartial: true,
      used,
    }));
    expect((await codesFor('E66')).codes).toMatchObject([{ code: 'E66.8' }]);
  });

  test('without a file is found among the chart’s and the used ones, and the page says why', async () => {
    const used = usedInMemory();
    await used.note('valley', 'diagnosis', [{ key: 'L40.0', content: { code: 'L40.0', title: 'Psoriasis vulgaris' } }]);
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, used }));
    expect(await codesFor('psor')).toEqual({
      codes: [{ code: 'L40.0', title: 'Psoriasis vulgaris', note: 'Used once here' }],
    });
    const page = await find('diagnosis', 'zebra', 'text/html');
    expect(page.body).toContain('Nothing found.');
    expect(page.body).toContain('No ICD-10-CM file is loaded here');
  });

  test('that the site’s own ConceptMap offers for the order’s reason is found, with the map', async () => {
    scene = await openScene('story-snomed-only');
    const { launch } = scene.smart;
    const problems = scene.resources.filter(({ resourceType }) => resourceType === 'Condition') as Condition[];
    const code = problems.flatMap((one) => one.code?.coding ?? []).find(({ display }) => display === 'Obesity')?.code;
    expect(code).toMatch(/^\d+$/);
    const element = { code: code ?? '', target: [{ code: 'E66.9', equivalence: 'wider' as const }] };
    const map = {
      resourceType: 'ConceptMap' as const,
      title: 'Clinic map',
      status: 'active' as const,
      group: [{ source: 'http://snomed.info/sct', target: 'http://hl7.org/fhir/sid/icd-10-cm', element: [element] }],
    };
    scene.smart.launch = { ...launch, site: { ...launch.site, conceptMaps: [map] } };
    expect((await codesFor('obes')).codes).toEqual([
      { code: 'E66.9', title: 'Obesity', note: 'wider in the site’s Clinic map' },
    ]);
  });

  test('is chosen on a page of its own without a script, beside what the request has already', async () => {
    scene = await openScene('story-complete', (deps) => ({ ...deps, codes: loadedCodes() }));
    const own = /name="o\.diagnosis" value="([^"]+)"/.exec((await scene.get(review())).body)?.[1];
    expect((await scene.get(review())).body).toContain(`href="${review()}/find/diagnosis"`);
    const page = await find('diagnosis', 'crohn', 'text/html');
    expect(page.body).toContain("Crohn's disease");
    expect(page.body).toContain('National Center for Health Statistics');
    const reply = await scene.post(`${review()}/find/diagnosis`, { ...formOf(page.body, 'found'), use: 'K50.90' });
    expect(reply.headers.location).toBe(`${review()}#section-diagnoses`);
    expect(theCase().answers.diagnoses).toEqual([own, 'K50.90']);
    expect((await scene.get(review())).body).toContain("K50.90 Crohn's disease, unspecified");
  });

  test('that is typed and a category is stopped, with what to do; an unknown one is told', async () => {
    scene = await openScene('story-complete', (deps) => ({ ...deps, codes: loadedCodes() }));
    const type = async (codes: string) => {
      const { body } = await scene.get(review());
      const { diagnosis: _, ...form } = formOf(body, 'review');
      const reply = await scene.post(review(), { ...form, 'diagnosis-codes': codes, action: 'check' });
      return [reply.headers.location, (await scene.get(review())).body];
    };
    const [stopped, category] = await type('M05');
    expect(stopped).toContain('notice=incomplete');
    expect(category).toContain('M05 is a category, not a code that can be billed.');
    expect((await scene.get(`${review()}/confirm`)).headers.location).toContain('notice=incomplete');
    const [goes, unknown] = await type('M05.71');
    expect(goes).toMatch(/\/confirm$/);
    expect(unknown).toContain('M05.71 is not in the ICD-10-CM file of 2026. Check for a typo.');
  });

  test('that a part of the file lacks is no mistake', async () => {
    scene = await openScene('story-complete', (deps) => ({ ...deps, codes: loadedCodes(), codesArePartial: true }));
    const { body } = await scene.get(review());
    const { diagnosis: _, ...form } = formOf(body, 'review');
    const reply = await scene.post(review(), { ...form, 'diagnosis-codes': 'M05.71', action: 'check' });
    expect(reply.headers.location).toMatch(/\/confirm$/);
    expect((await scene.get(review())).body).not.toContain('is not in the ICD-10-CM file');
  });

  test('is not found for another browser, another patient or a foreign form', async () => {
    scene = await openScene('story-complete');
    const { token = [], patient = [] } = formOf((await scene.get(review())).body, 'review');
    const ask = (form: Record<string, string | readonly string[]>, headers = {}) =>
      scene.post(`${review()}/find/diagnosis`, { token, patient, q: 'a', ...form }, headers);
    expect((await ask({})).status).toBe(200);
    expect((await ask({ patient: 'x' })).status).toBe(409);
    expect((await ask({ token: 'x' })).status).toBe(403);
    expect((await ask({}, { cookie: '' })).status).toBe(404);
  });
});

describe('an edition of ICD-10-CM is in force from October 1 of the year before its own', () => {
  test.each([
    ['2021', '2026-11-27', true],
    ['2026', '2026-09-30', false],
    ['2026', '2026-10-01', true],
    ['2027', '2026-10-01', false],
  ])('%s on %s is older than another: %s', (year, today, isOlder) => {
    expect(isOlderEdition(year, today)).toBe(isOlder);
  });

  test('and the field says so of an older one', async () => {
    scene = await openScene('story-snomed-only', (deps) => ({ ...deps, codes: loadedCodes() }));
    expect((await scene.get(review())).body).toContain('The codes here are those of 2026; a newer edition is out.');
  });
});

describe('what was sent', () => {
  test('is counted for the practice: codes, prescriber, pharmacy, nothing of the patient', async () => {
    const used = usedInMemory();
    scene = await openScene('story-complete', (deps) => ({ ...deps, used }));
    const { body: page } = await scene.get(review());
    await scene.post(review(), {
      ...formOf(page, 'review'),
      'f.pharmacy.name': 'Corner Pharmacy',
      'f.pharmacy.address.city': 'Bloomington',
      action: 'check',
    });
    const { body } = await scene.get(`${review()}/confirm`);
    await scene.post(`${review()}/confirm`, formOf(body));
    expect(scene.cases.sent).toHaveLength(1);
    const kept = JSON.stringify([...used.rows]);
    expect([...used.rows.keys()].map((name) => name.split('|')[1])).toEqual([
      'diagnosis',
      'diagnosis for humira',
      'prescriber',
      'pharmacy',
    ]);
    expect(kept).toContain('Corner Pharmacy');
    const { name } = theCase().banner;
    for (const part of [...name.split(' '), theCase().patient]) expect(kept).not.toContain(part);
  });

  test('tells whose NPI it was, when somebody enters it for another prescriber', async () => {
    const used = usedInMemory();
    await used.note('valley', 'prescriber', [
      { key: '1234567893', content: { npi: '1234567893', first: 'Adwoa', last: 'Osei-Brandt' } },
    ]);
    scene = await openScene('story-many-gaps', (deps) => ({ ...deps, used }));
    const told = 'This NPI was sent for Adwoa Osei-Brandt before.';
    expect((await scene.get(review())).body).not.toContain(told);
    const { body } = await scene.get(review());
    await scene.post(review(), { ...formOf(body, 'review'), 'f.provider.npi': '1234567893' });
    expect((await scene.get(review())).body).toContain(told);
    const { body: now } = await scene.get(review());
    await scene.post(review(), { ...formOf(now, 'review'), 'f.provider.last_name': 'Osei' });
    expect((await scene.get(review())).body).not.toContain(told);
  });

  test('goes also when it cannot be counted', async () => {
    const used = { ...usedInMemory(), note: () => Promise.reject(new Error('away')) };
    scene = await openScene('story-complete', (deps) => ({ ...deps, used }));
    const { body } = await scene.get(`${review()}/confirm`);
    expect((await scene.post(`${review()}/confirm`, formOf(body))).status).toBe(303);
    expect(scene.cases.sent).toHaveLength(1);
  });
});

describe('a pharmacy', () => {
  const withPharmacy = () => {
    const pharmacy: Organization = {
      resourceType: 'Organization',
      id: 'chart-pharmacy',
      name: 'Maple Pharmacy',
      address: [{ line: ['9 Maple St'], city: 'Normal', state: 'IL', postalCode: '61761', country: 'USA' }],
    };
    const first = scene.resources.find(({ resourceType }) => resourceType === 'MedicationRequest') as MedicationRequest;
    const other: MedicationRequest = {
      ...first,
      id: 'other-order',
      dispenseRequest: { ...first.dispenseRequest, performer: { reference: 'Organization/chart-pharmacy' } },
    };
    scene.resources = [...scene.resources, pharmacy, other];
  };

  test('of another order of the chart and of earlier requests is found by name and place', async () => {
    const used = usedInMemory();
    const fields = { 'pharmacy.name': 'Corner Pharmacy', 'pharmacy.address.city': 'Bloomington' };
    await used.note('valley', 'pharmacy', [{ key: 'a', content: fields }]);
    scene = await openScene('story-complete', (deps) => ({ ...deps, used }));
    withPharmacy();
    const names = async (q: string) =>
      JSON.parse((await find('pharmacy', q)).body).pharmacies.map((one: { name: string; note: string }) => [
        one.name,
        one.note,
      ]);
    expect(await names('')).toEqual(
      expect.arrayContaining([
        ['Maple Pharmacy', 'In the chart'],
        ['Corner Pharmacy', 'Used once here'],
      ]),
    );
    expect(await names('bloom corner')).toEqual([['Corner Pharmacy', 'Used once here']]);
    expect(await names('nowhere')).toEqual([]);
  });

  test('that is chosen replaces name and address as a whole', async () => {
    scene = await openScene('story-complete');
    withPharmacy();
    const { body: first } = await scene.get(review());
    await scene.post(review(), {
      ...formOf(first, 'review'),
      'f.pharmacy.name': 'Old Pharmacy',
      'f.pharmacy.address.street_line_2': 'Suite 400',
      action: 'save',
    });
    const page = await find('pharmacy', 'maple', 'text/html');
    const use = JSON.parse((await find('pharmacy', 'maple')).body).pharmacies[0].fields;
    const reply = await scene.post(`${review()}/find/pharmacy`, {
      ...formOf(page.body, 'found'),
      use: JSON.stringify(use),
    });
    expect(reply.headers.location).toBe(`${review()}#field-pharmacy-name`);
    const form = formOf((await scene.get(review())).body, 'review');
    expect(form['f.pharmacy.name']).toEqual(['Maple Pharmacy']);
    expect(form['f.pharmacy.address.city']).toEqual(['Normal']);
    expect(form['f.pharmacy.address.street_line_2']).toEqual(['']);
  });

  test('that no search gave is not taken', async () => {
    scene = await openScene('story-complete');
    const { token = [], patient = [] } = formOf((await scene.get(review())).body, 'review');
    const use = JSON.stringify({ 'patient.first_name': 'Canary' });
    expect((await scene.post(`${review()}/find/pharmacy`, { token, patient, use })).status).toBe(400);
    expect(JSON.stringify(theCase().edits)).not.toContain('Canary');
  });
});
