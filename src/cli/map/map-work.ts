import { createHash } from 'node:crypto';
import { BatchEngine } from '../../batch/engine.ts';
import { type Layout, tellsChoices } from '../../batch/report/mapped-part.ts';
import type { Only } from '../../batch/report/order-facts.ts';
import type { ThreadWork } from '../../batch/workers.ts';
import type { MappingKind } from '../../core/contract/kinds.ts';
import type { MappingFlags } from '../mapping-options.ts';
import { chooseMapping, momentOf } from '../mappings.ts';
import { answersAlong } from './map-answers.ts';

/** What `map` was asked for, as it is handed to its threads. */
export interface MapWork {
  readonly options: MappingFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds; the present. */
  readonly clock: number;
  /** The moment that a stopped run judged by, which this one goes on with. */
  readonly before?: string;
  readonly isFast: boolean;
  /** `--answers`: the answers sheet goes along with each request. */
  readonly takesAnswers: boolean;
  readonly only: readonly Only[];
  readonly layout: Layout;
}

/** What is mapped with, for the process that only hands out the work. */
export interface MapAbout {
  readonly name: string;
  readonly kind: MappingKind;
  /** The moment that is judged by, ISO 8601. */
  readonly now: string;
  /** Differs where another rule, table or setting of the site is in force. */
  readonly rules: string;
}

/** Loads what maps. Throws config_invalid as `chooseMapping` does. */
export function beginMap(work: MapWork): ThreadWork<MapAbout> {
  const { options, env, clock, before, isFast, only, layout } = work;
  const chosen = chooseMapping(options, { env });
  const { map, reads, roles, site, name, kind, version } = chosen;
  const now = before === undefined ? momentOf(options.now, () => new Date(clock), site) : new Date(before);
  const along = work.takesAnswers ? { along: answersAlong(chosen, now) } : {};
  const engine = new BatchEngine({
    map,
    reads,
    roles,
    site,
    now,
    isFast,
    only,
    choices: tellsChoices(layout),
    ...along,
  });
  const rules = createHash('sha256')
    .update(JSON.stringify([version(), site, ...(work.takesAnswers ? ['answers'] : [])]))
    .digest('hex');
  return { engine, layout, about: { name, kind, now: now.toISOString(), rules } };
}
