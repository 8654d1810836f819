import type { VNode } from 'preact';
import type { Candidate } from '../../core/roles/chart.ts';

/** Id of the box or button of a candidate, so that a page that is updated keeps it and its focus. */
export function candidateId(reference: string): string {
  return `pick-${reference.replaceAll(/[^\w]+/g, '-')}`;
}

/** Candidates that cannot be chosen, each with its reason. */
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
