import type { VNode } from 'preact';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { Candidate, Choice } from '../../../core/roles/chart.ts';
import type { CoverageFacts } from '../../request/coverages.ts';
import type { Draft } from '../../request/draft.ts';
import { sentence } from '../../request/field-words.ts';
import { candidateId } from '../../ui/candidates.tsx';
import { stateOf } from '../../ui/control.tsx';
import type { FieldNotes } from '../../ui/source.tsx';

/**
 * Lets a person choose the coverage that pays. Each coverage has the facts that distinguish it and the reasons for and
 * against it.
 */
export function CoverageChoice({
  choice,
  facts,
  notes: { ids, blocks },
}: {
  readonly choice: Choice | undefined;
  readonly facts: Draft['coverages'];
  readonly notes: FieldNotes;
}): VNode | null {
  if (choice === undefined || choice.candidates.length === 0) return null;
  const { chosen, candidates } = choice;
  return (
    <fieldset
      class="choice boxes"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML allows it; a group has no state
      role="radiogroup"
      {...stateOf({ invalid: blocks, describedBy: ids.join(' ') })}
    >
      <legend>Coverage</legend>
      {chosen !== undefined && <p class="hint">{sentence(choice.reason)}</p>}
      <input type="hidden" name="o.coverage" value={chosen ?? ''} />
      {candidates.map((candidate) => (
        <label key={candidate.reference} class="option">
          <input
            id={candidateId(candidate.reference)}
            type="radio"
            name="coverage"
            value={candidate.reference}
            checked={candidate.reference === chosen}
          />
          <OptionText candidate={candidate} facts={facts.get(candidate.reference)} />
        </label>
      ))}
    </fieldset>
  );
}

function OptionText({
  candidate,
  facts,
}: {
  readonly candidate: Candidate;
  readonly facts: CoverageFacts | undefined;
}): VNode {
  const words = facts === undefined ? [] : coverageWords(facts);
  return (
    <span>
      <strong>{candidate.label}</strong>
      {words.length > 0 && <span class="reason">{words.join(' · ')}</span>}
      <span class={candidate.fits ? 'reason' : 'reason unfit'}>
        {candidate.fits ? '' : 'Does not fit: '}
        {candidate.reason}
      </span>
    </span>
  );
}

function coverageWords({ memberEnd, rxBin, group, period }: CoverageFacts): string[] {
  return [
    ...(memberEnd === undefined ? [] : [`Member ID ending in ${memberEnd}`]),
    ...(rxBin === undefined ? [] : [`RxBIN ${rxBin}`]),
    ...(group === undefined ? [] : [`Group ${group}`]),
    ...(period === undefined ? [] : [periodWords(period)]),
  ];
}

function periodWords({ start, end }: NonNullable<CoverageFacts['period']>): string {
  if (start === undefined) return end === undefined ? 'No dates' : `Through ${dayText(end)}`;
  return end === undefined ? `From ${dayText(start)}` : `${dayText(start)} to ${dayText(end)}`;
}
