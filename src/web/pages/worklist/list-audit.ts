import type { Deps } from '../../http/deps.ts';
import type { Line } from './view.ts';
import type { StaffVisit } from './worklist-access.ts';

const perEntry = 100;

/** Records the cases before they are shown; if one cannot be recorded, nothing is shown. */
export async function recordLines(
  { audit }: Deps,
  { staff }: StaffVisit,
  action: string,
  lines: readonly Line[],
  facts: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const who = { site: staff.site.id, actor: staff.fhirUser, launch: staff.id };
  for (let from = 0; from === 0 || from < lines.length; from += perEntry) {
    const shown = lines.slice(from, from + perEntry);
    const cases = shown.map(({ row }) => row.case).join(' ');
    await audit?.record({ ...who, action, facts: { ...facts, rows: shown.length, cases } });
  }
}
