import type { SavedView, StaffMember, WorklistCounts, WorklistRow } from '../../../store/types.ts';
import type { StaffVisit } from './worklist-access.ts';
import type { ListFilter, ListShown } from './worklist-asked.ts';

/** What this person may see of one case. */
export interface Line {
  readonly row: WorklistRow;
  /** The patient's name; absent if this person may not see it. */
  readonly patient?: string;
  readonly drug: string;
  readonly payer?: string;
  readonly prescriberName?: string;
  /** The outcome as text. */
  readonly says?: string;
  readonly needed?: number;
  /** The code of what the chart lacks. */
  readonly lacks?: string;
  /** The name of the assignee, else of the owner. */
  readonly holder?: string;
  readonly isYours: boolean;
  /** true if this person may assign and close the request. */
  readonly acts: boolean;
  /** true if the request waits for this person's signature. */
  readonly signs: boolean;
  /** true if the order has ended in the chart and this person may mark the draft as done. */
  readonly closes: boolean;
  /** true if the request was denied and this person may send it again. */
  readonly sendsAgain: boolean;
  /** The id of the open request that replaces this one. Present only while this line still needs somebody. */
  readonly next?: string;
  /** Who took the request over. */
  readonly takenBy?: string;
}

export interface WorklistView extends StaffVisit {
  readonly asked: ListFilter;
  readonly search: string;
  readonly lines: readonly Line[];
  readonly counts: WorklistCounts;
  readonly takenOver: readonly Line[];
  /** Summary of the practice's recent requests; '' if there are none. */
  readonly work: string;
  /** true if this person may open the practice's trends. */
  readonly hasTrends: boolean;
  readonly next: string | undefined;
  readonly now: Date;
  /** The date at the site, YYYY-MM-DD. */
  readonly today: string;
  /** Names of people by reference. */
  readonly people: Readonly<Record<string, string>>;
  /** The staff to whom requests can be assigned. */
  readonly staffList: readonly StaffMember[];
  readonly views: readonly SavedView[];
  readonly shown: ListShown;
  /** true if charts may be open in this browser. */
  readonly hasCharts: boolean;
}
