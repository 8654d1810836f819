import { randomUUID } from 'node:crypto';
import type { CaseColumns, CaseKeys, CaseTable, CaseWrite, StoredCase } from '../../src/store/types.ts';

type Columns = CaseWrite['columns'];

/** Keys of an order that no other test has. */
export function newKeys(patient = `Patient/${randomUUID()}`): CaseKeys {
  return { patient, order: `MedicationRequest/${randomUUID()}` };
}

export function columnsOf(stored: CaseColumns): Columns {
  const { id: _, site: __, kind: ___, version: ____, createdAt: _____, updatedAt: ______, ...columns } = stored;
  return columns;
}

export const draftColumns: Columns = { state: 'draft', attempt: 0, unwritten: false, waiting: false };

/** Opens a draft for the keys. */
export function openDraft(cases: CaseTable, keys: CaseKeys, write: Partial<CaseWrite> = {}): Promise<StoredCase> {
  return cases.open({ site: 'clinic', kind: 'prior-auth', ...keys }, () => ({
    id: randomUUID(),
    columns: draftColumns,
    keys,
    head: { ...keys, title: 'Adalimumab' },
    draft: { edits: {}, answers: {} },
    events: [{ type: 'draft_opened', actor: 'bridge', facts: {} }],
    ...write,
  }));
}

/** Changes a case by what differs from it. */
export function changed(
  cases: CaseTable,
  id: string,
  keys: CaseKeys,
  write: Partial<Omit<CaseWrite, 'columns'>> & { readonly columns?: Partial<Columns> } = {},
): Promise<StoredCase> {
  return cases.change(id, (current) => ({
    keys,
    head: current.head.value(),
    ...write,
    columns: { ...columnsOf(current), ...write.columns },
  }));
}
