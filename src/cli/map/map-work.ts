import { createHash } from 'node:crypto';
import { BatchEngine } from '../../batch/engine.ts';
import { type Layout, needsChoices } from '../../batch/report/mapped-part.ts';
import type { Only } from '../../batch/report/order-facts.ts';
import type { ThreadWork } from '../../batch/workers.ts';
import type { MappingKind } from '../../core/contract/kinds.ts';
import type { MappingFlags } from '../mapping-options.ts';
import { chooseMapping, momentOf } from '../mappings.ts';
import { answersAlong } from './map-answers.ts';

export interface MapWork {
  readonly options: MappingFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current time in milliseconds. */
  readonly clock: number;
  /** The reference time of the stopped run that this run resumes. */
  readonly before?: string;
  readonly isFast: boolean;
  /** `--answers`: the answers sheet is added to each request. */
  readonly takesAnswers: boolean;
  readonly only: readonly Only[];
  readonly layout: Layout;
}

/** What the distributing thread needs to know about the mapping. */
export interface MapAbout {
  readonly name: string;
  readonly kind: MappingKind;
  /** The reference time, ISO 8601. */
  readonly now: string;
  /** A version that changes with every rule, table and site setting that applies. */
  readonly rules: string;
}

/** Loads the mapping code. Throws config_invalid if the flags name no usable site or mapping. */
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
    choices: needsChoices(layout),
    ...along,
  });
  const rules = createHash('sha256')
    .update(JSON.stringify([version(), site, ...(work.takesAnswers ? ['answers'] : [])]))
    .digest('hex');
  return { engine, layout, about: { name, kind, now: now.toISOString(), rules } };
}
