import type { VNode } from 'preact';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import type { Draft } from '../../request/draft.ts';
import type { ApprovedBefore } from '../../request/other-requests.ts';
import { renewed as words } from './words.ts';

interface RenewedProps {
  readonly approved: ApprovedBefore | undefined;
  readonly zone: string;
}

/** Says that this drug was approved for this practice before, which the chart may not record. */
export function ApprovedHere({ approved, zone }: RenewedProps): VNode | null {
  if (approved === undefined) return null;
  const { payer, until } = approved;
  return <p class="notice calm">{words.approved({ payer, from: startOf(approved, zone), until })}</p>;
}

/** Warns if every attachment is older than the approval. */
export function OnlyOldEvidence({ approved, zone, values }: RenewedProps & Pick<Draft, 'values'>): VNode | null {
  const dates = [...values].flatMap(([target, value]) => (isDate.test(target) ? [String(value).slice(0, 10)] : []));
  if (approved === undefined || dates.length === 0) return null;
  const start = startOf(approved, zone);
  return dates.some((date) => date >= start) ? null : <p class="notice">{words.onlyOld(start)}</p>;
}

const isDate = /^evidence\[\d+\]\.date_created$/;

function startOf({ from, decidedAt }: ApprovedBefore, zone: string): string {
  return from?.slice(0, 10) ?? dayIn(Date.parse(decidedAt), zone);
}
