import type { Random } from './random.ts';

/** An order to a sandbox; see docs/develop/sandbox.md of the sandboxes for the switches. */
export interface Order {
  readonly switch: string;
  readonly value: unknown;
  readonly [limit: string]: unknown;
}

/** How slow things may get: of the bridge and its EHR in milliseconds, of a write that an EHR makes late in seconds. */
export interface Slowness {
  readonly slowestMs: number;
  readonly lateSeconds: number;
}

type Draw = (random: Random, slowness: Slowness) => Order;

const creates = '/prior-authorization';
const enrollments = '/patient-enrollment';
const verifications = '/benefit-verification';
const anything = '/prior-authorization*';

/** What goes wrong at the service, each drawn as often as it stands here. */
const ofService: readonly Draw[] = [
  (random, { slowestMs }) => ({ switch: 'delay', value: random.between(200, Math.min(6000, slowestMs)), rate: 0.5 }),
  (random, { slowestMs }) => ({
    switch: 'late-answer',
    value: random.between(500, Math.min(20_000, slowestMs)),
    rate: 0.3,
  }),
  () => ({ switch: 'drop', value: 'before', path: creates, rate: 0.5 }),
  () => ({ switch: 'drop', value: 'after', path: enrollments, rate: 0.7 }),
  () => ({ switch: 'drop', value: 'after', path: verifications, rate: 0.7 }),
  () => ({ switch: 'drop', value: 'after', rate: 0.3 }),
  () => ({ switch: 'drop', value: 'before', rate: 0.3 }),
  () => ({ switch: 'false-status', value: 504, path: creates, rate: 0.5 }),
  () => ({ switch: 'status', value: { status: 429, retryAfter: 2 }, rate: 0.5 }),
  (random) => ({ switch: 'status', value: { status: random.pick([500, 502, 503]) }, rate: 0.5 }),
  (random) => ({
    switch: 'shape',
    value: random.pick(['html', 'empty', 'cut', 'not-json', 'list', 'bare', 'other-types']),
    path: random.pick([anything, creates, enrollments, verifications]),
    rate: 0.4,
  }),
  () => ({ switch: 'error-code', value: { code: 'carrier_moon_phase', title: 'Refused', status: 400 }, rate: 0.3 }),
  (random) => ({
    switch: 'unknown-status',
    value: { instead: random.pick(['awaiting_outcome', 'pending']), as: 'escalated' },
    rate: 0.5,
  }),
  () => ({ switch: 'unknown-outcome', value: { result: 'Partly approved', detail_code: 'half' }, rate: 0.2 }),
  () => ({ switch: 'unknown-activity', value: 'sent_pigeon', rate: 0.3 }),
  (random) => ({
    switch: 'turn-back',
    value: { to: random.pick(['open', 'Approved', 'Denied']), afterSeconds: random.between(1, 6) },
    rate: 0.2,
  }),
  (random) => ({ switch: 'late-letter', value: random.between(1, 8), rate: 0.5 }),
  (random) => ({
    switch: 'letter',
    value: random.pick(['unavailable', 'missing', 'expired', 'cut', 'empty', 'html']),
    rate: 0.6,
  }),
  () => ({ switch: 'webhook-missing', value: true, rate: 0.5 }),
  (random, { slowestMs }) => ({
    switch: 'webhook-late',
    value: random.between(500, Math.min(8000, slowestMs)),
    rate: 0.5,
  }),
  (random) => ({
    switch: 'webhook-doubled',
    value: { copies: random.between(2, 6), ids: random.pick(['same', 'new']) },
    rate: 0.5,
  }),
  (_, { slowestMs }) => ({ switch: 'webhook-reordered', value: Math.min(3000, slowestMs), rate: 0.5 }),
  (random) => ({
    switch: 'webhook-forged',
    value: random.pick(['secret', 'unsigned', 'changed', 'old']),
    rate: 0.5,
  }),
];

const record = '/prior-authorization/*';

/** What goes wrong with a reply, and with what the payer asks. */
const ofQuestions: readonly Draw[] = [
  () => ({ switch: 'status', value: { status: 429 }, method: 'PATCH', path: record, rate: 0.6 }),
  () => ({ switch: 'status', value: { status: 429, retryAfter: 3 }, method: 'PATCH', path: record, rate: 0.6 }),
  () => ({ switch: 'status', value: { status: 503 }, method: 'PATCH', path: record, rate: 0.6 }),
  () => ({ switch: 'status', value: { status: 503, retryAfter: 2 }, method: 'PATCH', path: record, rate: 0.6 }),
  () => ({ switch: 'false-status', value: 504, method: 'PATCH', path: record, rate: 0.5 }),
  () => ({ switch: 'drop', value: 'after', method: 'PATCH', path: record, rate: 0.6 }),
  () => ({ switch: 'drop', value: 'before', method: 'PATCH', path: record, rate: 0.5 }),
  () => ({ switch: 'letter', value: 'gone', path: '/files/*', rate: 0.7 }),
  () => ({ switch: 'webhook-doubled', value: { copies: 2, ids: 'new' }, rate: 0.7 }),
];

// Nobody but a person can then say whether it arrived: the answer is lost, and no webhook tells of the record.
const unclear: readonly Order[] = [
  { switch: 'drop', value: 'after', path: creates, rate: 0.7 },
  { switch: 'drop', value: 'before', path: creates, rate: 0.3 },
  { switch: 'drop', value: 'after', path: enrollments, rate: 0.7 },
  { switch: 'drop', value: 'before', path: enrollments, rate: 0.5 },
  { switch: 'drop', value: 'after', path: verifications, rate: 0.7 },
  { switch: 'drop', value: 'before', path: verifications, rate: 0.3 },
  { switch: 'webhook-missing', value: true, forSeconds: 60, rate: 0.85 },
];

const tasks = '/fhir/Task*';
const documents = '/fhir/DocumentReference*';

/** What goes wrong at an EHR. */
const ofEhr: readonly Draw[] = [
  (random, { lateSeconds }) => ({ switch: 'late-commit', value: random.between(1, lateSeconds), rate: 0.3 }),
  (random, { lateSeconds }) => ({ switch: 'search-lag', value: random.between(1, lateSeconds), rate: 0.5 }),
  (random, { slowestMs }) => ({
    switch: 'slow-search',
    value: { milliseconds: random.between(200, Math.min(4000, slowestMs)) },
    rate: 0.5,
  }),
  (random) => ({ switch: 'empty-created', value: random.pick(['body', 'location', 'both']), rate: 0.5 }),
  (random) => ({ switch: 'drop', value: 'after', method: 'POST', path: random.pick([tasks, documents]), rate: 0.5 }),
  () => ({ switch: 'drop', value: 'after', method: 'PUT', path: tasks, rate: 0.5 }),
  () => ({ switch: 'drop', value: 'before', path: '/fhir/*', rate: 0.2 }),
  () => ({ switch: 'false-status', value: 503, method: 'POST', path: documents, rate: 0.5 }),
  (random, { slowestMs }) => ({
    switch: 'late-answer',
    // Longer than the bridge waits, where there is time for it.
    value: Math.min(random.between(16_000, 25_000), slowestMs),
    method: 'POST',
    path: documents,
    rate: 0.3,
  }),
  () => ({ switch: 'conflict-status', value: 409, rate: 0.5 }),
  (random) => ({ switch: 'status', value: { status: random.pick([500, 503]) }, path: '/fhir/*', rate: 0.3 }),
  () => ({ switch: 'status', value: { status: 429, retryAfter: 1 }, path: '/fhir/*', rate: 0.3 }),
  (random) => ({
    switch: 'shape',
    value: random.pick(['html', 'empty', 'cut', 'not-json']),
    path: random.pick([tasks, documents]),
    rate: 0.3,
  }),
  (random) => ({ switch: 'failed-search', value: random.pick(['error', 'fatal']), path: '/fhir/*', rate: 0.3 }),
  () => ({ switch: 'null-entries', value: true, path: '/fhir/*', rate: 0.5 }),
];

/** `asking service`: its payers ask back. */
export type Place = 'service' | 'asking service' | 'ehr';

/** Orders for a while: each lasts only some seconds, so that between them things also go well. */
export function drawFaults(random: Random, place: Place, slowness: Slowness): readonly Order[] {
  const draws = place === 'ehr' ? ofEhr : ofService;
  const drawn = Array.from({ length: random.between(0, 3) }, () => random.pick(draws)(random, slowness));
  const ofReplies = place === 'asking service' ? [random.pick(ofQuestions)(random, slowness)] : [];
  // What goes wrong with replies stands first: the first order that fits is followed.
  const some = [...ofReplies, ...drawn];
  // Where payers ask, fewer webhooks are kept back: most questions are to be told.
  const often = place === 'asking service' ? 0.05 : 0.3;
  const all = place !== 'ehr' && random.chance(often) ? [...unclear, ...some] : some;
  return all.map((each) => ({
    forSeconds: random.between(2, 8),
    seed: random.between(0, 1_000_000),
    ...each,
  }));
}

/** Gives a sandbox its orders. */
export async function order(url: string, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  const reply = await fetch(`${url}/sandbox/switches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(orders),
  });
  if (!reply.ok) throw new Error(`the sandbox takes no such order: ${await reply.text()}`);
}

/** Takes back what was ordered for a while; what the sandbox does from the beginning to the end stays. */
export async function noFaults(url: string): Promise<void> {
  const reply = await fetch(`${url}/sandbox/switches`);
  const { standing } = (await reply.json()) as { readonly standing: readonly Given[] }; // the sandbox's own form
  const left = standing.filter(({ limits, over }) => limits.forSeconds !== undefined && !over);
  for (const { id } of left) await fetch(`${url}/sandbox/switches/${id}`, { method: 'DELETE' });
}

interface Given {
  readonly id: number;
  readonly limits: { readonly forSeconds?: number };
  readonly over: boolean;
}
