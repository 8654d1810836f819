import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './concern.ts';
import { changed, type Mutant } from './mutant.ts';

/**
 * The changes that the type check refuses: they reach no test, let alone a build. Changes of different lines are
 * checked at once, in a copy of the sources.
 */
export function refusedByTypes<One extends Mutant>(mutants: readonly One[]): ReadonlySet<One> {
  const refused = new Set<One>();
  let left = mutants;
  while (left.length > 0) {
    const now = onePerFile(left);
    for (const mutant of check(now)) refused.add(mutant);
    left = left.filter((mutant) => !now.includes(mutant));
  }
  return refused;
}

function onePerFile<One extends Mutant>(mutants: readonly One[]): readonly One[] {
  return [...Map.groupBy(mutants, ({ file }) => file).values()].flatMap(([first]) => first ?? []);
}

function check<One extends Mutant>(mutants: readonly One[]): readonly One[] {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-types-'));
  try {
    for (const name of ['src', 'mappings', 'tsconfig.json', 'package.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const mutant of mutants)
      writeFileSync(join(folder, mutant.file), changed(readFileSync(join(root, mutant.file), 'utf8'), mutant));
    const config = { extends: './tsconfig.json', include: ['src', 'mappings'], compilerOptions: unusedIsNoError };
    writeFileSync(join(folder, 'tsconfig.mutants.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '--pretty', 'false', '-p', join(folder, 'tsconfig.mutants.json')];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return mutants.filter(({ file }) => stdout.includes(`${file}(`));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

// A change may leave an import without use: that changes nothing that runs.
const unusedIsNoError = { noUnusedLocals: false, noUnusedParameters: false };
