import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { changedAt, changedPlace, PlaceStep } from '../../base/change-json.ts';
import { baseFolder, readJsonFile } from '../../base/fixture-chart.ts';
import { type MappingKind, mappingKinds } from '../../core/contract/kinds.ts';
import { BridgeError } from '../../core/errors.ts';
import { asFarAsStated, type CaseExpectation } from '../../core/mapping/compare-case.ts';

const ExpectedGap = z.strictObject({
  target: z.string(),
  severity: z.string(),
  reason: z.string(),
  message: z.string().optional(),
  options: z.unknown().optional(),
});

const StatedResult = z
  .strictObject({
    body: z.unknown().optional(),
    change: z.array(PlaceStep).optional(),
    gaps: z.array(ExpectedGap).optional(),
    sources: z.record(z.string(), z.unknown()).optional(),
  })
  .refine((stated) => Object.keys(stated).length > 0, { error: 'it states nothing' })
  .refine(({ body, change }) => body === undefined || change === undefined, { error: 'body or change' });
export type StatedResult = z.infer<typeof StatedResult>;

/**
 * `expected.json` of a mapping case: the expected result. Only the stated parts are compared:
 *
 * - by kind of request, and for the answers sheet: `body` (or the draft if it is incomplete), or `change`, the steps
 *   that derive it from the expected body of the case whose chart this one changes; `gaps` with target, severity and
 *   reason, and with message and options if stated; `sources` with kind, resource and path of the listed leaves;
 * - `candidates`: the orders that are candidates;
 * - `chart`: the chosen resources by role, and the warnings.
 *
 * @example
 * { "prior-auth": {
 *     "change": [{ "put": "prescription.quantity", "value": 6 }, { "remove": "prescription.days_supply" }],
 *     "gaps": [{ "target": "prescription.days_supply", "severity": "warns", "reason": "missing" }] } }
 */
const StatedFile = z.strictObject({
  'prior-auth': StatedResult.optional(),
  enrollment: StatedResult.optional(),
  'benefit-verification': StatedResult.optional(),
  answers: StatedResult.optional(),
  candidates: z.array(z.unknown()).optional(),
  chart: z.strictObject({ chosen: z.record(z.string(), z.string()), warnings: z.array(z.string()) }).optional(),
});
export type StatedFile = z.infer<typeof StatedFile>;

export interface Expected extends Readonly<Partial<Record<MappingKind, CaseExpectation>>> {
  readonly candidates?: readonly unknown[];
  readonly chart?: { readonly chosen: Readonly<Record<string, string>>; readonly warnings: readonly string[] };
}

/** Returns the parts of the outcome that the case states. */
export function outcomeAsStated(actual: Expected, expected: Expected): Expected {
  const keys = Object.keys(expected) as (keyof Expected)[];
  const parts = keys.map((key) => [
    key,
    isKind(key) ? asFarAsStated(actual[key] ?? {}, expected[key] ?? {}) : actual[key],
  ]);
  return Object.fromEntries(parts);
}

function isKind(key: keyof Expected): key is MappingKind {
  return mappingKinds.some((kind) => kind === key);
}

/** Returns the content of the folder's `expected.json`; empty if there is none. */
export function readStated(folder: string): StatedFile {
  const file = join(folder, 'expected.json');
  if (!existsSync(file)) return {};
  const parsed = StatedFile.safeParse(readJsonFile(file));
  if (parsed.success) return parsed.data;
  throw new BridgeError('input_unreadable', { file, keys: parsed.error.issues.map(({ path }) => path.join('.')) });
}

/**
 * Returns the expectations with complete bodies. Throws `input_unreadable` with the file, and with a place to change
 * that the base's body does not have.
 */
export function readExpected(folder: string): Expected {
  const stated = readStated(folder);
  const results = mappingKinds.flatMap((kind) => {
    const { [kind]: result } = stated;
    return result === undefined ? [] : [[kind, whole(result, kind, folder)] as const];
  });
  const { candidates, chart } = stated;
  return {
    ...Object.fromEntries(results),
    ...(candidates === undefined ? {} : { candidates }),
    ...(chart === undefined ? {} : { chart }),
  };
}

function whole({ change, ...stated }: StatedResult, kind: MappingKind, folder: string): CaseExpectation {
  const body = change === undefined ? {} : { body: changedBody(change, kind, folder, []) };
  // an unknown severity, reason or kind of source fails the comparison
  return { ...body, ...stated } as CaseExpectation;
}

// A case has a base if its chart is a change of another case's chart.
function changedBody(
  change: readonly PlaceStep[],
  kind: MappingKind,
  folder: string,
  above: readonly string[],
): unknown {
  const file = join(folder, 'expected.json');
  const base = baseFolder(folder);
  const stated = base === undefined || above.includes(base) ? undefined : readStated(base)[kind];
  if (base === undefined || (stated?.body ?? stated?.change) === undefined)
    throw new BridgeError('input_unreadable', { file, place: `${kind}.change`, base: basename(base ?? '') });
  const body = stated?.change === undefined ? stated?.body : changedBody(stated.change, kind, base, [...above, folder]);
  return change.reduce((at, step) => {
    const next = changedAt(at, changedPlace(step), step);
    if (next === undefined) throw new BridgeError('input_unreadable', { file, place: `${kind} ${changedPlace(step)}` });
    return next;
  }, body);
}
