import { join } from 'node:path';
import { readFixtureChart } from '../../src/base/fixture-chart.ts';
import { readExpected } from '../../src/dev/kit/expected.ts';
import { type Draft, openDraft } from './draft.ts';

/**
 * A chart of fixtures/charts that is complete without a question, with what must come out of it: worked out by hand
 * there.
 */
export interface Base {
  readonly name: string;
  readonly order: string;
  readonly body: unknown;
  /** Targets that it is warned about as it is. */
  readonly warned: readonly string[];
  /** A new copy to change. */
  readonly open: () => Draft;
}

/** Folder and the id of its order. */
const folders = {
  'everything-in-the-chart-is-complete': 'm1',
  'medication-referenced-resolves': 'm1',
  'story-card-image': 'card-order',
  'story-complete': 'complete-order',
  'story-medication-contained': 'contained-order',
  'story-no-rxbin': 'norx-order',
  'story-self-reported': 'selfrep-order',
  'story-step-therapy': 'steptx-order',
  'story-taper': 'taper-order',
  'story-two-coverages': 'twocov-order',
  'vendor-coverage-without-payor': 'm1',
  'vendor-specialty-loading-dose-and-initial-fill-only': 'm1',
  'vendor-us-core-6-1-member-number-and-encounter-diagnosis': 'usm-1',
  'vendor-us-core-7-0-role-with-location-and-a-self-reported-plan': 'usm-1',
  'vendor-us-core-8-0-sex-is-not-the-gender': 'usm-1',
} as const;

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

export function loadBases(): Base[] {
  return Object.entries(folders).map(([name, id]) => loadBase(name, id));
}

function loadBase(name: string, id: string): Base {
  const bundle = JSON.stringify(readFixtureChart(join(root, name)));
  const { body, gaps = [] } = readExpected(join(root, name))['prior-auth'] ?? {};
  return {
    name,
    order: `MedicationRequest/${id}`,
    body,
    warned: gaps.map(({ target }) => target),
    open: () => openDraft(JSON.parse(bundle).entry, id, structuredClone(site)),
  };
}

const site = {
  country: 'USA',
  diagnoses: 'ask',
  enrollment: { programs: [{ programId: 'prog-1', name: 'Support one' }] },
};
