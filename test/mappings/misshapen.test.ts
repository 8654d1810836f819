import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Entry } from '../../src/core/fhir/bundle.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { candidateOrders } from '../../src/core/roles/select.ts';
import { chartOfFixture, type Fixture, loadFixture } from '../../src/dev/kit/fixture.ts';

type Path = readonly string[];
const wrong: readonly unknown[] = [null, 'x', 7, [], [null], { coding: {} }];

function* placesOf(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'resourceType') continue;
    yield [...path, key];
    yield* placesOf(inner, [...path, key]);
  }
}

/** The same JSON with something else at one place. */
function changed(value: unknown, [key = '', ...rest]: Path, put: unknown): unknown {
  const inner: unknown = Reflect.get(value as object, key);
  const next = rest.length === 0 ? put : changed(inner, rest, put);
  return Array.isArray(value)
    ? value.with(Number(key), next)
    : Object.assign({ ...(value as object) }, { [key]: next });
}

/**
 * What a program must not do: fail on data. A refusal by name (the order is gone, or is another patient's) is an
 * answer.
 */
async function failureOf(fixture: Fixture): Promise<string | undefined> {
  try {
    const chart = await chartOfFixture(fixture, mappings.roles);
    if (chart === undefined) return undefined;
    runMapping(mappings['prior-auth']['prior-auth']!, chart);
    runMapping(mappings.enrollment.enrollment!, chart);
    return undefined;
  } catch (error) {
    return error instanceof BridgeError && error.code !== 'internal' ? undefined : String(error);
  }
}

test.each(['vendor-oracle-self-pay-by-its-plan-name-is-out', 'story-step-therapy'])(
  '%s with any one element of another form gives a result, never a failure',
  async (name) => {
    const fixture = loadFixture(join(import.meta.dirname, '..', '..', 'fixtures', 'charts', name));
    const order =
      candidateOrders(fixture.entries, {
        roles: mappings.roles,
        now: new Date(fixture.request.now),
        site: fixture.request.site,
      }).find(({ fits }) => fits)?.order ?? '';
    const failures: string[] = [];
    for (const [index, entry] of fixture.entries.entries()) {
      for (const [at, path] of [...placesOf(entry.resource)].entries()) {
        // half of the forms at each place; hundreds of thousands of damaged charts are `npm run proof -- laws
        // random-damage`
        for (const put of wrong.filter((_, which) => (which + at) % 2 === 0)) {
          const resource = changed(entry.resource, path, put) as Entry['resource']; // on purpose no longer of that form
          const failure = await failureOf({
            ...fixture,
            entries: fixture.entries.with(index, { ...entry, resource }),
            request: { ...fixture.request, order },
          });
          if (failure !== undefined)
            failures.push(`${entry.resource.resourceType}.${path.join('.')} = ${JSON.stringify(put)}: ${failure}`);
        }
      }
    }
    expect(failures).toEqual([]);
  },
);
