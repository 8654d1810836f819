import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../support/postgres.ts';
import { judgeAsked } from './asked/judge-asked.ts';
import { leaksInLogs, leaksInMetrics, leaksInStore } from './asked/leaks.ts';
import { questionsFor } from './asked/questions.ts';
import { makeCharts, type Profile } from './charts.ts';
import type { EhrKind } from './ehrs.ts';
import { drawFaults, noFaults, order } from './faults.ts';
import { behindUntil, judge, type Verdict } from './judge.ts';
import { createPeopleLedger } from './ledgers.ts';
import { type Around, createPerson, type Person, type Standing, takeTurns } from './person.ts';
import type { Process } from './processes.ts';
import { createRandom, type Random } from './random.ts';
import { measureSlowSite, type SlowSite, spareForSlowSite } from './slow-site.ts';
import { beat, noViolence, peace, type Violence } from './violence.ts';
import { type Store, startWorld, type World } from './world.ts';

export interface TortureOptions {
  readonly cases: number;
  /** Prior authorizations whose payer asks back; only with `current`. */
  readonly asked: number;
  readonly kills: number;
  readonly seed: number;
  /** The EHR of each site; at least two. */
  readonly sites: Readonly<Record<string, EhrKind>>;
  /** How the sites speak to the service; only with `current` benefits are verified. */
  readonly profile: Profile;
  readonly store: Store;
  readonly webs: number;
  readonly workers: number;
  /** People at work at the same time. */
  readonly together: number;
  /** How many of a hundred people leave a request alone once it waits for them. */
  readonly leavers: number;
  /** See WorldOptions. */
  readonly hurry: number;
  /** Everybody opens their page once more after the bridge has read every record anew. */
  readonly looksAgain: boolean;
  readonly speed: number;
  /** Nothing that is slow, and no process that is stopped for a while, takes longer. */
  readonly slowestMs: number;
  /** After so long nothing goes wrong any more, however many kills there were. */
  readonly stormSeconds: number;
  /** Ends the run early: everything that it started is stopped, and it rejects. */
  readonly signal?: AbortSignal;
  /** Environment of the bridge's processes besides their own. */
  readonly env?: Readonly<Record<string, string>>;
  /** What happens in place of faults and violence; answers who goes on when it is quiet, and is judged. */
  readonly storm?: (storm: Storm) => Promise<readonly Person[]>;
  /** For how long the end is waited for once nothing goes wrong any more. */
  readonly quietSeconds: number;
  /** Whether to measure at the end what a slow site does to another. */
  readonly slowSite: boolean;
  /** Ledgers, logs and pages go there. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

export interface TortureResult extends Verdict {
  readonly violence: Violence;
  readonly seconds: { readonly all: number; readonly quiet: number };
  readonly slowSite?: SlowSite;
  /** What people were told that went wrong, with how often. */
  readonly troubles: Readonly<Record<string, number>>;
  /** Processes that did not end cleanly when all was over. */
  readonly endings: readonly string[];
}

/** People send, follow and cancel while everything around them breaks; then it is quiet, and the judge counts. */
export async function torture(options: TortureOptions): Promise<TortureResult> {
  const { cases, seed, sites, folder, say } = options;
  const random = createRandom(seed);
  const began = performance.now();
  const { requests, spare, bundles } = makeCharts(cases, Object.keys(sites), {
    profile: options.profile,
    ...(options.slowSite ? { spare: spareForSlowSite } : {}),
  });
  const questions = questionsFor(requests, options.asked);
  mkdirSync(folder, { recursive: true });
  const ledger = createPeopleLedger(join(folder, 'people.ndjson'));
  const world = await startWorld({ ...options, bundles, pollSeconds: 2, isAsked: options.asked > 0 });
  const aborted = new Promise<never>((_, fail) => {
    options.signal?.addEventListener('abort', () => fail(new Error('the run was ended')));
  });
  try {
    const result = await Promise.race([aborted, run()]);
    await world.close();
    return { ...result, endings: world.endings };
  } finally {
    await world.close();
  }

  async function run(): Promise<Omit<TortureResult, 'endings'>> {
    say(`${world.processes.length} processes run, ${Math.round((performance.now() - began) / 1000)} s`);
    const state = { quiet: false };
    const around: Omit<Around, 'random'> = {
      ehrOf: (site) => world.ehrs.find((ehr) => ehr.site === site)?.url ?? '',
      service: world.service.ledger,
      serviceUrl: world.service.url,
      questions,
      ledger,
      isSearched: (site) => sites[site]?.takes !== 'no-search',
      isQuiet: () => state.quiet,
      leavers: options.leavers,
    };
    const all = requests.map((request) =>
      createPerson(request, { ...around, random: random.fork(`person ${request.number}`) }),
    );
    const violence = noViolence();
    const troubles: Record<string, number> = {};
    const people = await (options.storm ?? storm)({ world, people: all, options, random, violence, troubles });
    const quietFrom = performance.now();
    state.quiet = true;
    for (const { url } of [world.service, ...world.ehrs]) await noFaults(url);
    await peace(world, random, violence);
    say(`quiet after ${Math.round((quietFrom - began) / 1000)} s and ${violence.kills} kills; the rest is waited for`);
    const left = await settle({ people, options, troubles, say });
    if (left.length > 0) say(`${left.length} are not at their end`);
    await readAgain({ world, people, options, troubles, say });
    if (options.looksAgain) await lastLook({ people, options, troubles, say });
    await everythingCommitted(world);
    const evidence = await evidenceOf(world, { people, others: all.filter((one) => !people.includes(one)), ledger });
    const metrics = await leaksInMetrics(world.processes);
    const verdict = both(judge(evidence), options.asked > 0 ? judgeAsked({ ...evidence, questions }) : nothing);
    for (const { request, html } of people) writeFileSync(join(folder, `page-${request.number}.html`), html);
    say(`judged: ${verdict.violations.length} violations`);
    const seconds = { all: (performance.now() - began) / 1000, quiet: (performance.now() - quietFrom) / 1000 };
    const slowSite = options.slowSite
      ? await measureSlowSite(world, spare, (request) =>
          createPerson(request, { ...around, random: random.fork(`spare ${request.number}`) }),
        ).catch((error: unknown) => say(`the slow site was not measured: ${reasonOf(error)}`))
      : undefined;
    await world.end();
    const leaks = options.asked > 0 ? await leaksOf(world, options, metrics) : nothing;
    return { ...both(verdict, leaks), violence, troubles, seconds, ...(slowSite === undefined ? {} : { slowSite }) };
  }
}

const nothing: Verdict = { counts: {}, violations: [] };

function both(one: Verdict, other: Verdict): Verdict {
  return { counts: { ...one.counts, ...other.counts }, violations: [...one.violations, ...other.violations] };
}

/** Words of questions, of their credentials and of replies where they may not stand. The bridge has ended. */
async function leaksOf(
  { cluster }: World,
  { folder }: Pick<TortureOptions, 'folder'>,
  metrics: readonly string[],
): Promise<Verdict> {
  const at = cluster === undefined ? { folder: join(folder, '.data', 'bridge') } : { databaseUrl: cluster.url };
  const { rows, leaks } = await leaksInStore(at);
  const all = [...leaksInLogs(folder), ...metrics, ...leaks];
  return {
    counts: { 'rows of the store that were read': rows, 'words of questions and replies in clear': all.length },
    violations: all.map((leak) => `in clear: ${leak}`),
  };
}

/** What a storm can reach. */
export interface Storm {
  readonly world: World;
  readonly people: readonly Person[];
  readonly options: TortureOptions;
  readonly random: Random;
  readonly violence: Violence;
  readonly troubles: Record<string, number>;
}

async function storm({ world, people, options, random, violence, troubles }: Storm): Promise<readonly Person[]> {
  const { say } = options;
  const state = { over: false };
  const until = performance.now() + options.stormSeconds * 1000;
  const turns = new Map<number, number>();
  /** Who has come to the page of their case: a turn that met a bridge that was away begins nothing. */
  const begun = new Set<number>();
  const isEnough = () => violence.kills >= options.kills || performance.now() > until;
  // As many kills as there are requests under way, so that the last ones meet them too.
  const isAhead = () => violence.kills > (begun.size / people.length) * options.kills;
  const busy = new Set<Process | Cluster>();
  const beatings = Array.from({ length: Math.ceil(world.processes.length / 2) }, async (_, index) => {
    const own = random.fork(`violence ${index}`);
    await pause(1000);
    while (!state.over && !isEnough()) {
      if (!isAhead()) await beat(world, { random: own, done: violence, busy, slowestMs: options.slowestMs });
      await pause(own.between(200, 6000));
    }
  });
  const breaking = (async () => {
    const own = random.fork('faults');
    const slowness = { slowestMs: options.slowestMs, lateSeconds: Math.ceil(1300 / options.hurry) };
    while (!state.over) {
      await order(world.service.url, drawFaults(own, options.asked > 0 ? 'asking service' : 'service', slowness));
      for (const { url } of world.ehrs) await order(url, drawFaults(own, 'ehr', slowness));
      await pause(own.between(1000, 5000));
    }
  })();
  const visits = takeTurns(people, {
    together: options.together,
    pauseMs: 200,
    // Who has seen it go on for a while, or come to its end, comes back when all is quiet.
    isDone: ({ request }, standing) => {
      const count = (turns.get(request.number) ?? 0) + 1;
      turns.set(request.number, count);
      const isFirst = standing !== undefined && !begun.has(request.number);
      if (isFirst) begun.add(request.number);
      if (isFirst && begun.size % 100 === 0)
        say(`${begun.size} requests begun, ${violence.kills} kills, ${Math.round(performance.now() / 1000)} s`);
      return isEnough() && (isAtEnd(standing) || count > 6);
    },
    stop: () => false,
    failed: noteInto(troubles),
  }).finally(() => {
    state.over = true;
  });
  // together, so that whatever fails ends the run, which then stops its processes
  await Promise.all([...beatings, breaking, visits]);
  return people;
}

export function noteInto(troubles: Record<string, number>): (person: Person, error: unknown) => void {
  return (_, error) => {
    const kind = reasonOf(error);
    troubles[kind] = (troubles[kind] ?? 0) + 1;
  };
}

function reasonOf(error: unknown): string {
  const text =
    error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : 'unknown';
  // Launches have ids of their own in each run.
  return text.replace(/https?:\S+/g, '').slice(0, 100);
}

export function isAtEnd(standing: Standing | undefined): boolean {
  return standing !== undefined && !standing.isMoving && standing.asks === undefined && !standing.canCancel;
}

/** Longer than a webhook of the sandbox is late, so that it still finds a request that nobody answers for. */
const lastWebhookMs = 15_000;

/** Until each case is at its end, or waits for somebody who left, or the time is over; answers who is not. */
async function settle({
  people,
  options,
  troubles,
  say,
}: Pick<Storm, 'people' | 'options' | 'troubles'> & Pick<TortureOptions, 'say'>): Promise<readonly Person[]> {
  const from = performance.now();
  const until = from + options.quietSeconds * 1000;
  const progress = { at: from, done: 0 };
  const isWaiting = (standing: Standing | undefined) =>
    standing?.asks !== undefined && !standing.isWriting && performance.now() > from + lastWebhookMs;
  return takeTurns(people, {
    together: options.together,
    pauseMs: 500,
    isDone({ leaves }, standing) {
      const isDone = isAtEnd(standing) || (leaves && isWaiting(standing));
      if (isDone) progress.done += 1;
      if (performance.now() > progress.at + 60_000) {
        say(`${progress.done} of ${people.length} are at their end`);
        progress.at = performance.now();
      }
      return isDone;
    },
    stop: () => performance.now() > until,
    failed: noteInto(troubles),
  });
}

/** When the bridge reads the record of a request that has ended again, in a hospital. */
const readAgainAfter = [3600, 86_400, 604_800] as const;
/** The bridge looks once a minute for what is due, and reads and writes then; a busy machine takes its time. */
const readAndWrittenMs = 300_000;

/** A change after the end that no webhook told is seen when the bridge reads the record again: that is waited for. */
async function readAgain({
  world,
  people,
  options,
  troubles,
  say,
}: Pick<Storm, 'world' | 'people' | 'options' | 'troubles'> & Pick<TortureOptions, 'say'>): Promise<void> {
  const after = readAgainAfter.map((seconds) => seconds / options.hurry);
  let behind: readonly Person[] = people;
  for (;;) {
    const times = behindUntil(await world.service.ledger.read(), behind, after);
    behind = behind.filter((_, index) => (times[index] ?? 0) + readAndWrittenMs > Date.now());
    if (behind.length === 0) return;
    const left = Math.max(...times.map((at) => at ?? 0)) - Date.now();
    say(
      `${behind.length} pages are behind a change of which no webhook told; it is read in ${Math.ceil(left / 1000)} s`,
    );
    await pause(Math.max(1000, Math.min(60_000, left)));
    await takeTurns(behind, {
      together: options.together,
      pauseMs: 500,
      isDone: (_, standing) => isAtEnd(standing),
      stop: () => false,
      failed: noteInto(troubles),
    });
  }
}

/**
 * Once the bridge has read every record anew after its end, everybody opens their page once more: a letter that came
 * later, or an answer that was garbled, is on it by then.
 */
async function lastLook(looking: Pick<Storm, 'people' | 'options' | 'troubles'> & Pick<TortureOptions, 'say'>) {
  const { options, say } = looking;
  const ms = (readAgainAfter[0] * 1000) / options.hurry + readAndWrittenMs;
  say(`in ${Math.ceil(ms / 1000)} s every record is read anew; then everybody looks once more`);
  await pause(ms);
  const left = await settle(looking);
  if (left.length > 0) say(`${left.length} are not at their end`);
}

/** What an EHR has accepted and not yet made is waited for: a second copy may come with it. */
async function everythingCommitted(world: World): Promise<void> {
  for (const { ledger } of world.ehrs) {
    const pending = (await ledger.read()).filter(({ kind }) => kind === 'write.pending');
    const due = Math.max(0, ...pending.map(({ at, commitMs }) => Date.parse(at) + Number(commitMs)));
    while (Date.now() < due + 1000) await pause(200);
    // An answer given after that time shows that what was due has been done.
    await ledger.read();
  }
}

async function evidenceOf(
  world: World,
  {
    people,
    others,
    ledger,
  }: {
    readonly people: readonly Person[];
    /** Who is not judged. */
    readonly others: readonly Person[];
    readonly ledger: Around['ledger'];
  },
) {
  const ehrs = await Promise.all(
    world.ehrs.map(async (ehr) => [ehr.site, { takes: ehr.takes, ledger: await ehr.ledger.read() }] as const),
  );
  const pages = people.flatMap(({ request, page, html, seenAt }) =>
    page === undefined ? [] : [[request.number, { address: page, html, seenAt }] as const],
  );
  const unjudged = new Set(others.map(({ request }) => request.mrn));
  const service = await world.service.ledger.read();
  return {
    requests: people.map(({ request }) => request),
    service: service.filter(({ patient }) => !unjudged.has(String(patient))),
    ehrs: new Map(ehrs),
    people: ledger.entries,
    pages: new Map(pages),
  };
}
