import type { Candidate } from '../../core/roles/chart.ts';

/** Numbers the documents that read alike, such as two notes of one day: `Progress note (1 of 2)`. */
export function toldApart(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map((candidate) => {
    const alike = candidates.filter(({ label, detail }) => label === candidate.label && detail === candidate.detail);
    if (alike.length === 1) return candidate;
    return { ...candidate, label: `${candidate.label} (${alike.indexOf(candidate) + 1} of ${alike.length})` };
  });
}
