import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bundle, Communication, DocumentReference, FhirResource, Provenance, Task } from 'fhir/r4.js';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { makeConfig, Site } from '../../src/config/config.ts';
import { withPreset } from '../../src/config/presets/fill.ts';
import { systemScopesOf } from '../../src/config/presets/preset-scopes.ts';
import { presetOf } from '../../src/config/presets/presets.ts';
import type { FhirApi } from '../../src/core/fhir/api.ts';
import { type EhrOrder, type SandboxEhr, startSandboxEhr } from '../../src/dev/sandbox/ehr/index.ts';
import type { ProductId } from '../../src/dev/sandbox/ehr/products.ts';
import { generateKeys } from '../../src/ehr/smart/keys.ts';
import { createSmart, type Smart } from '../../src/ehr/smart/smart.ts';
import { chart } from '../../src/web/pages/case/words.ts';
import type { CaseFacts } from '../../src/writeback/case-facts.ts';
import { asksProvenance } from '../../src/writeback/channel-plan.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { type LedgerEntry, record, staleTask } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { createMemoryStore } from '../ehr/smart/memory-store.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { aCase, approval, aRequest, at, denial, testClock } from '../writeback/support.ts';

/**
 * A whole life of one case at the sandbox EHR as a product, over HTTP, while the EHR misbehaves besides: sent, with the
 * payer, approved with a letter, and denied after all. The bridge’s time is moved by hand from one try to the next.
 */

/** How the EHR misbehaves besides what its product does. */
export const behaviours: Readonly<Record<string, readonly EhrOrder[]>> = {
  'as it is': [],
  'a create says nothing of what it made': [{ switch: 'empty-created', value: 'both' }],
  '409 for 412': [{ switch: 'conflict-status', value: 409 }],
  'answers of creates lost': [{ switch: 'drop', value: 'after', method: 'POST', path: '/fhir/*', times: 3 }],
  'answers of updates lost': [{ switch: 'drop', value: 'after', method: 'PUT', path: '/fhir/*', times: 2 }],
  'a gateway’s 504 after a write': [{ switch: 'false-status', value: 504, method: 'POST', path: '/fhir/*', times: 2 }],
  'a write is there later': [{ switch: 'late-commit', value: 0.3, times: 4 }],
  'a search lags a minute': [{ switch: 'search-lag', value: 60 }],
  'writes forbidden though granted': [
    { switch: 'refuse-create', value: { type: 'DocumentReference', status: 403 } },
    { switch: 'refuse-update', value: { type: 'Task', status: 403 } },
  ],
  'no update of a Task': [{ switch: 'refuse-update', value: { type: 'Task', status: 405 } }],
  'a body of 1 MB at most': [{ switch: 'body-limit', value: 1_000_000 }],
  'busy (429, Retry-After)': [
    { switch: 'status', value: { status: 429, retryAfter: 5 }, path: '/fhir/*', method: 'POST', times: 2 },
  ],
};

/** What a life has left in the chart. */
export interface Count {
  readonly product: ProductId;
  readonly behaviour: string;
  /** Resources of the bridge that stand in the chart, without those that it has taken back. */
  readonly written: number;
  /** Faults of FHIR R4 in anything that was written. */
  readonly invalid: readonly string[];
  readonly doubled: readonly string[];
  /** What the chart should hold, does not, and no row of the ledger gives a reason for. */
  readonly lost: readonly string[];
  /** Tasks that say something old without a row that says so. */
  readonly stale: readonly string[];
  /** What is not in the chart, with the reason that the case page shows. */
  readonly left: readonly string[];
}

export interface World {
  readonly product: ProductId;
  readonly ehr: SandboxEhr;
  readonly site: Site;
  readonly api: () => Promise<FhirApi>;
  readonly clock: ReturnType<typeof testClock>;
  close(): Promise<void>;
}

const seed: Bundle<FhirResource> = {
  resourceType: 'Bundle',
  type: 'collection',
  entry: [
    { resourceType: 'Patient' as const, id: 'p1' },
    { resourceType: 'Patient' as const, id: 'p2' },
    { resourceType: 'Practitioner' as const, id: 'd1' },
    about('Encounter', { id: 'e1', status: 'finished', class: { code: 'AMB' } }),
    about('MedicationRequest', {
      id: 'm1',
      requester: { reference: 'Practitioner/d1' },
      status: 'active',
      intent: 'order',
      medicationCodeableConcept: { text: 'adalimumab' },
    }),
    { resourceType: 'Coverage' as const, id: 'c1', status: 'active' as const, ...ofCoverage() },
  ].map((resource) => ({ resource: resource as FhirResource })), // each is one
};

function about(resourceType: string, members: object): object {
  return { resourceType, subject: { reference: 'Patient/p1' }, ...members };
}

function ofCoverage(): object {
  return { beneficiary: { reference: 'Patient/p1' }, payor: [{ display: 'Plan' }] };
}

const keys = await generateKeys();

/** `reads`: besides what Backend Services may write; `charts`: besides the case’s own. */
export async function worldOf(
  product: ProductId,
  { reads = '', charts = [] }: { readonly reads?: string; readonly charts?: readonly Bundle[] } = {},
): Promise<World> {
  let smart: Smart | undefined;
  const keyServer = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(smart?.jwks())),
  );
  await new Promise<void>((done) => keyServer.listen(0, '127.0.0.1', done));
  const jwksUri = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks.json`;
  const clock = testClock();
  const ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    product,
    launchUrl: 'http://localhost:9/launch',
    clients: [{ auth: 'private_key_jwt', id: 'system', jwksUri, redirectUris: [], system: true }],
    seed: [seed, ...charts],
    clock,
    log: silentLog,
  });
  const lines = {
    preset: product,
    iss: ehr.fhirBase,
    client: { id: 'b', secretEnv: 'S' },
    service: { url: 'http://127.0.0.1:9', tokenEnv: 'T' },
  };
  const writes = systemScopesOf(presetOf({ preset: product }) ?? unknown(product));
  const scopes = [...writes, 'system/Patient.read', reads].join(' ').trim();
  const system = { tokens: ['system'], system: { id: 'system', scopes } };
  const site = Site.parse(withPreset({ ...lines, writeback: system }));
  const environment = { BRIDGE_URL: 'http://localhost:9', BRIDGE_KEYS: newKey(), BRIDGE_JWKS: JSON.stringify(keys) };
  const config = makeConfig(environment, [site], { S: 'secret', T: 'token' });
  const store = createMemoryStore();
  const made = createSmart({ config, store, clock: () => new Date(), log: silentLog, limits: { backoffMs: 5 } });
  smart = made;
  return {
    product,
    ehr,
    site,
    clock,
    async api() {
      const access = await made.accessFor({ site, patient: 'p1' });
      if ('waiting' in access) throw new Error('no access by Backend Services');
      return access.api;
    },
    async close() {
      await ehr.close();
      keyServer.close();
    },
  };
}

function unknown(product: string): never {
  throw new Error(`no preset ${product}`);
}

/** The payer’s letter of one case: too large for a body of 1 MB once it is in base64. */
function letterOf(id: string): Uint8Array {
  return Buffer.concat([Buffer.from(`%PDF-1.7 ${id}\n`), Buffer.alloc(900_000, 7)]);
}

/** The states of the case, one after the other, each with the letters of the payer that are there by then. */
function statesOf(letter: Uint8Array): readonly (readonly [Partial<CaseFacts>, readonly Uint8Array[]])[] {
  return [
    [at('processing'), []],
    [at('awaiting_outcome'), []],
    [at('completed', approval), [letter]],
    [at('completed', denial), [letter]],
  ];
}

export async function live(world: World, behaviour: string, id: string): Promise<Count> {
  const { ehr, site, clock, product } = world;
  const before = new Set(await created(ehr));
  const orders = (behaviours[behaviour] ?? []).map((order) => ehr.switches.set(order));
  const refusals = aRequest(aCase(), { clock }).refusals;
  let writes: readonly LedgerEntry[] = [];
  let last: CaseFacts = aCase();
  const letter = letterOf(id);
  for (const [state, letters] of statesOf(letter)) {
    clock.forward(3600);
    last = aCase({ id, serviceId: `pa_${id.slice(0, 8)}`, ...state, changedAt: clock().toISOString() });
    // Until nothing more happens by itself.
    for (let tries = 0; tries < 40; tries += 1) {
      const facts = { ...last, writes };
      if (outstanding(site, facts, letters).length === 0) break;
      const request = {
        ...aRequest(facts, { site, letters, clock, refusals }),
        api: await world.api(),
        save: async (entry: LedgerEntry) => {
          writes = record(writes, entry);
        },
      };
      const { again } = await deliver(request);
      if (behaviour === 'a write is there later') await sleep(320);
      if (again === undefined) break;
      clock.forward(again.seconds + 1);
    }
  }
  for (const order of orders) ehr.switches.clear(order);
  const written = (await created(ehr))
    .filter((reference) => !before.has(reference))
    .flatMap((reference) => (ehr.peek(reference) as Ours | Provenance | undefined) ?? []);
  const origins = written.filter((resource) => resource.resourceType === 'Provenance');
  const others = written.filter((resource) => resource.resourceType !== 'Provenance');
  const end = { ...last, writes };
  return { product, behaviour, ...withOrigins(counted(site, others, end, letter), site, others, origins, end) };
}

type Ours = Task | DocumentReference | Communication;

/** The same with the Provenance of each: one alone, where the EHR takes any. */
function withOrigins(
  count: Omit<Count, 'product' | 'behaviour'>,
  site: Site,
  others: readonly Ours[],
  origins: readonly Provenance[],
  { writes }: CaseFacts,
): Omit<Count, 'product' | 'behaviour'> {
  const targets = Map.groupBy(origins, ({ target }) => target[0]?.reference ?? '');
  const isExplained = (target: string) =>
    writes.some(({ what, version, reason }) => what === 'provenance' && version === target && reason !== undefined);
  const lacking = others
    .map(({ resourceType, id }) => `${resourceType}/${id}`)
    .filter((reference) => asksProvenance(site) && !targets.has(reference) && !isExplained(reference));
  return {
    ...count,
    written: count.written + origins.length,
    invalid: [...count.invalid, ...origins.flatMap((resource) => fhirProblems(resource))],
    doubled: [
      ...count.doubled,
      ...[...targets].filter(([, { length }]) => length > 1).map(([target]) => `Provenance of ${target}`),
    ],
    lost: [...count.lost, ...lacking.map((reference) => `Provenance of ${reference}`)],
  };
}

/** References of what was created, as the EHR’s own ledger has them. */
async function created(ehr: SandboxEhr): Promise<readonly string[]> {
  const answer = await fetch(`${ehr.url}/sandbox/ledger?kind=write.created&limit=100000`, {
    headers: { connection: 'close' }, // kept, it may end while this process is busy
  });
  const { entries } = (await answer.json()) as { entries: { resource: string }[] }; // the ledger's own form
  return entries.map(({ resource }) => resource);
}

function counted(
  site: Site,
  written: readonly Ours[],
  { writes }: CaseFacts,
  letter: Uint8Array,
): Omit<Count, 'product' | 'behaviour'> {
  const live = written.filter(({ status }) => status !== 'entered-in-error');
  const marks = Map.groupBy(live, markOf);
  const reasons = writes.filter(({ state, reason }) => reason !== undefined && ['skipped', 'failed'].includes(state));
  const tasks = live.filter(({ resourceType }) => resourceType === 'Task');
  const letters = live.filter(({ resourceType }) => resourceType !== 'Task');
  const bytes = Buffer.from(letter).toString('base64');
  const { channels } = site.writeback;
  const wanted = {
    document: channels[0] === 'worklist' || letters.some(tellsDenial),
    determination: channels[0] === 'worklist' || letters.some((one) => JSON.stringify(one).includes(bytes)),
    task: channels[0] !== 'task+document' || tasks.length > 0,
  };
  const lacking = Object.entries(wanted).flatMap(([what, isThere]) => (isThere ? [] : [what]));
  const isStale = tasks.length > 0 && !tasks.some(tellsDenial) && staleTask(writes) === undefined;
  return {
    written: live.length,
    invalid: written.flatMap((resource) => fhirProblems(resource)),
    doubled: [...marks].filter(([, { length }]) => length > 1).map(([mark]) => mark),
    lost: lacking.filter((what) => !reasons.some((row) => row.what === what)),
    stale: isStale ? ['Task'] : [],
    left:
      channels[0] === 'worklist'
        ? [`everything: ${chart.nothingWritten(presetOf(site)?.name)}`]
        : reasons.map(({ what, reason = '' }) => `${what}: ${reason}`),
  };
}

/** Whether it says how the case ended: denied, after it had been approved. */
function tellsDenial(resource: Ours): boolean {
  const said = {
    Task: () => JSON.stringify(resource),
    Communication: () => JSON.stringify(resource),
    DocumentReference: () => `${titleOf(resource)} ${(resource.extension ?? []).map(({ valueString }) => valueString)}`,
  };
  return /\bdenied\b/i.test(said[resource.resourceType]());
}

function titleOf(resource: Ours): string | undefined {
  return resource.resourceType === 'DocumentReference' ? resource.content[0]?.attachment.title : undefined;
}

/** What tells one resource of the bridge from another: its identifier or mark, else its title. */
function markOf(resource: Ours): string {
  const own = resource.identifier?.find(
    ({ system }) => !/\/(prior-authorization|enrollment)$/.test(system ?? ''),
  )?.value;
  const texts = [
    resource.resourceType === 'Task' ? resource.description : undefined,
    ...(resource.extension ?? []).map(({ valueString }) => valueString),
  ];
  const mark = texts.flatMap((text) => /\(([0-9a-f-]{36}[^)]*)\)$/.exec(text ?? '')?.[1] ?? [])[0];
  return `${resource.resourceType} ${own ?? mark ?? titleOf(resource) ?? ''}`;
}
