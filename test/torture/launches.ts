import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { startBridge } from '../../src/cli/server.ts';
import type { makeConfig, Site } from '../../src/config/config.ts';
import { goesOnTo } from '../support/visitor.ts';

// Many launches at once against one bridge over HTTP: each browser keeps its cookies, each chart says whose it is.

/** The bridge under test: from the sources, or from a build. */
export interface Product {
  readonly startBridge: typeof startBridge;
  readonly makeConfig: typeof makeConfig;
  readonly Site: typeof Site;
}

export interface Size {
  readonly launches: number;
  /** How many begin at once. */
  readonly together: number;
  /** Launches of one browser, all begun at once. */
  readonly perBrowser: number;
  /** Called after this many launches, with nothing under way; in their order. */
  readonly at?: readonly { readonly launches: number; readonly look: () => void }[];
}

export interface Outcome {
  readonly opened: number;
  /** Launches that were not known or not open any more. */
  readonly lost: readonly string[];
  /** Pages that showed another patient, or requests with a token of another. */
  readonly mixed: readonly string[];
  /** Launches and pages that were answered with anything else than they should. */
  readonly failed: readonly string[];
  /** Launches begun again since the EHR did not answer in time: it shares a process with all else here. */
  readonly again: number;
  /** The most sign-ins that waited at the EHR at one time. */
  readonly mostAtOnce: number;
}

/** Makes the launches and looks at each chart twice: when it is opened, and once all are. */
export async function manyLaunches(product: Product, size: Size): Promise<Outcome> {
  const ehr = await startEhr(Math.ceil(size.together / 2));
  const folder = mkdtempSync(join(tmpdir(), 'launches-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const bridge = await product.startBridge({
    config: configOf(product, { url, ehr: ehr.url, folder }),
    log: silentLog,
  });
  const found: Found = { opened: 0, lost: [], mixed: ehr.mixed, failed: [], again: 0 };
  const last: Look[] = [];
  try {
    for (let first = 0, count = 0; first < size.launches; first += count) {
      const next = (size.at ?? []).map(({ launches }) => launches).find((launches) => launches > first);
      count = Math.min(size.together, (next ?? size.launches) - first);
      const patients = Array.from({ length: count }, (_, index) => `p${first + index}`);
      const browsers = new Map<number, Browser>();
      const browserOf = (index: number) => {
        const number = Math.floor((first + index) / size.perBrowser);
        const browser = browsers.get(number) ?? new Browser(url, number, `${ehr.url}/fhir`);
        browsers.set(number, browser);
        return browser;
      };
      const opened = await Promise.all(patients.map((patient, index) => opens(browserOf(index), patient, found)));
      const looks = opened.flat();
      await inParallel(looks.flatMap(({ list, order }) => [list, order]));
      last.push(...looks);
      for (const { launches, look } of size.at ?? []) if (launches === first + count) look();
    }
    await inParallel(last.map(({ list }) => list));
  } finally {
    await bridge.close();
    await ehr.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...found, mostAtOnce: ehr.mostAtOnce() };
}

interface Found {
  opened: number;
  readonly lost: string[];
  readonly mixed: string[];
  readonly failed: string[];
  again: number;
}

interface Look {
  readonly list: () => Promise<void>;
  readonly order: () => Promise<void>;
}

/** One launch; answers how to look at its pages, or nothing when it failed. */
async function opens(browser: Browser, patient: string, found: Found): Promise<Look[]> {
  const home = await launched(browser, patient, found).catch((error: unknown) => String(error));
  if (!home.startsWith('/app/')) {
    found.failed.push(`${patient} ${home}`);
    return [];
  }
  found.opened += 1;
  const at = async (path: string) => {
    const { status, body } = await browser.get(path);
    const shown = new Set(body.match(/Family-p\d+/g));
    if (status === 401 || status === 404) found.lost.push(`${patient} ${status}`);
    else if (status !== 200 || !shown.has(`Family-${patient}`)) found.failed.push(`${patient} page ${status}`);
    if ([...shown].some((name) => name !== `Family-${patient}`)) found.mixed.push(`${patient} ${[...shown].join()}`);
  };
  return [{ list: () => at(`${home}/orders`), order: () => at(`${home}/orders/order-${patient}`) }];
}

/** A sign-in that never works ends the run all the same. */
const mostAgain = 100;

/** As the page of the bridge says to a person whose EHR did not complete the sign-in: start again from the chart. */
async function launched(browser: Browser, patient: string, found: Found): Promise<string> {
  const home = await browser.launch(patient);
  if (!/^(launch|callback) 502$/.test(home) || found.again >= mostAgain) return home;
  found.again += 1;
  return await launched(browser, patient, found);
}

function configOf(
  { makeConfig: make, Site: SiteOf }: Product,
  { url, ehr, folder }: { readonly url: string; readonly ehr: string; readonly folder: string },
): ReturnType<typeof makeConfig> {
  const site = SiteOf.parse({
    id: 'valley',
    name: 'Valley Clinic',
    iss: `${ehr}/fhir`,
    client: { auth: 'public', id: 'bridge' },
    service: { url: 'http://127.0.0.1:9', tokenEnv: 'SERVICE_TOKEN' },
  });
  const environment = {
    BRIDGE_URL: url,
    BRIDGE_KEYS: '0'.repeat(64),
    BRIDGE_DATA: folder,
    // each browser has an address of its own, as behind a proxy
    BRIDGE_TRUSTED_PROXIES: '127.0.0.1',
    NODE_ENV: 'test',
  };
  return make(environment, [site], { SERVICE_TOKEN: 'token' });
}

/** Keeps the cookies that it is told, and comes from an address of its own. */
class Browser {
  private readonly jar = new Map<string, string>();

  constructor(
    private readonly url: string,
    private readonly number: number,
    private readonly iss: string,
  ) {}

  /** Answers the path of the open launch, or what went wrong. */
  async launch(patient: string): Promise<string> {
    const begun = await this.get(`/launch?${new URLSearchParams({ iss: this.iss, launch: patient })}`);
    const state = URL.parse(begun.location)?.searchParams.get('state');
    if (begun.status !== 303 || typeof state !== 'string') return `launch ${begun.status}`;
    const done = await this.get(`/callback/valley?${new URLSearchParams({ state, code: patient })}`);
    return done.status === 303 ? done.location : `callback ${done.status}`;
  }

  async get(path: string): Promise<{ status: number; location: string; body: string }> {
    const reply = await fetch(`${this.url}${path}`, {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-forwarded-for': `198.51.${this.number >> 8}.${this.number & 255}`,
      },
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const body = await reply.text();
    const next = goesOnTo(body);
    if (next !== undefined) return this.get(new URL(next, this.url).href.replace(this.url, ''));
    return { status: reply.status, location: reply.headers.get('location') ?? '', body };
  }
}

/** An EHR whose charts hold a Patient and an order; its token service answers once so many wait for it. */
async function startEhr(atOnce: number) {
  const mixed: string[] = [];
  const waiting: (() => void)[] = [];
  let most = 0;
  const release = () => {
    // the last comes first, so that callbacks end in another order than they began
    for (const go of waiting.splice(0).reverse()) go();
  };
  const server = createServer((request, reply) => {
    answer(request, reply).catch((error: unknown) => reply.writeHead(500).end(String(error)));
  });

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://ehr.invalid');
    const send = (body: unknown, status = 200) =>
      reply.writeHead(status, { 'content-type': 'application/fhir+json' }).end(JSON.stringify(body));
    if (url.pathname === '/fhir/.well-known/smart-configuration') send(discoveryOf(address()));
    else if (url.pathname === '/oauth/token') send(await tokenFor(request));
    else if (url.pathname === '/fhir/metadata') send({ resourceType: 'OperationOutcome', issue: [] }, 404);
    else send(fhir(url, request));
  }

  async function tokenFor(request: IncomingMessage): Promise<unknown> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const patient = new URLSearchParams(Buffer.concat(parts).toString()).get('code') ?? '';
    // where fewer than that are under way, nobody waits for more
    const rest = setTimeout(release, 3_000);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      most = Math.max(most, waiting.length);
      if (waiting.length >= atOnce) release();
    });
    clearTimeout(rest);
    const scope = 'launch patient/*.rs';
    return { access_token: `token-${patient}`, token_type: 'Bearer', expires_in: 3_600, scope, patient };
  }

  function fhir(url: URL, request: IncomingMessage): unknown {
    const [, , type = '', id] = url.pathname.split('/');
    const patient = id ?? url.searchParams.get('patient') ?? '';
    if (request.headers.authorization !== `Bearer token-${patient}`)
      mixed.push(`${url.pathname} of ${patient} with ${request.headers.authorization}`);
    const entries = type === 'MedicationRequest' ? [{ resource: orderOf(patient) }] : [];
    return type === 'Patient'
      ? { resourceType: 'Patient', id: patient, name: [{ family: `Family-${patient}` }], birthDate: '1970-01-01' }
      : { resourceType: 'Bundle', type: 'searchset', entry: entries };
  }

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: address(),
    mixed,
    mostAtOnce: () => most,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function discoveryOf(ehr: string) {
  return {
    authorization_endpoint: `${ehr}/oauth/authorize`,
    token_endpoint: `${ehr}/oauth/token`,
    code_challenge_methods_supported: ['S256'],
    capabilities: ['launch-ehr', 'permission-v2'],
  };
}

function orderOf(patient: string) {
  return {
    resourceType: 'MedicationRequest',
    id: `order-${patient}`,
    status: 'active',
    intent: 'order',
    subject: { reference: `Patient/${patient}` },
    medicationCodeableConcept: { text: 'adalimumab 40 MG/0.8 ML prefilled syringe' },
    note: [{ text: `of Family-${patient}` }],
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A few at a time: what is measured is launches, not how many pages one machine draws at once. */
async function inParallel(work: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...work];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: Math.min(10, work.length) }, worker));
}
