import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { readFixtureChart } from '../../../base/fixture-chart.ts';
import type { Story } from './stories.ts';

/**
 * Returns the folder of package.json. Compiled files are in deeper folders than sources, but fixtures and assets are
 * not.
 */
export function sandboxRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('no package.json above the sandbox');
    folder = parent;
  }
  return folder;
}

/** Reads the chart of a story from fixtures/charts. */
export function storyBundle(story: Story): Bundle<FhirResource> {
  const chart = readFixtureChart(join(sandboxRoot(), 'fixtures', 'charts', story.folder));
  return chart as Bundle<FhirResource>; // the sandbox's store checks each resource
}
