import type { Resource } from 'fhir/r4.js';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, describe, expect, test } from 'vitest';
import type { CriterionRow } from '../../../../src/core/answers/criteria/words.ts';
import type { AuditEntry } from '../../../../src/store/types.ts';
import { formOf, launchId, now, openScene, type Scene, session } from '../../support.ts';

// The answers to payer questions on the pages of a request: shown, sent when a person says so, printed.

let scene: Scene;
let trail: AuditEntry[] = [];
/** How many minutes have passed: a chart is read anew after a while. */
let later = 0;
afterEach(async () => {
  later = 0;
  trail = [];
  await scene?.app.close();
});

const review = () => `${scene.home}/orders/${scene.order}`;
const theCase = () => [...scene.cases.all.values()].at(-1)!;
/** The page with the answers, as who has no script opens it. */
const pageOf = async () => (await scene.get(`${review()}?answers=1`)).body;
const plain = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

/** The story that lacks nothing: an order of Humira after leflunomide and methotrexate. */
async function open({ policy = {}, more = [], criteria = [] }: Opened = {}) {
  scene = await openScene('story-complete', (deps) => {
    Object.assign(deps.config.sites[0]!, policy);
    const audit = { record: async (entry: AuditEntry) => void trail.push(entry) };
    const clock = () => new Date(now.getTime() + later * 60_000);
    return { ...deps, clock, audit, mappings: { ...deps.mappings, criteria: { valley: criteria } } };
  });
  scene.resources = [...scene.resources, ...(more as Resource[])];
}

interface Opened {
  readonly policy?: object;
  /** Resources besides those of the story. */
  readonly more?: readonly object[];
  readonly criteria?: readonly CriterionRow[];
}

/** Saves the page with these fields; undefined takes a field away, as a box that was unchecked. */
async function save(fields: Record<string, string | undefined>) {
  const form = { ...formOf(await pageOf()), ...fields, action: 'save' };
  const sent = Object.fromEntries(
    Object.entries(form).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  return scene.post(review(), sent);
}

async function send() {
  const { body } = await scene.get(`${review()}/confirm`);
  const { headers } = await scene.post(`${review()}/confirm`, { ...formOf(body), action: 'send' });
  return { confirm: plain(body), at: String(headers.location), sent: scene.cases.sent.at(-1) };
}

function itemIn(body: unknown): { readonly title?: string; readonly content?: Record<string, unknown> } | undefined {
  return (body as { readonly evidence?: readonly { readonly title?: string }[] }).evidence?.find(
    ({ title }) => title === 'Answers',
  );
}

/** The name of the box of a line, by what stands beside it. */
async function boxOf(words: string): Promise<string> {
  const label = [...(await pageOf()).matchAll(/<label for="answer-([\w-]+)"[^>]*>([^<]*)/g)];
  return `answer.${label.find(([, , text = '']) => text.includes(words))?.[1]}`;
}

const hiv = {
  resourceType: 'Observation',
  id: 'hiv',
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '75622-1' }], text: 'HIV 1 and 2 antibody' },
  subject: { reference: 'Patient/complete-patient' },
  effectiveDateTime: '2026-10-01',
  valueCodeableConcept: { text: 'Negative' },
};

describe('the section on the review page', () => {
  test('says what is answered, each line with its source, and where to look for the rest', async () => {
    await open();
    const page = await pageOf();
    const text = plain(page.slice(page.indexOf('id="title-answers"'), page.indexOf('id="all-title"')));
    expect(text).toContain('9 of 12 answered · not sent · 3 not in the chart');
    expect(text).toContain(
      'Which other drugs were tried, for how long, and how did it end? leflunomide 20 MG; Take 1 tablet by mouth daily',
    );
    expect(text).toContain('From the medication order of Jan 13, 2025');
    expect(text).toContain(
      'Not counted: no dispense, dose or statement shows that it was taken. “ordered, not proved taken” is part of ' +
        'the answer and goes with it. Only you see this reason; it is not sent.',
    );
    expect(text).toContain('How severe is the disease? Look in the specialist’s last note');
    expect(text).toContain('not in the chart: Tuberculosis screen, Hepatitis B surface antigen');
  });

  test('sends nothing until a person checks the box', async () => {
    await open();
    const { confirm, sent } = await send();
    expect(confirm).toContain('Payer questions Change Payer questions None. The answers are not sent.');
    expect(itemIn(sent?.body)).toBeUndefined();
  });

  test('is checked to begin with where the site’s evidence is', async () => {
    await open({ policy: { evidence: 'suggested' } });
    expect(await pageOf()).toMatch(/<input id="answers-go"[^>]*checked/);
  });

  test('does not let the page wait: the answers are fetched by it, and stay in it once it has them', async () => {
    await open();
    const { body } = await scene.get(review());
    expect(body).toContain(`hx-get="${review()}/answers"`);
    expect(body).not.toContain('fold-answers');
    const part = await scene.get(`${review()}/answers`);
    expect(part.body).toMatch(/^<div id="answers">.*id="fold-answers"/s);
    const saved = await scene.post(review(), { ...formOf(await pageOf()), action: '' }, { 'hx-request': 'true' });
    expect(saved.body).toContain('id="fold-answers"');
    const without = await scene.post(review(), { ...formOf(body), answers: 'send' }, { 'hx-request': 'true' });
    expect(without.body).not.toContain('fold-answers');
    expect(theCase().sheet?.goes).toBe(true);
  });

  test('stands in no enrollment', async () => {
    await open();
    expect((await scene.get(`${review()}/enrollment`)).body).not.toContain('section-answers');
    expect((await scene.get(`${review()}/enrollment/answers`)).status).toBe(404);
  });
});

describe('once the box is checked', () => {
  test('what goes is what the last page shows, each value with its place', async () => {
    await open();
    await save({ answers: 'send' });
    const { confirm, sent } = await send();
    expect(confirm).toContain('What are the results of the tests? C-reactive protein: 24.1 mg/L on Nov 10, 2026');
    expect(confirm).toContain('Other drugs tried Drug When and how long How it ended leflunomide 20 MG');
    expect(itemIn(sent?.body)).toMatchObject({
      content: { trials: [{ ingredient: 'leflunomide' }, { ingredient: 'methotrexate' }], patient: { age_years: 46 } },
    });
    expect(confirm + JSON.stringify(itemIn(sent?.body))).not.toMatch(/not.counted/);
    const place = sent?.provenance.find(({ target }) => target === 'evidence[0].content.tests.results[0].number');
    expect(place?.source).toMatchObject({ resource: 'Observation/complete-crp' });
  });

  test('a line that a person unchecks stays here', async () => {
    await open();
    await save({ answers: 'send', [await boxOf('leflunomide 20 MG;')]: undefined });
    const { confirm, sent } = await send();
    expect(confirm).not.toContain('leflunomide 20 MG Take 1 tablet');
    expect(itemIn(sent?.body)?.content?.trials).toMatchObject([{ ingredient: 'methotrexate' }]);
    expect(Object.values(theCase().sheet?.lines ?? {})).toEqual([false]);
  });

  test('a cell that a person unchecks stays here as a whole', async () => {
    await open();
    await save({ answers: 'send', [await boxOf('46 years')]: undefined });
    expect(itemIn((await send()).sent?.body)?.content).not.toHaveProperty('patient');
  });

  test('it goes as a questionnaire in the profile current', async () => {
    const mappings = { 'prior-auth': 'prior-auth-current', enrollment: 'enrollment', answers: 'answers' };
    await open({ policy: { mappings } });
    await save({ answers: 'send' });
    const { sent } = await send();
    const body = sent?.body as { readonly questionnaires?: readonly object[]; readonly evidence?: readonly object[] };
    expect(body.questionnaires).toMatchObject([
      {
        date_created: '2026-11-21T00:00:00.000000',
        questions: [{ answer: expect.stringMatching(/^new: /) }, {}, {}, {}, {}, {}, {}, {}, {}],
      },
    ]);
  });

  test('what changed in the chart since the last page is looked at again before it goes', async () => {
    await open();
    await save({ answers: 'send' });
    const { body } = await scene.get(`${review()}/confirm`);
    await save({ [await boxOf('46 years')]: undefined });
    const { headers } = await scene.post(`${review()}/confirm`, { ...formOf(body), action: 'send' });
    expect(headers.location).toContain('notice=changed');
    expect(scene.cases.sent).toEqual([]);
  });
});

describe('a sensitive line', () => {
  test('is not checked to begin with, and goes only when a person checks it', async () => {
    await open({ more: [hiv] });
    await save({ answers: 'send' });
    expect(JSON.stringify(itemIn((await send()).sent?.body))).not.toContain('HIV');
    await scene.app.close();
    await open({ more: [hiv] });
    const box = await boxOf('HIV 1 and 2 antibody');
    expect(plain(await pageOf())).toContain('Sensitive (HIV). Sent only if you check it.');
    await save({ answers: 'send', [box]: 'send' });
    expect(JSON.stringify(itemIn((await send()).sent?.body))).toContain('HIV 1 and 2 antibody');
    expect(trail.filter(({ action }) => action === 'sensitive_chosen')).toMatchObject([{ facts: { items: 1 } }]);
    expect(JSON.stringify(trail)).not.toContain('HIV');
  });

  test('is not checked to begin with where the site’s evidence is', async () => {
    await open({ policy: { evidence: 'suggested' }, more: [hiv] });
    expect(JSON.stringify(itemIn((await send()).sent?.body))).not.toContain('HIV');
  });
});

test('a result that is older than the site asks for is not checked to begin with', async () => {
  const answers = {
    continuingDays: 90,
    longestGap: 30,
    countCombinations: false,
    windows: { 'C-reactive protein': 10 },
  };
  await open({ policy: { answers } });
  await save({ answers: 'send' });
  expect(itemIn((await send()).sent?.body)?.content).not.toHaveProperty('tests');
});

describe('an answer that contradicts what a person changed in the request', () => {
  const typed = { 'prescription.directions': 'Inject one pen every week.', 'prescription.quantity': '2' };
  const entries = Object.fromEntries(Object.entries(typed).map(([target, text]) => [`f.${target}`, text]));

  test('is not checked any more, and says which fields were changed', async () => {
    await open();
    await save({ answers: 'send', ...entries });
    expect(plain(await pageOf())).toContain(
      'The request was changed from the chart (Prescription: Quantity; Prescription: Directions), and this answer ' +
        'says what the chart says. Sent only if you check it.',
    );
    const { confirm, sent } = await send();
    expect(sent?.body).toMatchObject({ prescription: { directions: 'Inject one pen every week.', quantity: 2 } });
    expect(itemIn(sent?.body)?.content).not.toHaveProperty('dose');
    expect(confirm).not.toContain('40 mg every 14 days');
    expect(confirm).toContain(
      'Not sent, because the request was changed from the chart there: What are the dose, the quantity and the length',
    );
    expect(itemIn(sent?.body)?.content).toHaveProperty('trials');
  });

  test('goes where a person checks it after the change', async () => {
    await open();
    await save({ answers: 'send', ...entries });
    await save({ [await boxOf('Humira')]: 'send' });
    expect(itemIn((await send()).sent?.body)?.content).toHaveProperty('dose');
  });

  test('is asked about again once something else is entered: a check holds for what was entered then', async () => {
    await open();
    await save({ answers: 'send', ...entries });
    await save({ [await boxOf('Humira')]: 'send' });
    await save({ 'f.prescription.directions': 'Inject one pen every ten days.' });
    expect(itemIn((await send()).sent?.body)?.content).not.toHaveProperty('dose');
  });

  test('is checked again once the chart’s values are put back', async () => {
    await open();
    await save({ answers: 'send', ...entries });
    const back = { 'prescription.directions': 'Inject one pen (40 mg) under the skin every other week.' };
    await save({ 'f.prescription.directions': back['prescription.directions'], 'f.prescription.quantity': '1' });
    expect(itemIn((await send()).sent?.body)?.content).toHaveProperty('dose');
  });

  test('says so too where a person cleared the chart’s value', async () => {
    await open();
    await save({ answers: 'send', 'f.pharmacy.name': '' });
    expect(plain(await pageOf())).toContain('The request was changed from the chart (Pharmacy: Name)');
  });
});

describe('what only a person can say', () => {
  test('goes under the name and time of who typed it', async () => {
    await open();
    await save({ answers: 'send', 'said.rationale': 'Two drugs\r\nwere tried.' });
    expect(plain(await pageOf())).toContain('Stated by Riley Okafor, MA, Nov 21, 2026.');
    const { confirm, sent } = await send();
    expect(confirm).toContain('Riley Okafor, MA stated on Nov 21, 2026: Two drugs were tried.');
    expect(itemIn(sent?.body)?.content?.stated).toEqual([
      { cell: 'rationale', text: 'Two drugs\nwere tried.', by: 'Riley Okafor, MA', at: now.toISOString() },
    ]);
  });

  test('is kept and does not go while the box is not checked', async () => {
    await open();
    await save({ 'said.rationale': 'Two drugs were tried.' });
    expect(plain(await pageOf())).toContain('Kept, and not sent until you check');
    expect(JSON.stringify((await send()).sent?.body)).not.toContain('Two drugs were tried.');
  });

  test('stays with who said it when somebody else saves the page, and goes away when it is cleared', async () => {
    await open();
    await save({ 'said.rationale': 'Two drugs were tried.' });
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/2', userName: 'Noor Haddad' };
    await save({ 'said.attestation': 'I have read it.' });
    expect(theCase().sheet?.statements?.map(({ cell, by }) => [cell, by])).toEqual([
      ['rationale', 'Riley Okafor, MA'],
      ['attestation', 'Noor Haddad'],
    ]);
    await save({ 'said.rationale': '' });
    expect(theCase().sheet?.statements?.map(({ cell }) => cell)).toEqual(['attestation']);
  });

  test('is no conflict with the last page, whose form attaches documents and has no answers', async () => {
    await open();
    await save({ answers: 'send', 'said.rationale': 'Two drugs were tried.' });
    const { body } = await scene.get(`${review()}/confirm`);
    const reply = await scene.post(review(), { ...formOf(body), action: 'attach-and-check' });
    expect(theCase().replaced).toBeUndefined();
    expect(theCase().sheet?.statements).toMatchObject([{ text: 'Two drugs were tried.' }]);
    expect(reply.headers.location).toBe(`${review()}/confirm`);
  });

  test('answers what the chart does not, and is counted as answered', async () => {
    await open();
    await save({ 'said.severity': 'DAS28 was 5.1 in June.' });
    expect(plain(await pageOf())).toContain('10 of 12 answered');
  });
});

/** A page may end anywhere. */
const pageFooter = /\S+ \S+ \S+, born .{8,14}? Page \d+ of \d+ /g;

describe('what is printed', () => {
  test.each(['request', 'fax'])('has the answers and the trials as tables: %s', async (file) => {
    await open();
    await save({ answers: 'send', 'said.rationale': 'Two drugs were tried.' });
    const { at } = await send();
    const url = `${at}/${file}.pdf`;
    const { rawPayload } = await scene.app.inject({ url, headers: { cookie: `__Host-bridge-${launchId}=${session}` } });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(rawPayload)));
    const words = text.join(' ').replaceAll(/\s+/g, ' ').replaceAll(pageFooter, '');
    expect(words).toContain(
      'Payer questions Question Answer Is the patient new to this drug, or continuing it? new: the chart',
    );
    expect(words).toContain('Other drugs tried Drug When and how long How it ended leflunomide 20 MG Take 1 tablet');
    expect(words).toContain('Riley Okafor, MA stated on Nov 21, 2026: Two drugs were tried.');
    expect(words).not.toContain('Sources');
  });
});

describe('the next request of the same patient for the drug', () => {
  /** Sends a request with these fields, and opens the next one with the chart as it is then. */
  async function again(fields: Record<string, string>, more: readonly object[] = []) {
    await open();
    await save(fields);
    await send();
    scene.cases.put({ ...theCase(), state: 'ended', endedAt: now.toISOString(), sentAt: '2026-11-21T15:00:00Z' });
    scene.resources = [...scene.resources, ...(more as Resource[])];
    later = 10;
    await scene.get(`${review()}?anew=1`);
    return plain(await pageOf());
  }

  test('has the answers again, read from the chart as it is now, and attaches no document for them', async () => {
    const { category, subject } = hiv;
    const tb = { ...hiv, id: 'tb', code: { coding: [{ system: 'http://loinc.org', code: '71773-6' }] } };
    const page = await again({ answers: 'send' }, [{ ...tb, category, subject }]);
    expect(page).toContain(
      'Your last request for this drug had answers, so the checked answers of the chart are sent again.',
    );
    const { sent } = await send();
    expect(JSON.stringify(itemIn(sent?.body)?.content?.tests)).toContain('Observation/tb');
    expect(sent?.body).toMatchObject({ evidence: [{ title: 'Answers' }] });
  });

  test('is offered what a person said, with name and day, and has it only when a person takes it', async () => {
    const page = await again({ answers: 'send', 'said.rationale': 'Two drugs were tried.' });
    expect(page).toContain('Riley Okafor, MA stated on Nov 21, 2026 for this drug: Two drugs were tried.');
    expect(theCase().sheet?.statements).toBeUndefined();
    scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/2', userName: 'Noor Haddad' };
    await save({ use: 'rationale' });
    expect(theCase().sheet?.statements).toMatchObject([{ text: 'Two drugs were tried.', by: 'Noor Haddad' }]);
  });

  test('is offered it too where a request without it was canceled in between', async () => {
    await again({ answers: 'send', 'said.rationale': 'Two drugs were tried.' });
    await send();
    scene.cases.put({ ...theCase(), state: 'ended', endedAt: '2026-11-21T16:10:00Z', sentAt: '2026-11-21T16:00:00Z' });
    later = 20;
    await scene.get(`${review()}?anew=1`);
    const page = plain(await pageOf());
    const offer = page.indexOf('stated on Nov 21, 2026 for this drug: Two drugs were tried. Use this text');
    expect(offer).toBeGreaterThan(0);
    // Before the answers that are folded.
    expect(offer).toBeLessThan(page.indexOf('From the chart Uncheck'));
    expect(page).toContain('What was typed then is sent only if you take it below.');
  });

  test('has none where the last one had none', async () => {
    expect(await again({ 'said.rationale': 'Two drugs were tried.' })).not.toContain('Two drugs were tried.');
    expect(theCase().sheet).toBeUndefined();
  });
});

describe('the criteria of a payer that the site has read', () => {
  const row: CriterionRow = {
    payer: 'Harborlight Health Plan',
    drug: 'adalimumab',
    kind: 'age',
    text: 'The patient is younger than 18',
    condition: { word: 'age', says: { below: 18 } },
    source: 'https://plan.example.org/criteria',
    readOn: '2026-10-05',
    readBy: 'Dana Whitfield, RN',
  };
  const tested: CriterionRow = {
    ...row,
    kind: 'initial',
    text: 'Tested for tuberculosis',
    condition: { word: 'test', says: { name: 'Tuberculosis screen' } },
  };
  const adult: CriterionRow = { ...row, text: 'Adults only', condition: { word: 'age', says: { atLeast: 18 } } };
  const told = async () => {
    const page = await pageOf();
    return plain(page.slice(page.indexOf('for="answers-go"'), page.indexOf('id="fold-answers"')));
  };

  test('begin with what is documented as not met, and stop nothing', async () => {
    await open({ criteria: [tested, adult, row] });
    const text = await told();
    expect(text).toMatch(/Not met: The patient is younger than 18 46 years old\..*2 more criteria.*Not known: Tested/);
    expect(text).toContain('It takes a new test.');
    expect(text).toContain('https://plan.example.org/criteria, read Oct 5, 2026, by Dana Whitfield, RN');
    expect((await send()).sent).toBeDefined();
  });

  test('say so in a line when all are met', async () => {
    await open({ criteria: [adult] });
    expect(await told()).toContain('All 1 are met by what the chart shows.');
  });

  test.each([
    ['past its date', { ...row, validUntil: '2026-11-20' }, 'the row was valid until Nov 20, 2026'],
    ['without a source', { ...row, source: undefined }, 'the row does not say where it was read'],
  ])('are not known %s', async (_, one, why) => {
    await open({ criteria: [one as CriterionRow] });
    expect(await told()).toContain(`Not known: The patient is younger than 18 ${why}`);
  });

  test('of another payer or drug are not shown', async () => {
    await open({
      criteria: [
        { ...row, payer: 'Another plan' },
        { ...row, drug: 'methotrexate' },
      ],
    });
    expect(await told()).not.toContain('criteria');
  });
});
