import { outreachEvent } from '../../core/contract/outreach.ts';
import { Amendment } from '../../core/contract/reply.ts';
import { asBridgeError, type BridgeError } from '../../core/errors.ts';
import { type Case, roundsOf } from '../case.ts';
import type { CaseContext } from '../context.ts';
import { readAll, readCase, readRecord } from '../follow.ts';
import { type JobData, job } from '../jobs.ts';
import type { ReplyAnswer } from '../transitions/rounds.ts';
import { showsReply } from './from-record.ts';
import { answeredSince, askedStillAfter, asksProvider, type ReceivedOutreach } from './merge.ts';
import { fetchQuestionFiles } from './question-files.ts';
import { type Reply, type Round, replyFileName } from './round.ts';

/**
 * Does the open work for the rounds of a case, one run at a time per case: stores outreach events, fetches files, sends
 * a reply. It can be repeated: a reply that may have been sent is looked up at the service, never sent again.
 */
export async function workOnRounds(context: CaseContext, { case: id, tries = 0 }: JobData['round']): Promise<void> {
  await context.store.exclusively(`rounds|${id}`, async (held) => {
    await takeAsked(context, id);
    const waits = [
      await fetchQuestionFiles(context, id),
      await sendReply(context, id, held),
      await lookFor(context, id, tries),
      await lookWhetherStillAsked(context, id),
    ];
    const one = await context.get(id);
    const { site } = one;
    // Another round has a queued reply.
    if (waits[1] === undefined && replyIn(one, 'queued') !== undefined) waits.push(1);
    const next = waits.filter((wait) => wait !== undefined);
    if (next.length === 0) return;
    await context.store.enqueue([job('round', site, { case: id, tries: tries + 1 }, Math.min(...next))]);
  });
}

async function takeAsked({ store, change }: CaseContext, id: string): Promise<void> {
  const { site, serviceId } = (await store.cases.columns(id)) ?? {};
  if (site === undefined || serviceId === undefined) return;
  // The cast is safe: only `receiveWebhook` stores claims, and claims of this event are outreach attempts.
  const outreach = (await store.webhooks.claims(site, serviceId, outreachEvent)) as readonly ReceivedOutreach[];
  if (outreach.length > 0) await change(id, 'ask', { outreach });
}

interface Waiting {
  readonly round: Round;
  readonly reply: Reply;
}

function replyIn(one: Case, ...states: readonly Reply['state'][]): Waiting | undefined {
  return roundsOf(one)
    .flatMap((round) => round.replies.map((reply) => ({ round, reply })))
    .find(({ reply }) => states.includes(reply.state));
}

type Held = Parameters<Parameters<CaseContext['store']['exclusively']>[1]>[0];

/** Sends the queued reply. Returns the seconds until the next attempt if nothing has reached the service. */
async function sendReply(context: CaseContext, id: string, held: Held): Promise<number | undefined> {
  const before = await context.get(id);
  const lost = replyIn(before, 'leaving');
  if (lost !== undefined) {
    await settle(context, id, { key: lost.reply.key, state: 'unclear', by: 'bridge' });
    return firstLook;
  }
  if (replyIn(before, 'queued') === undefined) return undefined;
  const left = await context.store.allowance.heldSeconds(before.site);
  if (left > 0) return Math.ceil(left);
  try {
    // A decision, or the end of the round, may have arrived since the reply was queued.
    const now = await readAll(context, id);
    const waiting = now.state === 'open' ? replyIn(now, 'queued') : undefined;
    if (waiting === undefined || now.state !== 'open') return undefined;
    held.assert();
    return await leave(context, now, waiting);
  } catch (thrown) {
    return await postponed(context, id, asBridgeError(thrown));
  }
}

async function leave(
  context: CaseContext,
  one: Case & { readonly serviceId: string },
  { reply, round }: Waiting,
): Promise<number | undefined> {
  const { id } = one;
  const { key } = reply;
  const site = context.siteOf(one.site);
  const amendment = await amendmentOf(context, id, reply, site.service.outreachEndField);
  if (round.ended !== undefined || amendment === undefined) {
    // The reply is not sent. It enters `leaving` only because no other state can be settled.
    await context.change(id, 'leave-reply', { key });
    const code = amendment === undefined ? 'store_unavailable' : 'round_over';
    await settle(context, id, { key, state: 'not_sent', by: 'bridge', code });
    return undefined;
  }
  const left = await context.change(id, 'leave-reply', { key });
  if (replyIn(left, 'leaving')?.reply.key !== key) return undefined;
  const answer = await context
    .services(site)
    .amendPriorAuthorization(one.serviceId, amendment)
    .then(
      () => undefined,
      (thrown: unknown) => asBridgeError(thrown),
    );
  if (answer === undefined) {
    const { site: name } = await settle(context, id, { key, state: 'accepted', by: 'bridge' });
    await context.store.enqueue([job('look', name, { case: id })]);
    return undefined;
  }
  return await failed(context, id, { key, error: answer, tries: (reply.tries ?? 0) + 1 });
}

async function amendmentOf(
  { store }: CaseContext,
  id: string,
  { key, completes }: Reply,
  endField: string | undefined,
): Promise<Amendment | undefined> {
  const bytes = await store.cases.file(id, replyFileName(key));
  if (bytes === undefined) return undefined;
  const { evidence } = Amendment.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  return { evidence, ...(completes && endField !== undefined ? { ends: endField } : {}) };
}

interface Failed {
  readonly key: string;
  readonly error: BridgeError;
  readonly tries: number;
}

/** Error codes after which nothing has reached the service, so that the reply is retried automatically. */
const triedAgain: ReadonlySet<string> = new Set(['service_rate_limited', 'service_error', 'service_unreachable']);
const mostTries = 12;

async function failed(context: CaseContext, id: string, { key, error, tries }: Failed): Promise<number | undefined> {
  const { code, facts } = error;
  context.log.warn({ case: id, code }, 'reply not accepted');
  if (code === 'service_unclear' || code === 'internal') {
    await settle(context, id, { key, state: 'unclear', by: 'bridge' });
    return firstLook;
  }
  if (triedAgain.has(code) && tries < mostTries) {
    const { site } = await settle(context, id, { key, state: 'queued', by: 'bridge', code });
    return await waitOf(context, site, error, tries);
  }
  const state = triedAgain.has(code) || code === 'service_unauthorized' ? 'not_sent' : 'refused';
  const fields = Array.isArray(facts.fields) ? { fields: facts.fields } : {};
  await settle(context, id, { key, state, by: 'bridge', code, ...fields });
  return undefined;
}

/** Handles a record that could not be read. Nothing was sent, because the record is always read first. */
async function postponed(context: CaseContext, id: string, error: BridgeError): Promise<number | undefined> {
  context.log.warn({ case: id, code: error.code }, 'record not read for a question');
  const one = await context.get(id);
  return await waitOf(context, one.site, error, 1);
}

const longestWait = 3600;

async function waitOf(
  { store, config }: CaseContext,
  site: string,
  { facts }: BridgeError,
  tries: number,
): Promise<number> {
  const { retry_after_seconds: asked } = facts;
  if (typeof asked === 'number') {
    await store.allowance.hold(site, asked);
    return asked;
  }
  return Math.min(longestWait, Math.min(30, config.pollSeconds) * 2 ** Math.min(tries - 1, 10));
}

const firstLook = 5;
/**
 * Seconds between checks for a reply whose answer was lost. After the last check, a person reports whether it arrived.
 */
const looks = [30, 120, 600];

/** Checks whether the record shows a reply whose answer was lost; returns the seconds until the next check. */
async function lookFor(context: CaseContext, id: string, tries: number): Promise<number | undefined> {
  const one = await context.get(id);
  const waiting = replyIn(one, 'unclear');
  if (waiting === undefined || !('serviceId' in one) || one.serviceId === undefined || one.kind !== 'prior-auth')
    return undefined;
  try {
    const read = await readRecord(context, { site: one.site, kind: one.kind, serviceId: one.serviceId });
    if (read.kind !== 'prior-auth' || !showsReply(read.record, waiting.reply)) return looks[tries];
    await settle(context, id, { key: waiting.reply.key, state: 'accepted', by: 'bridge' });
    return undefined;
  } catch (thrown) {
    context.log.warn({ case: id, code: asBridgeError(thrown).code }, 'reply not looked for');
    return looks[tries];
  }
}

/**
 * Reads the record some time after every question was answered. If the record still asks the practice, the event of
 * another question was lost.
 */
async function lookWhetherStillAsked(context: CaseContext, id: string): Promise<number | undefined> {
  const one = await context.get(id);
  const since = answeredSince(roundsOf(one));
  if (since === undefined || one.state !== 'open' || one.status !== asksProvider) return undefined;
  const left = askedStillAfter - (context.clock().getTime() - Date.parse(since)) / 1000;
  if (left > 0) return Math.ceil(left);
  try {
    await readCase(context, id, { isDue: true });
    return undefined;
  } catch (thrown) {
    return await postponed(context, id, asBridgeError(thrown));
  }
}

function settle(context: CaseContext, id: string, answer: ReplyAnswer): Promise<Case> {
  return context.change(id, 'settle-reply', answer);
}
