import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundle, MedicationRequest, Patient, Resource } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { growForest } from '../../../src/dev/playground/resource-trees.ts';
import { cli } from '../../cli/run-cli.ts';
import { bridgeUrl, formOf, openScene, type Scene, story } from '../../web/support.ts';

let scene: Scene;
const folders: string[] = [];
afterEach(async () => {
  await scene?.app.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const open = (config: { readonly playground?: boolean; readonly recordDir?: string } = { playground: true }) =>
  openScene('story-complete', (deps) => ({
    ...deps,
    config: { ...deps.config, ...config },
    unread: { 'Patient.communication': 'the service has no field for it' },
  }));

/** The form as a browser sends it, with a file when one is given. */
async function ask(
  fields: Record<string, string>,
  { file, headers = {} }: { file?: string; headers?: Record<string, string> } = {},
) {
  const form = new FormData();
  const token = formOf((await scene.get('/playground')).body).token?.[0] ?? '';
  for (const [name, value] of Object.entries({ token, chart: '', shown: '', ...fields })) form.set(name, value);
  if (file !== undefined) form.set('file', new File([file], 'chart.json', { type: 'application/json' }));
  const encoded = new Response(form);
  const reply = await scene.app.inject({
    method: 'POST',
    url: '/playground',
    headers: {
      accept: 'text/html',
      'content-type': encoded.headers.get('content-type') ?? '',
      origin: bridgeUrl,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return { status: reply.statusCode, body: reply.body };
}

/** The line of a field: its id, the ids of the elements it came from, and what stands in it. */
function fieldLine(page: string, target: string) {
  const [, id = '', from = ''] =
    new RegExp(`<li id="(f\\d+)"[^>]* data-target="${escaped(target)}" data-from(?:="([^"]*)")?`).exec(page) ?? [];
  return { id, from, text: textAfter(page, id) };
}

/** The line of an element by where it stands. */
function elementLine(page: string, place: string) {
  const [, id = '', classes = ''] =
    new RegExp(`<li id="(e\\d+)" class="([^"]*)" data-place="${escaped(place)}"`).exec(page) ?? [];
  return { id, classes, text: textAfter(page, id) };
}

function textAfter(page: string, id: string): string {
  const start = page.indexOf(`id="${id}"`);
  return page.slice(start, page.indexOf('<li', start + 1));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const bundleOf = (...resources: object[]): string =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) });

describe('off', () => {
  test('by default there is no playground and no recording', async () => {
    scene = await open({});
    expect((await scene.get('/playground')).status).toBe(404);
    expect((await scene.post('/playground', {})).status).toBe(404);
    expect((await scene.post(`${scene.home}/orders/${scene.order}/record`, { name: 'a-case' })).status).toBe(404);
    expect((await scene.get(`${scene.home}/orders/${scene.order}`)).body).not.toContain('Record as a fixture');
  });
});

describe('the page', () => {
  test('shows a chart of the package at once, may not be framed, and holds no inline code', async () => {
    scene = await open();
    const { status, body, headers } = await scene.get('/playground');
    expect(status).toBe(200);
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
    expect(body).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\sstyle="|\son\w+="/);
    expect(body).toContain('<option value="story-complete" selected');
    expect(body).toContain('Ready to send');
  });

  test('a field leads to its element, with expression, transform and rule, and the element leads back', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=story-complete');
    const element = elementLine(body, 'Patient/complete-patient Patient.name[0].given[0]');
    const field = fieldLine(body, 'patient.first_name');
    expect(element.text).toContain('&quot;Marisol&quot;');
    expect(field.from).toBe(element.id);
    expect(field.text).toContain(`<a class="pick" href="#${element.id}"`);
    expect(field.text).toContain('<dd>%name.given.first()</dd>');
    expect(field.text).toContain('<dt>Transform</dt><dd>personName</dd>');
    expect(field.text).toContain('<dd>prior-auth</dd>');
    expect(element.text).toContain(`<a class="use" href="#${field.id}">patient.first_name</a>`);
  });

  test('an element of a contained resource is found where it stands', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=story-medication-contained');
    const field = fieldLine(body, 'prescription.dose_form');
    const element = elementLine(
      body,
      /data-place="(Medication\/[^"]* in MedicationRequest\/[^"]* Medication\.form)"/.exec(body)?.[1] ?? '',
    );
    expect(field.from).toBe(element.id);
    expect(element.classes).toBe('element used');
  });

  test('what was made of several elements leads to all of them', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=loading-dose-two-instructions');
    const order =
      /data-place="(MedicationRequest\/\S+) MedicationRequest\.dosageInstruction\[0\]"/.exec(body)?.[1] ?? '';
    const both = [0, 1].map((index) => elementLine(body, `${order} MedicationRequest.dosageInstruction[${index}]`).id);
    expect(fieldLine(body, 'prescription.directions').from.split(' ')).toEqual(both);
  });

  test('what is missing has a line in the draft, and says in words how far the search got', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=quantity-absent-is-a-gap');
    const field = fieldLine(body, 'prescription.quantity');
    expect(field.text).toContain('>nothing</span>');
    expect(body).toContain(`<a href="#${field.id}">prescription.quantity</a>`);
    expect(body).toMatch(/Found dispenseRequest \(1\)|Found nothing at|but nothing at quantity/);
  });

  test('what was not read says why, and a resource that was not chosen says why not', async () => {
    scene = await open();
    const complete = (await scene.get('/playground?chart=story-complete')).body;
    const communication = elementLine(complete, 'Patient/complete-patient Patient.communication[0]');
    expect(communication.classes).toBe('element unread');
    expect(communication.text).toContain('the service has no field for it');
    expect(elementLine(complete, 'Patient/complete-patient Patient.telecom[0].system').classes).toBe('element');
    const coverages = (await scene.get('/playground?chart=story-two-coverages')).body;
    const [, refused] =
      /<details class="resource-item unread"[^>]*data-place="Coverage\/([\s\S]{0,400})/.exec(coverages) ?? [];
    expect(refused).toMatch(/coverage: does not fit, it ended on/);
  });

  test('shows what fills each role with its reason, linked to its element, and what was refused', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=name-ended-first-is-not-used');
    const role = /<details class="role" id="role-name"[\s\S]*?<\/details>/.exec(body)?.[0] ?? '';
    const current = elementLine(body, 'Patient/p1 Patient.name[1]').id;
    const ended = elementLine(body, 'Patient/p1 Patient.name[0]');
    expect(role).toContain(`<a href="#${current}">Patient/p1#name[1]</a>`);
    expect(role).toMatch(
      new RegExp(`Not <span><a href="#${ended.id}">Patient/p1#name\\[0\\]</a></span> .*its period is over`),
    );
    expect(ended.text).toContain('name: does not fit, its period is over');
  });

  test('shows the sources that must agree, and opens a role that asks', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=drug-names-of-different-strengths-are-asked');
    const role = /<details class="role" id="role-drug" open[\s\S]*?<\/details>/.exec(body)?.[0] ?? '';
    expect(role).toContain('says “tofacitinib 10 MG Oral Tablet [Xeljanz]”');
    expect(role).toContain('Which strength is ordered?');
    expect(role).toContain('<li>10 MG</li>');
  });

  test('what only the roles read says so', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=everything-in-the-chart-is-complete');
    expect(elementLine(body, 'MedicationRequest/m1 MedicationRequest.status').text).toContain('read to fill a role');
  });

  test('a name that is not the current one counts as not read, although another name is', async () => {
    scene = await open();
    const { body } = await scene.get('/playground?chart=name-ended-first-is-not-used');
    const names = [0, 1].map(
      (index) => new RegExp(`class="([^"]*)" data-place="Patient/\\S+ Patient\\.name\\[${index}\\]"`).exec(body)?.[1],
    );
    expect(names).toEqual(['element unread', 'element']);
  });

  test('an overlay can be chosen, and a field then names the overlay as its rule', async () => {
    scene = await open();
    const { body } = await scene.get(
      '/playground?chart=site-overlay-reads-its-extension-first&mapping=prior-auth@valley',
    );
    const field = fieldLine(body, 'insurance_content.rx_bin');
    expect(field.text).toContain('<dd>prior-auth@valley</dd>');
    expect(field.from).not.toBe('');
  });

  test('the enrollment mapping fills its own body', async () => {
    scene = await open();
    expect((await scene.get('/playground?chart=story-complete&mapping=enrollment')).body).toContain(
      'data-target="patient.metadata.patient_id"',
    );
  });

  test('a chart or mapping that does not exist is refused, also when it is a path', async () => {
    scene = await open();
    expect((await scene.get('/playground?chart=no-such-chart')).status).toBe(404);
    expect((await scene.get('/playground?chart=..%2F..%2Fpackage.json')).status).toBe(404);
    expect((await scene.get('/playground?mapping=toString')).status).toBe(400);
    expect((await scene.get('/playground?day=yesterday')).status).toBe(400);
  });
});

describe('an own bundle', () => {
  const resources = story('story-complete');
  const text = bundleOf(...resources);

  test('is mapped when it is pasted, also over a chart of the package that was shown', async () => {
    scene = await open();
    for (const fields of [{ text }, { text, chart: 'story-complete', shown: 'story-complete' }]) {
      const { status, body } = await ask(fields);
      expect(status).toBe(200);
      expect(body).toContain('<option value selected>My own bundle');
      expect(fieldLine(body, 'patient.first_name').text).toContain('&quot;Marisol&quot;');
    }
  });

  test('gives way to a chart that was just chosen', async () => {
    scene = await open();
    const { body } = await ask({ text, chart: 'story-taper', shown: '' });
    expect(body).toContain('<option value="story-taper" selected');
    expect(body).not.toContain('Marisol');
  });

  test('is mapped when it is uploaded', async () => {
    scene = await open();
    const { body } = await ask({ chart: 'story-taper', shown: 'story-taper' }, { file: text });
    expect(fieldLine(body, 'patient.first_name').text).toContain('&quot;Marisol&quot;');
  });

  test('is seen on the day that was asked for', async () => {
    scene = await open();
    const coverage = {
      resourceType: 'Coverage',
      id: 'c1',
      status: 'active',
      beneficiary: { reference: 'Patient/complete-patient' },
      payor: [{ display: 'Plan' }],
      period: { end: '2027-01-31' },
    };
    const own = bundleOf(...resources.filter(({ resourceType }) => resourceType !== 'Coverage'), coverage);
    expect((await ask({ text: own, day: '2027-01-31' })).body).toContain('data-target="insurance_content.payer_name"');
    expect((await ask({ text: own, day: '2027-02-01' })).body).toContain('it ended on');
  });

  test('lets one of its orders be chosen, and says why the others cannot be', async () => {
    scene = await open();
    const order = resources.find((resource) => resource.resourceType === 'MedicationRequest') as MedicationRequest;
    const second = { ...order, id: 'second-order', dispenseRequest: { quantity: { value: 7, unit: 'tablet' } } };
    const own = bundleOf(...resources, second, { ...order, id: 'old-order', status: 'stopped' });
    const { body } = await ask({ text: own, order: 'MedicationRequest/second-order' });
    expect(fieldLine(body, 'prescription.quantity').text).toContain('<span class="value">7</span>');
    expect(body).toContain('<code>MedicationRequest/old-order</code>: it is stopped');
  });

  test('without any order that fits is shown all the same, with the reason', async () => {
    scene = await open();
    const finished = resources.map((resource) =>
      resource.resourceType === 'MedicationRequest' ? { ...resource, status: 'completed' } : resource,
    );
    const { status, body } = await ask({ text: bundleOf(...finished) });
    expect(status).toBe(200);
    expect(body).toContain('None of the medication orders can get a request');
    expect(body).toContain('it is completed');
    expect(elementLine(body, 'Patient/complete-patient Patient.birthDate').id).not.toBe('');
  });

  test.each([
    ['nothing', '  ', 'Paste or choose a bundle'],
    ['no JSON', '{\n  "resourceType": "Bundle",\n  "entry": [,]\n}', 'it is not valid JSON (near line 3)'],
    ['JSON that is cut off', '{"resourceType": "Bundle", "entry": [', 'it ends too early'],
    ['brackets without end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'it is nested too deep'],
    ['JSON that is no FHIR', '{"hello": "world"}', 'There is no FHIR resource in it.'],
  ])('of %s is refused with what is wrong', async (_what, own, message) => {
    scene = await open();
    const { status, body } = await ask({ text: own });
    expect(status).toBe(422);
    expect(body).toContain(message);
  });

  test('with an entry that cannot be read names its place', async () => {
    scene = await open();
    const { body } = await ask({
      text: JSON.stringify({
        resourceType: 'Bundle',
        type: 'collection',
        entry: [{ resource: resources[0] }, { resource: { id: 'x' } }],
      }),
    });
    expect(body).toContain('<code>entry[1].resource</code>');
  });

  test('with an element of the wrong form is mapped without that element, and says which', async () => {
    scene = await open();
    const order = resources.find((resource) => resource.resourceType === 'MedicationRequest') as MedicationRequest;
    const { status, body } = await ask({
      text: bundleOf(
        { resourceType: 'Patient', id: 'p', name: 'CANARY-NAME' },
        { ...order, subject: { reference: 'Patient/p' } },
      ),
    });
    expect(status).toBe(200);
    expect(body).toContain('Patient/p is not of the form of FHIR R4 at name; what stands there was not read.');
  });

  test('that goes down without end is shown down to where no chart goes', async () => {
    scene = await open();
    let extension: object = { url: 'urn:last' };
    for (let depth = 0; depth < 400; depth += 1) extension = { url: 'urn:x', extension: [extension] };
    const { status, body } = await ask({
      text: bundleOf(...resources, { resourceType: 'Basic', id: 'deep', extension: [extension] }),
    });
    expect(status).toBe(200);
    expect(body.match(/urn:x/g)?.length).toBeGreaterThan(30);
    expect(body.replace(/<textarea[\s\S]*<\/textarea>/, '')).not.toContain('urn:last');
  });

  test('of more than 5 MB is refused with what to do', async () => {
    scene = await open();
    const { status, body } = await ask({ text: 'x'.repeat(5 * 1024 * 1024) });
    expect(status).toBe(413);
    expect(body).toContain('That is more than the playground takes: 5 MB.');
  });

  test('is written nowhere and logged nowhere, and what stands in it is escaped', async () => {
    scene = await open();
    const patient = resources.find((resource) => resource.resourceType === 'Patient') as Patient;
    const hostile = { ...patient, name: [{ family: '<script>alert("CANARY")</script>', given: ['</textarea><b>'] }] };
    const { body } = await ask({ text: bundleOf(...resources.filter((resource) => resource !== patient), hostile) });
    expect(body).toContain('&lt;script>alert(');
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('</textarea><b>');
    expect(scene.log.lines.join('\n')).toContain('"route":"/playground"');
    expect(scene.log.lines.join('\n')).not.toContain('CANARY');
    expect((await scene.get('/playground')).body).not.toContain('CANARY');
  });

  test('of a large export shows the first twenty thousand elements and the names of the rest', async () => {
    scene = await open();
    const more = Array.from({ length: 6000 }, (_, index) => ({
      resourceType: 'Observation',
      id: `o${index}`,
      status: 'final',
      code: { text: 'weight' },
      subject: { reference: 'Patient/complete-patient' },
    }));
    const { status, body } = await ask({ text: bundleOf(...resources, ...more) });
    expect(status).toBe(200);
    expect(body).toContain('of the last resources only the names are shown');
    expect(body).toContain('Observation/o5999');
    expect(body.match(/class="element/g)?.length).toBeLessThan(21_000);
  });

  test.each([
    ['without our token', { token: '' }, {}],
    ['of a foreign site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['of a foreign origin', {}, { origin: 'https://evil.example' }],
  ])('in a form %s is refused', async (_what, fields, headers) => {
    scene = await open();
    expect((await ask({ text, ...fields }, { headers })).status).toBe(403);
  });

  test('in a form that is none is refused', async () => {
    scene = await open();
    const reply = await scene.app.inject({
      method: 'POST',
      url: '/playground',
      headers: { 'content-type': 'multipart/form-data; boundary=x', accept: 'text/html' },
      payload: 'CANARY',
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.body).not.toContain('CANARY');
    expect((await scene.post('/playground', { text })).status).toBe(400);
  });
});

describe('the trees of the resources', () => {
  const held = { resourceType: 'Medication', id: 'm1', form: { text: 'tablet' } };
  const patient = {
    resourceType: 'Patient',
    id: 'p1',
    _birthDate: { extension: [{ url: 'urn:reason', valueCode: 'unknown' }] },
    name: [{ given: [null, 'Ada'], _given: [{ id: 'x' }, null] }],
  };
  const order = {
    resourceType: 'MedicationRequest',
    id: 'r1',
    contained: [held],
    dosageInstruction: [{ text: 'one' }, { text: 'two' }],
  };
  const forest = growForest([patient, order].map((resource) => ({ resource: resource as Resource })));
  const at = (resource: string, path: string) =>
    forest.find({ resource, path }).map(({ label, place }) => `${label} at ${place}`);

  test('know a primitive that has only extensions, and the index of an item behind null', () => {
    expect(at('Patient/p1', 'Patient.birthDate.extension[0].valueCode')).toEqual([
      'valueCode at Patient/p1 Patient.birthDate.extension[0].valueCode',
    ]);
    expect(at('Patient/p1', 'Patient.name[0].given[1]')).toEqual(['given[1] at Patient/p1 Patient.name[0].given[1]']);
  });

  test('know a contained resource by its own name', () => {
    expect(at('Medication/m1 in MedicationRequest/r1', 'Medication.form')).toEqual([
      'form at Medication/m1 in MedicationRequest/r1 Medication.form',
    ]);
  });

  test('find all items of a list, the nearest element around what has none, nothing of an absent resource', () => {
    const both = [0, 1].map(
      (index) => `dosageInstruction[${index}] at MedicationRequest/r1 MedicationRequest.dosageInstruction[${index}]`,
    );
    expect(at('MedicationRequest/r1', 'MedicationRequest.dosageInstruction')).toEqual(both);
    expect(at('MedicationRequest/r1', 'MedicationRequest.dosageInstruction.text')).toEqual(both);
    expect(at('Patient/p1', 'Patient.gender')).toEqual(['Patient at Patient/p1 Patient']);
    expect(at('Patient/p2', 'Patient.gender')).toEqual([]);
  });

  test('mark the older of two copies, and find only the newer', () => {
    const [old, fresh] = ['1', '2'].map((versionId) => ({
      resource: { resourceType: 'Patient', id: 'p1', meta: { versionId } } as Resource,
    }));
    const copies = growForest([old!, fresh!]);
    expect(copies.trees.map(({ isOlder }) => isOlder)).toEqual([true, false]);
    expect(copies.find({ resource: 'Patient/p1', path: 'Patient' })[0]?.id).toBe(copies.trees[1]?.root.id);
  });
});

describe('recording a launch', () => {
  async function openRecording() {
    const recordDir = mkdtempSync(join(tmpdir(), 'recorded-'));
    folders.push(recordDir);
    scene = await open({ playground: true, recordDir });
    return recordDir;
  }
  const review = () => `${scene.home}/orders/${scene.order}`;
  const post = async (fields: Record<string, string>) =>
    scene.post(`${review()}/record`, {
      token: formOf((await scene.get(review())).body, 'review').token ?? '',
      ...fields,
    });
  const markIn = (page: string) => /name="sigs" value="([0-9a-f]{6})"/.exec(page)?.[1] ?? '';
  // The first answer shows the order's directions; the second form sends their mark back.
  const send = async (name: string) => post({ name, sigs: markIn((await post({ name })).body) });

  test('writes a case that passes at once and has no name of the chart', async () => {
    const folder = await openRecording();
    expect((await scene.get(`${review()}?technical=1`)).body).toContain('Record as a fixture');
    const reply = await send('complete-chart-of-a-launch');
    expect(reply.status).toBe(200);
    expect(reply.body).toContain(join(folder, 'complete-chart-of-a-launch'));
    const bundle: Bundle = JSON.parse(readFileSync(join(folder, 'complete-chart-of-a-launch/bundle.json'), 'utf8'));
    expect(bundle.entry).toHaveLength(scene.resources.length);
    expect(JSON.stringify(bundle)).not.toMatch(/Tennyson|Marisol|LV-100234|1980-04-12/);
    expect(await cli(['test', '--fixtures', folder])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 passed, 0 failed'),
    });
  });

  test('shows the directions first, and keeps them only with the tick of a person who read them', async () => {
    const folder = await openRecording();
    const asked = await post({ name: 'a-case' });
    expect(asked.body).toContain('Inject one pen');
    expect(readdirSync(folder)).toEqual([]);
    const mark = markIn(asked.body);
    await post({ name: 'replaced', sigs: mark });
    await post({ name: 'kept', sigs: mark, keep: mark });
    const directions = (name: string) =>
      JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8'))['prior-auth'].body.prescription
        .directions as string;
    expect(directions('replaced')).not.toMatch(/inject|skin/i);
    expect(directions('kept')).toContain('Inject one pen');
  });

  test('does not keep directions that were not shown', async () => {
    const folder = await openRecording();
    const reply = await post({ name: 'a-case', sigs: '000000', keep: '000000' });
    expect(reply.body).toContain('The order’s directions');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('names the places of what is still found, and writes nothing', async () => {
    const folder = await openRecording();
    const coding = { system: 'http://loinc.org', code: '4548-4', display: 'A1c of LV-9034' };
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'MedicationRequest'
        ? ({ ...resource, category: [{ coding: [coding] }] } as MedicationRequest)
        : resource,
    );
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'Patient' ? ({ ...resource, identifier: [{ value: 'LV-9034' }] } as Patient) : resource,
    );
    const reply = await send('a-case');
    expect(reply.status).toBe(422);
    expect(reply.body).toMatch(
      /still found at MedicationRequest\/medication-request-\d+ category\[0\]\.coding\[0\]\.display: an identifier/,
    );
    expect(reply.body).not.toContain('9034');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['', '../escape', 'With Blanks', '/etc/passwd'])('refuses the name %j', async (name) => {
    const folder = await openRecording();
    expect((await send(name)).status).toBe(400);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('never writes over a case', async () => {
    const folder = await openRecording();
    await send('a-case');
    const before = readFileSync(join(folder, 'a-case/bundle.json'), 'utf8');
    expect((await send('a-case')).status).toBe(409);
    expect(readFileSync(join(folder, 'a-case/bundle.json'), 'utf8')).toBe(before);
  });

  test('takes no order that is not this patient’s, and no forged form', async () => {
    const folder = await openRecording();
    const { token = '' } = formOf((await scene.get(review())).body, 'review');
    expect((await scene.post(`${scene.home}/orders/someone-elses/record`, { token, name: 'a-case' })).status).toBe(404);
    expect((await scene.post(`${review()}/record`, { token: 'A'.repeat(43), name: 'a-case' })).status).toBe(403);
    expect(readdirSync(folder)).toEqual([]);
  });
});
