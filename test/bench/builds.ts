import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { mostTogether } from '../../src/batch/map-group.ts';
import { readJsonBytes } from '../../src/batch/read-json.ts';
import { unreadTypes } from '../../src/batch/unread-types.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import { runMappings } from '../../src/core/mapping/run/run.ts';
import { fillTogether } from '../../src/core/roles/fill-together.ts';
import type { SitePolicy } from '../../src/core/roles/policy.ts';
import { ordersIn } from '../../src/core/roles/select.ts';
import { openTextCache } from '../../src/core/text-cache.ts';

const site: SitePolicy = { country: 'USA', diagnoses: 'ask' };
const now = new Date('2026-11-21T15:00:00Z');

/** A build of the bridge as far as the bench uses it. */
export interface BenchBuild {
  readonly name: string;
  /** How many bundles are mapped in one go. */
  readonly atOnce: number;
  /** Reads the bytes of one bundle. */
  readonly read: (bytes: Buffer) => unknown;
  /** Selects from each parsed bundle and maps every order that fits. */
  readonly map: (bundles: readonly unknown[]) => readonly unknown[];
}

openTextCache();

const unread = unreadTypes({ choices: false });

/**
 * The sources that the bench stands in, as `map` takes charts without `--fast`: some together; of what nobody reads it
 * is seen that it is JSON.
 */
export const thisBuild: BenchBuild = {
  name: 'this build',
  atOnce: mostTogether,
  read: (bytes) => jsonOf(readJsonBytes(bytes, { isFast: false, unread })),
  map: (bundles) => mapHere(bundles, unread),
};

/** The same one by one, as a launch takes its chart, with all that it pulled. */
export const thisBuildAlone: BenchBuild = {
  name: 'this build, each chart alone',
  atOnce: 1,
  read: parse,
  map: (bundles) => mapHere(bundles, new Set()),
};

/** What any build can do. */
export function parse(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString());
}

function jsonOf(read: ReturnType<typeof readJsonBytes>): unknown {
  if ('reason' in read) throw new Error(read.reason);
  return read.value;
}

function mapHere(bundles: readonly unknown[], unread: ReadonlySet<string>): readonly unknown[] {
  const charts = bundles.flatMap((json) => {
    const entries = readBundle(json).entries.filter(({ resource }) => !unread.has(resource.resourceType));
    const orders = ordersIn(indexChart(entries), { roles: mappings.roles, now, site });
    return orders.flatMap(({ fits, chart }) => (fits ? [chart] : []));
  });
  fillTogether(charts, rolesRead);
  return runMappings(priorAuth, charts);
}

const rolesRead = mappings.roles.closureOf(priorAuth.plan.roles);

/**
 * What is called of another build. What the calls take and give differs between builds, so nothing is said of it here.
 */
type Call = (...args: readonly unknown[]) => never;

/**
 * Another build by its folder, which must be built (`dist/`). Older builds have the same files in other folders, and
 * before roles were declared they take no role table; everything else is called alike.
 */
export async function openBuild(folder: string): Promise<BenchBuild> {
  const dist = join(resolve(folder), 'dist');
  if (!existsSync(dist)) throw new Error(`${dist} is not there; build it first: npm run build`);
  const named = async (file: string, name: string) => Reflect.get(await load(placeIn(dist, file)), name);
  const cache = join(dist, 'src/core/text-cache.js');
  if (existsSync(cache)) Reflect.get(await load(cache), 'openTextCache')();
  const run: Call = await named('src/core/mapping/run/run.js', 'runMapping');
  const charts = await chartsCall(dist, named);
  const read: Call = await named('src/core/fhir/bundle.js', 'readBundle');
  const mapping = await named('mappings/prior-auth.js', 'priorAuth');
  const { roles } = await named('mappings/index.js', 'mappings');
  const orders = (json: unknown): readonly { chart?: unknown }[] =>
    charts(Reflect.get(read(json), 'entries'), { roles, now, site });
  return {
    name: folder,
    atOnce: 1,
    read: parse,
    map: (bundles) =>
      bundles.flatMap((json) =>
        orders(json).flatMap(({ chart }) => (chart === undefined ? [] : [run(mapping, chart)])),
      ),
  };
}

/** Where a build has what this one has in `file`. */
function placeIn(dist: string, file: string): string {
  const others = [
    ['/core/', '/'],
    ['/core/roles/', '/chart/'],
    ['/references/', '/'],
  ] as const;
  const places = [file, ...others.map(([one, other]) => file.replace(one, other)), 'src/mapping/run.js'];
  const found = places.find((place) => existsSync(join(dist, place)));
  if (found === undefined) throw new Error(`${dist} has no ${file}`);
  return join(dist, found);
}

/** Builds of before had `chartsOf`, of which `ordersIn` is all but the last step. */
async function chartsCall(dist: string, named: (file: string, name: string) => Promise<Call>): Promise<Call> {
  if (existsSync(join(dist, 'src/chart/from-bundle.js'))) return named('src/chart/from-bundle.js', 'chartsOf');
  const index = await named('src/core/fhir/references/graph.js', 'indexChart');
  const orders: (...args: readonly unknown[]) => readonly JudgedCall[] = await named(
    'src/core/roles/select.js',
    'ordersIn',
  );
  const charts = (entries: unknown, request: unknown): readonly { chart?: unknown }[] =>
    orders(index(entries), request).map((one) => ((one.fits ?? one.candidate.fits) ? { chart: one.chart } : {}));
  return charts as Call;
}

interface JudgedCall {
  /** Of builds that make the words of a candidate when they are read. */
  readonly fits?: boolean;
  readonly candidate: { readonly fits: boolean };
  readonly chart: unknown;
}

function load(file: string): Promise<object> {
  return import(pathToFileURL(file).href);
}
