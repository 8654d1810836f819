import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leftOut } from './folders.ts';
import { at, below, type Node, parse } from './syntax.ts';

export const root = join(import.meta.dirname, '../..');

export interface Concerned {
  readonly test: string;
  /** How many imports lie between the test and the file. */
  readonly steps: number;
}

/** Source files below a folder, by their paths from the root. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .toSorted();
}

/**
 * The tests of the suite that reach a file by their imports, among those whose path begins with one of these; where
 * none of them does, the few of the whole suite that are nearest.
 */
export function testsOf(file: string, paths: readonly string[]): readonly Concerned[] {
  const reached = suite()
    .map((test) => ({ test, steps: stepsFrom(test).get(file) ?? Number.POSITIVE_INFINITY }))
    .filter(({ steps }) => Number.isFinite(steps))
    .toSorted((one, other) => one.steps - other.steps);
  const listed = reached.filter(({ test }) => paths.some((path) => test.startsWith(path)));
  return listed.length > 0 ? listed : reached.slice(0, 5);
}

function suite(): readonly string[] {
  tests ??= filesIn('test')
    .filter((file) => /(?<!\.long)\.test\.tsx?$/.test(file) && !file.startsWith('test/e2e/'))
    .filter((file) => !leftOut.paths.some((path) => file.startsWith(path)));
  return tests;
}
let tests: readonly string[] | undefined;

function stepsFrom(start: string): ReadonlyMap<string, number> {
  const known = reach.get(start);
  if (known !== undefined) return known;
  const steps = new Map([[start, 0]]);
  for (const [file, so] of steps)
    for (const target of importsOf(file)) if (!steps.has(target)) steps.set(target, so + 1);
  reach.set(start, steps);
  return steps;
}
const reach = new Map<string, ReadonlyMap<string, number>>();

function importsOf(file: string): readonly string[] {
  const known = imports.get(file);
  if (known !== undefined) return known;
  const found = isSource(file) ? importsIn(parse(readFileSync(join(root, file), 'utf8'), file)) : [];
  const own = found.filter((target) => target.startsWith('.')).map((target) => join(file, '..', target));
  imports.set(file, own);
  return own;
}
const imports = new Map<string, readonly string[]>();

function isSource(name: string): boolean {
  return /\.tsx?$/.test(name) && !/\.(generated|d)\.ts$/.test(name);
}

function importsIn(node: Node): readonly string[] {
  const source = node.importKind === 'type' || node.exportKind === 'type' ? undefined : at(node, 'source')?.value;
  return [...(typeof source === 'string' ? [source] : []), ...below(node).flatMap(importsIn)];
}
