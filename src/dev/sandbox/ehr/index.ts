import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { Bundle, Resource } from 'fhir/r4.js';
import type { Clock, Log } from '../../../base/log.ts';
import { registerControl } from '../control/control-routes.ts';
import { openLedger } from '../control/ledger.ts';
import { type Order, Switches } from '../control/switches.ts';
import { ehrLedger } from './ehr-ledger.ts';
import { type EhrSwitches, ehrSwitches } from './ehr-switches.ts';
import { loadDefinitions } from './fhir/definitions.ts';
import { EhrStore, type StoredResources } from './fhir/ehr-store.ts';
import { fhirRoutes } from './fhir/routes.ts';
import { registerLaunches } from './launches.ts';
import { OAuthStore } from './oauth/adapter.ts';
import type { SandboxClient } from './oauth/clients.ts';
import { createLaunches, type TokenContext } from './oauth/launches.ts';
import { createOAuthServer } from './oauth/server.ts';
import { contextOf, type LaunchChoice } from './pages/chart.ts';
import type { EhrLink } from './pages/lists.tsx';
import { pageRoutes } from './pages/page-routes.tsx';
import { type Product, type ProductId, plainSignIn, products } from './products.ts';
import { createStateFile, newState, readState, type StateFile } from './state.ts';
import { stories } from './stories.ts';
import { storyBundle } from './story-bundle.ts';
import { userRecords } from './users.ts';

export type { SandboxClient } from './oauth/clients.ts';

export interface SandboxEhrOptions {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** A JSON file with every resource, token and key. If it exists, it is read at the start; else `seed` is used. */
  readonly dataFile?: string;
  /** The bridge's launch URL, such as `http://localhost:8080/launch`. */
  readonly launchUrl: string;
  /** A file of JSON lines to which the ledger is appended. */
  readonly ledgerFile?: string;
  /** The EHR product to imitate; without it, no product is imitated. */
  readonly product?: ProductId | undefined;
  /** The faults that are active from the start. Throws WrongOrder if one is not valid. */
  readonly switches?: readonly unknown[];
  readonly clients: readonly SandboxClient[];
  readonly clock: Clock;
  readonly log: Log;
  /** The charts to start with; the stories by default. */
  readonly seed?: readonly Bundle[];
  /** Links to other parts of the sandbox, for the first page. */
  readonly links?: readonly EhrLink[];
  /** More charts. Their resources are added if the EHR does not have them yet. */
  readonly charts?: readonly Bundle[];
}

export type EhrOrder = Order<typeof ehrSwitches>;

export interface SandboxEhr {
  /** The chart pages, such as `http://127.0.0.1:8081`. */
  readonly url: string;
  /** The `iss` of launches, such as `http://127.0.0.1:8081/fhir`. */
  readonly fhirBase: string;
  readonly switches: EhrSwitches;
  /** Returns the current resource of a reference such as `Task/7`. For tests. */
  peek(reference: string): Resource | undefined;
  /** Creates a launch as the chart page does. `address` opens it. */
  launch(choice: Omit<LaunchChoice, 'banner'>): {
    readonly launch: string;
    readonly address: string;
  };
  close(): Promise<void>;
}

/** Starts the EHR and resolves once it answers. Rejects with the system's error if the port is taken (`EADDRINUSE`). */
export async function startSandboxEhr(options: SandboxEhrOptions): Promise<SandboxEhr> {
  const switches = new Switches(ehrSwitches, options.clock, false);
  const product: Product | undefined = options.product === undefined ? undefined : products[options.product];
  const signIn = product?.signIn ?? plainSignIn;
  for (const order of [...(options.switches ?? []), ...(product?.orders ?? [])]) switches.add(order);
  loadDefinitions();
  const stop = new AbortController();
  const { server, listen } = latecomer();
  const url = `http://${options.host}:${await startListening(server, options)}`;
  const fhirBase = `${url}/fhir`;
  const known = readState(options.dataFile);
  const state = known ?? (await newState());
  const file: StateFile = createStateFile(options.dataFile, () => ({
    stored: store.snapshot(),
    keys: state.keys,
    cookieKey: state.cookieKey,
    oauth: oauthStore.all(),
    contexts: [...contexts].filter(([grant]) => oauthStore.get(`Grant:${grant}`) !== undefined),
  }));
  const ledger = openLedger(ehrLedger, options.ledgerFile, options.clock);
  const store = new EhrStore(options.clock, ledger, stop.signal, file.changed);
  const oauthStore = new OAuthStore(state.oauth, file.changed);
  const contexts = new Map<string, TokenContext>(state.contexts);
  await store.load(withCharts(known?.stored ?? seeded(options), [...(options.charts ?? []), userRecords]));
  file.changed();

  const launches = createLaunches(options.clock);
  const oauth = createOAuthServer({
    issuer: `${url}/oauth`,
    fhirBase,
    clients: options.clients,
    launches,
    store: oauthStore,
    contexts,
    keys: state.keys,
    cookieKey: state.cookieKey,
    nameOf: (id) => practitionerName(store, id),
    switches,
    signIn,
    stop: stop.signal,
  });
  const address = (launch: string) => `${options.launchUrl}?${new URLSearchParams({ iss: fhirBase, launch })}`;
  const launch = (context: TokenContext) => {
    const id = launches.make(context);
    options.log.info({ event: 'launch' }, 'sandbox EHR made a launch');
    return { launch: id, address: address(id) };
  };

  const app = Fastify({ bodyLimit: 16 * 1024 * 1024, serverFactory: (handler) => listen(handler) });
  await app.register(
    fhirRoutes({
      store,
      base: fhirBase,
      authorizationServer: `${url}/oauth`,
      accessFor: oauth.accessFor,
      switches,
      signIn,
      stop: stop.signal,
      clock: options.clock,
    }),
    { prefix: '/fhir' },
  );
  await app.register(oauth.routes, { prefix: '/oauth' });
  await app.register(
    pageRoutes({
      store,
      stories,
      links: options.links ?? [],
      launch,
      launchId: (context) => launches.make(context),
      switches,
      launchOrigin: new URL(options.launchUrl).origin,
      clock: options.clock,
    }),
  );
  await app.register((control, _, done) => {
    registerControl(control, { switches, ledger });
    registerLaunches(control, { store, launch });
    done();
  });
  await app.ready();
  return {
    url,
    fhirBase,
    switches,
    peek: (reference) => store.peek(reference) as Resource | undefined, // both packages' types describe the same JSON
    launch: (choice) => launch(contextOf(store, { ...choice, banner: true })),
    async close() {
      stop.abort();
      file.flush();
      server.closeAllConnections();
      await app.close();
      await new Promise<void>((done) => server.close(() => done()));
      ledger.close();
    },
  };
}

/**
 * An HTTP server that listens before its handler exists: the handler needs the port for the URLs that the EHR states.
 */
function latecomer(): { server: Server; listen: (handler: RequestListener) => Server } {
  let handle: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  return {
    server,
    listen: (handler) => {
      handle = handler;
      return server;
    },
  };
}

async function startListening(server: Server, options: SandboxEhrOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return (server.address() as AddressInfo).port; // a TCP server has an AddressInfo
}

function seeded({ seed = stories.map(storyBundle) }: SandboxEhrOptions): StoredResources {
  return { resources: seedResources(seed), deleted: [] };
}

function withCharts(stored: StoredResources, charts: readonly Bundle[]): StoredResources {
  const known = new Set(stored.resources.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const added = seedResources(charts).filter(({ resourceType, id }) => !known.has(`${resourceType}/${id}`));
  return { ...stored, resources: [...stored.resources, ...added] };
}

function seedResources(bundles: readonly Bundle[]) {
  const byReference = new Map<string, Resource>();
  for (const resource of bundles.flatMap((bundle) => bundle.entry ?? []).flatMap((entry) => entry.resource ?? [])) {
    const reference = `${resource.resourceType}/${resource.id}`;
    const before = byReference.get(reference);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(resource))
      throw new Error(`two different ${reference} in the charts`);
    byReference.set(reference, resource);
  }
  // both packages' types describe the same JSON
  return [...byReference.values()] as Parameters<EhrStore['load']>[0]['resources'];
}

function practitionerName(store: EhrStore, id: string): string | undefined {
  const resource = store.peek(`Practitioner/${id}`);
  const name = resource?.resourceType === 'Practitioner' ? resource.name?.[0] : undefined;
  return name === undefined
    ? undefined
    : [...(name.given ?? []), name.family, ...(name.suffix ?? [])].filter((part) => part !== undefined).join(' ');
}
