import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { disclaimers, icd10cm } from '../config/code-systems.ts';
import { type OrderFile, readIcd10File, yearOf } from '../config/read-icd10-file.ts';
import { BridgeError } from '../core/errors.ts';
import type { CodeSet } from '../store/types.ts';
import { exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';
import { storeHelp, withStore } from './store.ts';

const help = `
Staff search diagnoses by code or by words in the yearly ICD-10-CM file. It does not come with the bridge: CMS publishes
it for October 1, with an update in April, as "ICD-10-CM order file" (icd10cm_order_<year>.txt). A file that is loaded
takes the place of the one before; whoever searches meanwhile sees the old one. Without a file the search knows the
codes of the chart, the codes that the practice used before, and those of the site's own ConceptMaps.

${disclaimers[icd10cm]}
${storeHelp}

Examples
  prior-auth-bridge codes load icd10cm_order_2027.txt
  prior-auth-bridge codes show`;

// The ICD-10-CM order file of 2026 has about 14 MB.
const largestBytes = 100_000_000;

export const addCodes: AddCommand = (program, io, end) => {
  const codes = program
    .command('codes')
    .description('Load the yearly file of diagnosis codes that staff search in.')
    .addHelpText('after', help);
  codes
    .command('load')
    .description('Load an ICD-10-CM order file, in the place of the one before.')
    .argument('<file>', 'icd10cm_order_<year>.txt')
    .action(async (path: string) => {
      const file = await readCodes(path);
      const source = basename(path);
      const set = await withStore(io, (store) =>
        store.codes.load(icd10cm, { source, year: yearOf(source), codes: file.codes }),
      );
      printCodeSet(io, set);
      end(exit.ok);
    });
  codes
    .command('show')
    .description('Say which file is loaded.')
    .action(async () => {
      const set = await withStore(io, (store) => store.codes.current(icd10cm));
      if (set === undefined) io.stdout.write('no ICD-10-CM file is loaded\n');
      else printCodeSet(io, set);
      end(exit.ok);
    });
};

async function readCodes(path: string): Promise<OrderFile> {
  const file = readIcd10File(await readText(path));
  if ('codes' in file) return file;
  const problems = file.problems.map(({ line, reason }) => `line ${line}: ${reason}`);
  throw new BridgeError(
    'input_unreadable',
    { file: path, problems },
    { next: 'Take the ICD-10-CM order file (icd10cm_order_<year>.txt) as CMS publishes it.' },
  );
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > largestBytes)
      throw new BridgeError('input_unreadable', { file: path, reason: 'it is larger than 100 MB' });
    return bytes.toString('utf8');
  } catch (cause) {
    if (cause instanceof BridgeError) throw cause;
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new BridgeError('input_unreadable', { file: path, reason }, { cause });
  }
}

function printCodeSet(io: Io, { source, year, total, billable, loadedAt }: CodeSet): void {
  const name = year === undefined ? 'ICD-10-CM' : `ICD-10-CM ${year}`;
  io.stdout.write(`${name} from ${source}: ${billable} codes, ${total - billable} categories, loaded ${loadedAt}\n`);
  io.stdout.write(`${disclaimers[icd10cm]}\n`);
}
