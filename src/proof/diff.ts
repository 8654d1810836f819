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
 * What differs, in the order of the expected value, then what was not expected. A key that is undefined counts as
 * absent.
 */
export function diffJson(expected: unknown, actual: unknown, path = ''): Difference[] {
  if (expected === undefined && actual === undefined) return [];
  if (expected === undefined) return [{ path, kind: 'unexpected', actual }];
  if (actual === undefined) return [{ path, kind: 'missing', expected }];
  if (Array.isArray(expected) && Array.isArray(actual)) return diffLists(expected, actual, path);
  if (isObject(expected) && isObject(actual)) return diffObjects(expected, actual, path);
  return Object.is(expected, actual) ? [] : [{ path, kind: 'changed', expected, actual }];
}

/** The differences as lines: `-` expected, `+` found. */
export function formatDiff(differences: readonly Difference[]): string {
  return differences.map(formatDifference).join('\n');
}

function formatDifference({ path, expected, actual, kind }: Difference): string {
  const name = path === '' ? '(the whole)' : path;
  const [minus, plus] = [`    - ${JSON.stringify(expected)}`, `    + ${JSON.stringify(actual)}`];
  if (kind === 'missing') return `  ${name} is missing\n${minus}`;
  return kind === 'unexpected' ? `  ${name} is not expected\n${plus}` : `  ${name} differs\n${minus}\n${plus}`;
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
