import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Base, loadBases } from '../bases.ts';
import type { Draft } from '../draft.ts';
import { random } from '../generator.ts';
import type { Broken, LongLaw } from '../long-law.ts';
import { evidenceOf, mapFolder, type OfferedEvidence, readingsOf, sentOf } from '../product.ts';
import { type Fact, one, ways } from './facts.ts';
import { type Place, places } from './places.ts';

/** One chart with a fact at a place, or with something ordinary there. */
interface Planted {
  readonly base: Base;
  readonly place: Place;
  readonly fact: Fact | undefined;
  readonly chart: Draft;
  readonly reference: string;
}

/** The policy that takes what is suggested until a person chooses. */
const site = { country: 'USA', diagnoses: 'ask', evidence: 'suggested' } as const;
/** The chart of a drug that asks for the test and usually follows the therapy. */
const withClass = 'everything-in-the-chart-is-complete';
/** Of so many charts one is mapped from a file too. */
const batchEvery = 8;
const together = 200;

/**
 * A sensitive fact, wherever it stands in a chart, is never suggested and never taken by a policy, at a launch and in a
 * batch alike; an ordinary one at the same place stays suggested, and both modes send the same.
 */
export const privacyLaw: LongLaw = {
  usual: 10_000,
  async run({ count, seed }) {
    const next = random(seed);
    const bases = loadBases();
    const broken: Broken[] = [];
    let batch: { readonly planted: Planted; readonly sent: string }[] = [];
    for (let made = 0; made < count; made += 1) {
      const planted = plantedIn(bases, next);
      const launch = await launched(planted);
      broken.push(...judge(planted, launch));
      if (made % batchEvery === 0) batch.push({ planted, sent: launch.sent });
      if (batch.length < together && made < count - 1) continue;
      broken.push(...(await judgeBatch(batch)));
      batch = [];
    }
    return { charts: count, broken };
  },
};

function plantedIn(bases: readonly Base[], next: (limit: number) => number): Planted {
  const place = one(places, next);
  const fits = place.needsClass === true ? bases.filter(({ name }) => name === withClass) : bases;
  const base = one(fits, next);
  // One in eight is ordinary.
  const fact = next(8) === 0 ? undefined : ways[one(place.ways, next)](next);
  const chart = base.open();
  return { base, place, fact, chart, reference: place.plant(chart, fact) };
}

async function launched({ base, chart }: Planted): Promise<OfferedEvidence> {
  return evidenceOf(chart.entries, { order: base.order, site, readings: await readingsOf(chart.entries) });
}

function* judge(planted: Planted, { candidates, sent }: OfferedEvidence): Generator<Broken> {
  const { reference, fact, place } = planted;
  const found = candidates.find((candidate) => candidate.reference === reference);
  const example = exampleOf(planted);
  if (found === undefined) {
    yield { kind: `not listed: ${place.name}`, example };
    return;
  }
  const isSent = sent.includes(`"${reference}"`);
  if (fact === undefined && place.isUnread !== true) {
    if (found.suggested !== true || !isSent) yield { kind: `ordinary and not suggested: ${place.name}`, example };
    return;
  }
  if (found.suggested === true) yield { kind: `suggested: ${fact?.how} in ${place.name}`, example };
  if (isSent || found.taken === true) yield { kind: `taken by the policy: ${fact?.how} in ${place.name}`, example };
  if (!found.fits) yield { kind: `nobody can tick it: ${place.name}`, example };
  if (found.sensitive === undefined && found.unjudged === undefined)
    yield { kind: `listed without the reason: ${place.name}`, example };
}

async function judgeBatch(all: readonly { readonly planted: Planted; readonly sent: string }[]): Promise<Broken[]> {
  const folder = await mkdtemp(join(tmpdir(), 'privacy-law-'));
  const broken: Broken[] = [];
  try {
    for (const [index, { planted }] of all.entries()) {
      // Each in a folder of its own, of patients with names of their own: equal requests would be one.
      for (const name of planted.chart.patient.name ?? []) name.family = `Family${index}`;
      await mkdir(join(folder, `${index}`));
      const bundle = { resourceType: 'Bundle', type: 'collection', entry: planted.chart.entries };
      await writeFile(join(folder, `${index}`, 'chart.json'), JSON.stringify(bundle));
    }
    const sent = new Map<string, string>();
    for await (const { outcome, file } of mapFolder(folder, site))
      sent.set(`${file} ${outcome.order}`, sentOf(outcome.priorAuth));
    for (const [index, { planted, sent: launch }] of all.entries()) {
      const found = sent.get(`${join(folder, `${index}`, 'chart.json')} ${planted.base.order}`);
      if (found !== launch)
        broken.push({
          kind: `batch and launch send different evidence: ${planted.place.name}`,
          example: exampleOf(planted),
        });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return broken;
}

function exampleOf({ base, fact, reference }: Planted): string {
  return `${base.name} ${reference}: ${JSON.stringify(fact ?? 'ordinary')}`;
}
