import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Bundle, Resource } from 'fhir/r4.js';
import { mappings } from '../../mappings/index.ts';
import { allowedFacts, type Log } from '../../src/base/log.ts';
import { createVault } from '../../src/base/vault.ts';
import { termsIn } from '../../src/cases/approved.ts';
import {
  type Actor,
  type Case,
  type CaseBase,
  type CaseState,
  type Entries,
  isEditable,
  type ListedCase,
  type Problem,
  type RequestContent,
  type SentRequest,
} from '../../src/cases/case.ts';
import type { Cases } from '../../src/cases/cases.ts';
import type { Submission } from '../../src/cases/requests.ts';
import type { KeptQuestion } from '../../src/cases/rounds/kept.ts';
import type { Round } from '../../src/cases/rounds/round.ts';
import { fingerprintOf } from '../../src/cases/signature.ts';
import { type Config, makeConfig, Site } from '../../src/config/config.ts';
import type { ServiceRecord } from '../../src/core/contract/kinds.ts';
import { BridgeError, type ErrorFacts } from '../../src/core/errors.ts';
import type { FhirApi } from '../../src/core/fhir/api.ts';
import { isStaff } from '../../src/ehr/smart/launch.ts';
import type { Smart } from '../../src/ehr/smart/smart.ts';
import type { Launch } from '../../src/ehr/smart/types.ts';
import { buildApp } from '../../src/web/app.ts';
import type { Deps } from '../../src/web/http/deps.ts';
import { formFaults } from '../support/form-faults.ts';

export const session = 'S'.repeat(43);
export const otherSession = 'T'.repeat(43);
export const launchId = 'launch-one-of-this-browser-000001';
export const now = new Date('2026-11-21T15:00:00Z');
export const bridgeUrl = 'http://localhost:8080';

export function testConfig(): Config {
  const site = Site.parse({
    id: 'valley',
    name: 'Valley Clinic',
    iss: 'http://127.0.0.1:8081/fhir',
    client: { auth: 'public', id: 'bridge' },
    frameAncestors: ['https://ehr.valley.example'],
    service: { url: 'http://127.0.0.1:8082', tokenEnv: 'SERVICE_TOKEN', webhookSecretEnvs: ['HOOK_NEW', 'HOOK_OLD'] },
    enrollment: {
      programs: [
        { programId: 'prog-1', name: 'Humira Complete' },
        { programId: 'prog-2', name: 'Second program' },
      ],
    },
  });
  const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
  return makeConfig({ BRIDGE_URL: bridgeUrl, BRIDGE_KEYS: Buffer.alloc(32, 7).toString('base64') }, [site], env);
}

/** The resources of one of our story charts. */
export function story(name: string): Resource[] {
  const path = join(import.meta.dirname, '..', '..', 'fixtures', 'charts', name, 'bundle.json');
  const bundle: Bundle = JSON.parse(readFileSync(path, 'utf8'));
  return (bundle.entry ?? []).flatMap((entry) => entry.resource ?? []);
}

export interface Scene {
  readonly app: FastifyInstance;
  readonly smart: FakeSmart;
  readonly cases: FakeCases;
  readonly log: RecordedLog;
  /** What the EHR holds; change it to see what a second reading does. */
  resources: Resource[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(
    path: string,
    form: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  readonly order: string;
  readonly home: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** The pages over one story's chart, with an EHR, sign-in and cases that are only memory. */
export async function openScene(name: string, change: (deps: Deps) => Deps = (deps) => deps): Promise<Scene> {
  const resources = story(name);
  const order = resources.find((resource) => resource.resourceType === 'MedicationRequest');
  const patient = resources.find((resource) => resource.resourceType === 'Patient');
  const config = testConfig();
  const smart = fakeSmart(config, { patient: patient?.id ?? '' });
  const cases = fakeCases();
  const log = recordedLog();
  const held = { resources };
  const deps: Deps = {
    config,
    vault: createVault(config.keys),
    smart,
    cases,
    mappings,
    clock: () => now,
    log,
    // A busy machine is no slow EHR: the page that waits is for the tests that ask for it.
    patience: { firstMs: 600_000, againMs: 600_000 },
    readChart: async () => ({
      entries: held.resources.map((resource) => ({ resource })),
      rounds: 1,
      warnings: [],
      forbidden: [],
      unread: [],
    }),
  };
  const app = await buildApp(change(deps));
  const cookies = { cookie: `__Host-bridge-${launchId}=${session}` };
  const send = async (options: InjectOptions): Promise<Answer> => {
    const reply = await app.inject(options);
    assertWellFormed(reply);
    return {
      status: reply.statusCode,
      body: reply.body,
      headers: Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
      ),
    };
  };
  return {
    app,
    smart,
    cases,
    log,
    get resources() {
      return held.resources;
    },
    set resources(next) {
      held.resources = next;
    },
    order: order?.id ?? '',
    home: `/app/${launchId}`,
    get: (path, headers = {}) =>
      send({ method: 'GET', url: path, headers: { ...cookies, accept: 'text/html', ...headers } }),
    post: (path, form, headers = {}) =>
      send({
        method: 'POST',
        url: path,
        headers: {
          ...cookies,
          'content-type': 'application/x-www-form-urlencoded',
          origin: bridgeUrl,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        payload: encode(form),
      }),
  };
}

/**
 * The form of a page as a browser would send it: every named control with its value, first form that has the action.
 */
export function formOf(page: string, id?: string): Record<string, string[]> {
  const forms = [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)];
  const form = forms.find(([, attributes, inner]) =>
    id === undefined
      ? inner?.includes('name="token"') && !attributes?.includes('logout')
      : attributes?.includes(`id="${id}"`),
  );
  const fields: Record<string, string[]> = {};
  const add = (name: string, value: string) => {
    fields[name] = [...(fields[name] ?? []), decoded(value)];
  };
  for (const [, attributes = '', , text] of (form?.[2] ?? '').matchAll(
    /<(?:input|textarea)\b([^>]*?)(\/?)>(?:([^<]*)<\/textarea>)?/g,
  )) {
    const name = attribute(attributes, 'name');
    const type = attribute(attributes, 'type');
    if (name === undefined || ((type === 'checkbox' || type === 'radio') && !/\bchecked\b/.test(attributes))) continue;
    add(name, text ?? attribute(attributes, 'value') ?? '');
  }
  for (const [, attributes = '', inner = ''] of (form?.[2] ?? '').matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const options = [...inner.matchAll(/<option\b([^>]*)>/g)].map(([, own = '']) => own);
    const chosen = options.find((own) => /\bselected\b/.test(own)) ?? options[0];
    add(attribute(attributes, 'name') ?? '', attribute(chosen ?? '', 'value') ?? '');
  }
  return fields;
}

export interface Uploaded {
  readonly file?: Buffer;
  readonly name?: string;
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Record<string, string>;
  /** Further files of the same field. */
  readonly more?: readonly { readonly file: Uint8Array; readonly name: string }[];
}

/** A form with a file, as a browser sends it. */
export async function upload(scene: Scene, address: string, { fields = {}, ...sent }: Uploaded) {
  const page = await scene.get(address);
  const { token: [token = ''] = [], patient: [patient = ''] = [] } = formOf(page.body, 'attach');
  return await postWithFile(scene, address, { ...sent, fields: { token, patient, ...fields } });
}

/** A form that may have a file, with these fields alone. */
export async function postWithFile(
  { app }: Scene,
  url: string,
  { file, name = 'file.pdf', more = [], fields = {}, headers = {} }: Uploaded,
) {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) for (const each of [value].flat()) data.append(key, each);
  if (file !== undefined) data.set('file', new File([new Uint8Array(file)], name));
  for (const each of more) data.append('file', new File([new Uint8Array(each.file)], each.name));
  const encoded = new Response(data);
  const reply = await app.inject({
    method: 'POST',
    url,
    headers: {
      cookie: `__Host-bridge-${launchId}=${session}`,
      origin: bridgeUrl,
      'sec-fetch-site': 'same-origin',
      'content-type': encoded.headers.get('content-type') ?? '',
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  assertWellFormed(reply);
  return reply;
}

/** Each whole page that a test is shown has a heading and forms that a screen reader can say. */
function assertWellFormed({ body }: { readonly body: string }): void {
  const faults = body.startsWith('<!doctype html>') ? formFaults(body) : [];
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

function attribute(attributes: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
}

function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function encode(form: Record<string, string | readonly string[]>): string {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : value.map((one) => [name, one]),
  );
  return new URLSearchParams(pairs).toString();
}

export interface FakeSmart extends Smart {
  launch: Launch;
  loggedOut: boolean;
  /** Whether each `open` counted as use. */
  readonly touches: boolean[];
}

function fakeSmart(config: Config, context: { patient: string }): FakeSmart {
  const [site] = config.sites;
  const launch: Launch = {
    id: launchId,
    site: site!,
    iss: site!.iss,
    patient: context.patient,
    fhirUser: 'Practitioner/prac-1',
    userName: 'Riley Okafor, MA',
    orders: [],
    needPatientBanner: true,
    scopes: [],
    createdAt: now.toISOString(),
    endsAt: new Date(now.getTime() + 3_600_000).toISOString(),
  };
  const fake: FakeSmart = {
    launch,
    loggedOut: false,
    touches: [],
    startLaunch: async (query) => {
      if (query.iss !== site!.iss) throw new BridgeError('issuer_unknown');
      return { redirect: 'http://127.0.0.1:8081/authorize?state=abc', launch: launchId };
    },
    completeLaunch: async (_site, query, sessionIds) => {
      if (sessionIds.length === 0) throw new BridgeError('cookies_blocked');
      if (query.state !== 'abc') throw new BridgeError('state_invalid');
      return { launch: fake.launch, sessionId: otherSession };
    },
    launchAddress: async (_site, query) =>
      query.state === 'abc' ? `/launch?iss=${encodeURIComponent(site!.iss)}&launch=x` : undefined,
    open: async (id, sessionId, options) => {
      fake.touches.push(options?.touch !== false);
      if (fake.loggedOut) throw new BridgeError('relaunch_required');
      if (id !== launchId || sessionId !== session) throw new BridgeError('launch_not_found');
      return fake.launch;
    },
    startSignIn: async () => ({ redirect: 'http://127.0.0.1:8081/authorize?state=staff', launch: launchId }),
    isSignIn: async (_site, query) => query.state === 'staff',
    completeSignIn: async () => ({ staff: await fake.staff(launchId, session), sessionId: otherSession }),
    staff: async (id, sessionId) => {
      const { site: at, fhirUser, userName, patient, endsAt } = await fake.open(id, sessionId);
      if (!isStaff(fhirUser)) throw new BridgeError('staff_only', { site: at.id });
      return {
        id,
        site: at,
        fhirUser: fhirUser ?? '',
        patient,
        endsAt,
        ...(userName === undefined ? {} : { userName }),
      };
    },
    keepAlive: async (id, sessionId) => void (await fake.open(id, sessionId)),
    hasOpenChart: async () => false,
    // readChart is a fake too; nothing that the chart only points to may be read
    api: () => ({ base: site!.iss, scopes: [] as readonly string[] }) as FhirApi,
    systemApi: async () => ({}) as FhirApi,
    accessFor: async () => ({ waiting: 'next-launch' }),
    logout: async () => {
      fake.loggedOut = true;
    },
    own: async (sent) => [...sent].flatMap(([id, sessionId]) => (id === launchId && sessionId === session ? [id] : [])),
    over: async () => [],
    ended: async () => undefined,
    jwks: () => ({ keys: [] }),
    purge: async () => 0,
  };
  return fake;
}

/** A case in whatever state, with everything that any state has. */
export interface AnyCase extends Omit<CaseBase, 'problem'>, Entries, Partial<Omit<SentRequest, 'attempt' | 'state'>> {
  readonly state: CaseState;
  readonly problem?: Problem | undefined;
  readonly status?: string;
  readonly sentBy?: Actor;
  readonly record?: ServiceRecord;
  readonly endedAt?: string;
  readonly cancellation?: string;
  readonly rounds?: readonly Round[];
}

export interface FakeCases extends Omit<Cases, 'get' | 'openDraft'> {
  get(...args: Parameters<Cases['get']>): Promise<Case>;
  openDraft(...args: Parameters<Cases['openDraft']>): Promise<Case>;
  readonly all: Map<string, AnyCase>;
  readonly sent: Submission[];
  readonly hooks: unknown[];
  /** What was asked for of rounds: the name of the method and its request. */
  readonly ofRounds: { readonly name: string; readonly request: unknown }[];
  /** Questions that were released, whatever their drug and payer. */
  readonly kept: { readonly id: string; readonly round: number; readonly content: KeptQuestion }[];
  /** What the next reply throws. */
  refusesReply: BridgeError | undefined;
  /** What `send` turns the case into. */
  outcome: Partial<AnyCase>;
  /** Cases whose letter was asked for again. */
  readonly letters: string[];
  /** The payer's own letter, once there is one. */
  payersLetter: Awaited<ReturnType<Cases['payerLetter']>>;
  put(one: Partial<AnyCase>): AnyCase;
  /** Cases that are under way for the same drug. */
  duplicatesUnderWay: AnyCase[];
}

export function fakeCases(): FakeCases {
  const all = new Map<string, AnyCase>();
  const sent: Submission[] = [];
  const hooks: unknown[] = [];
  const files = new Map<string, Uint8Array>();
  const need = (id: string) => {
    const one = all.get(id);
    if (one === undefined) throw new BridgeError('case_not_found');
    return one;
  };
  const change = (id: string, next: Partial<AnyCase>) => {
    const one = {
      ...need(id),
      ...next,
      version: need(id).version + 1,
    };
    all.set(id, one);
    return shown(one);
  };
  const blank: AnyCase = {
    id: '',
    kind: 'prior-auth',
    site: 'valley',
    patient: '',
    order: '',
    launch: launchId,
    state: 'draft',
    banner: { name: 'Nobody' },
    title: 'A drug',
    edits: {},
    answers: {},
    mappedBy: { mapping: 'prior-auth', version: '1' },
    attempt: 0,
    version: 1,
    requests: [],
    others: [],
    events: [],
    unwritten: false,
    history: [],
    writes: [],
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
  // A test puts what it is about of what the state has.
  const shown = (one: AnyCase): Case =>
    (one.state === 'draft' || one.state === 'refused'
      ? one
      : {
          body: {},
          provenance: [],
          gaps: [],
          entries: {
            edits: one.edits,
            answers: one.answers,
            ...(one.attached === undefined ? {} : { attached: one.attached }),
            ...(one.sheet === undefined ? {} : { sheet: one.sheet }),
          },
          ...times(one),
          ...one,
        }) as unknown as Case;
  const listed = (made: AnyCase): ListedCase => {
    const one = shown(made);
    const requests = one.requests.map(withoutContent);
    return isEditable(one) ? { ...one, requests } : ({ ...withoutContent(one), requests } as ListedCase);
  };
  const times = ({ state }: AnyCase) => ({
    sentAt: now.toISOString(),
    sentBy: 'bridge',
    ...(state === 'ended' ? { endedAt: now.toISOString() } : {}),
  });
  const fake: FakeCases = {
    all,
    sent,
    hooks,
    outcome: { state: 'open', serviceId: 'pa_1', sentAt: now.toISOString() },
    payersLetter: undefined,
    letters: [],
    ofRounds: [],
    kept: [],
    refusesReply: undefined,
    put(one) {
      const id = one.id ?? randomUUID();
      const made: AnyCase = { ...blank, version: (all.get(id)?.version ?? 0) + 1, ...one, id };
      all.set(id, made);
      return made;
    },
    async openDraft(request) {
      const same = [...all.values()].filter(
        (one) => one.order === request.order && one.kind === request.kind && one.patient === request.patient,
      );
      const live = same.find((one) => one.state !== 'ended');
      const known = live ?? (request.anew === true ? undefined : same.at(-1));
      const { anew: _, ...made } = request;
      return shown(known ?? fake.put(made));
    },
    async saveDraft(id, given) {
      const { attach, detach, ...draft } = typeof given === 'function' ? given(need(id)) : given;
      const { consent: _, consentEntry: __, ...rest } = need(id);
      if (attach !== undefined || detach !== undefined) {
        const kept = (need(id).attached ?? []).filter((one) => one.id !== detach);
        return change(id, { ...draft, attached: attach === undefined ? kept : [...kept, attach] });
      }
      if (draft.consent !== undefined || draft.consentEntry !== undefined) all.set(id, rest);
      return change(id, draft);
    },
    async attach(id, attach, bytes) {
      files.set(`${id}|${attach.id}`, bytes);
      return await fake.saveDraft(id, { attach });
    },
    async detach(id, file) {
      files.delete(`${id}|${file}`);
      return await fake.saveDraft(id, { detach: file });
    },
    attached: async (id, file) => files.get(`${id}|${file}`),
    async send(id, submission) {
      const one = need(id);
      if (submission.expectedPatient !== fake.patientMark(one.site, one.patient)) throw new BridgeError('case_changed');
      const unseen = fake.duplicatesUnderWay.find((other) => submission.duplicatesSeen?.includes(other.id) !== true);
      if (unseen !== undefined) throw new BridgeError('case_duplicate', { case: id, other: unseen.id });
      sent.push(submission);
      const { body, provenance, mappedBy, codeTitles } = submission;
      return change(id, {
        body,
        provenance,
        mappedBy,
        ...(codeTitles && { codeTitles }),
        askedTerms: termsIn(body),
        ...fake.outcome,
      });
    },
    async askSignature(id, { shown: toSign, by }) {
      const digest = fingerprintOf(toSign.body);
      files.set(`${id}|signature|${digest}`, Buffer.from(JSON.stringify(toSign)));
      const signature = { state: 'asked', digest, askedBy: by, askedAt: now.toISOString(), isChanged: false } as const;
      return change(id, { signature });
    },
    async shownToSign(id, digest) {
      const kept = files.get(`${id}|signature|${digest}`);
      return kept === undefined ? undefined : JSON.parse(Buffer.from(kept).toString('utf8'));
    },
    sign: async (id) => shown(need(id)),
    returnUnsigned: async (id) => shown(need(id)),
    async fetchLetter(id) {
      fake.letters.push(id);
      return shown(need(id));
    },
    async markNotArrived(id) {
      return change(id, { state: 'draft' });
    },
    async markArrived(id, { serviceId }) {
      return change(id, { state: 'open', ...(serviceId === undefined ? {} : { serviceId }) });
    },
    async get(id, owner) {
      const one = need(id);
      if (owner !== undefined && (one.site !== owner.site || one.patient !== owner.patient))
        throw new BridgeError('case_not_found');
      return shown(one);
    },
    forPatient: async (site, patient) =>
      [...all.values()].filter((one) => one.site === site && one.patient === patient).map(listed),
    list: async () => [...all.values()].map(listed),
    counts: async () => [],
    async cancel(id, { reason, by }) {
      return change(id, {
        state: 'ended',
        record: { id: 'pa_1', status: 'cancelled' },
        history: [{ at: now.toISOString(), what: `Cancelled: ${reason}`, by }],
      });
    },
    refresh: async (id) => shown(need(id)),
    retryWriteback: async (id) => shown(need(id)),
    noteAppealDeadline: async (id, { on, by }) => {
      const { events, history } = need(id);
      const at = now.toISOString();
      const event = { id: events.length + 1, at, type: 'appeal_noted', actor: 'user', facts: { on } };
      return change(id, { events: [...events, event], history: [...history, { at, what: 'Appeal deadline', by }] });
    },
    noteApproved: async (id, { terms, by }) => {
      const { events, history } = need(id);
      const at = now.toISOString();
      const event = { id: events.length + 1, at, type: 'approved_noted', actor: 'user', facts: { ...terms } };
      return change(id, { events: [...events, event], history: [...history, { at, what: 'Approved terms', by }] });
    },
    letter: async () => new TextEncoder().encode('%PDF-1.7'),
    payerLetter: async (id) => {
      if (need(id).state !== 'ended') throw new BridgeError('case_not_ready');
      return fake.payersLetter;
    },
    async openRound(id, request) {
      fake.ofRounds.push({ name: 'open', request });
      return shown(need(id));
    },
    async closeRound(id, request) {
      fake.ofRounds.push({ name: 'close', request });
      return shown(need(id));
    },
    async reply(id, request) {
      if (fake.refusesReply !== undefined) throw fake.refusesReply;
      fake.ofRounds.push({ name: 'reply', request });
      return shown(need(id));
    },
    async settleReply(id, request) {
      fake.ofRounds.push({ name: 'settle', request });
      return shown(need(id));
    },
    async noteReplySent(id, request) {
      fake.ofRounds.push({ name: 'sent', request });
      return shown(need(id));
    },
    async replyContent(id, key) {
      const kept = files.get(`${id}|reply|${key}`);
      return kept === undefined ? undefined : JSON.parse(Buffer.from(kept).toString('utf8'));
    },
    async keepQuestion(id, { round, ...content }) {
      const { by, ...rest } = content;
      fake.kept.push({
        id,
        round,
        content: { ...rest, cells: [...rest.cells], by: by.name ?? '', at: now.toISOString() },
      });
    },
    async forgetQuestion(id, round) {
      const at = fake.kept.findIndex((one) => one.id === id && one.round === round);
      if (at >= 0) fake.kept.splice(at, 1);
    },
    async keptRounds(id) {
      return fake.kept.filter((one) => one.id === id).map(({ round }) => round);
    },
    async keptQuestions() {
      return fake.kept.map(({ content }) => content);
    },
    async questionFile(id, file) {
      const bytes = files.get(`${id}|question|${file}`);
      return bytes === undefined ? undefined : { bytes, type: 'application/pdf' };
    },
    async receiveWebhook(site, event, delivery) {
      hooks.push({ site, event, delivery });
      return 'accepted';
    },
    async flushWaiting() {
      for (const one of all.values())
        fake.put({ ...one, writes: one.writes.map((row) => ({ ...row, state: 'done' })) });
      return 1;
    },
    patientMark: (site, patient) => createHmac('sha256', 'mark').update(`${site}|${patient}`).digest('base64url'),
    duplicatesUnderWay: [],
    duplicates: async () => fake.duplicatesUnderWay.map(shown),
    seen: ({ id, version }) => `${id}-${version}`,
    async isSeen(id, owner, seen) {
      const one = all.get(id);
      const isTheirs = one?.site === owner.site && one.patient === `Patient/${owner.patient}`;
      return isTheirs && seen === `${id}-${one.version}`;
    },
    assign: async (id) => shown(need(id)),
    takeOver: async (id) => shown(need(id)),
    seeTakeOver: async (id) => shown(need(id)),
    addNote: async (id) => shown(need(id)),
    noteOrder: async (id, { isEnded }) => shown(Object.assign(need(id), { orderEnded: isEnded })),
    markDone: async (id) => shown(need(id)),
    async retractLetter(id, { reference, by }) {
      const { writes, history } = need(id);
      return change(id, {
        writes: writes.map((row) => (row.reference === reference ? { ...row, state: 'retracted' as const } : row)),
        history: [...history, { at: now.toISOString(), what: 'A letter in the chart was reported as wrong', by }],
      });
    },
  };
  return fake;
}

/** As a list of the store has it. */
function withoutContent<One extends RequestContent>(one: One): Omit<One, keyof RequestContent> {
  const { body: _1, provenance: _2, gaps: _3, mappedBy: _4, codeTitles: _5, consent: _6, entries: _7, ...rest } = one;
  return rest;
}

export interface RecordedLog extends Log {
  readonly lines: string[];
}

export function recordedLog(): RecordedLog {
  const lines: string[] = [];
  const write = (facts: ErrorFacts, message: string) => {
    lines.push(`${message} ${JSON.stringify(allowedFacts(facts))}`);
  };
  return { lines, debug: write, info: write, warn: write, error: write };
}
