import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import type { Log } from '../../base/log.ts';
import { type Connection, iso } from '../database.ts';
import { patientMark, payerMark } from '../keyed-marks.ts';
import type { Database } from '../schema.ts';
import type { Seals } from '../seals.ts';
import { marksOf, searchMarks } from '../search-marks.ts';
import {
  type CaseKeys,
  type RenewalTerms,
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

type Row = Selectable<Database['worklist']> & {
  readonly kind: string;
  readonly end_day: string | null;
  readonly next: string | null;
  /** The time from which the approval can be renewed; null if it needs no renewal now. */
  readonly renew_at: string | null;
  /** A colleague of the reader has to sign the request. */
  readonly others_sign: boolean;
};

type Fragment = RawBuilder<unknown>;

interface Options {
  readonly connection: Connection;
  readonly seals: Seals;
  readonly log: Log;
  readonly rules: WorklistRules | undefined;
}

interface Worklist {
  readonly table: WorklistTable;
  /** Writes the line of a case, in the transaction that changes the case. */
  readonly list: (trx: Transaction<Database>, changed: StoredCase, keys: Pick<CaseKeys, 'patient'>) => Promise<void>;
  /** Writes missing lines and lines of another version of the rules. */
  readonly fill: () => Promise<void>;
}

/**
 * An index over the cases with one short row for each. Groups and filters are plain columns, so the cost of a page
 * depends on its rows and not on the size of the practice. Names are sealed and found by marks (search-marks.ts).
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
    payer_mark: line.payer === undefined ? null : payerMark(seals, site, line.payer),
    done_at: entry.doneAt ?? null,
    unwritten: entry.unwritten,
    restricted: entry.restricted,
  };
  // If the content is unchanged, it is neither sealed nor written again.
  const hash = seals.hashOf({ ...columns, line });
  const before = await trx.selectFrom('worklist').select('hash').where('case_id', '=', id).executeTakeFirst();
  if (before?.hash === hash) return;
  const { sealed } = seals.seal(line, `worklist|${id}`);
  const row = { ...columns, hash, sealed, marks: marksOf(seals, site, textsOf(line, columns.holder)) };
  await trx
    .insertInto('worklist')
    .values({ case_id: id, ...row })
    .onConflict((conflict) => conflict.column('case_id').doUpdateSet(row))
    .execute();
}

// Short texts that people certainly search for come first, since a line has marks for a limited number of words.
function textsOf(line: WorklistLine, holder: string | null): string[] {
  const { mrn = '', memberId = '', requestIds = [], patient, drug, drugNames = [], payer = '' } = line;
  const ids = [mrn, memberId].flatMap((id) => [id, id.replaceAll(/[^\p{L}\p{N}]/gu, '')]);
  const people = [line.people[holder ?? ''], withTitle(line.prescriberName)].map((name = '') => name);
  return [...ids, patient, ...requestIds.slice(-3), payer, ...people, drug, ...drugNames];
}

// People search for a prescriber as they speak: “dr moreau”.
function withTitle(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `Dr ${name}`;
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
          // A case that no key opens has no line. All other cases have theirs.
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
    async find(id, renewals) {
      const row = await read((db) =>
        selectRows(db, seals, renewals).where('worklist.case_id', '=', id).executeTakeFirst(),
      );
      return row === undefined ? undefined : rowOf(row);
    },
    async takenOver(site, user) {
      const rows = await read((db) =>
        selectRows(db, seals)
          .where('worklist.site', '=', site)
          .where('told', '=', user)
          .orderBy('since')
          .limit(20)
          .execute(),
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
      // Only this module seals members of staff, so the value has this type.
      const people = rows.map(({ person, sealed }) => seals.open(sealed, staffAbout(site, person)) as StaffMember);
      return people.sort((one, other) => (one.name ?? one.fhirUser).localeCompare(other.name ?? other.fhirUser));
    },
  };
}

function staffAbout(site: string, person: string): string {
  return `staff|${site}|${person}`;
}

/** For whom the rows are selected; absent if they are for no particular person. */
type Reader = Pick<WorklistQuery, 'viewer' | 'signs'>;

function selectRows(db: Kysely<Database>, seals: Seals, renewals?: RenewalTerms, reader?: Reader) {
  return (
    db
      .selectFrom('worklist')
      .innerJoin('cases', 'cases.id', 'worklist.case_id')
      .selectAll('worklist')
      .select('cases.kind')
      .select(({ selectFrom }) =>
        selectFrom('cases as live')
          .select('live.id')
          .whereRef('live.order_mark', '=', 'cases.order_mark')
          .whereRef('live.id', '<>', 'cases.id')
          .where('live.state', '<>', 'ended')
          .as('next'),
      )
      // Cast to text, since a driver would turn the day into midnight in its machine's time zone.
      .select(sql<string | null>`approval_end::text`.as('end_day'))
      .select(renewAt(seals, renewals).as('renew_at'))
      .select((reader === undefined ? sql<boolean>`false` : othersSign(reader)).as('others_sign'))
  );
}

/** SQL for the first day on which an approval can be renewed. */
function opensOn(seals: Seals, { site, days, payers }: RenewalTerms): Fragment {
  const rows = payers.map((row) => sql`when ${payerMark(seals, site, row.payer)} then ${row.days}::int`);
  if (rows.length === 0) return sql`(approval_end - ${days}::int)`;
  return sql`(approval_end - case payer_mark ${sql.join(rows, sql` `)} else ${days}::int end)`;
}

/** Matches an approval that can be renewed and that nobody has marked as done since then. */
function isToRenew(seals: Seals, terms: RenewalTerms): Fragment {
  const { today, after } = terms;
  const opens = opensOn(seals, terms);
  return sql`coalesce(part = 'decided' and approval_end between ${today}::date - ${after}::int and ${today}::date + 366
    and ${opens} <= ${today}::date and (done_at is null or done_at < ${opens}), false)`;
}

interface Grouping extends Reader, Pick<WorklistQuery, 'renewals'> {
  readonly seals: Seals;
}

function isIn(part: WorklistPart, { seals, renewals, ...reader }: Grouping): Fragment {
  if (part === 'payer') return sql`(part = 'payer' or ${othersSign(reader)})`;
  const toRenew = renewals === undefined ? sql`false` : isToRenew(seals, renewals);
  return part === 'needs'
    ? sql`((part = 'needs' and not ${othersSign(reader)}) or ${toRenew})`
    : sql`(part = ${part} and not ${toRenew})`;
}

const isForSigner = sql<boolean>`(part = 'needs' and waits in ('signature', 'reply_signature'))`;

function isSignedBy({ user }: WorklistViewer, signs: 'own' | 'all'): Fragment {
  return sql`(prescriber is not distinct from ${user} ${signs === 'all' ? sql`or not restricted` : sql``})`;
}

function othersSign({ viewer, signs }: Reader): RawBuilder<boolean> {
  // If the site has no signatures, everybody may send the request.
  if (signs === undefined) return sql<boolean>`false`;
  // Everybody may save by hand what was not written.
  return sql<boolean>`(${isForSigner} and not worklist.unwritten and not ${isSignedBy(viewer, signs)})`;
}

/**
 * The person who must act next. That is the signer of a request that waits for a signature, if the site has signatures.
 */
function actorOf({ signs }: Pick<Reader, 'signs'>): Fragment {
  if (signs === undefined) return sql`holder`;
  return sql`(case when ${isForSigner} and not worklist.unwritten then prescriber else holder end)`;
}

function isWith(person: string | null, query: WorklistQuery): RawBuilder<boolean> {
  const actor = query.part === 'needs' ? actorOf(query) : sql`holder`;
  return person === null ? sql<boolean>`${actor} is null` : sql<boolean>`${actor} = ${person}`;
}

function renewAt(seals: Seals, terms: RenewalTerms | undefined): RawBuilder<string | null> {
  if (terms === undefined) return sql<string | null>`null::text`;
  const opens = sql`to_char(${opensOn(seals, terms)}, 'YYYY-MM-DD"T00:00:00.000Z"')`;
  return sql<string | null>`case when ${isToRenew(seals, terms)} then ${opens} end`;
}

/** Rows that others wait for come first. Rows that wait for another person's signature come last. */
function rankOf({ viewer, signs }: Reader): Fragment {
  const own = signs === undefined ? sql`false` : isSignedBy(viewer, signs);
  return sql`(case when ${isForSigner} and ${own} then 0
    when waits in ('unclear', 'reply_unclear', 'payer_asks', 'reply_printed', 'awaiting_review',
      'awaiting_provider_response') then 1
    when waits = 'draft' then 3 else 2 end)`;
}

async function pageOf(db: Kysely<Database>, seals: Seals, query: WorklistQuery): Promise<WorklistRows> {
  const { site, viewer, part, search, holder, ending, unwritten, after, limit, renewals } = query;
  const marks = search === undefined || search.trim() === '' ? [] : searchMarks(seals, site, search);
  if (marks === undefined) return { rows: [] };
  const beyond = after === undefined ? undefined : cursorOf(after);
  const order = orderOf(seals, query);
  const rows = await selectRows(db, seals, renewals, query)
    .select([order.rank.as('rank'), order.key.as('key')])
    .where('worklist.site', '=', site)
    .$if(part !== undefined, (one) => one.where(sql<boolean>`${isIn(part!, { ...query, seals })}`))
    .$if(holder !== undefined, (one) => one.where(isWith(holder ?? null, query)))
    .$if(unwritten === true, (one) => one.where('worklist.unwritten', '=', true))
    .$if(ending !== undefined, (one) =>
      one
        .where('part', '=', 'decided')
        .where(sql<boolean>`approval_end between ${ending!.from}::date and ${ending!.to}::date`),
    )
    .$if(query.toSign !== undefined, (one) => one.where(waitsToSign(viewer, query.toSign!)))
    .$if(query.own === true, (one) => one.where(isTheirs(seals, site, viewer)))
    .$if(marks.length > 0, (one) =>
      one
        .where(sql<boolean>`marks @> ${sql.val(marks)}::text[]`)
        // A line that is shown without its name must not be found by that name.
        .where(sql<boolean>`(not restricted or ${isTheirs(seals, site, viewer)})`),
    )
    .$if(beyond !== undefined, (one) => one.where(sql<boolean>`${order.beyond(beyond!)}`))
    .$if(order.isRanked, (one) => one.orderBy(order.rank))
    .orderBy(order.key, order.direction)
    .orderBy('worklist.case_id', order.direction)
    .limit(limit + 1)
    .execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit).map((row) => toRow(row, seals)),
    ...(last === undefined ? {} : { next: nextOf(last) }),
  };
}

/** The order of a query's rows: by `rank` if the query has ranks, then by `key`, then by id. */
function orderOf(seals: Seals, query: WorklistQuery) {
  const { part, ending, renewals } = query;
  const isRanked = part === 'needs' && ending === undefined;
  const direction = part === 'decided' && ending === undefined ? ('desc' as const) : ('asc' as const);
  const rank = (isRanked ? rankOf(query) : sql`0`) as RawBuilder<number>;
  const since = isRanked
    ? sql`coalesce(${renewAt(seals, renewals)}::timestamptz, worklist.since)`
    : sql`worklist.since`;
  const key = (ending === undefined ? since : sql`worklist.approval_end::timestamp at time zone 'UTC'`) as Key;
  const beyond = ({ rank: at, key: from, id }: Cursor) => {
    const place = sql`(${key}, worklist.case_id) ${sql.raw(direction === 'desc' ? '<' : '>')}
      (${from}::timestamptz, ${id}::text)`;
    return isRanked ? sql`(${rank} > ${at}::int or (${rank} = ${at}::int and ${place}))` : place;
  };
  return { isRanked, direction, rank, key, beyond };
}

type Key = RawBuilder<Date | string>;

/** The position at which a page ends. */
interface Cursor {
  readonly rank: number;
  readonly key: string;
  readonly id: string;
}

function isTheirs(seals: Seals, site: string, { user, patient }: WorklistViewer) {
  const mark = patient === undefined ? '' : patientMark(seals, site, patient);
  return sql<boolean>`(owner = ${user} or assigned = ${user} or prescriber = ${user}
    or worklist.patient_mark = ${mark})`;
}

function waitsToSign(viewer: WorklistViewer, signs: 'own' | 'all'): RawBuilder<boolean> {
  return sql<boolean>`(${isForSigner} and ${isSignedBy(viewer, signs)})`;
}

const mostHolders = 20;

async function countsOf(
  db: Kysely<Database>,
  schema: string,
  seals: Seals,
  query: Parameters<WorklistTable['counts']>[0],
): Promise<WorklistCounts> {
  const { site, viewer, own, ending, signs } = query;
  const grouping = { ...query, seals };
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
      counted(isIn('needs', grouping)).as('needs'),
      counted(isIn('payer', grouping)).as('payer'),
      counted(isIn('decided', grouping)).as('decided'),
      counted(sql`part = 'decided' and approval_end between ${ending.from}::date and ${ending.to}::date`).as('ending'),
      counted(sql`unwritten`).as('unwritten'),
      signs === undefined ? sql<number>`0`.as('to_sign') : counted(waitsToSign(viewer, signs), false).as('to_sign'),
    ])
    .executeTakeFirstOrThrow();
  const held = await sql<{ holder: string | null; count: number }>`select holder, count(*)::int as count from (
    select ${actorOf(query)} as holder from ${sql.table(`${schema}.worklist`)} as worklist where worklist.site = ${site}
    and ${isIn('needs', grouping)}
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
    next: row.next,
  };
  return {
    case: row.case_id,
    kind: row.kind,
    site: row.site,
    patientMark: row.patient_mark,
    // Only `writeRow` writes this column, so the cast is safe.
    ...(row.renew_at === null
      ? { part: row.others_sign ? 'payer' : (row.part as WorklistPart), waits: row.waits, since: iso(row.since) }
      : { part: 'needs' as const, waits: 'renew', since: row.renew_at }),
    unwritten: row.unwritten,
    restricted: row.restricted,
    line: seals.lazily<WorklistLine>(row, `worklist|${row.case_id}`),
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== null)),
  };
}

function nextOf(row: Pick<Row, 'case_id'> & { readonly rank: number; readonly key: Date | string }): string {
  return Buffer.from(`${row.rank} ${iso(row.key)} ${row.case_id}`).toString('base64url');
}

/** If a person edits a cursor, it leads to another place in rows that they may see anyway. */
function cursorOf(after: string): Cursor {
  const [rank, key = '', id = ''] = Buffer.from(after, 'base64url').toString('utf8').split(' ');
  const isOne = /^\d$/.test(rank ?? '') && !Number.isNaN(Date.parse(key));
  return isOne ? { rank: Number(rank), key, id } : { rank: 0, key: '1970-01-01', id: '' };
}
