import { maySign } from '../../../cases/signature.ts';
import type { WorklistRow, WorklistTable } from '../../../store/types.ts';
import { actsOnLine, isManager, seesName } from '../../http/rights.ts';
import type { Line } from './view.ts';
import { waitsToSign, worklistWords as words } from './words.ts';
import type { StaffVisit } from './worklist-access.ts';

export function lineOf(worklist: WorklistTable, { staff }: StaffVisit, row: WorklistRow): Line {
  const line = row.line.value();
  const holder = row.assigned ?? row.owner;
  const nameOf = (person: string | undefined) =>
    person === undefined ? undefined : (line.people[person] ?? words.colleague);
  const { prescriberName, payer } = line;
  const [says, needed, lacks, takenBy] = [line.says, line.needed, line.lacks, nameOf(line.takenBy)];
  return {
    row,
    drug: line.drug,
    isYours: holder === staff.fhirUser,
    acts: actsOnLine(worklist, staff, row),
    signs: waitsToSign(row) && maySign(staff.site, row, staff),
    closes: row.waits === 'order_ended' && row.part === 'needs' && actsOnLine(worklist, staff, row),
    sendsAgain:
      row.waits === 'denied' &&
      row.part === 'needs' &&
      row.next === undefined &&
      actsOnLine(worklist, staff, row) &&
      !isManager(staff),
    ...(row.next === undefined || row.part !== 'needs' ? {} : { next: row.next }),
    ...(seesName(worklist, staff, row) ? { patient: line.patient } : {}),
    ...(holder === undefined ? {} : { holder: nameOf(holder) ?? words.colleague }),
    ...(says === undefined ? {} : { says }),
    ...(prescriberName === undefined ? {} : { prescriberName }),
    ...(payer === undefined ? {} : { payer }),
    ...(needed === undefined ? {} : { needed }),
    ...(lacks === undefined ? {} : { lacks }),
    ...(takenBy === undefined ? {} : { takenBy }),
  };
}
