import type { Coverage, MedicationRequest, Patient, Practitioner, Resource } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { dispenseUnits, doseForms, routes } from '../../../mappings/service-lists.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const review = () => `${scene.home}/orders/${scene.order}`;

/** Opens the review, changes some fields, presses a button. */
async function submit(changes: Record<string, string | string[]>, path = review()) {
  const page = await scene.get(path);
  return scene.post(path, { ...formOf(page.body, 'review'), ...changes });
}

const theCase = () => [...scene.cases.all.values()][0]!;

describe('the review page', () => {
  test('says at the top that a complete chart is ready, who it is for, and where each value came from', async () => {
    scene = await openScene('story-complete');
    const { body } = await scene.get(review());
    expect(body).toContain('<h2 id="verdict-title">Ready to send. No documents attached</h2>');
    expect(body).toMatch(/class="patient-name">[^<]+</);
    expect(body).toContain('>From the patient record<');
    expect(body).toContain('>From the medication order<');
  });

  test('shows no machine word before who looks asks for technical details', async () => {
    scene = await openScene('story-snomed-only');
    const plain = (await scene.get(review())).body.replaceAll(/<[^>]*>/g, ' ');
    for (const word of [`MedicationRequest/${scene.order}`, 'FHIR', 'Patient.name', 'where(', 'resolve()'])
      expect(plain).not.toContain(word);
    const technical = (await scene.get(`${review()}?technical=1`)).body.replaceAll(/<[^>]*>/g, ' ');
    expect(technical).toContain(`MedicationRequest/${scene.order}`);
    expect(technical).toContain('Patient.name[0]');
  });

  test('shows technical details in place, by a button beside the values that saves and leads back to it', async () => {
    scene = await openScene('story-snomed-only');
    const button = (body: string) => /<button id="technical-switch"[^>]*value="([^"]*)"/.exec(body)?.[1];
    const page = (await scene.get(review())).body;
    expect(page).toMatch(/<h2 id="all-title">[\s\S]{0,300}<button id="technical-switch"/);
    expect(button(page)).toBe('show-technical');
    const fields = { ...formOf(page, 'review'), action: 'show-technical' };
    const shown = await scene.post(review(), fields, { 'hx-request': 'true' });
    expect(shown.body).toContain('Patient.name[0]');
    expect(shown.body).toContain('data-go-to="technical-switch"');
    expect(shown.body).toContain('<input type="hidden" name="technical" value="1"/>');
    expect(button(shown.body)).toBe('hide-technical');
    expect(shown.body).not.toContain('<html');
    const hidden = { ...formOf(shown.body, 'review'), action: 'hide-technical' };
    const plain = await scene.post(review(), hidden, { 'hx-request': 'true' });
    expect(plain.body).not.toContain('Patient.name[0]');
    expect(button(plain.body)).toBe('show-technical');
    // Without script, the address says the same.
    expect((await scene.post(review(), fields)).headers.location).toBe(
      `${review()}?notice=saved&technical=1#technical-switch`,
    );
    expect((await scene.post(review(), hidden)).headers.location).toBe(`${review()}?notice=saved#technical-switch`);
  });

  test('names what is missing, each with a link to the field that asks for it', async () => {
    scene = await openScene('story-snomed-only');
    const { body } = await scene.get(review());
    expect(body).toContain('1 answer needed');
    expect(body).toContain('<a href="#section-diagnoses">Choose the diagnosis</a>');
    expect(body).toContain('What we found in the chart');
  });

  test('leaves the banner out only when the EHR shows its own [B27]', async () => {
    scene = await openScene('story-complete');
    scene.smart.launch = { ...scene.smart.launch, needPatientBanner: false };
    expect((await scene.get(review())).body).not.toContain('class="patient-name"');
  });

  test.each([
    ['restricted', { meta: { security: [{ code: 'R' }] } }, true],
    ['HIV', { meta: { security: [{ code: 'HIV' }] } }, true],
    ['42 CFR Part 2, on the document itself', { securityLabel: [{ coding: [{ code: '42CFRPart2' }] }] }, true],
    ['one that cannot be read', { meta: { security: 'R' } }, true],
    ['normal', { meta: { security: [{ code: 'N' }] } }, false],
  ])('a chart with a security label is kept as restricted: %s', async (_, label, restricted) => {
    scene = await openScene('story-complete');
    const patient = scene.resources.find(({ resourceType }) => resourceType === 'Patient')?.id ?? '';
    const subject = { reference: `Patient/${patient}` };
    const note = { resourceType: 'DocumentReference', id: 'labelled', status: 'current', subject, content: [] };
    scene.resources = [...scene.resources, { ...note, ...label } as Resource];
    await scene.get(review());
    expect(theCase().restricted).toBe(restricted);
  });

  test('says beside the question why the only coverage of the chart is not used, and asks for the payer', async () => {
    scene = await openScene('story-two-coverages');
    scene.resources = scene.resources.filter(
      ({ resourceType, id }) => resourceType !== 'Coverage' || id === 'twocov-coverage-old',
    );
    const { body } = await scene.get(review());
    const question = body.slice(body.indexOf('id="questions"'), body.indexOf('id="warnings"'));
    const open = question.replaceAll(/<details class="looks">.*?<\/details>/gs, '');
    expect(open).toMatch(/The coverage in the chart is not used: it ended on [A-Z][a-z]{2} \d+, \d{4}\./);
    expect(body).toContain('Payer is missing. Enter the name of the plan that pays for the drug.');
  });

  test('a renewal says what was approved before, and that nothing attached is newer', async () => {
    scene = await openScene('story-step-therapy');
    const outcome = (start: string) => ({ result: 'Approved', ...{ authorization_start_date: start } });
    const approve = (start: string) =>
      scene.cases.put({
        ...theCase(),
        ...{ id: '11111111-2222-4333-8444-555555555555', state: 'ended', endedAt: '2026-11-20T10:00:00.000Z' },
        payer: 'Bluestem Mutual',
        record: {
          ...{ id: 'pa_1', status: 'completed' },
          outcome: { ...outcome(start), detail_code: 'approval', authorization_expiration: '2026-12-20' },
        },
      });
    await submit({ evidence: ['Observation/steptx-a1c'], action: 'save' });
    expect((await scene.get(review())).body).not.toContain('This drug was approved here');
    approve('2026-11-20');
    const { body } = await scene.get(review());
    expect(body).toContain('approved here by Bluestem Mutual from Nov 20, 2026 through Dec 20, 2026.');
    expect(body).toContain('Nothing that is attached is newer than the approval of Nov 20, 2026.');
    approve('2020-01-01');
    expect((await scene.get(review())).body).not.toContain('Nothing that is attached is newer');
  });

  test('lists the coverages with the reason for and against each', async () => {
    scene = await openScene('story-two-coverages');
    const { body } = await scene.get(review());
    expect(body.match(/name="coverage"/g)).toHaveLength(2);
    expect(body).toContain('Does not fit: ');
    expect(body).toContain('it ended on');
  });

  test('shows the insurance card that goes with the request', async () => {
    scene = await openScene('story-card-image');
    const { body } = await scene.get(review());
    const line = /<summary class="line">(?:(?!<\/summary>).)*Insurance.*?<\/summary>/s.exec(body)?.[0] ?? '';
    expect(line).toContain('The picture of the insurance card goes with the request.');
    expect(line).toContain('alt="Insurance card, side 1"');
    const [, picture = ''] = /<img src="([^"]*\/card\/0[^"]*)"/.exec(line) ?? [];
    const beside = body.slice(body.indexOf('<div class="beside-card">'));
    expect(beside.indexOf(picture)).toBeGreaterThan(0);
    expect(beside.indexOf(picture)).toBeLessThan(beside.indexOf('name="f.insurance_content'));
    expect((await scene.get(picture)).headers['content-type']).toBe('image/png');
    expect((await scene.get(picture.replace('/0', '/7'))).status).toBe(404);
  });

  test.each([
    ['dose_form', doseForms],
    ['route_of_administration', routes],
    ['dispense_unit', dispenseUnits],
  ])('suggests the closed list of %s at its field, without a script', async (field, list) => {
    scene = await openScene('story-complete');
    const { body } = await scene.get(review());
    const [, input = ''] = new RegExp(`<input ([^>]*name="f\\.prescription\\.${field}"[^>]*)>`).exec(body) ?? [];
    const [, id] = /list="([^"]+)"/.exec(input) ?? [];
    const [, options = ''] = new RegExp(`<datalist id="${id}">(.*?)</datalist>`).exec(body) ?? [];
    const listed = [...options.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    expect(listed.toSorted()).toEqual(list.toSorted());
  });

  describe('V17: an RxBIN that is not six digits', () => {
    const field = 'f.insurance_content.rx_bin';
    const withRxBin = (coverage: Coverage, value: string): Coverage => ({
      ...coverage,
      class:
        coverage.class?.map((one) =>
          one.type.coding?.some(({ code }) => code === 'rxbin') ? { ...one, value } : one,
        ) ?? [],
    });
    const open = async (rxBin: string) => {
      scene = await openScene('story-complete');
      scene.resources = scene.resources.map((resource) =>
        resource.resourceType === 'Coverage' ? withRxBin(resource as Coverage, rxBin) : resource,
      );
    };

    test('is asked at its field, which says that it may be left out', async () => {
      await open('BIN001');
      const { body } = await scene.get(review());
      expect(body).toContain('<h2 id="verdict-title">1 to fix</h2>');
      expect(body).toContain('<a href="#field-insurance_content-rx_bin">Fix the plan’s RxBIN</a>');
      expect(body).toContain('Enter six digits, or clear the field to leave it out.');
      expect((await scene.post(review(), { ...formOf(body, 'review'), action: 'check' })).headers.location).toContain(
        'notice=incomplete#field-insurance_content-rx_bin',
      );
    });

    test('is answered by the right one', async () => {
      await open('BIN001');
      expect((await submit({ [field]: '610014', action: 'check' })).headers.location).toMatch(/\/confirm$/);
      expect((await scene.get(`${review()}/confirm`)).body).toContain('610014');
    });

    test('is answered by clearing the field, and the confirmation shows that it is left out', async () => {
      await open('BIN001');
      expect((await submit({ [field]: '', action: 'check' })).headers.location).toMatch(/\/confirm$/);
      const { body } = await scene.get(`${review()}/confirm`);
      expect(body).toContain('cleared by a person');
      expect(body).toContain('BIN001');
    });

    test('is not taken from a person either', async () => {
      await open('610014');
      expect((await submit({ [field]: '61001', action: 'check' })).headers.location).toContain('notice=incomplete');
    });
  });

  test('V17: an NPI with a wrong check digit is none, so that it is asked with what the chart says [K19]', async () => {
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'Practitioner'
        ? ({
            ...resource,
            identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567890' }],
          } as Practitioner)
        : resource,
    );
    const { body } = await scene.get(review());
    expect(body).toContain('href="#field-provider-npi">Confirm the prescriber’s NPI</a>');
    expect(body).toContain('This NPI is not valid: its check digit is wrong. Check for a typo.');
    expect(body).toContain('The prescriber’s record says <q>1234567890</q>');
    expect((await submit({ 'f.provider.npi': '1234567890', action: 'check' })).headers.location).toContain(
      '#field-provider-npi',
    );
    expect((await submit({ 'f.provider.npi': '1234567893', action: 'check' })).headers.location).toMatch(/\/confirm$/);
  });

  test('escapes what the chart says', async () => {
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'MedicationRequest'
        ? ({ ...resource, dosageInstruction: [{ text: '<script>alert(1)</script>' }] } as MedicationRequest)
        : resource,
    );
    const { body } = await scene.get(review());
    expect(body).toContain('&lt;script>alert(1)');
    expect(body).not.toContain('<script>alert');
  });

  test('an order of another patient, and one that does not exist, are not found [C08]', async () => {
    scene = await openScene('story-complete');
    expect((await scene.get(`${scene.home}/orders/someone-elses`)).status).toBe(404);
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'MedicationRequest'
        ? ({ ...resource, subject: { reference: 'Patient/other' } } as MedicationRequest)
        : resource,
    );
    expect((await scene.get(review())).status).toBe(404);
  });

  test('an order that no request can be made for says why', async () => {
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'MedicationRequest' && resource.id === scene.order
        ? ({ ...resource, status: 'stopped' } as MedicationRequest)
        : resource,
    );
    const reply = await scene.get(review());
    expect(reply.status).toBe(409);
    expect(reply.body).toContain('<p class="next">This order cannot be used: it is stopped. Go back');
  });
});

describe('the verdict', () => {
  const verdict = (page: string) => page.slice(page.indexOf('id="verdict"'), page.indexOf('class="actions"'));
  const warnings = (page: string) => page.slice(page.indexOf('id="warnings"'), page.indexOf('id="section-evidence"'));

  test('writes a date of the chart as a day, where it is read and where it is to be confirmed', async () => {
    const bornIn =
      (birthDate: string, deceased = false) =>
      (resource: Resource) =>
        resource.resourceType === 'Patient' ? { ...resource, birthDate, deceasedBoolean: deceased } : resource;
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map(bornIn('1961-05'));
    expect((await scene.get(review())).body).toContain('<q>May 1961</q>');
    await scene.app.close();
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map(bornIn('1961-05-04', true));
    expect((await scene.get(review())).body).toContain('<strong>May 4, 1961</strong>');
  });

  test('is never plainly ready while the chosen coverage has ended, and leads to the warning', async () => {
    scene = await openScene('story-two-coverages');
    const before = verdict((await scene.get(review())).body);
    expect(before).toContain('>Ready to send. No documents attached</h2>');
    await submit({ coverage: 'Coverage/twocov-coverage-old', action: 'save' });
    const { body } = await scene.get(review());
    expect(body).toContain('<section class="verdict open" id="verdict"');
    expect(verdict(body)).toContain('>Ready, with 1 warning. No documents attached</h2>');
    expect(warnings(body)).toContain('it ended on Aug 31, 2026');
  });

  test('counts the warnings about the chart and those about values together', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ coverage: 'Coverage/twocov-coverage-old', 'f.provider.fax': '', action: 'save' });
    const { body } = await scene.get(review());
    const listed = warnings(body).match(/<li>/g)?.length ?? 0;
    expect(listed).toBeGreaterThan(1);
    expect(verdict(body)).toContain(`>Ready, with ${listed} warnings. No documents attached</h2>`);
    expect(warnings(body)).toContain(`<h2 id="warnings-title">${listed} warnings</h2>`);
  });

  test('counts what is said at an open question as the list of warnings does', async () => {
    scene = await openScene('story-snomed-only');
    await submit({ 'f.prescription.dispense_unit': 'pen', 'f.provider.fax': '', action: 'save' });
    const { body } = await scene.get(review());
    const [, said] = /href="#warnings">([^<]+)</.exec(verdict(body)) ?? [];
    expect(body).toContain(`<h2 id="warnings-title">${said}</h2>`);
  });

  test('is never plainly ready while an approved request for the same order exists', async () => {
    scene = await openScene('story-complete');
    await scene.get(review());
    const record = { id: 'pa_1', status: 'completed', outcome: { result: 'Approved' } } as const;
    scene.cases.put({ ...theCase(), id: '11111111-2222-4333-8444-555555555555', state: 'ended', record });
    const { body } = await scene.get(review());
    expect(verdict(body)).toContain('>Ready, with 1 warning. No documents attached</h2>');
    expect(warnings(body)).toContain('This order already has a decision: <a ');
  });

  test('says how many documents are attached, the list how many are suggested', async () => {
    scene = await openScene('story-step-therapy');
    const { body } = await scene.get(review());
    const suggested = suggestedIn(body);
    expect(suggested.length).toBeGreaterThan(1);
    expect(verdict(body)).toContain('No documents attached');
    expect(body).toContain(`none attached, ${suggested.length} suggested<`);
    await submit({ evidence: suggested.slice(1), action: 'save' });
    const almost = (await scene.get(review())).body;
    expect(verdict(almost)).toContain(`${suggested.length - 1} document`);
    expect(almost).toContain(`${suggested.length - 1} attached, 1 suggested<`);
    await submit({ evidence: suggested, action: 'save' });
    const all = (await scene.get(review())).body;
    expect(verdict(all)).toContain(`${suggested.length} documents attached`);
    expect(all).toContain(`${suggested.length} attached<`);
  });
});

/** References of the documents that the page suggests. */
function suggestedIn(page: string): string[] {
  return [...page.matchAll(/name="evidence" value="([^"]+)"[^>]*>(?:(?!<\/label>).)*?Suggested: /gs)].map(
    ([, value]) => value ?? '',
  );
}

describe('supporting documents', () => {
  test('one button attaches what is listed as suggested, beside what was ticked', async () => {
    scene = await openScene('story-step-therapy');
    const { body } = await scene.get(review());
    const [first = '', second = '', ...rest] = suggestedIn(body);
    expect(body).toContain(`>Attach these ${rest.length + 2}</button>`);
    const reply = await submit({ evidence: [second], action: 'attach' });
    expect(reply.headers.location).toBe(`${review()}?notice=saved#section-evidence`);
    expect(theCase().answers.evidence).toEqual([second, first, ...rest]);
    expect((await scene.get(review())).body).not.toContain('value="attach"');
  });

  test('the button is off where the site says so', async () => {
    scene = await openScene('story-step-therapy');
    const { launch } = scene.smart;
    scene.smart.launch = { ...launch, site: { ...launch.site, evidence: 'each' } };
    const { body } = await scene.get(review());
    expect(suggestedIn(body).length).toBeGreaterThan(1);
    expect(body).not.toContain('value="attach"');
    await submit({ action: 'attach' });
    expect(theCase().answers.evidence).toBeUndefined();
  });

  test('the last look says none and how many are suggested, or names what goes', async () => {
    scene = await openScene('story-step-therapy');
    const suggested = suggestedIn((await scene.get(review())).body).length;
    const line = (page: string) =>
      /id="goes-line-evidence">.*?<dd>(.*?)<\/dd>/s.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '');
    expect(line((await scene.get(`${review()}/confirm`)).body)).toBe(`None. ${suggested} suggested.`);
    await submit({ evidence: ['Observation/steptx-a1c'], action: 'save' });
    expect(line((await scene.get(`${review()}/confirm`)).body)).toMatch(
      /^Hemoglobin A1c, [A-Z][a-z]{2} \d{1,2}, \d{4}$/,
    );
  });
});

describe('an entry among the insurance fields', () => {
  const [newer, older] = ['Coverage/twocov-coverage-new', 'Coverage/twocov-coverage-old'];
  const kept = /Insurance: RxPCN “MINE” was entered for Harborlight Health Plan[^<]*\. It stays with that plan and/;
  const sent = async () => {
    await scene.post(`${review()}/confirm`, {
      ...formOf((await scene.get(`${review()}/confirm`)).body),
      action: 'send',
    });
    return JSON.stringify(scene.cases.sent[0]?.body);
  };

  test('stays with its plan: it is not sent for another, and stands again with the first', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ 'f.insurance_content.rx_pcn': 'MINE', action: 'save' });
    expect((await scene.get(review())).body).not.toMatch(kept);
    await submit({ coverage: older, action: 'save' });
    const { body } = await scene.get(review());
    expect(body).toMatch(kept);
    expect(formOf(body, 'review')['f.insurance_content.rx_pcn']).not.toEqual(['MINE']);
    expect((await scene.get(`${review()}/confirm`)).body).not.toContain('MINE');
    await submit({ coverage: newer, action: 'save' });
    const again = (await scene.get(review())).body;
    expect(again).not.toMatch(kept);
    expect(formOf(again, 'review')['f.insurance_content.rx_pcn']).toEqual(['MINE']);
    expect(await sent()).toContain('"rx_pcn":"MINE"');
  });

  test('is not sent for another plan, also after further saves', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ 'f.insurance_content.rx_pcn': 'MINE', action: 'save' });
    await submit({ coverage: older, action: 'save' });
    await submit({ 'f.prescription.quantity': '7', action: 'save' });
    expect((await scene.get(review())).body).toMatch(kept);
    const body = await sent();
    expect(body).toContain('"quantity":7');
    expect(body).not.toContain('MINE');
  });

  test('is kept beside what is entered for the other plan', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ 'f.insurance_content.rx_pcn': 'MINE', action: 'save' });
    await submit({ coverage: older, action: 'save' });
    await submit({ 'f.insurance_content.rx_pcn': 'OTHER', action: 'save' });
    const at = async () => formOf((await scene.get(review())).body, 'review')['f.insurance_content.rx_pcn'];
    expect(await at()).toEqual(['OTHER']);
    await submit({ coverage: newer, action: 'save' });
    expect(await at()).toEqual(['MINE']);
    await submit({ coverage: older, action: 'save' });
    expect(await at()).toEqual(['OTHER']);
  });

  test('that cleared what the first coverage had is kept with it as well', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ 'f.insurance_content.rx_pcn': '', action: 'save' });
    await submit({ coverage: older, action: 'save' });
    expect((await scene.get(review())).body).toContain('Insurance: RxPCN was cleared for Harborlight Health Plan');
  });

  test('that was made together with the choice belongs to that choice', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ coverage: older, 'f.insurance_content.rx_pcn': 'MINE', action: 'save' });
    expect((await scene.get(review())).body).not.toMatch(kept);
    expect(await sent()).toContain('"rx_pcn":"MINE"');
  });

  test('elsewhere than there says nothing about coverages', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ 'f.prescription.quantity': '7', action: 'save' });
    await submit({ coverage: older, action: 'save' });
    expect((await scene.get(review())).body).not.toContain('It stays with that plan');
  });
});

describe('edits', () => {
  test('only what was changed becomes an edit', async () => {
    scene = await openScene('story-complete');
    const reply = await submit({ 'f.prescription.quantity': '7', action: 'save' });
    expect([reply.status, reply.headers.location]).toEqual([303, `${review()}?notice=saved#verdict`]);
    expect(theCase().edits).toEqual({ 'prescription.quantity': 7 });
  });

  test('may be a text that is not among the suggestions', async () => {
    scene = await openScene('story-complete');
    await submit({ 'f.prescription.dose_form': 'granules', action: 'save' });
    expect(theCase().edits).toEqual({ 'prescription.dose_form': 'granules' });
    expect((await scene.get(review())).body).toContain(
      '<h2 id="verdict-title">Ready, with 1 warning. No documents attached</h2>',
    );
  });

  test('are shown beside the value of the chart, and taken back with one button', async () => {
    scene = await openScene('story-complete');
    const chart = formOf((await scene.get(review())).body, 'review')['o.provider.fax']?.[0] ?? '';
    await submit({ 'f.provider.fax': '(217) 555-0177', action: 'save' });
    const { body } = await scene.get(review());
    expect(body).toContain(`The chart says <q>${chart}</q>`);
    expect(body).toContain('Entered by Riley Okafor, MA');
    await submit({ reset: 'provider.fax' });
    expect(theCase().edits).toEqual({});
  });

  test('typing the value of the chart again takes the edit back', async () => {
    scene = await openScene('story-complete');
    const chart = formOf((await scene.get(review())).body, 'review')['o.provider.fax']?.[0] ?? '';
    await submit({ 'f.provider.fax': '(217) 555-0177', action: 'save' });
    await submit({ 'f.provider.fax': chart, action: 'save' });
    expect(theCase().edits).toEqual({});
  });

  test('emptying a field sends nothing there, although the chart has a value', async () => {
    scene = await openScene('story-complete');
    await submit({ 'f.provider.fax': '', action: 'save' });
    expect(theCase().edits).toEqual({ 'provider.fax': null });
    const { body } = await scene.get(review());
    expect(body).toContain('No fax number');
    expect(body).toContain('The chart says');
  });

  test('are kept when the chart is read again, and what changed in the chart is named', async () => {
    scene = await openScene('story-complete');
    await submit({ 'f.prescription.quantity': '7', action: 'save' });
    const page = await scene.get(review());
    scene.resources = scene.resources.map((resource) => {
      if (resource.resourceType !== 'MedicationRequest' || resource.id !== scene.order) return resource;
      const order = resource as MedicationRequest; // resourceType was just compared
      return {
        ...order,
        dispenseRequest: { ...order.dispenseRequest, quantity: { ...order.dispenseRequest?.quantity, value: 9 } },
      };
    });
    const reply = await scene.post(review(), { ...formOf(page.body, 'review'), action: 'pull' });
    const { body } = await scene.get(String(reply.headers.location));
    expect(body).toContain('Chart refreshed: 1 value changed');
    expect(body).toMatch(/Prescription: Quantity<\/a>: <q>[^<]+<\/q> became <q>9<\/q> \(your entry is kept\)/);
    expect(theCase().edits).toEqual({ 'prescription.quantity': 7 });
  });

  test('a field that was shown before the chart changed is no edit when it is sent unchanged', async () => {
    scene = await openScene('story-complete');
    const stale = formOf((await scene.get(review())).body, 'review');
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'Patient' ? ({ ...resource, birthDate: '1999-01-02' } as Patient) : resource,
    );
    await submit({ action: 'pull' });
    await scene.post(review(), { ...stale, action: 'save' });
    expect(stale['f.patient.date_of_birth']).not.toEqual(['1999-01-02']);
    expect(formOf((await scene.get(review())).body, 'review')['f.patient.date_of_birth']).toEqual(['1999-01-02']);
    expect(theCase().edits).toEqual({});
  });

  test('a target that is no field of the page cannot be edited', async () => {
    scene = await openScene('story-complete');
    await submit({ 'f.mock_result': '{"result":"Approved"}', 'f.__proto__.x': '1', action: 'save' });
    expect(theCase().edits).toEqual({});
  });

  test('a choice of coverage, diagnoses and evidence is kept as an answer', async () => {
    scene = await openScene('story-two-coverages');
    const page = await scene.get(review());
    const options = [...page.body.matchAll(/name="coverage" value="([^"]+)"/g)].map((match) => match[1] ?? '');
    const other = options.find((option) => option !== formOf(page.body, 'review').coverage?.[0]) ?? '';
    await submit({ coverage: other, diagnosis: [], 'diagnosis-codes': 'm05.79, M06.9', action: 'save' });
    expect(theCase().answers).toEqual({ coverage: other, diagnoses: ['M05.79', 'M06.9'] });
    // The typed code may still stand in the field when its box is there.
    await submit({ diagnosis: ['M05.79', 'M06.9'], 'diagnosis-codes': 'm06.9 M05.79', action: 'save' });
    expect(theCase().answers.diagnoses).toEqual(['M05.79', 'M06.9']);
  });
});

describe('sending', () => {
  async function confirm() {
    const page = await scene.get(`${review()}/confirm`);
    return { page, form: formOf(page.body) };
  }

  test('an incomplete request goes back to its first gap', async () => {
    scene = await openScene('story-snomed-only');
    const reply = await submit({ action: 'check' });
    expect(reply.headers.location).toBe(`${review()}?notice=incomplete#section-diagnoses`);
    expect((await scene.get(`${review()}/confirm`)).headers.location).toBe(`${review()}?notice=incomplete`);
  });

  test('a filled gap leads to a confirmation that repeats name and date of birth, and then to the case', async () => {
    scene = await openScene('story-snomed-only');
    const checked = await submit({ 'diagnosis-codes': 'E66.01', action: 'check' });
    expect(checked.headers.location).toBe(`${review()}/confirm`);
    const { page, form } = await confirm();
    expect(page.body).toMatch(/Wendell Okafor-Smith<\/strong>, born Jul 8, 1986/);
    const sent = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(sent.headers.location).toBe(`${scene.home}/cases/${theCase().id}`);
    expect(scene.cases.sent).toHaveLength(1);
    expect(scene.cases.sent[0]).toMatchObject({
      by: { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' },
      body: { diagnoses: [{ code: 'E66.01' }], prescription: { extra: { submission_id: theCase().id } } },
    });
  });

  test('a request for the same drug under way is asked about last, and sent once it is ticked', async () => {
    scene = await openScene('story-complete');
    await submit({ action: 'check' });
    const other = scene.cases.put({
      id: '11111111-2222-4333-8444-555555555555',
      patient: `Patient/${scene.smart.launch.patient}`,
      state: 'open',
      title: 'Humira',
    });
    scene.cases.duplicatesUnderWay = [other];
    const { page, form } = await confirm();
    expect(page.body).toContain('A request for this drug is already under way for this patient');
    expect(page.body).toContain(`<a href="${scene.home}/cases/${other.id}">Humira</a>`);
    const back = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(back.headers.location).toBe(`${review()}/confirm#duplicates`);
    expect(scene.cases.sent).toEqual([]);
    const sent = await scene.post(`${review()}/confirm`, { ...form, duplicates: other.id, action: 'send' });
    expect(sent.headers.location).toMatch(new RegExp(`^${scene.home}/cases/`));
    expect(scene.cases.sent[0]?.duplicatesSeen).toEqual([other.id]);
  });

  test('a typed diagnosis that is no ICD-10-CM code stays with the reason, to be corrected or cleared', async () => {
    scene = await openScene('story-snomed-only');
    const checked = await submit({ 'diagnosis-codes': 'obesity', action: 'check' });
    expect(checked.headers.location).toBe(`${review()}?notice=incomplete#section-diagnoses`);
    const { body } = await scene.get(review());
    expect(body.match(/Not an ICD-10-CM code: OBESITY\./g)).toHaveLength(1);
    expect(body).not.toContain('A chosen diagnosis has no ICD-10-CM code');
    expect(formOf(body, 'review')['diagnosis-codes']).toEqual(['OBESITY']);
    await submit({ 'diagnosis-codes': '', action: 'save' });
    expect(theCase().answers.diagnoses).toEqual([]);
    await submit({ 'diagnosis-codes': 'obesity', action: 'save' });
    expect((await submit({ 'diagnosis-codes': 'e66.01', action: 'check' })).headers.location).toBe(
      `${review()}/confirm`,
    );
  });

  test('a drug that a person changed is what confirmation, Task and letter name, not the order’s own', async () => {
    scene = await openScene('story-medication-contained');
    await submit({ 'f.prescription.drug_name': 'Prolia', 'f.prescription.strength': '60 mg/mL', action: 'check' });
    const { page, form } = await confirm();
    expect(page.body).toContain('<p class="what">Prolia 60 mg/mL tablet</p>');
    expect(page.body).toMatch(/The drug was changed by a person: the order says <q>(?!Prolia)[^<]+<\/q>, this request/);
    expect(page.body).toContain(', this request says <q>Prolia 60 mg/mL tablet</q>.');
    await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(theCase().title).toBe('Prolia 60 mg/mL tablet');
  });

  test('a drug that nobody changed is named as people say it, with the order’s own words beside it', async () => {
    scene = await openScene('story-medication-contained');
    expect((await scene.get(review())).body).toContain('in the order: “empagliflozin 10 MG Oral Tablet [Jardiance]”');
    const { form } = await confirm();
    await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(theCase().title).toBe('Jardiance (empagliflozin) 10 mg oral tablet');
  });

  test('the last look says which values a person changed, and what the chart had', async () => {
    scene = await openScene('story-complete');
    const before = formOf((await scene.get(review())).body, 'review')['f.prescription.directions']?.[0];
    await submit({ 'f.prescription.directions': 'Once a month', 'f.patient.phone': '', action: 'check' });
    const { page } = await confirm();
    expect(page.body).toMatch(/Changed from the chart[\s\S]*Patient: Phone<\/strong>: “\(217\) 555-0111” is not sent/);
    expect(page.body).toContain(`<strong>Prescription: Directions</strong>: from “${before}” to “Once a month”`);
    expect(page.body).toContain(`Entered by a person, the chart had “${before}”`);
    expect(page.body).not.toContain('The drug was changed by a person');
    expect(page.body).not.toContain('From the patient record');
  });

  test('the last look says what the chart has in the place of an entry, and who answered', async () => {
    scene = await openScene('story-sources-differ');
    const { body } = await scene.get(review());
    const [, coverage = ''] = /name="coverage" value="([^"]+)"/.exec(body) ?? [];
    await submit({ coverage, 'pick.prescription.strength': '25 mg', diagnosis: [], 'diagnosis-codes': 'E11.9' });
    await submit({ 'f.insurance_content.member_number': 'HL1', action: 'check' });
    const { page } = await confirm();
    expect(page.body).toMatch(/Diagnosis 1<\/strong>: .*?<small>[^<]*Riley Okafor, MA/);
    expect(page.body).toMatch(/Prescription: Strength<\/strong>: “25 mg”; the chart says “10 MG”, “25 mg”/);
    expect(page.body).not.toContain('the chart has nothing');
  });

  test('the last look names nothing as changed when nothing was', async () => {
    scene = await openScene('story-complete');
    expect((await confirm()).page.body).not.toContain('by a person');
  });

  test('evidence can be read in full before it goes', async () => {
    scene = await openScene('story-step-therapy');
    await submit({ evidence: ['Observation/steptx-a1c', 'Condition/steptx-dm'], action: 'save' });
    const { page } = await confirm();
    const goes = page.body.slice(page.body.indexOf('id="goes-evidence"'));
    expect(goes.match(/<summary>[^<]+<\/summary>/g)).toHaveLength(2);
    expect(goes).toMatch(/<summary>Hemoglobin A1c, [A-Z][a-z]{2} \d{1,2}, \d{4}<\/summary>/);
    const said = goes
      .replaceAll('<wbr/>', '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/Value \d+(\.\d)? %/);
    expect(said).toContain('Source Problem list entry of Dec 11, 2025');
    expect(said).not.toContain('Condition/steptx-dm');
    expect(said).toMatch(/E11\.65 [\w ]+ \(ICD-10-CM\)/);
  });

  test('the last look repeats what is odd: a coverage that is over, a request that is finished already', async () => {
    scene = await openScene('story-two-coverages');
    await submit({ coverage: 'Coverage/twocov-coverage-old', action: 'save' });
    scene.cases.put({
      ...theCase(),
      id: '11111111-2222-4333-8444-555555555555',
      state: 'ended',
      endedAt: '2026-11-20T10:00:00.000Z',
    });
    const { page } = await confirm();
    expect(page.body).toContain('does not fit by itself: it ended on Aug 31, 2026');
    const [, finished] = /This order already has a decision: <a href="([^"]*)">/.exec(page.body) ?? [];
    expect(finished).toMatch(/\/cases\/11111111-2222-4333-8444-555555555555$/);
  });

  test('what changed after the confirmation was shown is not sent', async () => {
    scene = await openScene('story-complete');
    const { form } = await confirm();
    await submit({ 'f.prescription.quantity': '7', action: 'save' });
    const reply = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(reply.headers.location).toBe(`${review()}?notice=changed`);
    expect(scene.cases.sent).toEqual([]);
  });

  test('a form made for another patient is refused [C05]', async () => {
    scene = await openScene('story-complete');
    const { form } = await confirm();
    const reply = await scene.post(`${review()}/confirm`, { ...form, patient: 'mark-of-another', action: 'send' });
    expect(reply.status).toBe(409);
    expect(scene.cases.sent).toEqual([]);
  });

  test('a second click does not send again', async () => {
    scene = await openScene('story-complete');
    const { form } = await confirm();
    await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    const again = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(again.status).toBe(409);
    expect(again.body).toContain('This request was already sent.');
    expect(again.body).toContain(`<a class="button" href="${scene.home}/cases/${theCase().id}">Open this request</a>`);
    expect(scene.cases.sent).toHaveLength(1);
    expect((await scene.get(review())).headers.location).toBe(`${scene.home}/cases/${theCase().id}`);
  });

  test('when the service refused the review shows why and where, with every entry kept', async () => {
    scene = await openScene('story-complete');
    await submit({ 'f.prescription.quantity': '7', action: 'save' });
    const problem = {
      code: 'service_refused',
      text: 'The service refused the request. Nothing was sent.',
      facts: { http: 422 },
      fields: ['prescription.quantity'],
      at: '2026-11-21T15:00:00Z',
    } as const;
    scene.cases.outcome = { state: 'refused', problem };
    const { form } = await confirm();
    const reply = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    const { body } = await scene.get(String(reply.headers.location));
    expect(body).toContain('Nothing was sent.');
    expect(body).toContain('<a href="#field-prescription-quantity">Prescription: Quantity</a>');
    expect(body).toContain('service_refused, http 422');
    expect(formOf(body, 'review')['f.prescription.quantity']).toEqual(['7']);
  });
});

describe('enrollment', () => {
  const enrollment = () => `${review()}/enrollment`;
  const consent = { 'consent.by': 'the patient', 'consent.on': '2026-11-20', 'consent.how': 'Signed form' };

  test('asks for program and consent, and does not go without them', async () => {
    scene = await openScene('story-complete');
    const { body } = await scene.get(enrollment());
    expect(body).toContain('Record the patient’s consent first: who gave it, when and how.');
    expect(body).toMatch(/type="radio" name="pick\.programId" value="prog-2"\/><span><strong>Second program</);
    const reply = await submit({ 'f.programId': 'prog-2', action: 'check' }, enrollment());
    expect(reply.headers.location).toBe(`${enrollment()}?notice=incomplete#section-consent`);
  });

  test('a half-filled consent is none, but what was typed is kept, and what lacks is said', async () => {
    scene = await openScene('story-complete');
    await submit({ ...consent, 'consent.on': '', action: 'save' }, enrollment());
    expect(theCase().consent).toBeUndefined();
    const { body } = await scene.get(enrollment());
    expect(body).toContain('The consent is not recorded: the day is missing. What you typed is kept');
    expect(formOf(body, 'review')).toMatchObject({
      'consent.by': ['the patient'],
      'consent.on': [''],
      'consent.how': ['Signed form'],
    });
  });

  test('an invalid consent takes the place of the complete one before it: nothing goes on the old one', async () => {
    scene = await openScene('story-complete');
    await submit({ ...consent, 'f.programId': 'prog-2', action: 'save' }, enrollment());
    const checked = await submit({ 'consent.on': '2027-01-20', action: 'check' }, enrollment());
    expect(checked.headers.location).toBe(`${enrollment()}?notice=incomplete#section-consent`);
    expect([theCase().consent, theCase().consentEntry]).toEqual([
      undefined,
      { by: 'the patient', on: '2027-01-20', how: 'Signed form' },
    ]);
    await submit({ 'consent.on': '2026-11-19', action: 'check' }, enrollment());
    expect([theCase().consent?.on, theCase().consentEntry]).toEqual(['2026-11-19', undefined]);
  });

  test('saving again leaves the consent with who recorded it', async () => {
    scene = await openScene('story-complete');
    await submit({ ...consent, action: 'save' }, enrollment());
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/prac-2' };
    await submit({ 'f.programId': 'prog-1', action: 'save' }, enrollment());
    expect(theCase().consent?.recordedBy).toEqual({ fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' });
  });

  test('a consent of a day that has not begun is none', async () => {
    scene = await openScene('story-complete');
    await submit({ ...consent, 'consent.on': '2027-01-20', action: 'save' }, enrollment());
    expect(theCase().consent).toBeUndefined();
    expect((await scene.get(enrollment())).body).toContain('the day is after today');
  });

  test('a consent from before the patient’s birth is none', async () => {
    scene = await openScene('story-complete');
    await submit({ ...consent, 'consent.on': '1901-01-01', action: 'save' }, enrollment());
    expect(theCase().consent).toBeUndefined();
    expect((await scene.get(enrollment())).body).toContain(
      'The consent is not recorded: the day is before the patient’s birth.',
    );
    await submit({ ...consent, 'consent.on': '1980-04-12', action: 'save' }, enrollment());
    expect(theCase().consent?.on).toBe('1980-04-12');
  });

  test('is called a program, as in US clinics, on every page', async () => {
    scene = await openScene('story-complete');
    await submit({ ...consent, 'f.programId': 'prog-2', action: 'check' }, enrollment());
    const { form, pages } = {
      form: formOf((await scene.get(`${enrollment()}/confirm`)).body),
      pages: [`${scene.home}/orders`, enrollment(), `${enrollment()}/confirm`],
    };
    const before = await Promise.all(pages.map(async (path) => (await scene.get(path)).body));
    scene.cases.outcome = { state: 'ended' };
    const sent = await scene.post(`${enrollment()}/confirm`, { ...form, action: 'send' });
    const after = (await scene.get(String(sent.headers.location))).body;
    for (const body of [...before, after]) {
      expect(body).toContain('program');
      expect(body.toLowerCase()).not.toContain('programme');
    }
  });

  test('goes with program and recorded consent, and keeps who recorded it', async () => {
    scene = await openScene('story-complete');
    const checked = await submit({ ...consent, 'f.programId': 'prog-2', action: 'check' }, enrollment());
    expect(checked.headers.location).toBe(`${enrollment()}/confirm`);
    expect(theCase().consent).toEqual({
      by: 'the patient',
      on: '2026-11-20',
      how: 'Signed form',
      recordedBy: { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' },
    });
    const page = await scene.get(`${enrollment()}/confirm`);
    expect(page.body).toContain('<dt>Support program</dt><dd>Second program<');
    expect(page.body).toContain('You cannot change or cancel the enrollment here after it is sent.');
    await scene.post(`${enrollment()}/confirm`, { ...formOf(page.body), action: 'send' });
    expect(scene.cases.sent[0]).toMatchObject({ body: { programId: 'prog-2' } });
  });
});

describe('a page that is open in a browser', () => {
  const live = { 'hx-request': 'true' };
  async function saveLive(changes: Record<string, string | string[]>, page?: string) {
    const body = page ?? (await scene.get(review())).body;
    return scene.post(review(), { ...formOf(body, 'review'), ...changes }, live);
  }

  test('is answered with its new content alone, and nothing is lost of what was entered', async () => {
    scene = await openScene('story-complete');
    const reply = await saveLive({ 'f.prescription.quantity': '7' });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatch(/^<div id="page">/);
    expect(theCase().edits).toEqual({ 'prescription.quantity': 7 });
    expect(formOf(reply.body, 'review')).toMatchObject({
      'f.prescription.quantity': ['7'],
      'o.prescription.quantity': ['7'],
    });
  });

  test('keeps an answered question where it is, so that typing can go on', async () => {
    scene = await openScene('story-snomed-only');
    const reply = await saveLive({ 'diagnosis-codes': 'E66.01' });
    expect(reply.body).toContain('class="asked done"');
    expect(reply.body).toContain('<h2 id="verdict-title">Ready to send');
  });

  test('keeps it folded with who and when on a page opened anew; what was not asked is no question', async () => {
    scene = await openScene('story-snomed-only');
    await saveLive({ 'diagnosis-codes': 'E66.01', 'f.prescription.quantity': '7' });
    const { body } = await scene.get(review());
    const question = /<details id="asked-section-diagnoses".*?<\/summary>/s.exec(body)?.[0] ?? '';
    expect(question).toContain('class="asked done"');
    expect(question).not.toContain(' open');
    expect(question).toContain('Answered by Riley Okafor, MA');
    expect(body).not.toContain('id="asked-field-prescription-quantity"');
    await saveLive({ diagnosis: [] });
    expect((await scene.get(review())).body).toMatch(/<details id="asked-section-diagnoses" class="asked" open/);
  });

  test('keeps the answers of a field and of a choice of plan in the same way', async () => {
    scene = await openScene('story-sources-differ');
    await saveLive({ 'pick.prescription.strength': '25 mg' });
    expect((await scene.get(review())).body).toContain('id="asked-field-prescription-strength" class="asked done"');
    await scene.app.close();
    scene = await openScene('story-both-plans-fit');
    const { body } = await scene.get(review());
    const plan = /name="coverage" value="([^"]+)"/.exec(body)?.[1] ?? '';
    await saveLive({ coverage: plan }, body);
    expect((await scene.get(review())).body).toContain('id="asked-section-insurance" class="asked done"');
  });

  test('folds an answered question to one line: what was asked, the answer, who gave it and when', async () => {
    scene = await openScene('story-snomed-only');
    const { body } = await saveLive({ 'diagnosis-codes': 'E66.01' });
    const question = /<details id="asked-section-diagnoses".*?<\/summary>/s.exec(body)?.[0] ?? '';
    expect(question).not.toContain(' open');
    const line = question.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(line).toContain('Diagnoses E66.01 Answered by Riley Okafor, MA, Nov 21, 2026, 3:00 PM UTC');
  });

  test('is led to the next question, to what must be corrected, and on to the last page', async () => {
    scene = await openScene('story-sources-differ');
    const next = await saveLive({ 'pick.prescription.strength': '25 mg', action: 'next' });
    expect(next.body).toMatch(/^<div id="page" data-go-to="section-insurance">/);
    const tried = await saveLive({ action: 'check' });
    expect(tried.body).toContain('data-go-to="section-insurance"');
    expect(tried.body).toContain('role="alert">Not sent yet.');
    const done = await saveLive({ coverage: 'Coverage/differ-coverage', action: 'check' });
    expect([done.status, done.headers['hx-redirect']]).toEqual([204, `${review()}/confirm`]);
  });

  test('shows the fields of another coverage at once', async () => {
    scene = await openScene('story-two-coverages');
    const before = formOf((await scene.get(review())).body, 'review')['f.insurance_content.rx_bin'];
    const reply = await saveLive({ coverage: 'Coverage/twocov-coverage-old' });
    expect(formOf(reply.body, 'review')['f.insurance_content.rx_bin']).not.toEqual(before);
  });

  test('tells what a colleague entered meanwhile, with who and when, and never one’s own entries', async () => {
    scene = await openScene('story-complete');
    const opened = (await scene.get(review())).body.replace(
      /name="since" value="[^"]+"/,
      'name="since" value="2026-11-21T14:00:00.000Z"',
    );
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/prac-2', userName: 'Beatriz Lindholm' };
    await submit({ 'f.patient.address.city': 'Urbana', action: 'save' });
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/prac-1', userName: 'Riley Okafor, MA' };
    const reply = await saveLive({ 'f.prescription.quantity': '7' }, opened);
    const told = /<div class="notice calm" id="colleagues".*?<\/div>/s.exec(reply.body)?.[0] ?? '';
    expect(told).toContain('<strong>Beatriz Lindholm</strong> changed, <time datetime="2026-11-21T15:00:00.000Z">');
    expect(told).toContain('<a href="#field-patient-address-city">Patient: City</a>');
    expect(told).not.toContain('Quantity');
    expect(theCase().edits).toMatchObject({ 'patient.address.city': 'Urbana', 'prescription.quantity': 7 });
    expect((await scene.get(review())).body).not.toContain('id="colleagues"');
  });
});

describe('a page that looks whether something has changed', () => {
  const looks = async (page: string) => {
    const [, address = ''] = /hx-get="([^"]+)"/.exec(page) ?? [];
    const { since = [''], asked = [] } = formOf(page, 'review');
    const query = [...asked.map((anchor) => `asked=${anchor}`), `since=${since[0]}`].join('&');
    return scene.get(`${address.replaceAll('&amp;', '&')}&${query}`, { 'hx-request': 'true' });
  };

  test('gets nothing while nothing has, and keeps no session alive', async () => {
    scene = await openScene('story-complete');
    const { body } = await scene.get(review());
    const touched = scene.smart.touches.length;
    expect((await looks(body)).status).toBe(204);
    expect(scene.smart.touches.slice(touched)).toEqual([false]);
  });

  test('gets what a colleague entered, with its questions as they stand', async () => {
    scene = await openScene('story-snomed-only');
    const { body } = await scene.get(review());
    await submit({ 'diagnosis-codes': 'E66.01', action: 'save' });
    const reply = await looks(body);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatch(/^<div id="page">.*class="asked done"/s);
  });

  test('goes on to the case once a colleague has sent it', async () => {
    scene = await openScene('story-complete');
    const { body } = await scene.get(review());
    scene.cases.put({ ...theCase(), state: 'open', version: theCase().version + 1 });
    expect((await looks(body)).headers['hx-redirect']).toBe(`${scene.home}/cases/${theCase().id}`);
  });
});

describe('a request that goes without the suggested documents', () => {
  const sendButton = (page: string) => /<button type="submit" name="action" value="send"[^>]*>([^<]*)</.exec(page)?.[1];

  test('is asked about once, by the button that sends, beside the one that attaches them', async () => {
    scene = await openScene('story-complete');
    expect((await scene.get(review())).body).toContain('class="verdict open"');
    const { body } = await scene.get(`${review()}/confirm`);
    expect(sendButton(body)).toBe('Send for Marisol June Tennyson without documents');
    expect(body).toContain('Send it without any of the 5 suggested documents?');
    const attached = await scene.post(review(), {
      ...formOf(body),
      action: 'attach-and-check',
    });
    expect([attached.status, attached.headers.location]).toEqual([303, `${review()}/confirm`]);
    const then = (await scene.get(`${review()}/confirm`)).body;
    expect(sendButton(then)).toBe('Send for Marisol June Tennyson');
    expect(theCase().answers.evidence).toHaveLength(5);
  });

  test('offers no button for all where a site wants each document looked at', async () => {
    scene = await openScene('story-complete');
    const { launch } = scene.smart;
    scene.smart.launch = { ...launch, site: { ...launch.site, evidence: 'each' } };
    expect((await scene.get(`${review()}/confirm`)).body).not.toContain('attach-and-check');
  });
});

describe('a statement that the site wants confirmed', () => {
  async function openAttesting() {
    scene = await openScene('story-complete');
    const { launch } = scene.smart;
    const attestation = 'I attest that the chart supports this request.';
    scene.smart.launch = { ...launch, site: { ...launch.site, attestation } };
    return (await scene.get(`${review()}/confirm`)).body;
  }

  test('stands at the button, and nothing is sent without it', async () => {
    const body = await openAttesting();
    expect(body).toContain('<span>I attest that the chart supports this request.</span>');
    const form = formOf(body);
    const back = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    expect(back.headers.location).toBe(`${review()}/confirm?notice=unattested#attestation`);
    expect(scene.cases.sent).toEqual([]);
    expect((await scene.get(`${review()}/confirm?notice=unattested`)).body).toContain('Confirm the statement first.');
    await scene.post(`${review()}/confirm`, { ...form, attested: 'yes', action: 'send' });
    expect(scene.cases.sent).toHaveLength(1);
  });

  test('is not asked where the site has none', async () => {
    scene = await openScene('story-complete');
    expect((await scene.get(`${review()}/confirm`)).body).not.toContain('name="attested"');
  });
});

test('Enter in a box of the last page presses no button that sends', async () => {
  scene = await openScene('story-complete');
  const { body } = await scene.get(`${review()}/confirm`);
  const form = body.slice(body.indexOf('class="confirm"'));
  expect(/<button ([^>]*)>/.exec(form)?.[1]).toContain('disabled');
});

test('who answers the warning before the session ends stays signed in, with the form’s own token only', async () => {
  scene = await openScene('story-complete');
  const { body } = await scene.get(review());
  expect(body).toMatch(
    /id="session-end"[^>]*data-idle-minutes="60" data-ends-at="2026-11-21T16:00:00.000Z"[^>]*hidden/,
  );
  const touched = scene.smart.touches.length;
  const token = formOf(body, 'review').token?.[0] ?? '';
  expect((await scene.post(`${scene.home}/alive`, { token })).status).toBe(204);
  expect(scene.smart.touches.slice(touched)).toEqual([true]);
  expect((await scene.post(`${scene.home}/alive`, { token: 'another' })).status).toBe(403);
});

describe('a gap says why [K19]', () => {
  const withPractitioner = (identifier: Practitioner['identifier']) =>
    scene.resources.map((resource) =>
      resource.resourceType === 'Practitioner' ? ({ ...resource, identifier } as Practitioner) : resource,
    );

  test('with the value it is about, escaped; nothing of it is logged [K19]', async () => {
    scene = await openScene('story-complete');
    scene.resources = withPractitioner([{ system: 'http://hl7.org/fhir/sid/us-npi', value: 'canary7 <5 & 6' }]);
    const { body } = await scene.get(review());
    expect(body).toContain('The number in the chart is not an NPI, which has ten digits. Check for a typo.');
    expect(body).toContain('canary7 &lt;5 &amp; 6');
    expect(body).not.toContain('canary7 <5');
    await submit({ action: 'check' });
    await submit({ 'f.provider.npi': 'canary8', action: 'check' });
    expect(scene.log.lines.join('\n')).not.toMatch(/canary/);
  });

  test('what stands beside it is a choice that is not certain, and is taken by nobody but a person [K18]', async () => {
    scene = await openScene('story-complete');
    scene.resources = withPractitioner([{ system: 'https://ids.example.org', value: '1234567893' }]);
    const { body } = await scene.get(review());
    expect(body).toContain('Not certain: the prescriber’s record does not say that this number is an NPI');
    expect(body).toMatch(/type="radio" name="pick\.provider\.npi" value="1234567893"(?! checked)/);
    expect(body).toContain('Confirm the prescriber’s NPI');
    const sent = await submit({ 'pick.provider.npi': '1234567893', action: 'check' });
    expect(sent.headers.location).toMatch(/\/confirm$/);
    expect(theCase()).toMatchObject({ edits: { 'provider.npi': '1234567893' } });
  });

  test.each([
    [
      'an address that gets no mail',
      { address: [{ line: ['HOMELESS'], city: 'Springfield', state: 'IL', postalCode: '62701' }] },
      'patient.address.street',
      'HOMELESS',
    ],
    ['a birth date before 1900', { birthDate: '1890-05-05' }, 'patient.date_of_birth', '1890-05-05'],
    ['a patient who has died', { deceasedBoolean: true }, 'patient.date_of_birth', undefined],
  ])('%s stops the request until a person confirms it as it stands [K5]', async (_what, change, target, value) => {
    scene = await openScene('story-complete');
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'Patient' ? ({ ...resource, ...change } as Patient) : resource,
    );
    const born = scene.resources.find((resource): resource is Patient => resource.resourceType === 'Patient');
    const stands = value ?? born?.birthDate ?? '';
    const { body } = await scene.get(review());
    expect(body).toContain('1 answer needed');
    expect(body).toContain(`name="pick.${target}" value="${stands}"`);
    expect((await submit({ action: 'check' })).headers.location).not.toMatch(/\/confirm$/);
    expect((await submit({ [`pick.${target}`]: stands, action: 'check' })).headers.location).toMatch(/\/confirm$/);
  });
});
