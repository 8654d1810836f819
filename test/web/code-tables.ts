import { matches } from '../../src/config/code-query.ts';
import { readIcd10File } from '../../src/config/read-icd10-file.ts';
import type { CodeTable, UsedTable } from '../../src/store/types.ts';
import { smallFile } from '../config/order-lines.ts';

/** The small file, searched in memory by the rule that the store searches by. */
export function loadedCodes(): CodeTable {
  const read = readIcd10File(smallFile);
  const codes = 'codes' in read ? read.codes : [];
  const set = { source: 'small.txt', year: '2026', total: 12, billable: 9, loadedAt: '2026-10-01T00:00:00.000Z' };
  return {
    load: async () => set,
    current: async () => set,
    find: async (_, query, limit) => codes.filter((one) => one.billable && matches(one, query)).slice(0, limit),
    named: async (_, wanted) => ({ file: set, codes: codes.filter(({ code }) => wanted.includes(code)) }),
  };
}

export interface UsedInMemory extends UsedTable {
  readonly rows: Map<string, { count: number; content: unknown }>;
}

export function usedInMemory(): UsedInMemory {
  const rows = new Map<string, { count: number; content: unknown }>();
  return {
    rows,
    note: async (site, what, items) => {
      for (const { key, content } of items) {
        const name = `${site}|${what}|${key}`;
        rows.set(name, { count: (rows.get(name)?.count ?? 0) + 1, content });
      }
    },
    most: async (site, what) => [...rows].flatMap(([name, row]) => (name.startsWith(`${site}|${what}|`) ? [row] : [])),
    purge: async () => 0,
  };
}
