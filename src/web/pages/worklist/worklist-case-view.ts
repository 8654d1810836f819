import type { Case } from '../../../cases/case.ts';
import type { QuestionRow } from '../../../core/answers/cells-for.ts';
import type { StaffMember, WorklistRow } from '../../../store/types.ts';
import type { LineRights } from '../../http/rights.ts';
import type { CaseFileName } from '../case/case-files.ts';
import type { Follow } from '../case/follow-links.tsx';
import type { StaffVisit } from './worklist-access.ts';

/** One line of the worklist, opened. */
export interface WorklistCaseView extends StaffVisit {
  readonly row: WorklistRow;
  /** Absent when the chart is restricted for this person. */
  readonly one?: Case;
  readonly staffList?: readonly StaffMember[];
  readonly acts: LineRights;
  /** The files that this person may download. */
  readonly files: readonly CaseFileName[];
  /** The cells of the answers sheet that answer a question. */
  readonly questions: readonly QuestionRow[];
  readonly isSaved: boolean;
  readonly follow?: Follow;
  readonly now: Date;
  /** YYYY-MM-DD at the site. */
  readonly today: string;
}
