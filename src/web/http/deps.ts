import type { Clock, Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Vault } from '../../base/vault.ts';
import type { Cases } from '../../cases/cases.ts';
import type { SiteTrends } from '../../cases/recent-trends.ts';
import type { Config, Site } from '../../config/config.ts';
import type { QuestionRow } from '../../core/answers/cells-for.ts';
import type { CriterionRow } from '../../core/answers/criteria/words.ts';
import type { AnswerKnowledge } from '../../core/answers/knowledge.ts';
import type { MappingsByKind } from '../../core/contract/mappings-by-kind.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { type RoleTables, rolesFor } from '../../core/roles/roles-for.ts';
import type { readChart } from '../../ehr/chart/read-chart.ts';
import type { Smart } from '../../ehr/smart/smart.ts';
import type { Audit, CodeTable, EffortTable, UsedTable, ViewTable, WorklistTable } from '../../store/types.ts';
import type { TypedWord } from '../request/typed/listed-word.ts';
import type { Patience } from './waits.ts';

/** The mappings that sites may name, base mappings and overlays alike. */
export interface Mappings extends RoleTables, MappingsByKind {
  /** Names of drugs that the knowledge has. */
  readonly drugNames: readonly string[];
  /** What a site's criteria are judged by besides the answers sheet. */
  readonly answerKnowledge: AnswerKnowledge;
  /** From the text of a payer's question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  /** The criteria of payers that each site has read, by the site's id. */
  readonly criteria?: Readonly<Record<string, readonly CriterionRow[]>>;
}

/** The table of roles that a site's mappings read: with what its overlay adds. */
export function rolesOfSite({ mappings }: Pick<Deps, 'mappings'>, site: Pick<Site, 'mappings'>): RoleTable {
  return rolesFor(mappings, site.mappings['prior-auth']);
}

/** All that the pages stand on; handed in by the process (or a test). */
export interface Deps {
  readonly config: Config;
  readonly vault: Vault;
  readonly smart: Smart;
  readonly cases: Cases;
  readonly mappings: Mappings;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of every access to a patient's data; without one (some tests) nobody is told. */
  readonly audit?: Audit;
  /** Lines of the worklist; without it (some tests) there is none. */
  readonly worklist?: WorklistTable;
  /** The code files that an operator loaded; without them the chart's own codes are found. */
  readonly codes?: CodeTable;
  /** Views of the worklist that people keep; without it (some tests) there are none. */
  readonly views?: ViewTable;
  /** What the sites' requests did in the last weeks; without it (some tests) nobody is shown it. */
  readonly trends?: SiteTrends;
  /** What a practice used before. */
  readonly used?: UsedTable;
  /** Told of the work on each case; without it (some tests) nobody measures it. */
  readonly effort?: EffortTable;
  readonly metrics?: Pick<Metrics, 'requestEnded' | 'failed' | 'requestSent'>;
  /** Random bytes for session ids; node:crypto by default. */
  readonly random?: (size: number) => Buffer;
  /** How long a browser waits for the EHR before a page tells so. */
  readonly patience?: Patience;
  /** How a chart is read; `readChart` by default. */
  readonly readChart?: typeof readChart;
  /** Why elements of a chart are read by no rule, by path (`Patient.communication`); the playground says it. */
  readonly unread?: Readonly<Record<string, string>>;
  /** What a typed word is in the service's closed lists; without it a text stays as it was typed. */
  readonly typedWord?: TypedWord;
  /** true while the loaded code file is a part of one: a code that it lacks is no mistake. */
  readonly codesArePartial?: boolean | undefined;
  /** false while the process drains or its store is away. */
  readonly ready?: () => boolean | Promise<boolean>;
}
