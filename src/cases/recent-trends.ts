import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/log.ts';
import type { Site } from '../config/config.ts';
import type { Store, TrendCase } from '../store/types.ts';
import { figuresOf, type PayerDays, payersOf, type TrendFigures, type Trends, trendsOf, trendWeeks } from './trends.ts';

/** The metrics of one site over the last 28 days. */
export interface RecentFigures extends TrendFigures {
  readonly site: string;
  readonly payers: readonly PayerDays[];
}

export interface SiteTrends {
  of(site: Site): Promise<Trends>;
  recent(sites: readonly Site[]): Promise<readonly RecentFigures[]>;
}

const recentDays = 28;

/**
 * Trends of sites, read from the store at most once in ten minutes per site, so that neither a page nor a scrape waits
 * for a count.
 */
export function createSiteTrends({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'trends'>;
  readonly clock: Clock;
}): SiteTrends {
  const cases = new LRUCache<string, readonly TrendCase[]>({
    max: 1000,
    ttl: 600_000,
    fetchMethod: (site) => store.trends.since(site, trendWeeks * 7),
  });
  const casesOf = async (site: string) => (await cases.fetch(site)) ?? [];
  return {
    of: async ({ id, timeZone }) => trendsOf(await casesOf(id), { now: clock(), timeZone }),
    recent: async (sites) => await Promise.all(sites.map(async ({ id }) => recentOf(id, await casesOf(id), clock()))),
  };
}

function recentOf(site: string, cases: readonly TrendCase[], now: Date): RecentFigures {
  const from = new Date(now.getTime() - recentDays * 24 * 3_600_000).toISOString();
  const isRecent = (at: string) => at >= from;
  const decided = cases.filter(({ endedAt }) => endedAt !== undefined && isRecent(endedAt));
  return { site, ...figuresOf(cases, isRecent), payers: payersOf(decided) };
}
