import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../base/log.ts';
import { type BenefitHandler, createBenefitHandler } from './benefits/benefit-handler.ts';
import { decide } from './decisions.ts';
import { signedPath } from './links.ts';
import { advance, begin, cancel, type Pace, turnedBack } from './machine.ts';
import { misbehaving } from './misbehaving.ts';
import { outreachAttempts, outreachData, outreachType, overOf, retriedOf, withAttempts } from './outreach.ts';
import { type Play, played } from './play.ts';
import type { EnrollmentBody } from './requests/enrollment-body.ts';
import { type CreateBody, requestedDrug } from './requests.ts';
import type { ServiceLedger } from './service-ledger.ts';
import type { SandboxStore } from './service-store.ts';
import type { ServiceSwitches } from './service-switches.ts';
import type { ServiceSite } from './sites.ts';
import { isTerminal } from './statuses.ts';
import {
  naive,
  type RecordLinks,
  type StoredEnrollment,
  type StoredOutreach,
  type StoredPriorAuthorization,
  toRecord,
} from './stored-record.ts';
import type { WebhookSender } from './webhooks.ts';

/**
 * The service's operations on requests, for its API, its pages and the sandbox's controls. Every change is written to
 * the ledger, stored, then reported by webhook.
 */
export interface RequestHandler {
  now(): Date;
  create(request: CreateBody, site: string): Promise<StoredPriorAuthorization>;
  enroll(request: EnrollmentBody, site: string): Promise<StoredEnrollment>;
  get(id: string): StoredPriorAuthorization | undefined;
  /** Newest first, at most `limit`. */
  list(limit?: number): StoredPriorAuthorization[];
  enrollments(limit?: number): StoredEnrollment[];
  counts(): { readonly priorAuthorizations: number; readonly enrollments: number };
  /** Returns `data` of the retrieve response, with fresh links. */
  record(stored: StoredPriorAuthorization): Record<string, unknown>;
  /** Undefined if the status is already terminal. */
  cancel(
    stored: StoredPriorAuthorization,
    reason: string | undefined,
    by: 'api' | 'platform',
  ): Promise<StoredPriorAuthorization | undefined>;
  /** Adds evidence, and ends the payer's question if `completes`; undefined if the status is already terminal. */
  amend(
    stored: StoredPriorAuthorization,
    amendment: { readonly evidence: readonly unknown[]; readonly completes: boolean },
  ): Promise<StoredPriorAuthorization | undefined>;
  /** Makes the payer act; undefined if no action is possible any more. */
  play(stored: StoredPriorAuthorization, play: Play): Promise<StoredPriorAuthorization | undefined>;
  /** Advances the record by one state; undefined if there is none. */
  step(stored: StoredPriorAuthorization): Promise<StoredPriorAuthorization | undefined>;
  readonly benefits: BenefitHandler;
  /** Advances everything that is due, state by state. */
  run(): Promise<void>;
  /** Moves the sandbox's time ahead, and runs everything that becomes due by then. */
  skip(milliseconds: number): Promise<void>;
}

export function createRequestHandler(options: {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSender;
  readonly switches: ServiceSwitches;
  readonly ledger: ServiceLedger;
  readonly sites: readonly ServiceSite[];
  readonly clock: Clock;
  readonly pace: Pace;
  readonly url: () => string;
}): RequestHandler {
  const { store, webhooks, switches, ledger, sites, pace } = options;
  const now = () => new Date(options.clock().getTime() + store.ahead);
  const links: RecordLinks = {
    now,
    platform: (id) => `${options.url()}/prior-authorizations/${encodeURIComponent(id)}`,
    file: (id, name) => options.url() + signedPath(store.key, id, name, now()),
  };
  const record = (stored: StoredPriorAuthorization) => toRecord(stored, links);
  /** Ids of records that advance by themselves. Other records are not checked. */
  const due = new Set<string>();
  for (const { id, dueAt } of store.priorAuthorizations.values()) if (dueAt !== undefined) due.add(id);

  const keep = async (moved: StoredPriorAuthorization, at: Date) => {
    const before = store.priorAuthorizations.get(moved.id);
    const stored = asking(misbehaving(moved, { before, at, site: moved.site, switches }), before, at);
    store.priorAuthorizations.set(stored.id, stored);
    if (stored.dueAt === undefined) due.delete(stored.id);
    else due.add(stored.id);
    const { id, status, shownAs, outcome } = stored;
    ledger.add('prior_authorization.status', {
      id,
      status,
      result: outcome.result,
      detail_code: outcome.detail_code,
      ...(shownAs === undefined ? {} : { shownAs }),
    });
    const data = record(stored);
    await store.save();
    notify(stored, 'prior_authorization.status_change', 'Prior authorization status changed', data);
    if (stored.mock?.result === 'Other' && stored.mock.trigger_message === true)
      notify(stored, 'prior_authorization.message', 'Prior authorization message', data);
    return stored;
  };

  /**
   * Adds the payer's question when the record enters the asking status, and ends it when the record leaves it. Webhooks
   * report both.
   */
  const asking = (stored: StoredPriorAuthorization, before: StoredPriorAuthorization | undefined, at: Date) => {
    const { asks, status, outreach = [], askedTimes = 0 } = stored;
    const isAsked = status === 'awaiting_provider_response';
    if (asks !== undefined && isAsked && askedTimes === 0) return askNow(stored, asks.text, at);
    if (isAsked || outreach.every(({ over }) => over) || before?.status !== 'awaiting_provider_response') return stored;
    return report(stored, overOf(outreach, at));
  };

  const askNow = (stored: StoredPriorAuthorization, text: string, at: Date) => {
    const { asks, askedTimes = 0 } = stored;
    if (asks === undefined) return stored;
    const first = outreachAttempts(stored, asks, text, at);
    const asked = report({ ...stored, askedTimes: askedTimes + 1 }, first);
    return asks.retried ? report(asked, retriedOf(first, at)) : asked;
  };

  const report = (stored: StoredPriorAuthorization, attempts: readonly StoredOutreach[]): StoredPriorAuthorization => {
    const target = sites.find(({ id }) => id === stored.site)?.webhook;
    const isReported = target !== undefined && stored.asks?.event !== 'never';
    for (const { id, sequence, state, channel, text, over } of attempts)
      ledger.add('prior_authorization.outreach', {
        ...{ id: stored.id, attempt: id, sequence, state, channel, over },
        ...{ text: sha256(text), told: isReported },
      });
    if (isReported)
      for (const one of attempts)
        webhooks.send({
          record: stored.id,
          site: stored.site,
          target,
          type: outreachType,
          title: 'Provider outreach changed',
          data: outreachData(stored, one, links),
          event: { event_id: `wh_evt_${randomUUID()}`, occurred_at: one.at },
        });
    return { ...stored, outreach: withAttempts(stored.outreach ?? [], attempts) };
  };

  const notify = (stored: StoredPriorAuthorization, type: string, title: string, data: Record<string, unknown>) => {
    const { site } = stored;
    const target = sites.find(({ id }) => id === site)?.webhook;
    if (target !== undefined) webhooks.send({ record: stored.id, site, target, type, title, data });
  };

  const next = (stored: StoredPriorAuthorization, at: Date) =>
    stored.turnBack === undefined ? advance(stored, at, pace) : turnedBack(stored, at, pace);

  const runOne = async (id: string, limit: number) => {
    for (
      let stored = store.priorAuthorizations.get(id);
      stored?.dueAt !== undefined && stored.dueAt <= limit;
      stored = store.priorAuthorizations.get(id)
    ) {
      const at = new Date(stored.dueAt);
      const moved = next(stored, at);
      if (moved === undefined) return;
      await keep(moved, at);
    }
  };

  const benefits = createBenefitHandler({
    benefits: store.benefits,
    save: store.save,
    switches,
    ledger,
    now,
    pace,
    fileLink: links.file,
    notify({ id, site }, data) {
      const target = sites.find((one) => one.id === site)?.webhook;
      const type = 'benefit_verification.status_change';
      if (target !== undefined)
        webhooks.send({ record: id, site, target, type, title: 'Benefit Verification Updated', data });
    },
  });

  return {
    now,
    benefits,
    record,
    create(request, site) {
      const isCurrent = sites.find(({ id }) => id === site)?.profile === 'current';
      const asks = switches.take('payer-asks', { site }) ?? (isCurrent ? decide(request).asks : undefined);
      const fresh = begin({ id: `pa_${randomUUID()}`, site, request, asks }, now(), pace);
      const created = asks?.event === 'early' ? askNow(fresh, asks.text, now()) : fresh;
      ledger.add('prior_authorization.accepted', {
        id: created.id,
        site,
        patient: request.patient.internal_id,
        drug: requestedDrug(request).name,
        extra: request.prescription.extra ?? null,
        body: sha256(JSON.stringify(request)),
      });
      return keep(created, now());
    },
    async enroll(request, site) {
      const stored = { id: `pe_${randomUUID()}`, site, createdAt: naive(now()), request };
      store.enrollments.set(stored.id, stored);
      ledger.add('enrollment.accepted', {
        id: stored.id,
        site,
        program: request.programId,
        patient: request.patient.metadata?.patient_id ?? null,
        drug: request.prescription?.drug_name ?? null,
        extra: request.metadata ?? null,
        body: sha256(JSON.stringify(request)),
      });
      await store.save();
      return stored;
    },
    get: (id) => store.priorAuthorizations.get(id),
    list: (limit) => newest(store.priorAuthorizations, limit),
    enrollments: (limit) => newest(store.enrollments, limit),
    counts: () => ({ priorAuthorizations: store.priorAuthorizations.size, enrollments: store.enrollments.size }),
    async cancel(stored, reason, by) {
      const cancelled = cancel(stored, reason, now());
      if (cancelled === undefined) return undefined;
      ledger.add('prior_authorization.cancelled', { id: stored.id, by, reason: reason ?? null });
      return keep(cancelled, now());
    },
    async amend(stored, { evidence, completes }) {
      if (isTerminal(stored.status)) return undefined;
      ledger.add('prior_authorization.amended', {
        id: stored.id,
        titles: evidence.map(titleOf),
        texts: evidence.map(textHashOf),
        completes,
      });
      const next = { ...stored, added: [...(stored.added ?? []), ...evidence] };
      if (!completes) return keep(next, now());
      const isAsked = stored.outreach?.some(({ over }) => !over) === true;
      const over = report(next, overOf(next.outreach ?? [], now()));
      const { asks, askedTimes = 0 } = over;
      const asksAgain = isAsked && asks?.second !== undefined && askedTimes < 2;
      if (asksAgain) return keep(askNow(over, asks.second, now()), now());
      const moved = over.status === 'awaiting_provider_response' ? advance(over, now(), pace) : undefined;
      return keep(moved ?? over, now());
    },
    async play(stored, play) {
      const profile = sites.find(({ id }) => id === stored.site)?.profile;
      const moved = played(stored, play, { at: now(), pace, profile });
      if (moved === undefined) return undefined;
      ledger.add('prior_authorization.played', { id: stored.id, play });
      return keep(moved, now());
    },
    async step(stored) {
      const moved = next(stored, now());
      return moved === undefined ? undefined : keep(moved, now());
    },
    async run() {
      const limit = now().getTime();
      await Promise.all([...[...due].map((id) => runOne(id, limit)), benefits.run()]);
    },
    async skip(milliseconds) {
      store.ahead += milliseconds;
      await this.run();
    },
  };
}

function newest<Stored>(stored: ReadonlyMap<string, Stored>, limit = Number.POSITIVE_INFINITY): Stored[] {
  return [...stored.values()].slice(limit === Number.POSITIVE_INFINITY ? 0 : -limit).reverse();
}

function titleOf(item: unknown): string {
  return typeof item === 'object' && item !== null && 'title' in item ? String(item.title) : '';
}

const Worded = z.object({ content: z.object({ text: z.string() }) });

function textHashOf(item: unknown): string | null {
  const { text } = Worded.safeParse(item).data?.content ?? {};
  return text === undefined ? null : sha256(text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
