import { dispenseUnitTable } from '../../../mappings/tables/dispense-unit.ts';
import { doseFormTable } from '../../../mappings/tables/dose-form.ts';
import { formKinds } from '../../../mappings/tables/form-kinds.ts';
import { genderTable } from '../../../mappings/tables/gender.ts';
import { quantityUnitTable } from '../../../mappings/tables/quantity-unit.ts';
import { routeTable, routeWordTable } from '../../../mappings/tables/route.ts';
import type { Table } from '../../core/mapping/words/rules.ts';
import type { ObjectTree } from '../../core/mapping/words/tree.ts';
import { tablesOf } from '../../core/overlay/table-rows.ts';
import type { AuditTables } from '../kit/audit/derivations.ts';

/** Returns the rows of the closed lists as the audit reads them, including rows added by a site's overlay. */
export function auditTablesOf(tree: ObjectTree): AuditTables {
  const ofSite = tablesOf([tree]);
  const rows = (table: Table) => rowsOf(ofSite.get(table.name) ?? table);
  return {
    gender: rows(genderTable),
    dose_form: rows(doseFormTable),
    form_kind: keysByWords(formKinds),
    route_of_administration: joined(rows(routeTable), rows(routeWordTable)),
    dispense_unit: rows(dispenseUnitTable),
    quantity_unit: rows(quantityUnitTable),
  };
}

type Rows = Readonly<Record<string, readonly string[]>>;

function rowsOf(table: Table): Rows {
  return table.rows as Rows; // the type of a closed list allows missing rows, which are never read
}

function joined(one: Rows, other: Rows): Rows {
  const values = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(values.map((value) => [value, [...(one[value] ?? []), ...(other[value] ?? [])]]));
}

function keysByWords(words: ReadonlyMap<string, string>): Rows {
  const keys: Record<string, string[]> = {};
  for (const [key, said] of words) keys[said] = [...(keys[said] ?? []), key];
  return keys;
}
