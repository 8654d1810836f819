import { describe, expect, test } from 'vitest';
import type { Request } from './charts.ts';
import type { Takes } from './ehrs.ts';
import { behindUntil, type Evidence, judge } from './judge.ts';
import type { Entry, PeopleEntry } from './ledgers.ts';

/** When the page was last looked at. */
const seenAt = Date.parse('2026-11-21T12:00:00Z');
const caseId = '11111111-2222-4333-8444-555555555555';
const request: Request = {
  number: 1,
  kind: 'prior-auth',
  site: 'valley',
  patient: 'p1',
  order: 'o1',
  mrn: 'T-000001',
  family: 'Family000001',
  practitioners: ['Loper'],
};
const task = {
  type: 'Task',
  resource: 'Task/1',
  status: 'completed',
  identifier: [{ system: 'b/ns/case', value: caseId }],
};
const summary = {
  type: 'DocumentReference',
  resource: 'DocumentReference/1',
  status: 'current',
  identifier: [{ system: 'b/ns/document', value: `${caseId}-document-1` }],
  files: ['aa'],
};
const letter = {
  ...summary,
  resource: 'DocumentReference/2',
  identifier: [{ system: 'b/ns/document', value: `${caseId}-determination-1` }],
  files: ['bb'],
};

describe('a case that arrived, ended and is in the chart with its letter', () => {
  test('has nothing to answer for', () => {
    const { counts, violations } = judge(evidence());
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ 'creates at the service': 1, 'cases at their end': 1, 'letters in charts': 1 });
  });

  test('is a benefit verification whose coverage is known, too', () => {
    const { violations } = judge(evidence({ kind: 'benefit-verification', ...ofBenefits('covered') }));
    expect(violations).toEqual([]);
  });

  test.each([
    ['covered in part', 'Covered: no prior authorization needed', 1],
    ['covered in part', 'Needs your review: what the plan covers is unclear', 0],
    ['not_covered', 'Covered: prior authorization required', 1],
    ['not_covered', 'Covered only with an exception', 0],
    ['covered', 'Covered only with an exception', 1],
  ])('of which the plan says “%s” is judged by what its page says: %s', (coverage, label, wrong) => {
    const { violations } = judge(evidence({ kind: 'benefit-verification', ...ofBenefits(coverage, label) }));
    expect(violations.filter((one) => one.startsWith('false'))).toHaveLength(wrong);
  });

  test.each<[string, Partial<Given>, RegExp]>([
    ['a second create', { service: [...accepted('pa_1'), ...accepted('pa_2', `${caseId}/2`)] }, /^doubled.*2 creates/],
    ['one attempt accepted twice', { service: [...accepted('pa_1'), ...accepted('pa_2')] }, /one attempt was accepted/],
    [
      'a request of another case',
      { service: accepted('pa_1', 'ffffffff-0000-4000-8000-000000000000') },
      /^another pat/,
    ],
    ['two Tasks', { chart: [task, { ...task, resource: 'Task/2' }, summary, letter] }, /^doubled.*2 Tasks/],
    [
      'two Provenances of one document',
      { targets: ['Task/1', 'DocumentReference/1', 'DocumentReference/1', 'DocumentReference/2'] },
      /^doubled.*2 Provenances of DocumentReference\/1$/,
    ],
    ['a document without a Provenance', { targets: ['Task/1', 'DocumentReference/1'] }, /^lost.*no Provenance of Doc/],
    ['no Provenance of a Task', { targets: ['DocumentReference/1', 'DocumentReference/2'] }, /^lost.*of the Task$/],
    ['no Task', { chart: [summary, letter] }, /^lost.*no Task/],
    [
      'a Task with another end',
      { chart: [{ ...task, status: 'cancelled' }, summary, letter] },
      /^false.*the Task says/,
    ],
    [
      'a document twice',
      { chart: [task, summary, { ...summary, resource: 'DocumentReference/9' }, letter] },
      /^doubled/,
    ],
    [
      'no Task, which the page leaves to a person, where the EHR could be searched',
      { chart: [summary, letter], html: left('Task in the chart') },
      /^lost.*no Task/,
    ],
    [
      'no Task at an EHR that does not search, and the page does not say so',
      { takes: 'no-search', chart: [summary, letter] },
      /^lost.*no Task/,
    ],
    ['no summary', { chart: [task, letter] }, /^lost.*no summary/],
    ['no letter', { chart: [task, summary] }, /^lost.*a letter/],
    ['no page', { html: '' }, /^lost.*no page/],
    ['a page that is not done', { html: pageOf('Approved', 'hx-get="x"') }, /^lost.*not at its end/],
    ['a page with another outcome', { html: pageOf('Denied') }, /^false.*“Denied”/],
    [
      'a page that waits for nobody by name',
      { html: asking(''), chart: [{ ...task, status: 'requested' }] },
      /^lost.*waits for “”/,
    ],
    [
      'a page that waits for a stranger',
      { html: asking('Sam Other MD'), chart: [] },
      /^lost.*waits for “Sam Other MD”/,
    ],
    [
      'a page that asks whether it arrived long after the bridge was told',
      { html: asking('Deva Loper MD'), service: [...accepted('pa_1'), toldAt('pa_1', '2026-11-21T11:58:00Z')] },
      /^lost.*the bridge was told of pa_1/,
    ],
    [
      'a write left to nobody by name',
      { html: `${pageOf('Approved')}${written(['Task in the chart'], 'could not be saved')}` },
      /^lost.*waits for “”/,
    ],
    [
      'two closing Tasks',
      { takes: 'no-update', chart: [task, closing('Task/2'), closing('Task/3'), summary, letter] },
      /^doubled.*2 closing Tasks: Task\/2, Task\/3/,
    ],
    [
      'two Tasks of which the page says nothing',
      { takes: 'no-update', chart: [task, { ...task, resource: 'Task/2' }, summary, letter] },
      /^doubled.*2 Tasks: Task\/1, Task\/2/,
    ],
    [
      'two Tasks where the EHR takes an update',
      {
        html: `${pageOf('Approved')}mark Task/2 as entered in error`,
        chart: [task, { ...task, resource: 'Task/2' }, summary, letter],
      },
      /^doubled.*2 Tasks/,
    ],
    ['an id that is not on the page', { html: pageOf('Approved', '', 'pa_9') }, /^lost.*pa_1 is not on the page/],
    ['a chart of another patient', { patients: ['p2'] }, /^another patient.*is about p2/],
    [
      'a page of another patient',
      { people: [{ at: '', did: 'saw-another', request: 1, shown: 'Family2' }] },
      /^another/,
    ],
    ['a refusal that is not said', { takes: 'no-documents', chart: [task] }, /^not said/],
  ])('%s is found', (_, given, expected) => {
    expect(judge(evidence(given)).violations).toContainEqual(expect.stringMatching(expected));
  });

  test('a second Task that only a person can take away, as the page says, is counted and no violation', () => {
    const { counts, violations } = judge(
      evidence({
        takes: 'no-update',
        html: `${pageOf('Approved')}mark Task/2 as entered in error`,
        chart: [task, { ...task, resource: 'Task/2' }, summary, letter],
      }),
    );
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ 'second Tasks that only a person can take away, as the page says': 1 });
  });

  test('a second document is left to a person where no update is taken and the page names it, and nowhere else', () => {
    const copy = { ...letter, resource: 'DocumentReference/3' };
    const chart = [task, summary, letter, copy];
    const html = `${pageOf('Approved')}mark DocumentReference/3 as entered in error`;
    expect(judge(evidence({ takes: 'no-update', chart, html })).violations).toEqual([]);
    expect(judge(evidence({ takes: 'no-update', chart })).violations).toContainEqual(
      expect.stringMatching(/^doubled.*more than one document/),
    );
    expect(judge(evidence({ chart, html })).violations).toContainEqual(
      expect.stringMatching(/^doubled.*more than one document/),
    );
  });

  test('what an EHR that does not search may not have may be left to a person, as the page says', () => {
    const html = left('Task in the chart', 'Summary', 'Payer’s letter of November 21');
    const { counts, violations } = judge(evidence({ takes: 'no-search', chart: [], html }));
    expect(violations).toEqual([]);
    expect(judge(evidence({ takes: 'no-search', targets: [], html })).violations).toEqual([]);
    expect(counts).toMatchObject({
      'Tasks that only a person can look for, as the page says': 1,
      'summaries that only a person can look for, as the page says': 1,
      'letters that only a person can look for, as the page says': 1,
    });
  });

  test('what such an EHR stored without saying where may stay as it was, as the page says', () => {
    const html = `${pageOf('Approved')}${written(['Task in the chart'], 'in the chart, but this app cannot find it')}`;
    const chart = [{ ...task, status: 'requested' }, summary, letter];
    const targets = ['DocumentReference/1', 'DocumentReference/2'];
    expect(judge(evidence({ takes: 'no-search', chart, html, targets })).violations).toEqual([]);
    const silent = `${pageOf('Approved')}${written(['Task in the chart'], 'in the chart')}`;
    const { violations } = judge(evidence({ takes: 'no-search', chart, html: silent, targets }));
    expect(violations).toHaveLength(2);
  });

  test('a request that the service never had is false when its page says that it was sent', () => {
    const { violations } = judge(evidence({ service: [], chart: [] }));
    expect(violations).toEqual([expect.stringMatching(/^false.*the service has nothing/)]);
  });
});

test('a second create that a wrong answer asked for is counted apart, and both ids must be on the page', () => {
  const answered: PeopleEntry = {
    at: '',
    did: 'answered',
    request: 1,
    said: 'not-arrived',
    arrived: [],
    isWrong: true,
  };
  const both = [...accepted('pa_1'), ...accepted('pa_2', `${caseId}/2`)];
  const known = judge(evidence({ service: both, people: [answered], html: `${pageOf('Approved')}pa_2` }));
  expect(known.violations).toEqual([]);
  expect(known.counts).toMatchObject({ 'second attempts after a wrong answer': 1, 'cases that arrived': 1 });
  const missing = judge(evidence({ service: [...both, toldAt('pa_2', '2026-11-21T11:58:00Z')], people: [answered] }));
  expect(missing.violations).toEqual([expect.stringMatching(/^lost.*pa_2 is not on the page/)]);
});

test('a request that nobody knows to have arrived may wait for a person of its chart, by name', () => {
  const html = asking('Deva Loper MD');
  const chart = [{ ...task, status: 'requested' }];
  const record = accepted('pa_1').slice(0, 2);
  for (const service of [[], record, [...record, toldAt('pa_1', '2026-11-21T11:59:50Z')]]) {
    const { counts, violations } = judge(evidence({ html, chart, service }));
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ 'waiting for a named person': 1 });
  }
});

test('a closing Task of an end that has changed may stand where the page says that a person must take it away', () => {
  const chart = [task, closing('Task/2'), closing('Task/3'), summary, letter];
  const html = `${pageOf('Approved')}mark Task/2 as entered in error in the EHR`;
  expect(judge(evidence({ takes: 'no-update', chart, html })).violations).toEqual([]);
});

describe('an outcome that the service changed after the end', () => {
  const [record, completed, file] = accepted('pa_1') as [Entry, Entry, Entry];
  const denied = { ...completed, at: '2026-11-21T11:40:00Z', result: 'Denied' };
  const back = { ...completed, at: '2026-11-21T11:50:00Z' };
  const service = [record, denied, back, file];

  test('is false on a page that still says the first one, whether a webhook told of it or not', () => {
    const html = pageOf('Denied');
    for (const told of [[], [toldAt('pa_1', '2026-11-21T11:50:01Z')]])
      expect(judge(evidence({ html, service: [...service, ...told] })).violations).toEqual([
        expect.stringMatching(/^false.*“Denied”.*completed Approved/),
      ]);
  });

  test('is waited for until the bridge reads the record again', () => {
    const until = (label: string, after: readonly number[]) =>
      behindUntil(service, [{ html: pageOf(label) }], after)[0];
    expect(until('Denied', [900, 3600])).toBe(Date.parse('2026-11-21T11:55:00Z'));
    expect(until('Denied', [300, 3600])).toBe(Date.parse('2026-11-21T12:40:00Z'));
    expect(until('Denied', [300])).toBeUndefined();
    expect(until('Approved', [900, 3600])).toBeUndefined();
  });
});

test('a copy that was marked as entered in error is not counted', () => {
  const retracted = { ...summary, resource: 'DocumentReference/9', status: 'entered-in-error' };
  expect(judge(evidence({ chart: [task, summary, retracted, letter] })).violations).toEqual([]);
});

interface Given {
  readonly kind: Request['kind'];
  readonly service: readonly Entry[];
  readonly chart: readonly object[];
  /** References of what has a Provenance, once for each; of everything in the chart when left out. */
  readonly targets: readonly string[];
  readonly people: readonly PeopleEntry[];
  readonly html: string;
  readonly patients: readonly string[];
  readonly takes: Takes;
}

function evidence(given: Partial<Given> = {}): Evidence {
  const { patients = ['p1'], chart = [task, summary, letter], takes = 'all', html = pageOf('Approved') } = given;
  const created = { at: '', kind: 'write.created' };
  const written = chart.map((facts, index): Entry => ({ seq: index + 1, ...created, patients, ...facts }));
  const targets = given.targets ?? written.map(({ resource }) => String(resource));
  const provenances = targets.map((target, index): Entry => {
    const facts = { type: 'Provenance', resource: `Provenance/${index}`, patients: [], targets: [target] };
    return { seq: written.length + index + 1, ...created, ...facts };
  });
  const ledger = [...written, ...provenances];
  return {
    requests: [{ ...request, kind: given.kind ?? 'prior-auth' }],
    service: given.service ?? accepted('pa_1'),
    ehrs: new Map([['valley', { takes, ledger }]]),
    people: given.people ?? [],
    pages: html === '' ? new Map() : new Map([[1, { address: `http://b/app/l/cases/${caseId}`, html, seenAt }]]),
  };
}

function accepted(id: string, submission = caseId): Entry[] {
  const extra = { submission_id: submission };
  return [
    { seq: 1, at: '', kind: 'prior_authorization.accepted', id, site: 'valley', patient: 'T-000001', extra },
    { seq: 2, at: '', kind: 'prior_authorization.status', id, status: 'completed', result: 'Approved' },
    { seq: 3, at: '', kind: 'file.given', id, name: 'rec_fax__1', sha256: 'bb', whole: true },
  ];
}

/** A benefit verification that has ended, its page and its chart; it has no letter of a payer. */
function ofBenefits(coverage: string, label = 'Covered: prior authorization required'): Partial<Given> {
  const id = 'bv_1';
  return {
    service: [
      { seq: 1, at: '', kind: 'benefit_verification.accepted', id, site: 'valley', patient: 'T-000001' },
      { seq: 2, at: '', kind: 'benefit_verification.status', id, status: 'completed', coverage },
    ],
    chart: [task, summary],
    html: pageOf(label).replaceAll('pa_1', id),
  };
}

function toldAt(id: string, at: string): Entry {
  return { seq: 9, at, kind: 'webhook.sent', id, answered: 202 };
}

function closing(resource: string): object {
  return { ...task, resource, identifier: [{ system: 'b/ns/closing-task', value: `${caseId}-${resource}` }] };
}

/** A page that asks whether the request arrived, and names this person. */
function asking(person: string): string {
  const waits = person === '' ? '' : `<p class="waits-for">Waiting for <strong>${person}</strong></p>`;
  return `${pageOf('Not known', 'hx-get="x"', '')}${waits}<i value="not-arrived">`;
}

/** A page of which these could not be saved, and which names who looks for them. */
function left(...what: readonly string[]): string {
  const waits = '<p class="waits-for">Waiting for <strong>Deva Loper MD</strong></p>';
  return `${pageOf('Approved')}${waits}${written(what, 'could not be saved')}`;
}

function written(what: readonly string[], state: string): string {
  const items = what.map(
    (one) => `<li class="line"><span class="name">${one}</span><span class="badge tone-bad">${state}</span></li>`,
  );
  return `<section class="card" aria-labelledby="written"><ul>${items.join('')}</ul></section>`;
}

function pageOf(label: string, attributes = '', id = 'pa_1'): string {
  return `<div class="case" id="status" ${attributes}><h2 id="standing">${label}</h2><dd>${id}</dd></div>`;
}
