import type { QuestionRow } from '../answers/cells-for.ts';
import type { KnownNames } from '../answers/criteria/read-criteria.ts';
import type { AnswerKnowledge } from '../answers/knowledge.ts';
import type { MappingsByKind } from '../contract/mappings-by-kind.ts';
import type { OverTables } from '../mapping/words/table.ts';
import type { RoleTable } from '../roles/define.ts';
import type { RoleTables } from '../roles/roles-for.ts';
import type { RoleRules } from '../roles/words.ts';
import type { SiteOverlay } from './site-overlay.ts';

/**
 * Every mapping that a site may name, and what overlays are laid over. `mappings/index.ts` has the one of the package.
 */
export interface Registry extends RoleTables, MappingsByKind {
  /** Names of drugs and of what is in them, as the knowledge has them: they name nobody. */
  readonly drugNames: readonly string[];
  /** Tests, scores and classes of drugs, as a site's criteria name them. */
  readonly answerNames: KnownNames;
  /** What a site's criteria are judged by besides the sheet. */
  readonly answerKnowledge: AnswerKnowledge;
  /** From the text of a payer's question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  /** Overlays that are written in TypeScript, by the name that the sites file uses. */
  readonly overlays?: Readonly<Record<string, SiteOverlay>>;
  /** The roles of a request with those that the answers sheet reads besides. */
  readonly withAnswerRoles: (over: RoleTable) => RoleTable;
  /** The roles that read tables of codes, over tables with further rows. */
  readonly rolesOverTables?: (over: OverTables) => RoleRules;
}
