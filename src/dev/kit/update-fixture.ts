import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mappingKinds } from '../../core/contract/kinds.ts';
import type { CaseExpectation, ExpectedGap } from '../../core/mapping/compare-case.ts';
import { diffJson } from '../../core/mapping/diff.ts';
import { outcomeAsStated, readExpected, readStated, type StatedResult } from './expected.ts';
import { type CaseOutcome, diffsOf, type Fixture, type FixtureDiff } from './fixture.ts';
import { sortedText, unstated } from './recorded.ts';

/**
 * Writes the outcome to `recorded.json`, and to `expected.json` if the request marks that as recorded too. A result
 * worked out by hand is never overwritten. A file with equal content is not rewritten. `left`: the differences that
 * remain.
 */
export function updateFixture(
  fixture: Fixture,
  actual: CaseOutcome,
): { readonly files: readonly string[]; readonly left: readonly FixtureDiff[] } {
  const { folder, request } = fixture;
  const files: string[] = [];
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    files.push(file);
  };
  if (
    request.expectation === 'recorded' &&
    diffJson(fixture.expected, outcomeAsStated(actual, fixture.expected)).length
  )
    write('expected.json', renewedText(fixture, actual));
  const expected = readExpected(folder);
  const recorded = actual.recorded && unstated(actual.recorded, expected);
  if (recorded !== undefined && diffJson(fixture.recorded, recorded).length > 0)
    write('recorded.json', sortedText(recorded));
  return { files, left: diffsOf({ ...fixture, expected, recorded: recorded ?? fixture.recorded }, actual) };
}

function renewedText({ folder, expected }: Fixture, actual: CaseOutcome): string {
  const stated = readStated(folder);
  const came = outcomeAsStated(actual, expected);
  const results = mappingKinds.flatMap((kind) => {
    const { [kind]: result } = stated;
    const isThere = result !== undefined && actual[kind] !== undefined;
    return isThere ? [[kind, renewed(result, expected[kind] ?? {}, came[kind] ?? {})] as const] : [];
  });
  const { candidates = stated.candidates, chart = stated.chart } = came;
  return `${JSON.stringify({ ...stated, ...Object.fromEntries(results), candidates, chart }, undefined, 2)}\n`;
}

/**
 * A part with equal content keeps its form, so a `change` is not replaced by a `body`. Messages belong to
 * `recorded.json`.
 */
function renewed(
  { body, change, gaps }: StatedResult,
  expected: CaseExpectation,
  came: CaseExpectation,
): Record<keyof StatedResult, unknown> {
  const isSame = (part: keyof CaseExpectation) => diffJson(expected[part], came[part]).length === 0;
  return {
    ...(isSame('body') ? { body, change } : { body: came.body, change: undefined }),
    gaps: isSame('gaps') ? gaps : came.gaps?.map(plain),
    sources: came.sources,
  };
}

function plain({ target, severity, reason }: ExpectedGap): ExpectedGap {
  return { target, severity, reason };
}
