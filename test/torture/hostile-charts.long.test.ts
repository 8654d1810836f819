import { setTimeout as pause } from 'node:timers/promises';
import type { Binary, Bundle, BundleEntry, DiagnosticReport, DocumentReference } from 'fhir/r4.js';
import { afterAll, expect, test } from 'vitest';
import { type Hostile, hostilePdfs, hostilePictures, hostileTexts } from '../support/hostile.ts';
import { watchMemory } from '../support/memory.ts';
import { installedPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp.ts';
import { createVisitor } from '../support/visitor.ts';
import { makeCharts, type Request } from './charts.ts';
import { someEhrs } from './ehrs.ts';
import { type Store, startWorld, type World } from './world.ts';

const site = 'valley';
const folder = tempFolder('hostile-charts');
afterAll(() => folder.remove());

type Stage = 'none' | 'text' | 'picture' | 'large' | 'pdf';

/**
 * In megabytes, of `serve` and what it starts. The embedded store takes 150 of them before anybody opens a chart. What
 * is read in the process that reads documents costs the same with either store, and is read with one.
 */
const bounds: Readonly<Record<Store, Readonly<Partial<Record<Stage, number>>>>> = {
  postgres: { none: 700, large: 750, pdf: 750 },
  pglite: { none: 550, text: 750, picture: 850, large: 850, pdf: 850 },
};

/** Of `serve` without the process that reads documents, with either store. */
const mostOfServe = 700;

const stores: readonly Store[] = installedPostgres() === undefined ? ['pglite'] : ['postgres', 'pglite'];

test.each(stores)(
  'four hostile charts at once leave serve within its memory, and answering meanwhile (%s) [E8]',
  async (store) => {
    const { requests, spare, bundles } = makeCharts(0, [site], { profile: 'documented', spare: { [site]: 20 } });
    const people = [...requests, ...(spare.get(site) ?? [])];
    const [texts, pictures] = [
      [...(await hostilePdfs(1000)), ...hostileTexts()].filter(fits),
      (await hostilePictures(1000)).filter(fits),
    ];
    const documents = people.flatMap((person, index) => {
      const [inTexts, inPictures] = [everyFourth(texts, index - 4), everyFourth(pictures, index - 8)];
      const ofStage = [
        [],
        inTexts.map(noteOf(person)),
        inPictures.map(cardOf(person)),
        largeFiles(person),
        largePdfs(person),
      ];
      return ofStage[Math.floor(index / 4)] ?? [];
    });
    const bundle = bundles.get(site) as Bundle;
    const charts = new Map([[site, { ...bundle, entry: [...(bundle.entry ?? []), ...documents] }]]);
    const world = await startWorld({ ...options(store), bundles: charts, isAsked: false });
    try {
      const [bridge] = world.processes;
      for (const [what, some] of [
        ['none', people.slice(0, 4)],
        ['text', people.slice(4, 8)],
        ['picture', people.slice(8, 12)],
        ['large', people.slice(12, 16)],
        ['pdf', people.slice(16)],
      ] as const) {
        const bound = bounds[store][what];
        if (bound === undefined) continue;
        const watch = watchMemory(bridge?.pid ?? 0);
        const health = answersOf(`http://127.0.0.1:${bridge?.port}/healthz`);
        const began = performance.now();
        const pages = await Promise.all(some.map((person) => openChart(world, person)));
        const seconds = (performance.now() - began) / 1000;
        const { answered, slowest } = await health.stop();
        const { together, alone, oneOfThem } = await watch.stop();
        process.stdout.write(
          `${store}, ${what}: ${Math.round(together)} MB, serve alone at most ${Math.round(alone)} MB, ` +
            `the process that reads at most ${Math.round(oneOfThem)} MB; ` +
            `pages after ${seconds.toFixed(1)} s, health ${answered} times, at most after ${Math.round(slowest)} ms\n`,
        );
        expect(pages).toEqual(some.map(({ family }) => ({ status: 200, shows: family })));
        expect(answered).toBeGreaterThan(4);
        expect(together).toBeLessThan(bound);
        expect(alone).toBeLessThan(mostOfServe);
      }
    } finally {
      await world.close();
    }
    expect(world.endings).toEqual([]);
  },
);

function options(store: Store) {
  return {
    store,
    webs: 1,
    workers: 0,
    sites: someEhrs(site),
    profile: 'documented',
    speed: 0,
    pollSeconds: 60,
    hurry: 1,
    folder: `${folder.path}/${store}`,
  } as const;
}

/** An EHR's answer is read up to 20 MiB: larger files would keep the others from being read. */
function fits({ job }: Hostile): boolean {
  return job.data.length < 3_000_000;
}

function everyFourth<T>(all: readonly T[], first: number): readonly T[] {
  return all.filter((_, index) => index % 4 === first);
}

function noteOf({ patient }: Request): (file: Hostile, index: number) => BundleEntry {
  return (file, index) => entryOf({ ...documentOf(patient, file, index), type: { text: 'Progress note' } });
}

function cardOf({ patient }: Request): (file: Hostile, index: number) => BundleEntry {
  const type = { coding: [{ system: 'http://loinc.org', code: '64290-0' }] };
  return (file, index) => entryOf({ ...documentOf(patient, file, index), type });
}

/** As much as an EHR's answers may hold: a note in the search, and cards that are read one by one. */
function largeFiles(person: Request): readonly BundleEntry[] {
  const note = {
    kind: 'text',
    contentType: 'text/plain',
    data: Buffer.alloc(9_900_000, 'a ').toString('base64'),
  } as const;
  const cards = [1, 2, 3].flatMap((number) => {
    const id = `${person.patient}-binary-${number}`;
    const data = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(13_000_000, number)]).toString('base64');
    const binary: Binary = { resourceType: 'Binary', id, contentType: 'image/jpeg', data };
    const card = documentOf(
      person.patient,
      { what: '', job: { kind: 'image', contentType: 'image/jpeg', data: '' } },
      number,
    );
    const [content] = card.content;
    return [
      { fullUrl: `http://charts.example/Binary/${id}`, resource: binary },
      entryOf({
        ...card,
        type: { coding: [{ system: 'http://loinc.org', code: '64290-0' }] },
        content: [{ ...content, attachment: { contentType: 'image/jpeg', url: `Binary/${id}` } }],
      }),
    ];
  });
  return [noteOf(person)({ what: '', job: note }, 0), ...cards];
}

/** The same of files that are kept after they were read, for who wants to see or send them. */
function largePdfs(person: Request): readonly BundleEntry[] {
  const pdf = (bytes: number) => {
    const file = Buffer.concat([Buffer.from('%PDF-1.7\n%'), Buffer.alloc(bytes, 'a'), Buffer.from('\n%%EOF')]);
    return { kind: 'text', contentType: 'application/pdf', data: file.toString('base64') } as const;
  };
  const { patient } = person;
  const report: DiagnosticReport = {
    resourceType: 'DiagnosticReport',
    id: `${patient}-report`,
    status: 'final',
    code: { text: 'Imaging' },
    subject: { reference: `Patient/${patient}` },
    effectiveDateTime: '2026-11-01T10:00:00Z',
    presentedForm: [{ contentType: 'application/pdf', data: pdf(7_500_000).data }],
  };
  return [
    ...[1, 2].map((number) => noteOf(person)({ what: '', job: pdf(7_500_000) }, number)),
    { fullUrl: `http://charts.example/DiagnosticReport/${report.id}`, resource: report },
  ];
}

function documentOf(patient: string, { job }: Hostile, index: number): DocumentReference {
  const category = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category';
  return {
    resourceType: 'DocumentReference',
    id: `${patient}-hostile-${index}`,
    status: 'current',
    category: [{ coding: [{ system: category, code: 'clinical-note' }] }],
    subject: { reference: `Patient/${patient}` },
    date: `2026-11-0${index + 1}T10:00:00Z`,
    content: [{ attachment: { contentType: job.contentType, data: job.data } }],
  };
}

function entryOf(resource: DocumentReference): BundleEntry {
  return { fullUrl: `http://charts.example/DocumentReference/${resource.id}`, resource };
}

async function openChart(
  { ehrs: [ehr] }: World,
  { patient, order, family, number }: Request,
): Promise<{ readonly status: number; readonly shows: string }> {
  const headers = { 'x-forwarded-for': `198.51.100.${number}` };
  const visitor = createVisitor({ headers });
  const reply = await fetch(`${ehr?.url}/sandbox/launches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ patient, order }),
  });
  const { address } = (await reply.json()) as { readonly address: string };
  await visitor.go(address);
  const home = /^(https?:\/\/[^/]+\/app\/[^/]+)/.exec(visitor.address)?.[1] ?? '';
  // a page that waits says so, and asks again
  for (let asked = 0; asked < 300; asked += 1) {
    await visitor.go(`${home}/orders/${order}`);
    if (visitor.body.includes('id="review"') || visitor.status >= 400) break;
    await pause(500);
  }
  return { status: visitor.status, shows: visitor.body.includes(family) ? family : visitor.body.slice(0, 2000) };
}

/** Asks again and again, and tells how often it was answered and after how many milliseconds at most. */
function answersOf(address: string): { stop(): Promise<{ readonly answered: number; readonly slowest: number }> } {
  const seen = { answered: 0, slowest: 0 };
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      const reply = await fetch(address);
      await reply.body?.cancel();
      if (reply.ok && !isOver) seen.answered += 1;
      seen.slowest = Math.max(seen.slowest, performance.now() - began);
      await pause(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return seen;
    },
  };
}
