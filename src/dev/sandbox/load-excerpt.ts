import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packageRoot } from '../../base/package.ts';
import { icd10cm } from '../../config/code-systems.ts';
import { readIcd10File, yearOf } from '../../config/read-icd10-file.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Store } from '../../store/types.ts';

/** A part of the ICD-10-CM order file of January 2021, for searches in the sandbox. NOTICE states its source. */
export const excerptFile = join(packageRoot, 'src/dev/sandbox/codes/icd10cm-excerpt-2021.txt');

/**
 * Loads the excerpt if no code file is loaded. Returns whether the excerpt is in use: a code that it lacks may still be
 * valid.
 */
export async function loadExcerpt({ codes }: Pick<Store, 'codes'>): Promise<{ readonly codesArePartial: boolean }> {
  const source = basename(excerptFile);
  const current = await codes.current(icd10cm);
  if (current !== undefined) return { codesArePartial: current.source === source };
  const read = readIcd10File(await readFile(excerptFile, 'latin1'));
  if ('problems' in read)
    throw new BridgeError('input_unreadable', { file: excerptFile, line: read.problems[0]?.line ?? 0 });
  await codes.load(icd10cm, { source, year: yearOf(source), codes: read.codes });
  return { codesArePartial: true };
}
