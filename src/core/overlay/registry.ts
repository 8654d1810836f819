import type { QuestionRow } from '../answers/cells-for.ts';
import type { KnownNames } from '../answers/criteria/read-criteria.ts';
import type { AnswerKnowledge } from '../answers/knowledge.ts';
import type { MappingsByKind } from '../contract/mappings-by-kind.ts';
import type { OverTables } from '../mapping/words/table.ts';
import type { RoleTable } from '../roles/define.ts';
import type { RoleTables } from '../roles/roles-for.ts';
import type { RoleRules } from '../roles/words.ts';
import type { SiteOverlay } from './site-overlay.ts';

/** Every mapping that a site may use, and what its overlays need. The package's registry is in `mappings/index.ts`. */
export interface Registry extends RoleTables, MappingsByKind {
  /** The drug and ingredient names in the knowledge tables. They never identify a person. */
  readonly drugNames: readonly string[];
  readonly answerNames: KnownNames;
  /** The knowledge tables, which criteria need in addition to the sheet. */
  readonly answerKnowledge: AnswerKnowledge;
  /** Maps the text of a payer's question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  /** Overlays written in TypeScript, by their name in the sites file. */
  readonly overlays?: Readonly<Record<string, SiteOverlay>>;
  /** Adds to the roles of a request the roles that only the answers sheet reads. */
  readonly withAnswerRoles: (over: RoleTable) => RoleTable;
  /** Rebuilds the roles that read code tables, for tables with additional rows. */
  readonly rolesOverTables?: (over: OverTables) => RoleRules;
}
