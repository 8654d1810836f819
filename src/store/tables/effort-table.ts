import { sql } from 'kysely';
import type { Connection } from '../database.ts';
import type { EffortTable, SentSummary } from '../types.ts';

/**
 * After a longer pause between two actions, nobody is assumed to have worked on the case. Reading a page takes less
 * time, and a decision often comes minutes after the request was sent.
 */
const pause = sql.raw(`interval '5 minutes'`);

/** Limits the requests that are counted, so that the summary costs the same in a large practice. */
const mostRequests = 500;

/** Implements `EffortTable`. */
export function createEffortTable({ read, now, schema }: Connection): EffortTable {
  const table = (name: string) => sql.table(`${schema}.${name}`);
  return {
    async note(id, { agoMs = 0, opens = false } = {}) {
      const at = sql`${now()} - ${agoMs} * interval '1 millisecond'`;
      await read((db) =>
        sql`
          insert into ${table('effort')} as effort (case_id, touches, seconds, seen_at)
          select id, 1, 0, ${at} from ${table('cases')}
            where id = ${id} and (state <> 'ended' or not ${opens}::boolean)
          on conflict (case_id) do update set
            touches = effort.touches + (case when excluded.seen_at - effort.seen_at > ${pause} then 1 else 0 end),
            seconds = effort.seconds + (case when excluded.seen_at - effort.seen_at > ${pause} then 0
              else greatest(0, round(extract(epoch from excluded.seen_at - effort.seen_at))) end),
            seen_at = greatest(effort.seen_at, excluded.seen_at)`.execute(db),
      );
    },
    async of(id) {
      return await read((db) =>
        db.selectFrom('effort').select(['touches', 'seconds']).where('case_id', '=', id).executeTakeFirst(),
      );
    },
    async sent(site, days) {
      const { rows } = await read((db) =>
        sql<SentSummary>`
          with sent as (
            select events.facts, effort.touches, effort.seconds
            from ${table('events')} as events
            join ${table('cases')} as cases on cases.id = events.case_id
            left join ${table('effort')} as effort on effort.case_id = events.case_id
            where events.type = 'sent' and events.at > ${now()} - make_interval(days => ${days})
              and cases.site = ${site} and cases.kind = 'prior-auth' and cases.state in ('open', 'ended')
              and events.facts->>'attempt' = cases.attempt::text and events.facts ? 'chart'
            order by events.at desc limit ${mostRequests}
          )
          select count(*)::int as requests,
            coalesce(sum((facts->>'chart')::int), 0)::int as chart,
            coalesce(sum((facts->>'typed')::int), 0)::int as typed,
            coalesce(sum((facts->>'changed')::int), 0)::int as changed,
            coalesce(percentile_disc(0.5) within group (order by seconds), 0)::int as seconds,
            coalesce(percentile_disc(0.5) within group (order by touches), 0)::int as touches
          from sent`.execute(db),
      );
      return rows[0]!;
    },
  };
}
