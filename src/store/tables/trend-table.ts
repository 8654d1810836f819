import { sql } from 'kysely';
import { type Connection, iso } from '../database.ts';
import type { Seals } from '../seals.ts';
import type { TrendCase, TrendTable, WorklistLine } from '../types.ts';

/** Limits the cases that are counted, so that trends cost the same in a large practice. */
const mostCases = 2000;

interface Row {
  readonly id: string;
  readonly waits: string;
  readonly sealed: string;
  readonly sent_at: Date;
  readonly ended_at: Date | null;
  readonly typed: number | null;
  readonly first: boolean;
}

/** Implements `TrendTable`. */
export function createTrendTable({ read, now, schema }: Connection, seals: Seals): TrendTable {
  const table = (name: string) => sql.table(`${schema}.${name}`);
  return {
    async since(site, days) {
      const { rows } = await read((db) =>
        sql<Row>`
          select cases.id, list.waits, list.sealed, cases.sent_at, cases.ended_at, sent.typed,
            cases.attempt = 1 and not exists (
              select 1 from ${table('cases')} as earlier
              where earlier.patient_mark = cases.patient_mark and earlier.order_mark = cases.order_mark
                and earlier.created_at < cases.created_at
            ) and not exists (
              select 1 from ${table('events')} as asked where asked.case_id = cases.id and asked.type = 'asked'
            ) as first
          from ${table('cases')} as cases
          join ${table('worklist')} as list on list.case_id = cases.id
          left join lateral (
            select (events.facts->>'typed')::int as typed from ${table('events')} as events
            where events.case_id = cases.id and events.type = 'sent' order by events.id desc limit 1
          ) as sent on true
          where cases.site = ${site} and cases.kind = 'prior-auth'
            and cases.state in ('open', 'ended') and cases.sent_at is not null
            and greatest(cases.sent_at, cases.ended_at) > ${now()} - make_interval(days => ${days})
          order by cases.sent_at desc limit ${mostCases}`.execute(db),
      );
      return rows.map((row): TrendCase => {
        const { payer } = seals.open(row.sealed, `worklist|${row.id}`) as WorklistLine;
        return {
          sentAt: iso(row.sent_at),
          waits: row.waits,
          isFirst: row.first,
          ...(row.ended_at === null ? {} : { endedAt: iso(row.ended_at) }),
          ...(row.typed === null ? {} : { typed: row.typed }),
          ...(payer === undefined ? {} : { payer }),
        };
      });
    },
  };
}
