import { auditTablesOf } from '../../src/dev/commands/audit-tables.ts';

/** The rows of the closed lists without those of any site. */
export const auditTables = auditTablesOf({ kind: 'object', entries: [], optional: true });
