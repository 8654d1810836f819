import { isObject } from '../fhir/is-object.ts';

/**
 * One difference between two JSON values, by path (`prescription.quantity`, `diagnoses[0].code`); the empty path is the
 * whole.
 */
export interface Difference {
  readonly path: string;
  readonly kind: 'missing' | 'unexpected' | 'changed';
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/**
 * The differences in the order of the expected value, then the unexpected values. An undefined key counts as absent.
 */
export function diffJson(expected: unknown, actual: unknown, path = ''): Difference[] {
  if (expected === undefined && actual === undefined) return [];
  if (expected === undefined) return [{ path, kind: 'unexpected', actual }];
  if (actual === undefined) return [{ path, kind: 'missing', expected }];
  if (Array.isArray(expected) && Array.isArray(actual)) return diffLists(expected, actual, path);
  if (isObject(expected) && isObject(actual)) return diffObjects(expected, actual, path);
  return Object.is(expected, actual) ? [] : [{ path, kind: 'changed', expected, actual }];
}

/** The words for the two sides, and for a value that only one of them has. */
export interface DiffWords {
  readonly before: string;
  readonly after: string;
  /** `none`: for a value that only the second side has. `gone`: for a value that only the first side has. */
  readonly none: string;
  readonly gone: string;
}

const expectedWords: DiffWords = { before: 'expected', after: 'found', none: 'is not expected', gone: 'is missing' };

/** The differences as lines: the path, then `- expected`, `+ found`. */
export function formatDiff(differences: readonly Difference[], words: DiffWords = expectedWords): string {
  return differences.flatMap((difference) => linesOf(difference, words)).join('\n');
}

function linesOf({ path, kind, expected, actual }: Difference, { before, after, none, gone }: DiffWords): string[] {
  const what = { missing: gone, unexpected: none, changed: 'differs' }[kind];
  const minus = kind === 'unexpected' ? [] : [`    - ${before} ${JSON.stringify(expected)}`];
  const plus = kind === 'missing' ? [] : [`    + ${after} ${JSON.stringify(actual)}`];
  return [`  ${path === '' ? '(the whole)' : path} ${what}`, ...minus, ...plus];
}

function diffLists(expected: readonly unknown[], actual: readonly unknown[], path: string): Difference[] {
  const length = Math.max(expected.length, actual.length);
  return Array.from({ length }, (_, index) => diffJson(expected[index], actual[index], `${path}[${index}]`)).flat();
}

function diffObjects(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  path: string,
): Difference[] {
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) =>
    diffJson(own(expected, key), own(actual, key), path === '' ? key : `${path}.${key}`),
  );
}

function own(holder: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}
