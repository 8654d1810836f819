import type { SavedView, StaffMember, WorklistCounts, WorklistRow } from '../../../store/types.ts';
import type { StaffVisit } from './worklist-access.ts';
import type { ListFilter, ListShown } from './worklist-asked.ts';

/** The parts of one case that this person may see. */
export interface Line {
  readonly row: WorklistRow;
  /** Absent when the chart is restricted for this person. */
  readonly patient?: string;
  readonly drug: string;
  readonly payer?: string;
  readonly prescriberName?: string;
  /** The outcome in words. */
  readonly says?: string;
  /** The number of answers that a draft needs. */
  readonly needed?: number;
  /** What the chart lacks. */
  readonly lacks?: string;
  /** Name of the assignee, else of the owner. */
  readonly holder?: string;
  readonly isYours: boolean;
  /** Whether this person may assign and close it. */
  readonly acts: boolean;
  /** It waits for this person's signature. */
  readonly signs: boolean;
  /** The chart has ended its order: this person may mark the draft as done. */
  readonly closes: boolean;
  /** The denied request may be sent again by this person. */
  readonly sendsAgain: boolean;
  /** The open new request in place of this one, which still needs somebody. */
  readonly next?: string;
  /** Who took it over. */
  readonly takenBy?: string;
}

export interface WorklistView extends StaffVisit {
  readonly asked: ListFilter;
  readonly search: string;
  readonly lines: readonly Line[];
  readonly counts: WorklistCounts;
  readonly takenOver: readonly Line[];
  /** Summary of the practice's recent requests; empty if unknown. */
  readonly work: string;
  /** Whether this person may open the practice's trends. */
  readonly hasTrends: boolean;
  readonly next: string | undefined;
  readonly now: Date;
  /** YYYY-MM-DD at the site. */
  readonly today: string;
  /** Names by reference, as in the lines. */
  readonly people: Readonly<Record<string, string>>;
  /** The staff to whom requests can be assigned. */
  readonly staffList: readonly StaffMember[];
  /** The views that this person saved. */
  readonly views: readonly SavedView[];
  readonly shown: ListShown;
  /** Whether charts may be open in this browser. */
  readonly hasCharts: boolean;
}
