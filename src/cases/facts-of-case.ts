import type { CaseFacts } from '../writeback/case-facts.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';
import { approvedDifferences, differenceText } from './approved.ts';
import { type Case, isSent, kindRecordOf, type ListedCase, roundsOf } from './case.ts';
import { askedForChart, askedUntil } from './rounds/case-asked.ts';

function askedOf(one: ListedCase): Pick<CaseFacts, 'asked'> {
  const rounds = roundsOf(one);
  const standing = one.state === 'open' ? askedForChart(rounds, one.status) : undefined;
  const until = askedUntil(rounds);
  return standing === undefined ? {} : { asked: { standing, ...(until === undefined ? {} : { until }) } };
}

function approvedOf(one: ListedCase): Pick<CaseFacts, 'approvedOtherwise'> {
  const differs = approvedDifferences(one).map(differenceText);
  return differs.length === 0 ? {} : { approvedOtherwise: differs };
}

/**
 * The case as write-back needs it, with `writes` as its ledger. The body is unsealed only when something is written.
 */
export function factsOf(one: Case, writes: readonly LedgerEntry[] = one.writes): CaseFacts {
  return {
    ...listedFactsOf(one, writes),
    get body() {
      return (isSent(one) ? one : one.requests.at(-1))?.body;
    },
  };
}

/** `factsOf` for a case of a list, which has no body. */
export function listedFactsOf(one: ListedCase, writes: readonly LedgerEntry[] = one.writes): Omit<CaseFacts, 'body'> {
  const { id, kind, patient, order, banner, title, state } = one;
  const [last] = one.requests.slice(-1);
  const sent = isSent(one) ? one : undefined;
  const serviceId = sent !== undefined && 'serviceId' in sent ? sent.serviceId : undefined;
  const record = kindRecordOf(one)?.record;
  const takenBack = sent === undefined && last !== undefined;
  return {
    id,
    kind,
    patient,
    order,
    banner,
    title,
    state,
    writes,
    ...(one.encounter === undefined ? {} : { encounter: one.encounter }),
    ...(one.prescriber === undefined ? {} : { prescriber: one.prescriber }),
    ...(one.coverage === undefined ? {} : { coverage: one.coverage }),
    ...(serviceId === undefined ? {} : { serviceId }),
    ...(sent === undefined ? {} : { sentAt: sent.sentAt, sentBy: sent.sentBy }),
    ...(one.changedAt === undefined ? {} : { changedAt: one.changedAt }),
    ...(sent !== undefined && 'endedAt' in sent ? { endedAt: sent.endedAt } : {}),
    ...(sent !== undefined && 'cancellation' in sent && sent.cancellation !== undefined
      ? { cancellation: sent.cancellation }
      : {}),
    ...(record === undefined ? {} : { record }),
    ...askedOf(one),
    ...approvedOf(one),
    // The bridge closed the Task of an earlier request of this case. Write-back may reopen that Task.
    ...(takenBack || one.events.some(({ type }) => type === 'not_arrived')
      ? { notArrived: { left: { sentAt: last?.sentAt ?? one.updatedAt } } }
      : {}),
  };
}
