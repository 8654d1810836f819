import type { Provenance } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../src/core/errors.ts';
import { concernsStaff } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { aChart, type Chart, slowFirstRead } from './chart.ts';
import { aCase, approval, at, bridgeUrl, denial } from './support.ts';

const every = ['create', 'read', 'search-type', 'update'];
const offers = {
  Task: every,
  DocumentReference: every,
  Provenance: ['create', 'read', 'search-type'],
};
const scopes = ['patient/Task.crus', 'patient/DocumentReference.crus', 'user/Provenance.crds'];
const options = { offers, scopes, searchParams: ['identifier', 'patient', 'target'] };
const letter = new TextEncoder().encode('%PDF-1.7 the payer’s letter');
const approved = aCase(at('completed', approval));
const documentOnly = ['document', 'worklist'];

function provenances({ ehr }: Chart): Provenance[] {
  return ehr.all<Provenance>('Provenance');
}

function rowsOf({ rows }: Chart): readonly (readonly [string, string | undefined])[] {
  return rows.filter(({ what }) => what === 'provenance').map(({ state, reason }) => [state, reason]);
}

describe('what a Provenance says [G20]', () => {
  test('of an enrollment, which has no record at the service, names none', async () => {
    const chart = aChart({ ...approved, kind: 'enrollment' }, options, undefined, [], documentOnly);
    await chart.settle();
    const whats = provenances(chart).flatMap(({ entity = [] }) => entity.map(({ what }) => what));
    expect(whats.length).toBeGreaterThan(0);
    expect(whats.filter(({ identifier }) => identifier !== undefined)).toEqual([]);
  });

  test('of the summary: who sent, which app passed it on, and references to what it was made from', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    await chart.settle();
    expect(provenances(chart)).toEqual([
      {
        resourceType: 'Provenance',
        id: '2',
        meta: { versionId: '1' },
        target: [{ reference: 'DocumentReference/1' }],
        recorded: '2026-11-21T10:00:00.000Z',
        activity: {
          coding: [
            { system: 'http://terminology.hl7.org/CodeSystem/v3-DataOperation', code: 'CREATE', display: 'create' },
          ],
        },
        agent: [
          {
            type: {
              coding: [
                {
                  system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
                  code: 'author',
                  display: 'Author',
                },
              ],
            },
            who: { reference: 'Practitioner/d1', display: 'Dr. Deva Loper' },
          },
          {
            type: {
              coding: [
                {
                  system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type',
                  code: 'transmitter',
                  display: 'Transmitter',
                },
              ],
            },
            who: {
              type: 'Device',
              identifier: { system: `${bridgeUrl}/fhir/ns/agent`, value: 'prior-auth-bridge' },
              display: 'prior-auth-bridge',
            },
            onBehalfOf: { reference: 'Practitioner/d1', display: 'Dr. Deva Loper' },
          },
        ],
        entity: [
          { role: 'source', what: { reference: 'Patient/p1' } },
          { role: 'source', what: { reference: 'MedicationRequest/m1' } },
          { role: 'source', what: { reference: 'Coverage/c1' } },
          {
            role: 'source',
            what: {
              identifier: { system: `${bridgeUrl}/fhir/ns/prior-authorization`, value: 'pa_1' },
              display: 'Prior authorization',
            },
          },
        ],
      },
    ]);
    expect(fhirProblems(provenances(chart)[0])).toEqual([]);
  });

  test('the payer’s letter has no author in the practice: it was passed on', async () => {
    const chart = aChart(approved, options, undefined, [letter], documentOnly);
    await chart.settle();
    const payers = chart.rows.find(({ what }) => what === 'determination')?.reference;
    const [found] = provenances(chart).filter(({ target }) => target[0]?.reference === payers);
    expect(found?.agent.map(({ type }) => type?.coding?.[0]?.code)).toEqual(['transmitter']);
  });
});

describe('one for each resource', () => {
  test('through a whole life: a Task that is updated keeps the one of its making', async () => {
    const chart = aChart(aCase(at('processing')), options, undefined, [letter]);
    await chart.settle();
    chart.change(at('completed', approval));
    await chart.settle();
    chart.change(at('completed', denial));
    await chart.settle();
    const targets = provenances(chart).map(({ target }) => target[0]?.reference);
    const written = [...chart.ehr.all('Task'), ...chart.ehr.all('DocumentReference')];
    expect(targets.sort()).toEqual(written.map(({ resourceType, id }) => `${resourceType}/${id}`).sort());
    expect(written).toHaveLength(4);
  });

  test.each(['lost-before', 'lost-after', new BridgeError('ehr_error', { http: 500 })] as const)(
    'of the Task of a request that did not arrive and is sent again, whose first try went: %s',
    async (first) => {
      const chart = aChart(aCase(), options);
      chart.ehr.next.set('create Provenance', [first, first]);
      await chart.deliver();
      chart.change({ state: 'draft', notArrived: { left: { sentAt: '2026-11-20T10:00:00.000Z' } } });
      await chart.deliver();
      chart.clock.forward(1200);
      chart.change({ ...at('completed', denial), state: aCase().state });
      await chart.settle();
      const targets = provenances(chart).map(({ target }) => target[0]?.reference);
      expect(targets.filter((target) => target?.startsWith('Task/'))).toEqual(['Task/1']);
    },
  );

  test('none of a letter that somebody else had put there', async () => {
    const first = aChart(approved, { offers }, undefined, [letter], documentOnly);
    await first.settle();
    const theirs = first.rows.find(({ what }) => what === 'determination')?.reference ?? '';
    const resource = first.ehr.resources.get(theirs);
    if (resource !== undefined) first.ehr.resources.set(theirs, { ...resource, identifier: [] } as typeof resource);
    const chart = aChart(approved, options, fakeEhr(options), [letter], documentOnly);
    if (resource !== undefined) chart.ehr.resources.set(theirs, { ...resource, identifier: [] } as typeof resource);
    await chart.settle();
    expect(provenances(chart).map(({ target }) => target[0]?.reference)).not.toContain(theirs);
    expect(chart.rows.find(({ what }) => what === 'determination')).toMatchObject({ reference: theirs, state: 'done' });
  });

  test.each([
    ['no scope names it', { ...options, scopes: ['patient/*.cruds', 'user/*.cruds'] }],
    ['no scopes are stated', { offers }],
  ])('none is asked for where %s', async (_, given) => {
    const chart = aChart(approved, given, undefined, [], documentOnly);
    await chart.settle();
    expect(rowsOf(chart)).toEqual([]);
    expect(chart.ehr.calls.filter((call) => call.includes('Provenance'))).toEqual([]);
  });

  test('where the EHR takes none, the row says so and nothing more is tried', async () => {
    const without = { ...options, offers: { ...offers, Provenance: ['read', 'search-type'] } };
    const chart = aChart(approved, without, undefined, [], documentOnly);
    const { again } = await chart.settle();
    expect(rowsOf(chart)).toEqual([['skipped', 'the EHR offers no Provenance.create']]);
    expect(again).toBeUndefined();
    expect(outstanding(chart.request().site, chart.facts())).toEqual([]);
  });

  test('a bridge that was stopped after the document writes it when it is back', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    await chart.settle();
    const [made] = chart.rows.filter(({ what }) => what === 'document');
    chart.ehr.resources.delete(`Provenance/2`);
    chart.change({ writes: made === undefined ? [] : [made] });
    expect(outstanding(chart.request().site, chart.facts())).toMatchObject([
      { what: 'provenance', version: 'DocumentReference/1', state: 'planned' },
    ]);
    await chart.settle();
    expect(provenances(chart)).toHaveLength(1);
  });
});

describe('a Provenance has no identifier', () => {
  const ehrsOwn: Provenance = {
    resourceType: 'Provenance',
    id: 'own',
    target: [{ reference: 'DocumentReference/1' }],
    recorded: '2026-11-21T10:00:00Z',
    agent: [{ who: { display: 'the EHR itself' } }],
  };

  test('after a lost answer it is known by its target and by the app as its agent, beside one of the EHR', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    chart.ehr.resources.set('Provenance/own', ehrsOwn);
    chart.ehr.next.set('create Provenance', ['lost-after']);
    await chart.settle();
    expect(rowsOf(chart)).toEqual([['done', undefined]]);
    expect(provenances(chart)).toHaveLength(2);
  });

  test('one that keeps no identifier of an agent is known by the name', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    chart.ehr.resources.set('Provenance/ours', {
      ...ehrsOwn,
      id: 'ours',
      agent: [{ who: { display: 'prior-auth-bridge' } }],
    } as Provenance);
    await chart.settle();
    expect(chart.rows.find(({ what }) => what === 'provenance')).toMatchObject({ reference: 'Provenance/ours' });
    expect(provenances(chart)).toHaveLength(1);
  });

  test('one to which the EHR has added a target is known by the letter among them', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    chart.ehr.resources.set('Provenance/ours', {
      ...ehrsOwn,
      id: 'ours',
      target: [{ reference: 'DocumentReference/1' }, { reference: 'Encounter/e1' }],
      agent: [{ who: { display: 'prior-auth-bridge' } }],
    } as Provenance);
    await chart.settle();
    expect(chart.rows.find(({ what }) => what === 'provenance')).toMatchObject({ reference: 'Provenance/ours' });
    expect(provenances(chart)).toHaveLength(1);
  });

  test('the EHR is searched by target alone', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    const asked: unknown[] = [];
    const { search } = chart.ehr;
    Object.assign(chart.ehr, {
      search: (type: string, params: readonly (readonly [string, string])[]) => {
        if (type === 'Provenance') asked.push(params);
        return search(type, params);
      },
    });
    await chart.settle();
    expect(asked).toEqual([[['target', 'DocumentReference/1']]]);
  });

  test('one that did not arrive is written once more after three looks, not before', async () => {
    const chart = aChart(approved, options, undefined, [], documentOnly);
    chart.ehr.next.set('create Provenance', ['lost-before']);
    await chart.deliver();
    await chart.until(599);
    expect(provenances(chart)).toEqual([]);
    await chart.settle();
    expect(provenances(chart)).toHaveLength(1);
  });

  test('where it cannot be searched it is not written a second time', async () => {
    const blind = { ...options, searchParams: ['identifier', 'patient'] };
    const chart = aChart(approved, blind, undefined, [], documentOnly);
    chart.ehr.next.set('create Provenance', ['lost-before']);
    await chart.settle();
    expect(provenances(chart)).toEqual([]);
    expect(rowsOf(chart)).toEqual([['failed', expect.stringContaining('its answer was lost')]]);
  });

  test('it waits for a document that is there later', async () => {
    const chart = aChart(approved, { ...options, refusesDangling: true }, undefined, [], documentOnly);
    chart.ehr.next.set('create DocumentReference', [{ shownAfter: 45 }]);
    await chart.settle();
    expect(rowsOf(chart)).toEqual([['done', undefined]]);
    expect(provenances(chart)).toHaveLength(1);
  });
});

describe('what it is about is there later, where the EHR looks at references', () => {
  const strict = { ...options, refusesDangling: true };

  test('it waits for a Task', async () => {
    const chart = aChart(aCase(at('processing')), strict);
    chart.ehr.next.set('create Task', [{ shownAfter: 45 }]);
    await chart.settle();
    expect(rowsOf(chart)).toEqual([['done', undefined]]);
    expect(provenances(chart).map(({ target }) => target[0]?.reference)).toEqual(['Task/1']);
  });

  test.each([
    ['Task', aCase(at('processing')), undefined],
    ['DocumentReference', approved, documentOnly],
  ] as const)(
    'a %s that comes between the refusal and the look at it has one all the same',
    async (type, of, channels) => {
      const chart = aChart(of, strict, undefined, [], channels);
      chart.ehr.next.set(`create ${type}`, [{ shownAfter: 45 }]);
      slowFirstRead(chart, type, 45);
      await chart.settle();
      expect(rowsOf(chart)).toEqual([['done', undefined]]);
      expect(provenances(chart).map(({ target }) => target[0]?.reference)).toEqual([`${type}/1`]);
    },
  );

  test('an answer that is lost after such a refusal is looked for: it is written once', async () => {
    const chart = aChart(aCase(at('processing')), options);
    chart.ehr.next.set('create Provenance', [new BridgeError('ehr_forbidden', { http: 403 }), 'lost-after']);
    await chart.settle();
    expect(rowsOf(chart)).toEqual([['done', undefined]]);
    expect(provenances(chart)).toHaveLength(1);
  });

  test('a refusal while it is there is the end', async () => {
    const chart = aChart(aCase(at('processing')), options);
    const refused = new BridgeError('ehr_write_refused', { http: 422 });
    chart.ehr.next.set('create Provenance', [refused, refused]);
    const { again } = await chart.settle();
    expect(rowsOf(chart)).toEqual([['failed', expect.stringContaining('HTTP 422')]]);
    expect(again).toBeUndefined();
  });
});

describe('a second copy, since the first came late', () => {
  const late = (given: typeof options) => {
    const chart = aChart(approved, given, undefined, [], documentOnly);
    chart.ehr.next.set('create Provenance', [{ lateBy: 900 }]);
    return chart;
  };

  test('is removed where the EHR lets it be', async () => {
    const chart = late({ ...options, offers: { ...offers, Provenance: [...offers.Provenance, 'delete'] } });
    await chart.settle();
    expect(provenances(chart)).toHaveLength(1);
    expect(chart.rows.filter(({ what }) => what === 'double')).toMatchObject([{ state: 'retracted' }]);
  });

  test('is told to IT support where it does not, and to nobody else', async () => {
    const chart = late(options);
    await chart.settle();
    expect(provenances(chart)).toHaveLength(2);
    const [double] = chart.rows.filter(({ what }) => what === 'double');
    expect(double).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^a second copy: remove Provenance\/\d+ in the EHR: .*no Provenance\.delete\)$/),
    });
    expect(double !== undefined && concernsStaff(double)).toBe(false);
  });
});

test('what the EHR refuses of it keeps nothing else back, and staff are not asked', async () => {
  const chart = aChart(approved, options);
  const refused = new BridgeError('ehr_write_refused', { http: 422 });
  const forbidden = new BridgeError('ehr_forbidden', { http: 403 });
  chart.ehr.next.set('create Provenance', [refused, refused, forbidden, forbidden]);
  await chart.settle();
  expect(chart.rows.filter(concernsStaff).map(({ what, state }) => [what, state])).toEqual([
    ['document', 'done'],
    ['task', 'done'],
  ]);
  expect(rowsOf(chart).map(([state]) => state)).toEqual(['failed', 'skipped']);
});
