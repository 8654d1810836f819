import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Log } from '../../base/log.ts';
import { type Connection, iso } from '../database.ts';
import { patientMark } from '../keyed-marks.ts';
import type { Database } from '../schema.ts';
import type { Seals } from '../seals.ts';
import { marksOf, searchMarks } from '../search-marks.ts';
import {
  type CaseKeys,
  type StaffMember,
  type StoredCase,
  type WorklistCounts,
  type WorklistLine,
  type WorklistPart,
  type WorklistQuery,
  type WorklistRow,
  type WorklistRows,
  type WorklistRules,
  type WorklistTable,
  type WorklistViewer,
  worklistCountLimit,
} from '../types.ts';
import { selectWhole, toCase } from './case-rows.ts';

type Row = Selectable<Database['worklist']> & { readonly kind: string; readonly end_day: string | null };

interface Options {
  readonly connection: Connection;
  readonly seals: Seals;
  readonly log: Log;
  readonly rules: WorklistRules | undefined;
}

interface Worklist {
  readonly table: WorklistTable;
  /** Writes the line of a case in the transaction that changes it. */
  readonly list: (trx: Transaction<Database>, changed: StoredCase, keys: Pick<CaseKeys, 'patient'>) => Promise<void>;
  /** Makes the lines that are missing, or that other rules made. */
  readonly fill: () => Promise<void>;
}

/**
 * An index over the cases, one short row each: the groups and filters are plain columns, so that a page costs its rows
 * and not the practice's. Names are sealed; they are found by marks (search-marks.ts).
 */
export function createWorklistTable(options: Options): Worklist {
  const { connection, seals, rules } = options;
  const list: Worklist['list'] = async (trx, changed, { patient }) => {
    if (rules !== undefined) await writeRow(trx, seals, rules, changed, patient);
  };
  return { table: tableOf(connection, seals), list, fill: () => fill(options) };
}

async function writeRow(
  trx: Kysely<Database>,
  seals: Seals,
  { version, entryOf }: WorklistRules,
  stored: StoredCase,
  patient: string,
): Promise<void> {
  const { id, site } = stored;
  const { line, ...entry } = entryOf(stored);
  const columns = {
    made_by: version,
    site,
    patient_mark: patientMark(seals, site, patient),
    part: entry.part,
    waits: entry.waits,
    since: entry.since,
    owner: entry.owner ?? null,
    assigned: entry.assigned ?? null,
    holder: entry.assigned ?? entry.owner ?? null,
    prescriber: entry.prescriber ?? null,
    told: entry.told ?? null,
    approval_end: entry.approvalEnd ?? null,
    unwritten: entry.unwritten,
    restricted: entry.restricted,
  };
  // What a change leaves as it was is neither written nor sealed again.
  const hash = seals.hashOf({ ...columns, line });
  const before = await trx.selectFrom('worklist').select('hash').where('case_id', '=', id).executeTakeFirst();
  if (before?.hash === hash) return;
  const { sealed } = seals.seal(line, `worklist|${id}`);
  const row = { ...columns, hash, sealed, marks: marksOf(seals, site, textsOf(line)) };
  await trx
    .insertInto('worklist')
    .values({ case_id: id, ...row })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(row))
    .execute();
}

// What is short and sure to be asked for comes first: a line has marks of so many words only.
function textsOf({ mrn = '', requestIds = [], patient, drug, drugNames = [], payer = '' }: WorklistLine): string[] {
  return [mrn, mrn.replaceAll(/[^\p{L}\p{N}]/gu, ''), patient, ...requestIds.slice(-3), payer, drug, ...drugNames];
}

const batch = 50;

async function fill({ connection, seals, log, rules }: Options): Promise<void> {
  if (rules === undefined) return;
  for (let made = batch, after = ''; made === batch; )
    made = await connection.transaction(async (trx) => {
      const rows = await selectWhole(trx, { bodies: false })
        .where('cases.id', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('worklist')
                .select('worklist.case_id')
                .whereRef('worklist.case_id', '=', 'cases.id')
                .where('worklist.made_by', '=', rules.version),
            ),
          ),
        )
        .orderBy('cases.id')
        .limit(batch)
        .execute();
      for (const row of rows) {
        const stored = toCase(row, seals);
        try {
          await writeRow(trx, seals, rules, stored, rules.entryOf(stored).patient);
        } catch {
          // A case that no key opens has no line; the rest of the practice has.
          log.warn({ case: stored.id, site: stored.site }, 'no line of the worklist could be made of a case');
        }
      }
      after = rows.at(-1)?.id ?? after;
      return rows.length;
    });
}

function tableOf(connection: Connection, seals: Seals): WorklistTable {
  const { read } = connection;
  const rowOf = (row: Row) => toRow(row, seals);
  return {
    page: (query) => read((db) => pageOf(db, seals, query)),
    counts: (query) => read((db) => countsOf(db, connection.schema, seals, query)),
    async find(id) {
      const row = await read((db) => selectRows(db).where('worklist.case_id', '=', id).executeTakeFirst());
      return row === undefined ? undefined : rowOf(row);
    },
    async takenOver(site, user) {
      const rows = await read((db) =>
        selectRows(db).where('worklist.site', '=', site).where('told', '=', user).orderBy('since').limit(20).execute(),
      );
      return rows.map(rowOf);
    },
    patientMark: (site, patient) => patientMark(seals, site, patient),
    async signedIn(site, person) {
      const sealed = seals.seal(person, staffAbout(site, person.fhirUser)).sealed;
      const row = { seen_at: connection.now(), sealed };
      await read((db) =>
        db
          .insertInto('staff')
          .values({ site, person: person.fhirUser, ...row })
          .onConflict((conflict) => conflict.columns(['site', 'person']).doUpdateSet(row))
          .execute(),
      );
    },
    async staff(site) {
      const rows = await read((db) =>
        db
          .selectFrom('staff')
          .select(['person', 'sealed'])
          .where('site', '=', site)
          .where('seen_at', '>', sql<Date>`${connection.now()} - interval '180 days'`)
          .limit(200)
          .execute(),
      );
      // Only this module seals members of staff.
      const people = rows.map(({ person, sealed }) => seals.open(sealed, staffAbout(site, person)) as StaffMember);
      return people.sort((one, other) => (one.name ?? one.fhirUser).localeCompare(other.name ?? other.fhirUser));
    },
  };
}

function staffAbout(site: string, person: string): string {
  return `staff|${site}|${person}`;
}

function selectRows(db: Kysely<Database>) {
  return (
    db
      .selectFrom('worklist')
      .innerJoin('cases', 'cases.id', 'worklist.case_id')
      .selectAll('worklist')
      .select('cases.kind')
      // As text: a driver would make midnight of its machine's zone of a day.
      .select(sql<string | null>`approval_end::text`.as('end_day'))
  );
}

async function pageOf(db: Kysely<Database>, seals: Seals, query: WorklistQuery): Promise<WorklistRows> {
  const { site, viewer, part, search, holder, ending, unwritten, after, limit } = query;
  const marks = search === undefined || search.trim() === '' ? [] : searchMarks(seals, site, search);
  if (marks === undefined) return { rows: [] };
  const key = ending === undefined ? 'worklist.since' : 'worklist.approval_end';
  const newestFirst = part === 'decided' && ending === undefined;
  const beyond = after === undefined ? undefined : cursorOf(after);
  const direction = newestFirst ? 'desc' : 'asc';
  const moment = sql.raw(ending === undefined ? 'timestamptz' : 'date');
  const rows = await selectRows(db)
    .where('worklist.site', '=', site)
    .$if(part !== undefined, (one) => one.where('part', '=', part!))
    .$if(typeof holder === 'string', (one) => one.where('holder', '=', holder!))
    .$if(holder === null, (one) => one.where('holder', 'is', null))
    .$if(unwritten === true, (one) => one.where('worklist.unwritten', '=', true))
    .$if(ending !== undefined, (one) =>
      one
        .where('part', '=', 'decided')
        .where(sql<boolean>`approval_end between ${ending!.from}::date and ${ending!.to}::date`),
    )
    .$if(query.toSign !== undefined, (one) => one.where(sql<boolean>`${waitsToSign(viewer, query.toSign)}`))
    .$if(query.own === true, (one) => one.where(isTheirs(seals, site, viewer)))
    .$if(marks.length > 0, (one) =>
      one
        .where(sql<boolean>`marks @> ${sql.val(marks)}::text[]`)
        // A line without a name must not be found by it.
        .where(sql<boolean>`(not restricted or ${isTheirs(seals, site, viewer)})`),
    )
    .$if(beyond !== undefined, (one) =>
      one.where(
        sql<boolean>`(${sql.ref(key)}, worklist.case_id) ${sql.raw(newestFirst ? '<' : '>')}
          (${beyond!.at}::${moment}, ${beyond!.id}::text)`,
      ),
    )
    .orderBy(sql.ref(key), direction)
    .orderBy('worklist.case_id', direction)
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map((row) => toRow(row, seals)),
    ...(last === undefined ? {} : { next: nextOf(last, ending !== undefined) }),
  };
}

function isTheirs(seals: Seals, site: string, { user, patient }: WorklistViewer) {
  const mark = patient === undefined ? '' : patientMark(seals, site, patient);
  return sql<boolean>`(owner = ${user} or assigned = ${user} or prescriber = ${user}
    or worklist.patient_mark = ${mark})`;
}

function waitsToSign({ user }: WorklistViewer, whose: WorklistQuery['toSign']) {
  const others = whose === 'all' ? sql`or not restricted` : sql``;
  return sql`(part = 'needs' and waits in ('signature', 'reply_signature') and (prescriber = ${user} ${others}))`;
}

const mostHolders = 20;

async function countsOf(
  db: Kysely<Database>,
  schema: string,
  seals: Seals,
  { site, viewer, own, ending, toSign: whose }: Parameters<WorklistTable['counts']>[0],
): Promise<WorklistCounts> {
  const counted = (condition: ReturnType<typeof sql>, isOwn = own === true) =>
    sql<number>`(select count(*)::int from (
      select 1 from ${sql.table(`${schema}.worklist`)} as worklist where worklist.site = ${site}
      and ${condition} ${isOwn ? sql`and ${isTheirs(seals, site, viewer)}` : sql``}
      limit ${worklistCountLimit}) as lines)`;
  const {
    needs,
    payer,
    decided,
    ending: soon,
    unwritten,
    to_sign: toSign,
  } = await db
    .selectNoFrom([
      counted(sql`part = 'needs'`).as('needs'),
      counted(sql`part = 'payer'`).as('payer'),
      counted(sql`part = 'decided'`).as('decided'),
      counted(sql`part = 'decided' and approval_end between ${ending.from}::date and ${ending.to}::date`).as('ending'),
      counted(sql`unwritten`).as('unwritten'),
      whose === undefined ? sql<number>`0`.as('to_sign') : counted(waitsToSign(viewer, whose), false).as('to_sign'),
    ])
    .executeTakeFirstOrThrow();
  const held = await sql<{ holder: string | null; count: number }>`select holder, count(*)::int as count from (
    select holder from ${sql.table(`${schema}.worklist`)} as worklist where worklist.site = ${site} and part = 'needs'
    ${own === true ? sql`and ${isTheirs(seals, site, viewer)}` : sql``} limit ${worklistCountLimit}) as lines
    group by holder order by count desc, holder nulls last limit ${mostHolders}`.execute(db);
  const holders = held.rows.map(({ holder, count }) => ({ count, ...(holder === null ? {} : { holder }) }));
  return { needs, payer, decided, ending: soon, unwritten, toSign, holders };
}

function toRow(row: Row, seals: Seals): WorklistRow {
  const stated = {
    owner: row.owner,
    assigned: row.assigned,
    prescriber: row.prescriber,
    told: row.told,
    approvalEnd: row.end_day,
  };
  return {
    case: row.case_id,
    kind: row.kind,
    site: row.site,
    patientMark: row.patient_mark,
    part: row.part as WorklistPart, // written by `writeRow` alone
    waits: row.waits,
    since: iso(row.since),
    unwritten: row.unwritten,
    restricted: row.restricted,
    line: seals.lazily<WorklistLine>(row, `worklist|${row.case_id}`),
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== null)),
  };
}

function nextOf(row: Row, byEnd: boolean): string {
  const at = byEnd && row.end_day !== null ? row.end_day : iso(row.since);
  return Buffer.from(`${at} ${row.case_id}`).toString('base64url');
}

/** A cursor that a person has changed only leads elsewhere in what they may see anyway. */
function cursorOf(after: string): { readonly at: string; readonly id: string } {
  const [at = '', id = ''] = Buffer.from(after, 'base64url').toString('utf8').split(' ');
  return Number.isNaN(Date.parse(at)) ? { at: '1970-01-01', id: '' } : { at, id };
}
