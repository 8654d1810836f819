import { join } from 'node:path';
import { mappings } from '../../mappings/index.ts';
import { canonicalSystem } from '../../src/core/fhir/codes/systems.ts';
import { type Fixture, listFixtures, loadFixture, runFixture } from '../../src/dev/kit/fixture.ts';
import { spellingsOf } from '../support/spellings.ts';
import { random } from './generator.ts';
import type { Broken, Extent, LongLaw } from './long-law.ts';

/**
 * Every mapping case with every code system respelled in one of the ways that charts have: each request, gap, choice,
 * warning and suggestion stays the same to the letter. Half of the charts are mapped for a site that takes what is
 * suggested as evidence.
 */
export const spellingLaw: LongLaw = {
  usual: 10_000,
  async run({ count, seed }: Extent) {
    const next = random(seed);
    const broken: Broken[] = [];
    const cases = listFixtures(join(import.meta.dirname, '..', '..', 'fixtures', 'charts')).map(loadFixture);
    const expected = new Map<Fixture, string>();
    const variants = cases.flatMap((fixture) => [fixture, takingSuggested(fixture)]);
    for (let charts = 0; charts < count; charts += 1) {
      const fixture = variants[next(variants.length)]!;
      if (!expected.has(fixture)) expected.set(fixture, await outcomeOf(fixture));
      const respelled = respell(fixture, next);
      if ((await outcomeOf(respelled)) !== expected.get(fixture))
        broken.push({ kind: fixture.name, example: JSON.stringify(respelled.entries.map(({ resource }) => resource)) });
    }
    return { charts: count, broken };
  },
};

function takingSuggested(fixture: Fixture): Fixture {
  const { request } = fixture;
  return { ...fixture, request: { ...request, site: { ...request.site, evidence: 'suggested' } } };
}

async function outcomeOf(fixture: Fixture): Promise<string> {
  const { actual } = await runFixture(fixture, mappings);
  // where a value comes from says how the chart writes its system
  return JSON.stringify(actual, (key, value) => (key === 'sources' ? undefined : value));
}

function respell(fixture: Fixture, next: (limit: number) => number): Fixture {
  const entries = fixture.entries.map((entry) => ({ ...entry, resource: structuredClone(entry.resource) }));
  for (const { resource } of entries) respellIn(resource, next);
  return { ...fixture, entries };
}

function respellIn(value: unknown, next: (limit: number) => number): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const ways = key === 'system' && typeof inner === 'string' ? spellingsOf(canonicalSystem(inner)) : [];
    if (ways.length > 0) Reflect.set(value, key, ways[next(ways.length)]);
    else respellIn(inner, next);
  }
}
