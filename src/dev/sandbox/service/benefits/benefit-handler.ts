import { createHash, randomUUID } from 'node:crypto';
import type { Pace } from '../machine.ts';
import type { ServiceLedger } from '../service-ledger.ts';
import type { ServiceSwitches } from '../service-switches.ts';
import { naive } from '../stored-record.ts';
import { answerOf, benefitStatuses, type FileLink, type StoredBenefit, toBenefitRecord } from './benefit-record.ts';
import { ruleFor } from './benefit-rules.ts';
import type { BenefitBody } from './request.ts';

/** The service's operations on benefit verifications; see `RequestHandler`. */
export interface BenefitHandler {
  create(request: BenefitBody, site: string): Promise<StoredBenefit>;
  get(id: string): StoredBenefit | undefined;
  /** Newest first, at most `limit`. */
  list(limit?: number): StoredBenefit[];
  /** Returns `data` of the retrieve response. */
  record(stored: StoredBenefit): Record<string, unknown>;
  /** Undefined if the verification has ended already. */
  cancel(stored: StoredBenefit, by: 'api' | 'platform'): Promise<StoredBenefit | undefined>;
  /** Makes the plan answer; undefined if the verification has ended already. */
  step(stored: StoredBenefit): Promise<StoredBenefit | undefined>;
  /** Ends every verification that is due. */
  run(): Promise<void>;
}

/** Milliseconds that a verification takes at speed 1. */
const stay = 8000;

export function createBenefitHandler(options: {
  readonly benefits: Map<string, StoredBenefit>;
  readonly save: () => Promise<void>;
  readonly switches: Pick<ServiceSwitches, 'take'>;
  readonly ledger: ServiceLedger;
  readonly now: () => Date;
  readonly pace: Pace;
  readonly fileLink: FileLink;
  /** Sends the site a webhook about the changed record. */
  readonly notify: (stored: StoredBenefit, data: Record<string, unknown>) => void;
}): BenefitHandler {
  const { benefits, switches, ledger, now, pace } = options;

  const keep = async (moved: StoredBenefit): Promise<StoredBenefit> => {
    const stored = misbehaving(moved, switches);
    benefits.set(stored.id, stored);
    const { id, status, shownAs } = stored;
    const drug = toBenefitRecord(stored).drugs as readonly { readonly coverage: string | null }[];
    ledger.add('benefit_verification.status', {
      id,
      status,
      coverage: drug[0]?.coverage ?? null,
      ...(shownAs === undefined ? {} : { shownAs }),
    });
    const data = toBenefitRecord(stored, options.fileLink);
    await options.save();
    // There is one webhook, at the end.
    if (benefitStatuses[status].terminal) options.notify(stored, data);
    return stored;
  };

  const end = ({ dueAt: _, shownAs: __, ...stored }: StoredBenefit) => {
    const status = answerOf(stored).error === undefined ? 'completed' : 'failed';
    return keep({ ...stored, status });
  };

  return {
    async create(request, site) {
      const fresh: StoredBenefit = {
        id: `bv_${randomUUID()}`,
        site,
        createdAt: naive(now()),
        request,
        status: 'pending',
        rule: ruleFor(request).name,
        ...(pace.speed <= 0 ? {} : { dueAt: now().getTime() + stay / pace.speed }),
      };
      ledger.add('benefit_verification.accepted', {
        id: fresh.id,
        site,
        patient: request.patient.internal_id,
        drug: request.drugs[0]?.name ?? null,
        body: createHash('sha256').update(JSON.stringify(request)).digest('hex'),
      });
      const replaced = benefits.get(request.replaces ?? '');
      if (replaced?.site === site) benefits.set(replaced.id, { ...replaced, replacedBy: fresh.id });
      return request.mock_result ? end(fresh) : keep(fresh);
    },
    get: (id) => benefits.get(id),
    list: (limit = Number.POSITIVE_INFINITY) => [...benefits.values()].reverse().slice(0, limit),
    record: (stored) => toBenefitRecord(stored, options.fileLink),
    async cancel(stored, by) {
      if (benefitStatuses[stored.status].terminal) return undefined;
      const { dueAt: _, shownAs: __, ...rest } = stored;
      ledger.add('benefit_verification.cancelled', { id: stored.id, by });
      return keep({ ...rest, status: 'cancelled' });
    },
    async step(stored) {
      return benefitStatuses[stored.status].terminal ? undefined : end(stored);
    },
    async run() {
      const limit = now().getTime();
      const due = [...benefits.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= limit);
      await Promise.all(due.map(end));
    },
  };
}

// Applies the switches of records to a verification.
function misbehaving(stored: StoredBenefit, switches: Pick<ServiceSwitches, 'take'>): StoredBenefit {
  const { site } = stored;
  const status = switches.take('unknown-status', { site }, ({ instead }) => instead === stored.status);
  const misstated = status === undefined ? stored : { ...stored, shownAs: status.as };
  if (stored.status !== 'completed') return misstated;
  const { result, detail_code } = switches.take('unknown-outcome', { site }) ?? {};
  const misread = {
    ...(result === undefined ? {} : { result }),
    ...(detail_code === undefined ? {} : { detail_code }),
  };
  return Object.keys(misread).length === 0 ? misstated : { ...misstated, misread };
}
