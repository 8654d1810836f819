import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from './charts.ts';
import { noFaults, order } from './faults.ts';
import { type Person, standingOf } from './person.ts';
import type { World } from './world.ts';

/** Milliseconds from a change at the service until the page of the case shows it. */
export type SlowSite = Readonly<Record<string, number>>;

const [slow, healthy] = ['ridge', 'valley'];
const many = 5;
/** Longer than the measurement takes. */
const forSeconds = 3600;
export const spareForSlowSite: Readonly<Record<string, number>> = { [slow]: 2 * many, [healthy]: 2 * many };

/** What a site whose EHR and service take 60 s for each answer does to what another site is told by webhook. */
export async function measureSlowSite(
  world: World,
  spare: ReadonlyMap<string, readonly Request[]>,
  personAt: (request: Request) => Person,
): Promise<SlowSite> {
  const [here = [], there = []] = [spare.get(healthy)?.map(personAt), spare.get(slow)?.map(personAt)];
  const alone = await latencies(world, here.slice(0, many));
  for (const person of there) await sent(person);
  const ehr = world.ehrs.find(({ site }) => site === slow);
  if (ehr !== undefined) await order(ehr.url, [{ switch: 'delay', value: 60_000, path: '/fhir/*', forSeconds }]);
  await order(world.service.url, [{ switch: 'delay', value: 60_000, site: slow, method: 'GET', forSeconds }]);
  const beside = await latencies(world, here.slice(many));
  for (const { url } of [world.service, ...world.ehrs]) await noFaults(url);
  return {
    'change to page, no slow site, median': median(alone),
    'change to page, no slow site, most': Math.max(...alone),
    'change to page, beside a slow site, median': median(beside),
    'change to page, beside a slow site, most': Math.max(...beside),
  };
}

async function sent(person: Person): Promise<void> {
  while ((await person.turn()) === undefined) await pause(100);
}

async function latencies(world: World, people: readonly Person[]): Promise<readonly number[]> {
  return (await Promise.all(people.map((person) => latenciesOf(world, person)))).flat();
}

/** When each standing of the page was seen first, against when the service came to it. */
async function latenciesOf(world: World, person: Person): Promise<readonly number[]> {
  await sent(person);
  const seen: { readonly label: string; readonly at: number }[] = [];
  const until = Date.now() + 120_000;
  while (Date.now() < until) {
    const { label, canCancel } = standingOf(await person.look());
    if (seen.at(-1)?.label !== label) seen.push({ label, at: Date.now() });
    if (!canCancel && label !== 'Sending') break;
    await pause(50);
  }
  const ledger = await world.service.ledger.read();
  const own = ledger.find(
    ({ kind, patient }) => kind === 'prior_authorization.accepted' && patient === person.request.mrn,
  );
  const changes = ledger.filter(({ kind, id }) => kind === 'prior_authorization.status' && id === own?.id);
  let next = 0;
  return changes.flatMap(({ status, at }) => {
    const index = seen.findIndex(({ label }, place) => place >= next && label === labels[String(status)]);
    const found = status === 'completed' ? seen.length - 1 : index;
    // A status that was over before anybody looked has no time of its own.
    if (found < 0) return [];
    next = found + 1;
    return [Math.max(0, (seen[found]?.at ?? 0) - Date.parse(at))];
  });
}

const labels: Readonly<Record<string, string>> = {
  awaiting_review: 'Your review is needed',
  awaiting_outcome: 'With the payer',
  validating_outcome: 'Checking the payer’s answer',
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
