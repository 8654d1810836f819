import type { Clock, Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Vault } from '../../base/vault.ts';
import type { Cases } from '../../cases/cases.ts';
import type { Config, Site } from '../../config/config.ts';
import type { CriterionRow } from '../../core/answers/criteria/words.ts';
import type { AnswerKnowledge } from '../../core/answers/knowledge.ts';
import type { MappingsByKind } from '../../core/contract/mappings-by-kind.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { type RoleTables, rolesFor } from '../../core/roles/roles-for.ts';
import type { readChart } from '../../ehr/chart/read-chart.ts';
import type { Smart } from '../../ehr/smart/smart.ts';
import type { Audit, CodeTable, EffortTable, UsedTable, WorklistTable } from '../../store/types.ts';
import type { Patience } from './waits.ts';

/** The mappings that sites may name, base mappings and overlays alike. */
export interface Mappings extends RoleTables, MappingsByKind {
  /** The drug names in the knowledge tables. */
  readonly drugNames: readonly string[];
  /** The knowledge that judges a site's criteria beside the answers sheet. */
  readonly answerKnowledge: AnswerKnowledge;
  /** Payers' criteria, by the id of the site that loaded them. */
  readonly criteria?: Readonly<Record<string, readonly CriterionRow[]>>;
}

/** The table of roles that a site's mappings read, including its overlay. */
export function rolesOfSite({ mappings }: Pick<Deps, 'mappings'>, site: Pick<Site, 'mappings'>): RoleTable {
  return rolesFor(mappings, site.mappings['prior-auth']);
}

/** The dependencies of the pages; passed in by the process (or a test). */
export interface Deps {
  readonly config: Config;
  readonly vault: Vault;
  readonly smart: Smart;
  readonly cases: Cases;
  readonly mappings: Mappings;
  readonly clock: Clock;
  readonly log: Log;
  /** Records every access to a patient's data; without it (some tests) nothing is recorded. */
  readonly audit?: Audit;
  /** Lines of the worklist; without it (some tests) there is none. */
  readonly worklist?: WorklistTable;
  /** The code files that an operator loaded; without them, a search finds the chart's own codes only. */
  readonly codes?: CodeTable;
  /** Diagnoses and pharmacies that a practice used before. */
  readonly used?: UsedTable;
  /** Measures the work on each case; without it (some tests) nothing is measured. */
  readonly effort?: EffortTable;
  readonly metrics?: Pick<Metrics, 'requestEnded' | 'failed' | 'requestSent'>;
  /** Random bytes for session ids; node:crypto by default. */
  readonly random?: (size: number) => Buffer;
  /** How long a browser waits for the EHR before it gets a page that says so. */
  readonly patience?: Patience;
  /** How a chart is read; `readChart` by default. */
  readonly readChart?: typeof readChart;
  /** For the playground: why no rule reads an element, by path (`Patient.communication`). */
  readonly unread?: Readonly<Record<string, string>>;
  /** false while the process drains or its store is away. */
  readonly ready?: () => boolean | Promise<boolean>;
}
