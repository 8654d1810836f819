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
  /** The drug names in the knowledge tables. */
  readonly drugNames: readonly string[];
  /** The knowledge for judging a site's criteria, apart from the answers sheet. */
  readonly answerKnowledge: AnswerKnowledge;
  /** Maps the text of a payer's question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  /** The payers' criteria that each site has loaded, by site id. */
  readonly criteria?: Readonly<Record<string, readonly CriterionRow[]>>;
}

/** The role table of a site, including the additions of its overlay. */
export function rolesOfSite({ mappings }: Pick<Deps, 'mappings'>, site: Pick<Site, 'mappings'>): RoleTable {
  return rolesFor(mappings, site.mappings['prior-auth']);
}

export interface Deps {
  readonly config: Config;
  readonly vault: Vault;
  readonly smart: Smart;
  readonly cases: Cases;
  readonly mappings: Mappings;
  readonly clock: Clock;
  readonly log: Log;
  /** Records every access to a patient's data; without it (some tests) accesses are not recorded. */
  readonly audit?: Audit;
  /** Lines of the worklist; without it (some tests) there is no worklist. */
  readonly worklist?: WorklistTable;
  /** The code files that an operator loaded; without them, code search finds only the chart's own codes. */
  readonly codes?: CodeTable;
  /** Saved worklist views; without it (some tests) there are none. */
  readonly views?: ViewTable;
  /** Trends of the sites' requests in the last weeks; without it (some tests) none are shown. */
  readonly trends?: SiteTrends;
  /** Values from a practice's earlier requests, for searches and suggestions. */
  readonly used?: UsedTable;
  /** Records people's work on each case; without it (some tests) nothing is recorded. */
  readonly effort?: EffortTable;
  readonly metrics?: Pick<Metrics, 'requestEnded' | 'failed' | 'requestSent'>;
  /** Random bytes for session ids; node:crypto by default. */
  readonly random?: (size: number) => Buffer;
  /** How long a browser waits for the EHR before it gets a waiting page. */
  readonly patience?: Patience;
  /** How a chart is read; `readChart` by default. */
  readonly readChart?: typeof readChart;
  /** Why no rule reads certain elements of a chart, by path (`Patient.communication`); shown in the playground. */
  readonly unread?: Readonly<Record<string, string>>;
  /** Maps typed text to the service's closed lists; without it the text stays as typed. */
  readonly typedWord?: TypedWord;
  /** true while the loaded code file is incomplete, so that an unknown code is not reported as a mistake. */
  readonly codesArePartial?: boolean | undefined;
  /** false while the process drains or its store is unavailable. */
  readonly ready?: () => boolean | Promise<boolean>;
}
