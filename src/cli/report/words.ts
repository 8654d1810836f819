import type { CountedFact } from '../../batch/report/order-facts.ts';
import type { OrderState } from '../../batch/report/order-outcome.ts';
import type { RunReport } from '../../batch/report/report.ts';
import { counted } from '../../core/counted.ts';

export const frameWords = {
  product: 'Prior authorization',
  patientData: 'Handle this page as patient data.',
  noPatientData: 'This page holds counts and names of fields, and nothing of a patient.',
  more: (rest: number) => `Show ${rest.toLocaleString('en-US')} more`,
  left: (rest: number) => `${rest.toLocaleString('en-US')} more are only in report.json.`,
  share: (count: number, of: number) => `${shareOf(count, of)}%`,
} as const;

/** Whole percent; never 0 for a positive count, nor 100 for less than all. */
function shareOf(count: number, of: number): number {
  if (count === 0 || count === of) return of === 0 ? 0 : (count / of) * 100;
  return Math.min(99, Math.max(1, Math.round((count / of) * 100)));
}

export const stateWords: Readonly<Record<OrderState, string>> = {
  ready: 'Ready',
  incomplete: 'Incomplete',
  not_eligible: 'Not eligible',
  duplicate: 'Duplicate',
  left_out: 'Left out',
  cannot_map: 'Cannot be mapped',
};

export const mapWords = {
  title: (day: string) => `Orders of ${day}`,
  heading: (orders: number, patients: number) =>
    `${counted(orders, 'medication order')} of ${counted(patients, 'patient')}`,
  lead: ({ mapping, day, files }: { readonly mapping: string; readonly day: string; readonly files: number }) =>
    `From ${counted(files, 'file')}, with the mapping ${mapping}, as of ${day}. Nothing was sent.`,
  holds:
    'It names orders and patients by their IDs in the EHR. It has no names, birth dates or other values of patients; ' +
    'the drafts and requests that it links to do.',
  overview: 'Overview',
  overviewPicture: 'Orders by state',
  orders: 'Orders',
  missing: 'What is missing, by field',
  missingLead: 'Incomplete orders that lack the field. One order may lack several.',
  field: 'Field',
  by: { drug: 'By drug', payer: 'By payer', prescriber: 'By prescriber' } satisfies Record<CountedFact, string>,
  fact: { drug: 'Drug', payer: 'Payer', prescriber: 'Prescriber' } satisfies Record<CountedFact, string>,
  byLead: 'Orders that are ready or incomplete. Striped: incomplete.',
  notStated: 'Not stated',
  of: (lacking: number, orders: number) => {
    const incomplete = lacking === 0 ? 'all ready' : `${lacking.toLocaleString('en-US')} incomplete`;
    return `${orders.toLocaleString('en-US')}, ${incomplete}`;
  },
  notEligible: 'Not eligible, and why',
  reason: 'Reason',
  list: 'All orders',
  listLead: (rows: number, orders: number) =>
    rows === orders
      ? 'Incomplete orders come first.'
      : `${rows.toLocaleString('en-US')} of ${orders.toLocaleString('en-US')} are listed: of each state the first ` +
        '1,000, incomplete orders first. report.json has all of them; --report with a .csv file gives a table.',
  lines: (format: 'files' | 'ndjson') =>
    format === 'ndjson' ? 'Requests and drafts are in requests.ndjson and drafts.ndjson, one line for each order.' : '',
  columns: {
    state: 'State',
    order: 'Order',
    patient: 'Patient',
    needed: 'What is missing, or why',
    place: 'Where it was read',
    written: 'Written',
  },
  draft: 'Open draft',
  request: 'Open request',
  filter: { text: 'Find', hint: 'ID, field, reason or file', state: 'State', all: 'All states' },
  shown: 'shown',
  files: 'Files',
  below: (folder: string) => `File names are relative to ${folder}.`,
  unread: 'Files that could not be read in full',
  allFiles: (count: number) => `All ${counted(count, 'file')}`,
} as const;

/** The words that `map` prints at the end of a run. */
export const textWords = {
  head: ({ mapping, now, totals: { files, patients, orders } }: Pick<RunReport, 'mapping' | 'now' | 'totals'>) =>
    `${counted(files, 'file')}, ${counted(patients, 'patient')}, ` +
    `${orders === 0 ? 'no medication orders' : counted(orders, 'medication order')}; ` +
    `mapping ${mapping}, as of ${now.slice(0, 10)}`,
  missing: 'What is missing, by field (number of orders)',
  notEligible: 'Not eligible, and why',
  lists: {
    incomplete: 'Incomplete, and what is missing',
    duplicate: 'Duplicates',
    cannotMap: 'Cannot be mapped',
    unread: 'Could not be read',
    unused: 'Not used',
    ignored: 'Ignored',
    files: 'Files',
  },
  more: (rest: number) => `and ${rest.toLocaleString('en-US')} more: see the report`,
  written: (folder: string, format: 'files' | 'ndjson', totals: RunReport['totals']) =>
    `Written to ${folder}${format === 'ndjson' ? ' as lines' : ''}: ${counted(totals.ready, 'request')}, ` +
    `${counted(totals.incomplete, 'draft')}, report.json`,
} as const;
