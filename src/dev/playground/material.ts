import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BridgeError } from '../../core/errors.ts';
import { type BundleIssue, type Entry, readBundle } from '../../core/fhir/bundle.ts';
import { parseJsonText } from '../../core/fhir/text/json-text.ts';
import type { SitePolicy } from '../../core/roles/policy.ts';
import { packageFolder } from '../../web/http/assets.ts';
import { type FixtureRequest, listFixtures, loadInput } from '../kit/fixture.ts';

/** The resources to map and, for a chart of the package, the parameters of its case. */
export interface Material {
  readonly entries: readonly Entry[];
  readonly issues: readonly BundleIssue[];
  readonly request?: FixtureRequest;
  /** Why there is nothing to map. */
  readonly problem?: string;
}

const folder = join(packageFolder, 'fixtures', 'charts');
const firstShown = 'story-complete';

/**
 * Returns the names of the mapping cases in a folder. The folder is read again only if a case was added or removed.
 * Empty if there is no folder.
 */
export function chartsOf(folder: string): () => readonly string[] {
  let known: { readonly changed: number; readonly charts: readonly string[] } | undefined;
  return () => {
    const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined) return [];
    if (known?.changed !== changed) known = { changed, charts: listFixtures(folder).map((path) => basename(path)) };
    return known.charts;
  };
}

export const packageCharts = chartsOf(folder);

export function firstChart(charts: readonly string[]): string {
  return charts.includes(firstShown) ? firstShown : (charts[0] ?? '');
}

/** Returns a chart of the package. Throws not_found for any other name. */
export function materialOfChart(name: string, charts: readonly string[]): Material {
  if (!charts.includes(name)) throw new BridgeError('not_found', { what: 'the chart' });
  const { entries, request } = loadInput(join(folder, name));
  return { entries, issues: [], request };
}

/** Reads a pasted bundle. Problems name places and never quote their content. */
export function materialOfText(text: string): Material {
  const nothing = { entries: [], issues: [] };
  if (text.trim() === '') return { ...nothing, problem: 'Paste or choose a bundle, or take a chart of the package.' };
  const parsed = parseJsonText(text.replace(/^\uFEFF/, ''));
  if ('reason' in parsed) return { ...nothing, problem: `The bundle cannot be read: ${parsed.reason}.` };
  const read = readBundle(parsed.value);
  return read.entries.length > 0 ? read : { ...read, problem: 'There is no FHIR resource in it.' };
}

/** The policy of the case, else that of a site without settings. */
export function policyOf({ request }: Material): SitePolicy {
  return request?.site ?? { country: 'USA', diagnoses: 'ask' };
}
