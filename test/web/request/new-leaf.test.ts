import type { MedicationRequest, Organization, Patient } from 'fhir/r4.js';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { usedInMemory } from '../code-tables.ts';
import type * as Support from '../support.ts';

// The contract gains a leaf in each group of leaves that change together, in memory: parts, rules and table, as a
// change of the sources would state them. Every page, print, search and set-aside carries it.

const files = {
  parts: '../../../src/core/contract/parts.ts',
  documented: '../../../src/core/contract/documented.ts',
  mapping: '../../../mappings/prior-auth.ts',
  fields: '../../../src/web/request/request-fields.ts',
};

let support: typeof Support;
let scene: Support.Scene;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock(files.parts, async (original) => {
    const parts = await original<typeof import('../../../src/core/contract/parts.ts')>();
    const { text, RequestPharmacy, RequestPatient, InsuranceContent } = parts;
    const Address = parts.Address.safeExtend({ county: text.optional() });
    return {
      ...parts,
      RequestPatient: RequestPatient.extend({ address: Address }),
      RequestPharmacy: RequestPharmacy.extend({ phone: text.optional() }),
      InsuranceContent: InsuranceContent.extend({ person_code: text.optional() }),
    };
  });
  vi.doMock(files.documented, async (original) => {
    const documented = await original<typeof import('../../../src/core/contract/documented.ts')>();
    const { text } = await import('../../../src/core/contract/parts.ts');
    const { CreatePriorAuthRequest, RequestPrescription, documentedDrug } = documented;
    const brand = { brand_name: text.optional() };
    return {
      ...documented,
      documentedDrug: { ...documentedDrug, ...brand },
      CreatePriorAuthRequest: CreatePriorAuthRequest.safeExtend({ prescription: RequestPrescription.extend(brand) }),
    };
  });
  vi.doMock(files.mapping, async (original) => {
    const mapping = await original<typeof import('../../../mappings/prior-auth.ts')>();
    const { overlay } = await import('../../../src/core/mapping/words/define.ts');
    const { from, omit } = await import('../../../src/core/mapping/words/rules.ts');
    const byPerson = omit('only when a person enters it');
    const rules = {
      patient: { address: { county: from('%address.district') } },
      pharmacy: { phone: from("%pharmacy.telecom.where(system = 'phone').value") },
      insurance_content: { person_code: from('%coverage.dependent') },
      prescription: { brand_name: byPerson },
    };
    return { ...mapping, priorAuth: overlay(mapping.priorAuth, 'prior-auth', rules as object) };
  });
  vi.doMock(files.fields, async (original) => {
    const fields = await original<typeof import('../../../src/web/request/request-fields.ts')>();
    const county = { label: 'County', input: 'text', on: 'city' } as const;
    return {
      ...fields,
      addressFields: { ...fields.addressFields, county },
      priorAuthFields: {
        ...fields.priorAuthFields,
        'patient.address.county': { ...county, section: 'patient' },
        'pharmacy.phone': { label: 'Phone', input: 'tel', section: 'pharmacy' },
        'insurance_content.person_code': { label: 'Person code', input: 'text', section: 'insurance' },
        'prescription.brand_name': { label: 'Brand', input: 'text', section: 'prescription' },
      },
    };
  });
  support = await import('../support.ts');
});
afterEach(() => scene?.app.close());
afterAll(() => {
  for (const file of Object.values(files)) vi.doUnmock(file);
  vi.resetModules();
});

const values = {
  'patient.address.county': 'Sangamon',
  'pharmacy.phone': '(217) 555-0180',
  'insurance_content.person_code': '01',
  'prescription.brand_name': 'Sample Brand',
};
const fromChart = Object.values(values).slice(0, 3);

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()][0]!;
const bodyOf = async (path: string) => (await scene.get(path)).body;
const textIn = (html: string) => html.replaceAll(/<wbr\/>/g, '');

async function openChart(used = usedInMemory()) {
  scene = await support.openScene('story-complete', (deps) => ({ ...deps, used }));
  for (const resource of scene.resources) {
    if (resource.resourceType === 'Patient') Object.assign((resource as Patient).address![0]!, county);
    if (resource.resourceType === 'Coverage') Object.assign(resource, { dependent: '01' });
  }
}
const county = { district: values['patient.address.county'] };

async function save(changes: Record<string, string>) {
  return scene.post(review(), { ...support.formOf(await bodyOf(review()), 'review'), action: 'save', ...changes });
}

async function find(q: string) {
  const { token = [], patient = [] } = support.formOf(await bodyOf(review()), 'review');
  const asked = { token, patient, q };
  const json = await scene.post(`${review()}/find/pharmacy`, asked, { accept: 'application/json' });
  const page = await scene.post(`${review()}/find/pharmacy`, asked);
  return { pharmacies: JSON.parse(json.body).pharmacies, page: page.body };
}

async function send(): Promise<string> {
  scene.cases.outcome = { state: 'open', serviceId: 'pa_77', sentAt: '2026-11-21T14:00:00.000Z' };
  const form = support.formOf(await bodyOf(`${review()}/confirm`));
  return String((await scene.post(`${review()}/confirm`, { ...form, action: 'send' })).headers.location);
}

async function printed(path: string): Promise<string> {
  const headers = { cookie: `__Host-bridge-${support.launchId}=${support.session}` };
  const { rawPayload } = await scene.app.inject({ url: path, headers });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(rawPayload)));
  return text.join('\n').replaceAll(/\s+/g, ' ');
}

describe('a leaf that the contract gains', () => {
  test('is a field of the review page, with what the chart says', async () => {
    await openChart();
    const form = support.formOf(await bodyOf(review()), 'review');
    for (const [target, value] of Object.entries(values).slice(0, 3)) expect(form[`f.${target}`]).toEqual([value]);
    expect(form['f.prescription.brand_name']).toEqual(['']);
  });

  test('is said in the line of its section, on the review page and on the last one', async () => {
    await openChart();
    for (const path of [review(), `${review()}/confirm`]) {
      const body = await bodyOf(path);
      expect(body).toContain('Springfield, Sangamon IL 62704');
      expect(body).toContain('phone (217) 555-0180');
      expect(body).toContain('person code 01');
    }
  });

  test('stands among all values that go and that went, and in both prints', async () => {
    await openChart();
    const last = await bodyOf(`${review()}/confirm`);
    const path = await send();
    const sent = await bodyOf(path);
    for (const value of fromChart) for (const body of [last, sent]) expect(textIn(body)).toContain(`<dd>${value}`);
    for (const name of ['request.pdf', 'fax.pdf']) {
      const text = await printed(`${path}/${name}`);
      expect(text).toContain('27 Figment Street, Apt 3B, Springfield, Sangamon, IL 62704, USA');
      expect(text).toContain('Phone (217) 555-0180');
      expect(text).toContain('Person code 01');
    }
  });

  test('of a pharmacy is found by, counted with it, and never stays when another one is chosen', async () => {
    const used = usedInMemory();
    await openChart(used);
    const first = scene.resources.find((one): one is MedicationRequest => one.resourceType === 'MedicationRequest')!;
    const pharmacy: Organization = { resourceType: 'Organization', id: 'maple', name: 'Maple Pharmacy' };
    const withPhone: Organization = {
      ...{ resourceType: 'Organization', id: 'oak', name: 'Oak Pharmacy' },
      telecom: [{ system: 'phone', value: '(309) 555-0142' }],
    };
    const orderFrom = (id: string): MedicationRequest => ({
      ...first,
      id: `order-${id}`,
      dispenseRequest: { ...first.dispenseRequest, performer: { reference: `Organization/${id}` } },
    });
    scene.resources = [...scene.resources, pharmacy, withPhone, orderFrom('maple'), orderFrom('oak')];

    const oak = await find('555-0142');
    expect(oak.pharmacies).toMatchObject([{ name: 'Oak Pharmacy', fields: { 'pharmacy.phone': '(309) 555-0142' } }]);
    expect(oak.page).toContain('</strong> (309) 555-0142');

    const choose = async (q: string) => {
      const { pharmacies, page } = await find(q);
      const use = JSON.stringify(pharmacies[0].fields);
      await scene.post(`${review()}/find/pharmacy`, { ...support.formOf(page, 'found'), use });
      return support.formOf(await bodyOf(review()), 'review')['f.pharmacy.phone'];
    };
    expect(await choose('oak')).toEqual(['(309) 555-0142']);
    expect(await choose('maple')).toEqual(['']);
    expect(await choose('oak')).toEqual(['(309) 555-0142']);
    await send();
    const [, counted] = [...used.rows].find(([name]) => name.includes('|pharmacy|'))!;
    expect(counted.content).toMatchObject({ 'pharmacy.phone': '(309) 555-0142' });
  });

  test('of a coverage is set aside with it', async () => {
    scene = await support.openScene('story-two-coverages');
    const [newer, older] = ['Coverage/twocov-coverage-new', 'Coverage/twocov-coverage-old'];
    await save({ coverage: newer });
    await save({ coverage: newer, 'f.insurance_content.person_code': '07' });
    await save({ coverage: older });
    const body = await bodyOf(review());
    expect(support.formOf(body, 'review')['f.insurance_content.person_code']).toEqual(['']);
    expect(body).toMatch(/Insurance: Person code “07” was entered for Harborlight Health Plan[^<]*\. It stays/);
  });

  test('of a drug names the drug once a person changes it', async () => {
    await openChart();
    await save({ 'f.prescription.brand_name': values['prescription.brand_name'] });
    expect(await bodyOf(review())).toMatch(/<h1 id="title"[^>]*>[^<]*Sample Brand/);
    expect(await bodyOf(`${review()}/confirm`)).toMatch(/brand Sample Brand/);
    await send();
    expect(theCase().title).toContain('Sample Brand');
  });
});
