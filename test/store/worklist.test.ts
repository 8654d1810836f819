import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../src/base/vault.ts';
import type { Store, WorklistLine, WorklistQuery, WorklistRules } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, postgres, postgresBackend, sqlOf } from './backends.ts';
import { changed, newKeys, openDraft } from './requests.ts';

interface Told {
  readonly patient: string;
  readonly name: string;
  readonly payer?: string;
  readonly drug: string;
  readonly part?: 'needs' | 'payer' | 'decided';
  readonly owner?: string;
  readonly end?: string;
  readonly waits?: string;
  readonly prescriber?: string;
  readonly prescriberName?: string;
  readonly restricted?: boolean;
}

// What the tests put into a head, as a line.
function rules(version = 1, drug = (told: Told) => told.drug): WorklistRules {
  return {
    version,
    entryOf: (stored) => {
      const told = stored.head.value() as Told; // as `add` wrote it
      return {
        patient: told.patient,
        part: told.part ?? 'needs',
        waits: told.waits ?? 'draft',
        since: stored.createdAt,
        unwritten: stored.unwritten,
        restricted: told.restricted === true,
        ...(told.owner === undefined ? {} : { owner: told.owner }),
        ...(told.prescriber === undefined ? {} : { prescriber: told.prescriber }),
        ...(told.end === undefined ? {} : { approvalEnd: told.end }),
        line: {
          patient: told.name,
          drug: drug(told),
          people: {},
          ...(told.payer === undefined ? {} : { payer: told.payer }),
          ...(told.prescriberName === undefined ? {} : { prescriberName: told.prescriberName }),
        },
      };
    },
  };
}

const backends: (readonly [string, () => Promise<Backend>])[] = [['the embedded database', pgliteBackend]];
if ('missing' in postgres) test.skip(`the worklist on PostgreSQL: ${postgres.missing}`, () => {});
else backends.push([postgres.title, postgresBackend]);

for (const [title, start] of backends)
  describe(`the worklist on ${title}`, () => {
    let backend: Backend;
    let store: Store;
    /** Another one after the rotation. */
    let keys: readonly string[];

    beforeAll(async () => {
      backend = await start();
      keys = [backend.key];
      store = await backend.open({ worklist: rules() });
    });
    afterAll(async () => {
      await store.close();
      await backend.close();
    });

    const add = async (told: Omit<Told, 'patient'>) => {
      const own = newKeys();
      const { id } = await openDraft(store.cases, own, { head: { ...told, patient: own.patient } });
      return { id, keys: own };
    };
    const page = (query: Partial<WorklistQuery> = {}) =>
      store.worklist.page({ site: 'clinic', viewer: { user: 'Practitioner/me' }, limit: 25, ...query });
    const found = async (search: string, query: Partial<WorklistQuery> = {}) =>
      (await page({ search, ...query })).rows.map(({ case: id }) => id);

    test('a case is found by beginnings of its words, whatever their order, case and accents', async () => {
      const { id } = await add({ name: 'Beatriz Lindhölm-Vale', drug: 'Ozempic 1 mg pen' });
      expect(await found('LINDHOLM bea')).toEqual([id]);
      expect(await found('ozem vale')).toEqual([id]);
      expect(await found('lindholm humira')).toEqual([]);
      expect(await found('indholm')).toEqual([]);
      expect(await found(' - ')).toEqual([]);
    });

    test('a case is found by its payer, alone and beside the patient', async () => {
      const { id } = await add({ name: 'Ines Halloway', drug: 'Jardiance 10 mg', payer: 'Bluestem Mutual' });
      expect(await found('bluestem')).toEqual([id]);
      expect(await found('hallow mutu')).toEqual([id]);
      expect(await found('bluestem lindholm')).toEqual([]);
    });

    test('a case is found by its prescriber, as people speak of them', async () => {
      const { id } = await add({ name: 'Ola Brandt', drug: 'Otezla 30 mg', prescriberName: 'Thea Moreau' });
      expect(await found('moreau')).toEqual([id]);
      expect(await found('dr. moreau')).toEqual([id]);
      expect(await found('dr ola')).toEqual([id]);
      expect(await found('dr halloway')).toEqual([]);
    });

    test('no name and no beginning of one stands in the database in the clear', async () => {
      await add({ name: 'Canaryname Testperson', drug: 'Canarydrug' });
      const rows = await sqlOf(store)(`select * from "${backend.schema}".worklist`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(/canary|testper/i);
    });

    test('a changed title is found by its new words only', async () => {
      const { id, keys } = await add({ name: 'Wendell Title', drug: 'Firstdrug' });
      await changed(store.cases, id, keys, {
        head: { patient: keys.patient, name: 'Wendell Title', drug: 'Seconddrug' },
      });
      expect(await found('firstdrug')).toEqual([]);
      expect(await found('seconddrug')).toEqual([id]);
    });

    test('pages follow one another without gap or repetition: oldest first, decided newest first', async () => {
      const owner = 'Practitioner/pages';
      const ids: string[] = [];
      for (const name of ['one', 'two', 'three', 'four', 'five'])
        ids.push((await add({ name, drug: 'Paged', owner })).id);
      const walked = async (query: Partial<WorklistQuery>) => {
        const all: string[] = [];
        for (let after: string | undefined; ; ) {
          const next = await page({ holder: owner, limit: 2, ...query, ...(after === undefined ? {} : { after }) });
          all.push(...next.rows.map(({ case: id }) => id));
          after = next.next;
          if (after === undefined) return all;
        }
      };
      expect(await walked({ part: 'needs' })).toEqual(ids);
      const decided: string[] = [];
      for (const name of ['six', 'seven', 'eight'])
        decided.push((await add({ name, drug: 'Paged', owner, part: 'decided' })).id);
      expect(await walked({ part: 'decided' })).toEqual(decided.toReversed());
    });

    test('what needs staff: the reader’s signature comes first, what others wait for next, drafts last', async () => {
      const owner = 'Practitioner/ranked';
      const line = async (waits: string, prescriber?: string) =>
        (await add({ name: 'Ranked', drug: 'Rank', owner, waits, ...(prescriber === undefined ? {} : { prescriber }) }))
          .id;
      const draft = await line('draft');
      const theirs = await line('signature', 'Practitioner/other');
      const denied = await line('denied');
      const asks = await line('payer_asks');
      const mine = await line('signature', 'Practitioner/me');
      const ids = async (signs?: 'own' | 'all') => {
        const asked = { part: 'needs', search: 'ranked', signs, limit: 3 } as const;
        const first = await page(asked);
        const rest = await page({ ...asked, ...(first.next && { after: first.next }) });
        return [...first.rows, ...rest.rows].map((row) => row.case);
      };
      expect(await ids('own')).toEqual([mine, asks, denied, draft]);
      expect(await ids('all')).toEqual([theirs, mine, asks, denied, draft]);
      expect(await ids()).toEqual([asks, theirs, denied, mine, draft]);
    });

    test('what a colleague signs waits on others for everybody else, in lists, lines and counts', async () => {
      const signers = { site: 'clinic', viewer: { user: 'Practitioner/signer' } };
      const owner = 'Practitioner/hands-over';
      const prescriber = 'Practitioner/signer';
      const line = async (told: Partial<Told>) =>
        (await add({ name: 'Handed', drug: 'Sign', owner, waits: 'signature', prescriber, ...told })).id;
      const draft = await line({});
      const reply = await line({ waits: 'reply_signature' });
      const closed = await line({ restricted: true });
      const list = async (part: 'needs' | 'payer', query: Partial<WorklistQuery>) =>
        (await page({ part, ...query })).rows.map((row) => [row.case, row.part]);
      const ending = { from: '2031-03-01', to: '2031-03-31' };
      const counts = async (query: Partial<WorklistQuery>) => {
        const asked = { site: 'clinic', viewer: { user: 'Practitioner/me' }, ending, own: true, ...query };
        const { needs, payer, holders } = await store.worklist.counts(asked);
        return { needs, payer, holders };
      };
      const nurse = { viewer: { user: owner }, signs: 'own' as const };
      expect(await list('needs', { ...nurse, holder: owner })).toEqual([]);
      expect(await list('payer', { ...nurse, holder: owner })).toEqual(
        [draft, reply, closed].map((id) => [id, 'payer']),
      );
      expect(await counts(nurse)).toEqual({ needs: 0, payer: 3, holders: [] });
      const signer = { ...signers, signs: 'own' as const };
      const theirs = { ...signer, holder: prescriber };
      expect(await list('needs', theirs)).toEqual([draft, reply, closed].map((id) => [id, 'needs']));
      expect(await list('needs', { ...signer, holder: owner })).toEqual([]);
      expect(await list('payer', { ...signer, holder: owner })).toEqual([]);
      expect(await counts(signer)).toEqual({ needs: 3, payer: 0, holders: [{ holder: prescriber, count: 3 }] });
      // Whom the site names signs for others, but not in a restricted chart.
      const partner = { signs: 'all' as const };
      expect(await list('needs', { ...partner, holder: prescriber })).toEqual(
        [draft, reply].map((id) => [id, 'needs']),
      );
      expect(await list('payer', { ...partner, holder: owner })).toEqual([[closed, 'payer']]);
    });

    test('what somebody has to save to the chart by hand is work, also while a colleague signs', async () => {
      const owner = 'Practitioner/unwritten';
      const told = { name: 'Left', drug: 'Sign', owner, waits: 'reply_signature', prescriber: 'Practitioner/other' };
      const { id, keys } = await add(told);
      await changed(store.cases, id, keys, { columns: { unwritten: true } });
      expect((await page({ part: 'needs', holder: owner, signs: 'own' })).rows.map((row) => row.case)).toEqual([id]);
    });

    test('approvals that end soon come with the earliest end first, as calendar days', async () => {
      const ends = ['2031-03-31', '2031-03-01', '2031-04-01', '2031-02-28'];
      for (const end of ends) await add({ name: 'End', drug: 'Ends', part: 'decided', end });
      const ending = { from: '2031-03-01', to: '2031-03-31' };
      expect((await page({ ending })).rows.map(({ approvalEnd }) => approvalEnd)).toEqual(['2031-03-01', '2031-03-31']);
      const counts = await store.worklist.counts({ site: 'clinic', viewer: { user: 'Practitioner/me' }, ending });
      expect(counts.ending).toBe(2);
    });

    test('an approval stands among what needs staff from the days of its payer before its end', async () => {
      const line = (name: string, payer: string, end: string) =>
        add({ name, drug: 'Renewed', part: 'decided', payer, end });
      const open = await line('Open', 'Bluestem  mutual', '2032-05-01');
      await line('Early', 'Bluestem Mutual', '2032-05-02');
      const usual = await line('Usual', 'Other Plan', '2032-03-11');
      await line('Late', 'Other Plan', '2032-02-08');
      const payers = [{ payer: 'Bluestem Mutual', days: 60 }];
      // 60 days before May 1 is March 2; 30 before March 11 is February 10.
      const renewals = { site: 'clinic', today: '2032-03-02', days: 30, payers, after: 22 };
      const { rows } = await page({ part: 'needs', search: 'renewed', renewals });
      expect(rows.map((row) => row.case)).toEqual([usual.id, open.id]);
      expect(rows[1]).toMatchObject({ waits: 'renew', part: 'needs', since: '2032-03-02T00:00:00.000Z' });
      const decided = await page({ part: 'decided', search: 'renewed', renewals });
      expect(decided.rows).toHaveLength(2);
    });

    test('a restricted line is not found by its name, except by who works on it or has the chart open', async () => {
      const { id, keys } = await add({
        name: 'Restrictia Closed',
        drug: 'Quietdrug',
        restricted: true,
        owner: 'Practitioner/hers',
      });
      expect(await found('restrictia')).toEqual([]);
      expect(await found('restrictia', { viewer: { user: 'Practitioner/hers' } })).toEqual([id]);
      expect(await found('restrictia', { viewer: { user: 'Practitioner/me', patient: keys.patient } })).toEqual([id]);
    });

    test('lines of another site are neither listed, found nor counted', async () => {
      await add({ name: 'Onlyhere Person', drug: 'Sitedrug' });
      expect(await found('onlyhere', { site: 'hill' })).toEqual([]);
      expect((await page({ site: 'hill' })).rows).toEqual([]);
      const ending = { from: '2031-03-01', to: '2031-03-31' };
      const counts = await store.worklist.counts({ site: 'hill', viewer: { user: 'Practitioner/me' }, ending });
      expect(counts).toEqual({ needs: 0, payer: 0, decided: 0, ending: 0, unwritten: 0, toSign: 0, holders: [] });
    });

    test('erasing a patient takes the line and its marks away', async () => {
      const { id, keys } = await add({ name: 'Erasable Patient', drug: 'Erasedrug' });
      expect(await found('erasable')).toEqual([id]);
      await store.maintenance.erase('clinic', keys.patient);
      expect(await found('erasable')).toEqual([]);
      expect(await store.worklist.find(id)).toBeUndefined();
    });

    test('staff who signed in are known by name, each once', async () => {
      await store.worklist.signedIn('clinic', { fhirUser: 'Practitioner/2', name: 'Zoe Last' });
      await store.worklist.signedIn('clinic', { fhirUser: 'Practitioner/1', name: 'Ann First' });
      await store.worklist.signedIn('clinic', { fhirUser: 'Practitioner/2', name: 'Zoe Married' });
      expect((await store.worklist.staff('clinic')).map(({ name }) => name)).toEqual(['Ann First', 'Zoe Married']);
      expect(await store.worklist.staff('hill')).toEqual([]);
    });

    test('names are found and opened after a rotation of keys, and nothing is left under the old one', async () => {
      const { id } = await add({ name: 'Rotated Person', drug: 'Rotatedrug' });
      await store.close();
      const next = newKey();
      const both = await backend.open({ keys: [next, backend.key], worklist: rules() });
      await both.maintenance.rekey();
      await both.close();
      store = await backend.open({ keys: [next], worklist: rules() });
      expect(await found('rotated')).toEqual([id]);
      const row = await store.worklist.find(id);
      expect(row?.line.value()).toMatchObject({ patient: 'Rotated Person' } satisfies Partial<WorklistLine>);
      expect(await store.worklist.staff('clinic')).toHaveLength(2);
      keys = [next];
    });

    test('a store without its lines gets them when it is opened; other rules make them anew', async () => {
      const { id } = await add({ name: 'Absent Line', drug: 'Olddrug' });
      await sqlOf(store)(`delete from "${backend.schema}".worklist`);
      await store.close();
      store = await backend.open({ keys, worklist: rules() });
      expect(await found('absent')).toEqual([id]);
      await store.close();
      store = await backend.open({ keys, worklist: rules(2, () => 'Newwords') });
      expect((await store.worklist.find(id))?.line.value().drug).toBe('Newwords');
      expect(await found('newwords', { limit: 100 })).toContain(id);
      expect(await found('olddrug')).toEqual([]);
    });
  });
