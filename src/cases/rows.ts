import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { BridgeError } from '../errors.ts';
import { type Case, type CaseKind, type CaseState, caseStates } from './case.ts';
import type { Job } from './jobs.ts';
import type { Database } from './schema.ts';
import type { Store } from './store.ts';

/** What a transition makes of a case: the case as it now is and the jobs that follow from it. They commit together. */
export interface Change {
  readonly case: Case;
  readonly jobs?: readonly Job[];
}

/** Cases in the store. */
export interface CaseRows {
  /** The live case of the order (see `orderKey`), or the new one that `make` gives. */
  open(orderKey: OrderKey, make: () => Case): Promise<Case>;
  /** Throws case_not_found. */
  get(id: string): Promise<Case>;
  find(id: string): Promise<Case | undefined>;
  /**
   * Reads, changes and writes one case in one transaction. `transition` is pure; undefined leaves the case as it is.
   */
  change(id: string, transition: (current: Case) => Change | undefined): Promise<Case>;
  byServiceId(site: string, serviceId: string): Promise<Case | undefined>;
  forPatient(site: string, patient: string): Promise<Case[]>;
  list(filter: Filter): Promise<Case[]>;
  ids(filter: Omit<Filter, 'limit'>): Promise<string[]>;
  counts(): Promise<Record<CaseState, number>>;
  putFile(id: string, name: string, bytes: Uint8Array, at: string): Promise<void>;
  file(id: string, name: string): Promise<Uint8Array | undefined>;
}

export interface OrderKey {
  readonly site: string;
  readonly patient: string;
  readonly order: string;
  readonly kind: CaseKind;
}

export interface Filter {
  readonly site?: string;
  readonly states?: readonly CaseState[];
  readonly unwritten?: boolean;
  /** A person said after this time that a request did not arrive. */
  readonly notArrivedSince?: string;
  readonly limit?: number;
}

type Row = Selectable<Database['cases']>;

export function createCaseRows(store: Store): CaseRows {
  const { vault } = store;
  const orderMarks = (key: OrderKey) => vault.marks(`order|${key.site}|${key.patient}|${key.order}|${key.kind}`);
  const patientMarks = (site: string, patient: string) => vault.marks(`patient|${site}|${patient}`);
  const unseal = (row: Row) => open(store, row);

  const toRow = (item: Case): Row => ({
    id: item.id,
    site: item.site,
    kind: item.kind,
    state: item.state,
    status: item.status ?? null,
    service_id: item.serviceId ?? null,
    patient_mark: patientMarks(item.site, item.patient)[0],
    order_mark: orderMarks(item)[0],
    unwritten: item.writes.some((row) => ['planned', 'in_flight', 'unknown'].includes(row.state)),
    waiting: item.writes.some((row) => row.state === 'waiting'),
    // Nothing ever tells of an enrollment later.
    not_arrived_at: item.kind === 'prior-auth' ? (item.notArrived?.at ?? null) : null,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    sealed: vault.seal(JSON.stringify(item), `case|${item.id}`),
  });

  const live = (db: Kysely<Database>, key: OrderKey) =>
    db
      .selectFrom('cases')
      .selectAll()
      .where('order_mark', 'in', orderMarks(key))
      .where('state', '<>', 'ended')
      .executeTakeFirst();

  return {
    async open(key, make) {
      return await store.transaction(async (trx) => {
        const found = await live(trx, key);
        if (found !== undefined) return unseal(found);
        const made = make();
        const inserted = await trx
          .insertInto('cases')
          .values(toRow(made))
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .execute();
        if (inserted.length === 1) return made;
        // Another window was faster; its case is committed now.
        const other = await live(trx, key);
        if (other === undefined) throw new BridgeError('store_unavailable', { record: 'case' });
        return unseal(other);
      });
    },
    get: async (id) =>
      unseal(
        found(await store.read((db) => db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirst())),
      ),
    async find(id) {
      const row = await store.read((db) => db.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirst());
      return row === undefined ? undefined : unseal(row);
    },
    async change(id, transition) {
      return await store.transaction(async (trx) => {
        const current = unseal(found(await locked(trx, id)));
        const change = transition(current);
        if (change === undefined) return current;
        await trx.updateTable('cases').set(toRow(change.case)).where('id', '=', id).execute();
        await store.enqueue(change.jobs ?? [], trx);
        return change.case;
      });
    },
    async byServiceId(site, serviceId) {
      const row = await store.read((db) =>
        db
          .selectFrom('cases')
          .selectAll()
          .where('site', '=', site)
          .where('service_id', '=', serviceId)
          .executeTakeFirst(),
      );
      return row === undefined ? undefined : unseal(row);
    },
    async forPatient(site, patient) {
      const rows = await store.read((db) =>
        db
          .selectFrom('cases')
          .selectAll()
          .where('patient_mark', 'in', patientMarks(site, patient))
          .orderBy('created_at', 'desc')
          .execute(),
      );
      return rows.map(unseal);
    },
    async list({ limit = 500, ...filter }) {
      const rows = await store.read((db) =>
        matching(db, filter).selectAll().orderBy('created_at', 'desc').limit(limit).execute(),
      );
      return rows.map(unseal);
    },
    ids: async (filter) => (await store.read((db) => matching(db, filter).select('id').execute())).map((row) => row.id),
    async counts() {
      const rows = await store.read((db) =>
        db
          .selectFrom('cases')
          .select(['state', sql<number>`count(*)::int`.as('count')])
          .groupBy('state')
          .execute(),
      );
      const counts = new Map(rows.map((row) => [row.state, row.count]));
      return Object.fromEntries(caseStates.map((state) => [state, counts.get(state) ?? 0])) as Record<
        CaseState,
        number
      >;
    },
    async putFile(id, name, bytes, at) {
      const row = {
        case_id: id,
        name,
        created_at: at,
        sealed: vault.seal(Buffer.from(bytes).toString('base64'), `file|${id}|${name}`),
      };
      await store.read((db) =>
        db
          .insertInto('files')
          .values(row)
          .onConflict((conflict) => conflict.columns(['case_id', 'name']).doUpdateSet(row))
          .execute(),
      );
    },
    async file(id, name) {
      const row = await store.read((db) =>
        db.selectFrom('files').select('sealed').where('case_id', '=', id).where('name', '=', name).executeTakeFirst(),
      );
      return row === undefined ? undefined : Buffer.from(unsealText(store, row.sealed, `file|${id}|${name}`), 'base64');
    },
  };
}

function matching(db: Kysely<Database>, { site, states, unwritten, notArrivedSince }: Filter) {
  return db
    .selectFrom('cases')
    .$if(site !== undefined, (query) => query.where('site', '=', site!))
    .$if(states !== undefined, (query) => query.where('state', 'in', states!))
    .$if(unwritten !== undefined, (query) => query.where('unwritten', '=', unwritten!))
    .$if(notArrivedSince !== undefined, (query) => query.where('not_arrived_at', '>', notArrivedSince!));
}

async function locked(trx: Transaction<Database>, id: string): Promise<Row | undefined> {
  return await trx.selectFrom('cases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

function found(row: Row | undefined): Row {
  if (row === undefined) throw new BridgeError('case_not_found');
  return row;
}

function open(store: Store, row: Row): Case {
  // Only this module seals cases, and the seal is bound to the id: what opens is what was written.
  return JSON.parse(unsealText(store, row.sealed, `case|${row.id}`)) as Case;
}

function unsealText({ vault }: Store, sealed: string, about: string): string {
  try {
    return vault.open(sealed, about);
  } catch (cause) {
    throw new BridgeError('store_unavailable', { record: about.split('|')[0] ?? '' }, { cause });
  }
}
