import type { Case } from '../../../cases/case.ts';
import type { QuestionRow } from '../../../core/answers/cells-for.ts';
import type { StaffMember, WorklistRow } from '../../../store/types.ts';
import type { LineRights } from '../../http/rights.ts';
import type { CaseFileName } from '../case/case-files.ts';
import type { Follow } from '../case/follow-links.tsx';
import type { StaffVisit } from './worklist-access.ts';

export interface WorklistCaseView extends StaffVisit {
  readonly row: WorklistRow;
  /** Absent if this person may not see the case. */
  readonly one?: Case;
  readonly staffList?: readonly StaffMember[];
  readonly acts: LineRights;
  /** The files that this person may download. */
  readonly files: readonly CaseFileName[];
  /** Maps the text of a question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  readonly isSaved: boolean;
  readonly follow?: Follow;
  readonly now: Date;
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string;
}
