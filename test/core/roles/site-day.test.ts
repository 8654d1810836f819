import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { chartOfFixture, type Fixture, loadFixture } from '../../../src/dev/kit/fixture.ts';

const story = loadFixture(join(import.meta.dirname, '../../../fixtures/charts/story-complete'));

/**
 * The story with every coverage ending on November 20, seen at 03:00 UTC on the 21st: 22:00 on the 20th in New York.
 */
function lastEvening(timeZone: string): Fixture {
  const entries = story.entries.map(({ resource, ...entry }) => ({
    ...entry,
    resource: resource.resourceType === 'Coverage' ? { ...resource, period: { end: '2026-11-20' } } : resource,
  }));
  return {
    ...story,
    entries,
    request: { ...story.request, now: '2026-11-21T03:00:00Z', site: { ...story.request.site, timeZone } },
  };
}

test('V13: whether a coverage is in force is decided by the calendar of the site', async () => {
  const inNewYork = await chartOfFixture(lastEvening('America/New_York'), mappings.roles);
  const inLondon = await chartOfFixture(lastEvening('Europe/London'), mappings.roles);
  expect(inNewYork?.root('coverage').nodes).toHaveLength(1);
  expect(inLondon?.root('coverage').nodes).toHaveLength(0);
});
