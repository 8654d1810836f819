import type { Case } from '../../../cases/case.ts';
import { kindPages } from '../../request/kind-pages.ts';

/** Where a case is worked on, below `/app/<launch>`: its review while nothing has left, else its own page. */
export function placeOf(one: Pick<Case, 'id' | 'kind' | 'order' | 'state'>): string {
  return one.state === 'draft' || one.state === 'refused' ? reviewPlace(one) : `cases/${one.id}`;
}

/** The review of a case's order. */
export function reviewPlace({ kind, order }: Pick<Case, 'kind' | 'order'>): string {
  const page = `orders/${order.replace('MedicationRequest/', '')}`;
  return `${page}${kindPages[kind].path}`;
}
