import type { VNode } from 'preact';
import type { Candidate } from '../../core/roles/chart.ts';

/** The id of a candidate's checkbox or button. It is stable, so that an update of the page keeps the focus. */
export function candidateId(reference: string): string {
  return `pick-${reference.replaceAll(/[^\w]+/g, '-')}`;
}

/** Candidates that cannot be chosen, each with the reason. */
export function RefusedCandidates({ candidates }: { readonly candidates: readonly Candidate[] }): VNode {
  return (
    <ul>
      {candidates.map(({ reference, label, reason }) => (
        <li key={reference}>
          {label}: {reason}
        </li>
      ))}
    </ul>
  );
}
