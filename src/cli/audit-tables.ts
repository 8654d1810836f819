import { dispenseUnitTable } from '../../mappings/tables/dispense-unit.ts';
import { doseFormTable } from '../../mappings/tables/dose-form.ts';
import { genderTable } from '../../mappings/tables/gender.ts';
import { routeTable, routeWordTable } from '../../mappings/tables/route.ts';
import type { Table } from '../mapping/words/rules.ts';
import type { AuditTables } from '../proof/audit/derivations.ts';

/** The rows of the closed lists, as the audit reads them. */
export const auditTables: AuditTables = {
  gender: rowsOf(genderTable),
  dose_form: rowsOf(doseFormTable),
  route_of_administration: joined(rowsOf(routeTable), rowsOf(routeWordTable)),
  dispense_unit: rowsOf(dispenseUnitTable),
};

type Rows = Readonly<Record<string, readonly string[]>>;

function rowsOf(table: Table): Rows {
  return table.rows as Rows; // a row of a closed list may be absent, and absent rows are not read
}

function joined(one: Rows, other: Rows): Rows {
  const values = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(values.map((value) => [value, [...(one[value] ?? []), ...(other[value] ?? [])]]));
}
