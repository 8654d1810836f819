import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { auditAction } from '../cases/audit/actions.ts';
import { auditEventOf } from '../cases/audit/fhir.ts';
import type { AuditCheck, AuditFilter, AuditRow } from '../store/types.ts';
import { exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';
import { patientArgument, storeHelp, withStore } from './store.ts';

interface FilterOptions {
  readonly site?: string;
  readonly patient?: string;
  readonly since?: string;
  readonly until?: string;
}

const help = `
Every row says when, who, what kind of access, whose data (by a mark, never a name), to whom it was disclosed and how
it ended. Each site has a chain of its own: a row's hash covers the row and the one before, under a key that the
database does not hold in the clear. verify goes through all chains from where retention has left a checkpoint, and
prints the last hash of each: kept elsewhere, it also shows when the end of a chain was cut off later.
${storeHelp}

Examples
  prior-auth-bridge audit list --patient Patient/123 --site valley
  prior-auth-bridge audit verify
  prior-auth-bridge audit export --since 2026-01-01 > audit.ndjson      FHIR R4 AuditEvent, one a line`;

export const addAudit: AddCommand = (program, io, end) => {
  const audit = program.command('audit').description('Read the audit trail.').addHelpText('after', help);
  const filtered = (name: string, description: string) =>
    audit
      .command(name)
      .description(description)
      .option('--site <id>', 'of this site alone')
      .option('--patient <reference>', 'of this patient at the site: Patient/123, or the id alone', patientArgument)
      .option('--since <time>', 'from this time on, ISO 8601', checkTime)
      .option('--until <time>', 'before this time, ISO 8601', checkTime);
  filtered('list', 'One line a row.').action(async (options: FilterOptions) => {
    await print(io, options, lineOf);
    end(exit.ok);
  });
  filtered('export', 'FHIR R4 AuditEvent, one a line (NDJSON).').action(async (options: FilterOptions) => {
    await print(io, options, (row) => JSON.stringify(auditEventOf(row)), 'exported');
    end(exit.ok);
  });
  audit
    .command('verify')
    .description('Check that no row was changed, added or taken out.')
    .action(async () => {
      const checks = await withStore(io, (store) => store.audit.verify());
      for (const check of checks) io.stdout.write(`${checkText(check)}\n`);
      end(checks.some(({ faults }) => faults.length > 0) ? exit.incomplete : exit.ok);
    });
};

async function print(
  io: Io,
  options: FilterOptions,
  text: (row: AuditRow) => string,
  action?: 'exported',
): Promise<void> {
  const { site, patient, since, until } = options;
  const filter: AuditFilter = {
    ...(site === undefined ? {} : { site }),
    ...(patient === undefined ? {} : { patient }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
  await withStore(io, async (store) => {
    let rows = 0;
    for await (const row of store.audit.rows(filter)) {
      io.stdout.write(`${text(row)}\n`);
      rows += 1;
    }
    if (action !== undefined)
      await store.audit.record({ site: site ?? '', action, actor: 'operator', facts: { rows } });
  });
}

const Time = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

function checkTime(text: string): string {
  if (!Time.safeParse(text).success)
    throw new InvalidArgumentError('It is not a time of ISO 8601, such as 2026-01-31 or 2026-01-31T14:00:00Z.');
  return new Date(text).toISOString();
}

function lineOf(row: AuditRow): string {
  const facts = Object.entries(row.facts ?? {}).map(([name, value]) => `${name}=${value}`);
  const recipient = row.recipient ?? auditAction(row.action).recipient;
  return [
    row.at,
    row.site === '' ? '-' : row.site,
    row.seq,
    row.actor,
    row.action,
    row.outcome,
    row.patientMark ?? '-',
    row.caseId ?? '-',
    ...(recipient === undefined ? [] : [`to: ${recipient}`]),
    ...facts,
  ].join('  ');
}

function checkText({ site, first, last, hash, faults }: AuditCheck): string {
  const name = site === '' ? 'the whole store' : site;
  const range = last < first ? 'no rows' : `rows ${first} to ${last}, last hash ${hash}`;
  if (faults.length === 0) return `${name}: ${range}: whole`;
  return [`${name}: ${range}`, ...faults.map(({ seq, fault }) => `  row ${seq}: ${faultText[fault]}`)].join('\n');
}

const faultText: Readonly<Record<AuditCheck['faults'][number]['fault'], string>> = {
  changed: 'is not as it was written',
  missing: 'is missing',
  checkpoint: 'the checkpoint of retention is not the bridge’s',
  end: 'is the last one there, but not the last that was written',
};
