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
 * Every mapping that a site may use, and the base of its overlays. The package's registry is in `mappings/index.ts`.
 */
export interface Registry extends RoleTables, MappingsByKind {
  /** Names of drugs and their ingredients in the knowledge; they never identify a person. */
  readonly drugNames: readonly string[];
  /** The names of tests, scores and drug classes that a site's criteria may use. */
  readonly answerNames: KnownNames;
  /** The knowledge for judging a site's criteria, in addition to the sheet. */
  readonly answerKnowledge: AnswerKnowledge;
  /** Maps the text of a payer's question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  /** Overlays written in TypeScript, by the name in the sites file. */
  readonly overlays?: Readonly<Record<string, SiteOverlay>>;
  /** Adds the roles that only the answers sheet reads to the roles of a request. */
  readonly withAnswerRoles: (over: RoleTable) => RoleTable;
  /** The roles that read code tables, rebuilt for tables with additional rows. */
  readonly rolesOverTables?: (over: OverTables) => RoleRules;
}
