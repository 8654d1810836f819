import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AnyCase, formOf, openScene, type Scene } from '../../support.ts';

// From a denial to a new request: what is carried over, what is not, and what has changed.

let scene: Scene;
let review: string;
beforeEach(async () => {
  scene = await openScene('story-step-therapy');
  review = `${scene.home}/orders/${scene.order}`;
});
afterEach(() => scene.app.close());

const denial = {
  state: 'ended',
  endedAt: '2026-11-21T14:40:00.000Z',
  record: {
    id: 'pa_1',
    status: 'completed',
    outcome: { result: 'Denied', detail: 'No trial.', detail_code: 'step_therapy_criteria_not_met' },
  },
} as const satisfies Partial<AnyCase>;

/** Sends the story's order with these entries and ticks; the service denies it. Gives the page of the case. */
async function deniedWith(entries: Record<string, string | string[]>): Promise<string> {
  await scene.post(review, {
    ...formOf((await scene.get(`${review}?answers=1`)).body, 'review'),
    ...entries,
    action: 'save',
  });
  scene.cases.outcome = denial;
  const form = formOf((await scene.get(`${review}/confirm`)).body);
  const reply = await scene.post(`${review}/confirm`, { ...form, action: 'send' });
  return String(reply.headers.location);
}

const suggestionsIn = (page: string) =>
  [...page.matchAll(/<input[^>]*name="evidence"[^>]*>/g)].flatMap(([tag]) => /value="([^"]+)"/.exec(tag)?.[1] ?? []);

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

async function said(path: string): Promise<string> {
  const { body } = await scene.get(`${path}/again`);
  return plain(body.slice(body.indexOf('<main')));
}

async function goOn(path: string): Promise<string> {
  const page = await scene.get(`${path}/again`);
  const reply = await scene.post(path, { token: formOf(page.body).token ?? '', action: 'again' });
  expect(reply.status).toBe(303);
  return String(reply.headers.location);
}

const live = () => [...scene.cases.all.values()].filter(({ state }) => state !== 'ended');

describe('a new request with what was missing', () => {
  test('carries what was entered and ticked, and sends nothing by itself', async () => {
    const [first = '', second = ''] = suggestionsIn((await scene.get(review)).body);
    expect(second).not.toBe('');
    const path = await deniedWith({ 'f.prescription.directions': 'Once a month', evidence: [first, second] });
    const text = await said(path);
    expect(text).toContain('1 entry made by clinic staff Prescription: Directions: Once a month');
    expect(text).toContain('2 documents attached before, read again from the chart');
    // Nothing is begun by looking.
    expect(live()).toEqual([]);

    expect(await goOn(path)).toBe(review);
    expect(scene.cases.sent).toHaveLength(1);
    expect(live()).toMatchObject([
      { state: 'draft', edits: { 'prescription.directions': 'Once a month' }, answers: { evidence: [first, second] } },
    ]);
    const form = formOf((await scene.get(review)).body, 'review');
    expect(form['f.prescription.directions']).toEqual(['Once a month']);
  });

  test('carries the typed answers with their author, and they go again', async () => {
    const typed = { answers: 'send', 'said.severity': 'BASDAI 6.2 in June.', 'said.rationale': 'Two drugs failed.' };
    const path = await deniedWith(typed);
    expect(await said(path)).toContain(
      '2 answers typed by clinic staff How severe is the disease? BASDAI 6.2 in June. ' +
        'Stated by Riley Okafor, MA, Nov 21, 2026',
    );
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/2', userName: 'Noor Haddad' };
    await goOn(path);
    expect(live()).toMatchObject([
      {
        sheet: {
          goes: true,
          statements: [
            { cell: 'severity', text: 'BASDAI 6.2 in June.', by: 'Riley Okafor, MA' },
            { cell: 'rationale', text: 'Two drugs failed.', by: 'Riley Okafor, MA' },
          ],
        },
      },
    ]);
    const page = plain((await scene.get(`${review}?answers=1`)).body);
    expect(page).toContain('2 typed for an earlier request');
    expect(page).toContain('Stated by Riley Okafor, MA, Nov 21, 2026. Carried over from an earlier request.');
    expect(page).not.toContain('Use this text');
    expect((await scene.get(`${review}/confirm`)).body).toContain('BASDAI 6.2 in June.');
  });

  test('offers a typed answer, in sight, where the chart has its own now', async () => {
    const path = await deniedWith({ answers: 'send', 'said.severity': 'Severe in June.' });
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'Condition' ? { ...resource, severity: { text: 'Moderate' } } : resource,
    );
    await scene.post(review, { ...formOf((await scene.get(`${review}?anew=1`)).body, 'review'), action: 'pull' });
    for (const one of live()) scene.cases.all.delete(one.id);
    expect(await said(path)).toContain('Not carried over How severe is the disease? The chart has an answer now.');
    await goOn(path);
    expect(live()[0]?.sheet?.statements ?? []).toEqual([]);
    const page = plain((await scene.get(`${review}?answers=1`)).body);
    expect(page).toContain('What was typed then is sent only if you take it below.');
    expect(page.indexOf('Severe in June.')).toBeLessThan(page.indexOf('From the chart Uncheck'));
    await scene.post(review, { ...formOf((await scene.get(`${review}?answers=1`)).body, 'review'), use: 'severity' });
    expect(live()).toMatchObject([{ sheet: { statements: [{ cell: 'severity', text: 'Severe in June.' }] } }]);
  });

  test('says why the earlier one was denied, and which suggested documents nobody attached', async () => {
    const text = await said(await deniedWith({}));
    expect(text).toContain('Denied: step therapy criteria not met Payer’s reason No trial.');
    expect(text).toContain('Not attached last time');
    expect(text).toMatch(/What the chart has for it .*tried/i);
  });

  test('attaches the listed documents that stay checked, and no other', async () => {
    const path = await deniedWith({});
    const { body } = await scene.get(`${path}/again`);
    const [first = '', second = ''] = suggestionsIn(body);
    expect(second).not.toBe('');
    expect(body.match(/<input[^>]*name="evidence"[^>]*checked/g)?.length).toBe(suggestionsIn(body).length);
    const token = formOf(body).token ?? '';
    await scene.post(path, { token, action: 'again', evidence: [first, 'DocumentReference/of-somebody-else'] });
    expect(live()).toMatchObject([{ answers: { evidence: [first] } }]);
  });

  test('that only repeats the denied one is warned of, until something is new', async () => {
    const path = await deniedWith({});
    const token = formOf((await scene.get(`${path}/again`)).body).token ?? '';
    await scene.post(path, { token, action: 'again' });
    expect((await scene.get(`${review}/confirm`)).body).toContain('It says the same as the denied request');
    const form = formOf((await scene.get(review)).body, 'review');
    await scene.post(review, { ...form, 'f.prescription.directions': 'Once a month', action: 'save' });
    expect((await scene.get(review)).body).not.toContain('It says the same as the denied request');
  });

  test('repeats no denied one once it has other answers, and each of several is compared', async () => {
    const save = async (fields: Record<string, string>) => {
      const form = formOf((await scene.get(`${review}?answers=1`)).body, 'review');
      await scene.post(review, { ...form, ...fields, action: 'save' });
    };
    /** The denied requests that the review and the last page say are repeated. */
    const repeated = async () => {
      const pages = await Promise.all([review, `${review}/confirm`].map((path) => scene.get(path)));
      const rows = pages.map(({ body }) => body.split('<li>').filter((row) => row.includes('It says the same as')));
      return rows.map((found) => found.flatMap((row) => /href="([^"]*cases[^"]*)"/.exec(row)?.[1] ?? []));
    };
    const without = await deniedWith({});
    await goOn(without);
    expect(await repeated()).toEqual([[without], [without]]);
    await save({ answers: 'send', 'said.rationale': 'Two drugs failed.' });
    expect(await repeated()).toEqual([[], []]);
    const form = formOf((await scene.get(`${review}/confirm`)).body);
    const { headers } = await scene.post(`${review}/confirm`, { ...form, action: 'send' });
    const answered = String(headers.location);
    await goOn(answered);
    expect(await repeated()).toEqual([[answered], [answered]]);
    await save({ 'said.rationale': 'Three drugs failed.' });
    expect(await repeated()).toEqual([[], []]);
  });

  test('for an exception asks for its reason once, which goes as an answer of who typed it', async () => {
    const path = await deniedWith({});
    const [one] = [...scene.cases.all.values()];
    const outcome = { result: 'Denied', detail_code: 'plan_exclusion' };
    scene.cases.put({ ...one!, record: { id: 'pa_1', status: 'completed', outcome } } as AnyCase);
    const { body } = await scene.get(`${path}/again`);
    expect(body).toContain('Why the patient needs the exception');
    await scene.post(path, { token: formOf(body).token ?? '', action: 'again', reason: 'Two drugs failed.' });
    expect(live()).toMatchObject([
      { sheet: { goes: true, statements: [{ cell: 'rationale', text: 'Two drugs failed.', by: 'Riley Okafor, MA' }] } },
    ]);
    expect((await scene.get(`${review}/confirm`)).body).toContain('Two drugs failed.');
  });

  test('shows what changed in the chart since, with both values', async () => {
    const path = await deniedWith({});
    expect(await said(path)).toContain('Every value is as it was: the payer may deny it again.');
    scene.resources = scene.resources.map((resource) =>
      resource.resourceType === 'Patient'
        ? { ...resource, telecom: [{ system: 'phone', value: '(217) 555-0142', use: 'mobile' }] }
        : resource,
    );
    await scene.post(review, { ...formOf((await scene.get(`${review}?anew=1`)).body, 'review'), action: 'pull' });
    expect(await said(path)).toMatch(/Patient: Phone was \(217\) [\d-]+ , now \(217\) 555-0142/);
  });

  test('does not carry a document that is gone, and says so by its name', async () => {
    const [first = ''] = suggestionsIn((await scene.get(review)).body);
    const path = await deniedWith({ evidence: [first] });
    const [type, id] = first.split('/');
    scene.resources = scene.resources.filter((one) => one.resourceType !== type || one.id !== id);
    await scene.post(review, { ...formOf((await scene.get(`${review}?anew=1`)).body, 'review'), action: 'pull' });
    for (const one of live()) scene.cases.all.delete(one.id);
    const text = await said(path);
    expect(text).toMatch(/Not carried over (?!A document)\S.* is no longer in the chart/);
    await goOn(path);
    expect(live()[0]?.answers.evidence ?? []).toEqual([]);
  });

  test('a request that was begun meanwhile stays as it is', async () => {
    const path = await deniedWith({ 'f.prescription.directions': 'Once a month' });
    const begun = await scene.get(`${review}?anew=1`);
    await scene.post(review, {
      ...formOf(begun.body, 'review'),
      'f.prescription.directions': 'Twice a month',
      action: 'save',
    });
    expect(await said(path)).toContain('A new request for this order has been started already.');
    const { body } = await scene.get(path.replace(/\/again$/, ''));
    expect(body).toContain('Open the new request');
    expect(body).not.toContain('Send again with what was missing');
    await goOn(path);
    expect(live()).toMatchObject([{ edits: { 'prescription.directions': 'Twice a month' } }]);
  });

  test('is for denials only', async () => {
    const path = await deniedWith({});
    const [one] = [...scene.cases.all.values()];
    scene.cases.put({ ...one!, record: { id: 'pa_1', status: 'cancelled' } });
    expect(await scene.get(`${path}/again`)).toMatchObject({ status: 303, headers: { location: path } });
    const token = formOf((await scene.get(path)).body).token ?? '';
    expect((await scene.post(path, { token, action: 'again' })).status).toBe(422);
    expect(live()).toEqual([]);
  });
});
