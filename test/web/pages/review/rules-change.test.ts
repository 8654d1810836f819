import { afterEach, describe, expect, test } from 'vitest';
import { mappings } from '../../../../mappings/index.ts';
import { versionOf } from '../../../../src/base/mapping-version.ts';
import { overlay } from '../../../../src/core/mapping/words/define.ts';
import { omit } from '../../../../src/core/mapping/words/rules.ts';
import { formOf, openScene, type Scene } from '../../support.ts';

const base = mappings['prior-auth']['prior-auth']!;
const withoutFax = overlay(base, 'prior-auth', { provider: { fax: omit('not asked for') } });

let scene: Scene;
const rules = { mapping: base };
afterEach(async () => {
  rules.mapping = base;
  await scene.app.close();
});

async function open(): Promise<void> {
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    get mappings() {
      return { ...mappings, 'prior-auth': { 'prior-auth': rules.mapping } };
    },
  }));
}

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()][0]!;
const heading = 'The rules that fill this request have changed';

describe('when the rules change while a draft waits', () => {
  test('the page says so and which values are not as they were, until somebody has looked through it', async () => {
    await open();
    await scene.get(review());
    rules.mapping = withoutFax;
    const { body } = await scene.get(review());
    expect(body).toContain(heading);
    expect(body).toMatch(/1 value is not as before:.*Prescriber: Fax<\/a>: <q>[^<]+<\/q> became nothing/);
    expect(body).not.toContain('Ready to send');
    expect((await scene.get(review())).body).toContain(heading);
    await scene.post(review(), { ...formOf(body, 'review'), action: 'save' });
    expect((await scene.get(review())).body).not.toContain(heading);
    expect(theCase().mappedBy).toEqual({ mapping: 'prior-auth', version: versionOf(withoutFax) });
  });

  test('the last step leads back to the review', async () => {
    await open();
    await scene.get(review());
    rules.mapping = withoutFax;
    expect((await scene.get(`${review()}/confirm`)).headers.location).toBe(`${review()}?notice=rules`);
  });

  test('a last step that was open already sends nothing, even when the request was reviewed meanwhile', async () => {
    await open();
    await scene.post(review(), { ...formOf((await scene.get(review())).body, 'review'), action: 'check' });
    const last = formOf((await scene.get(`${review()}/confirm`)).body);
    rules.mapping = withoutFax;
    const refused = await scene.post(`${review()}/confirm`, { ...last, action: 'send' });
    expect(refused.headers.location).toBe(`${review()}?notice=rules`);
    const page = await scene.get(String(refused.headers.location));
    expect(page.body).toContain(heading);

    await scene.post(review(), { ...formOf(page.body, 'review'), action: 'save' });
    const again = await scene.post(`${review()}/confirm`, { ...last, action: 'send' });
    expect(again.headers.location).toBe(`${review()}?notice=rules`);
    expect((await scene.get(String(again.headers.location))).body).toContain('Nothing was sent: the rules');
    expect(scene.cases.sent).toEqual([]);

    const now = formOf((await scene.get(`${review()}/confirm`)).body);
    await scene.post(`${review()}/confirm`, { ...now, action: 'send' });
    expect(scene.cases.sent).toMatchObject([{ mappedBy: { mapping: 'prior-auth', version: versionOf(withoutFax) } }]);
  });

  test('what is saved from a page made under the rules before is kept, and still to be looked through', async () => {
    await open();
    const old = formOf((await scene.get(review())).body, 'review');
    rules.mapping = withoutFax;
    const reply = await scene.post(review(), { ...old, 'f.prescription.quantity': '7', action: 'check' });
    expect(reply.headers.location).toBe(`${review()}?notice=rules`);
    expect(theCase().edits).toEqual({ 'prescription.quantity': 7 });
    expect(theCase().mappedBy).toEqual({ mapping: 'prior-auth', version: versionOf(base) });
    expect((await scene.get(review())).body).toContain(heading);
  });

  test('another mapping of the site with the same rules has to be looked through too', async () => {
    await open();
    await scene.get(review());
    rules.mapping = overlay(base, 'prior-auth@next', {});
    expect((await scene.get(review())).body).toMatch(new RegExp(`${heading}.*No value changed\\.`));
  });
});

test('an entry for a field that no request has stops nothing: told beside what is sent, and not sent', async () => {
  await open();
  await scene.get(review());
  scene.cases.put({ ...theCase(), edits: { 'prescription.refills': 3, 'prescription.quantity': 7, 'a b': 'x' } });
  const last = await scene.get(`${review()}/confirm`);
  for (const target of ['prescription.refills', 'a b'])
    expect(last.body).toMatch(new RegExp(`<li>${target}: <q>[^<]+</q>\\. Requests have no such field any more`));
  await scene.post(`${review()}/confirm`, formOf(last.body));
  expect(scene.cases.sent).toMatchObject([{ body: { prescription: { quantity: 7 } } }]);
  expect(JSON.stringify(scene.cases.sent)).not.toContain('refills');
});

test('an entry that stands in no field of the page is told, goes with the request, and can be taken back', async () => {
  await open();
  await scene.get(review());
  scene.cases.put({ ...theCase(), edits: { 'diagnoses[1].code': 'M45.6', 'prescription.quantity': 7 } });
  const { body } = await scene.get(review());
  expect(body).toMatch(/<q>M45\.6<\/q>\. It goes with the request\./);
  await scene.post(review(), { ...formOf(body, 'review'), reset: 'diagnoses[1].code' });
  expect(theCase().edits).toEqual({ 'prescription.quantity': 7 });
});

test('the page of a request says which version of which mapping filled it', async () => {
  await open();
  await scene.get(review());
  const last = await scene.get(`${review()}/confirm`);
  await scene.post(`${review()}/confirm`, formOf(last.body));
  const { body } = await scene.get(`${scene.home}/cases/${theCase().id}`);
  expect(body).toContain(`Filled by prior-auth, version ${versionOf(base)}.`);
});

test('what a mapping says of a request is stored whole: sources, messages and how far each look got', async () => {
  scene = await openScene('story-no-rxbin');
  const { body } = await scene.get(review());
  await scene.post(review(), { ...formOf(body, 'review'), action: 'check' });
  await scene.post(`${review()}/confirm`, formOf((await scene.get(`${review()}/confirm`)).body));
  const [sent] = scene.cases.sent;
  const stored: typeof sent = JSON.parse(JSON.stringify(sent));
  const targets = stored?.provenance.filter(({ source }) => source !== undefined).map(({ target }) => target);
  expect(targets).toEqual(expect.arrayContaining(['patient.last_name', 'prescription.quantity', 'provider.npi']));
  for (const { kind, rule, source } of stored?.provenance ?? []) {
    expect([typeof kind, typeof rule]).toEqual(['string', 'string']);
    if (source !== undefined) expect([typeof source.resource, typeof source.path]).toEqual(['string', 'string']);
  }
  expect(stored?.gaps.flatMap(({ looks }) => looks)).not.toEqual([]);
  for (const { message, looks } of stored?.gaps ?? []) {
    expect(message).toMatch(/\w/);
    for (const look of looks) expect(look).toMatchObject({ expression: expect.any(String), steps: expect.any(Array) });
  }
});
