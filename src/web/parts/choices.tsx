import type { VNode } from 'preact';
import { normaliseIcd10 } from '../../fhir/icd10.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import type { Gap, Option } from '../../mapping/result.ts';
import type { Candidate, Choice } from '../../roles/chart.ts';
import type { CoverageFacts } from '../coverages.ts';
import type { Draft } from '../draft.ts';
import { SourceLine } from './source.tsx';
import { resourceWords, sentence } from './words.ts';

/** Which coverage pays, with what tells each from the others, why this one and why not the others. */
export function CoverageChoice({
  choice,
  facts,
}: {
  readonly choice: Choice | undefined;
  readonly facts: Draft['coverages'];
}): VNode | null {
  if (choice === undefined || choice.candidates.length === 0) return null;
  const { chosen, candidates } = choice;
  return (
    <fieldset class="choice">
      <legend>Coverage</legend>
      {chosen !== undefined && <p class="hint">{sentence(choice.reason)}</p>}
      <input type="hidden" name="o.coverage" value={chosen ?? ''} />
      {candidates.map((candidate) => (
        <label key={candidate.reference} class="option">
          <input type="radio" name="coverage" value={candidate.reference} checked={candidate.reference === chosen} />
          <OptionText candidate={candidate} facts={facts.get(candidate.reference)} />
        </label>
      ))}
    </fieldset>
  );
}

/** The codes that are sent, further codes of the chart to tick, and a field for codes that are typed. */
export function DiagnosisChoice({ draft, gaps }: { readonly draft: Draft; readonly gaps: readonly Gap[] }): VNode {
  const { current, offered, further, others } = diagnosesOf(draft, gaps);
  const asking = gaps.some((gap) => gap.severity === 'blocks');
  const refused = refusedCodes(draft);
  const shown = [...current.filter((row) => row.ticked).map((row) => row.value), ...refused];
  return (
    <fieldset class="choice">
      <legend>What the drug is for</legend>
      {shown.map((value) => (
        <input key={value} type="hidden" name="o.diagnosis" value={value} />
      ))}
      {[...current, ...offered].map((row) => (
        <DiagnosisOption key={row.value} row={row} />
      ))}
      <div class={asking ? 'field blocked' : 'field'}>
        <label for="diagnosis-codes">
          {current.length + offered.length === 0 ? 'ICD-10-CM code' : 'Another ICD-10-CM code'}
        </label>
        <input
          id="diagnosis-codes"
          name="diagnosis-codes"
          type="text"
          autocomplete="off"
          value={refused.join(', ')}
          aria-describedby={[...gaps.map((_, index) => `section-diagnoses-gap-${index}`), 'diagnosis-codes-hint'].join(
            ' ',
          )}
          {...(asking ? { 'aria-invalid': 'true' as const } : {})}
        />
        <p class="hint" id="diagnosis-codes-hint">
          For example M06.9; several with commas.
        </p>
      </div>
      {/* Folded away: a problem that the order does not name must not look like its answer. */}
      {further.length + others.length > 0 && (
        <details class="others">
          <summary>Other problems in the chart ({further.length + others.length})</summary>
          {further.map((row) => (
            <DiagnosisOption key={row.value} row={row} />
          ))}
          <Refused candidates={others} />
        </details>
      )}
    </fieldset>
  );
}

function DiagnosisOption({ row }: { readonly row: DiagnosisRow }): VNode {
  return (
    <div class="option-row">
      <label class="option">
        <input type="checkbox" name="diagnosis" value={row.value} checked={row.ticked} />
        <span>
          <strong>{row.label}</strong>
          {row.reason !== undefined && <span class="reason">{row.reason}</span>}
        </span>
      </label>
      {row.provenance !== undefined && <SourceLine label={`diagnosis ${row.label}`} provenance={row.provenance} />}
    </div>
  );
}

/**
 * Supporting facts of the chart by kind, each with what it says and why it is suggested; nothing goes unless it is
 * ticked.
 */
export function EvidenceChoice({ choice }: { readonly choice: Choice | undefined }): VNode {
  const candidates = choice?.candidates ?? [];
  const usable = candidates.filter((candidate) => candidate.fits);
  if (usable.length === 0)
    return <p class="hint">The chart offers no prior therapy, result or note that could go with the request.</p>;
  const unusable = candidates.filter((candidate) => !candidate.fits);
  return (
    <fieldset class="choice">
      <legend>Send with the request</legend>
      <p class="hint">Only what is ticked is sent. Send what the payer needs to decide, and no more.</p>
      {usable
        .filter((candidate) => candidate.taken === true)
        .map((candidate) => (
          <input key={candidate.reference} type="hidden" name="o.evidence" value={candidate.reference} />
        ))}
      {[...Map.groupBy(usable, ({ group }) => group ?? 'Other')].map(([group, members]) => (
        <fieldset key={group} class="choice">
          <legend>{group}</legend>
          {members.map((candidate) => (
            <EvidenceOption key={candidate.reference} candidate={candidate} />
          ))}
        </fieldset>
      ))}
      {unusable.length > 0 && (
        <details class="others">
          <summary>Cannot be sent ({unusable.length})</summary>
          <Refused candidates={unusable} />
        </details>
      )}
    </fieldset>
  );
}

function EvidenceOption({ candidate }: { readonly candidate: Candidate }): VNode {
  const { reference, label, detail, reason, suggested, sensitive, taken } = candidate;
  const isTold = suggested === true || sensitive !== undefined;
  return (
    <label class="option">
      <input type="checkbox" name="evidence" value={reference} checked={taken === true} />
      <span>
        {label}
        {detail !== undefined && <span class="reason">{detail}</span>}
        <span class="reason">
          {isTold ? `${sentence(reason)} ` : ''}
          {sentence(`from the ${resourceWords(reference)}`)}
        </span>
      </span>
    </label>
  );
}

function Refused({ candidates }: { readonly candidates: readonly Candidate[] }): VNode {
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

interface DiagnosisRow {
  readonly value: string;
  readonly label: string;
  readonly ticked: boolean;
  readonly reason?: string;
  readonly provenance?: Draft['result']['provenance'][number];
}

/**
 * What was typed as a code and is none: it stays in its field, so that it can be corrected. A chosen problem is a
 * reference.
 */
function refusedCodes(draft: Draft): string[] {
  const answers = draft.case.answers.diagnoses ?? [];
  return answers.filter((answer) => !answer.includes('/') && normaliseIcd10(answer) === undefined);
}

// A proposal is shown without its tick: a person makes it final by setting it.
function diagnosesOf(
  draft: Draft,
  gaps: readonly Gap[],
): { current: DiagnosisRow[]; offered: DiagnosisRow[]; further: DiagnosisRow[]; others: Candidate[] } {
  const candidates = draft.chart.choices.find((choice) => choice.role === 'diagnosis')?.candidates ?? [];
  const current = [...draft.values].flatMap(([target, code]) => {
    if (!/^diagnoses\[\d+\]\.code$/.test(target)) return [];
    const provenance = draft.provenance.get(target);
    const known = candidates.find((candidate) => candidate.reference === provenance?.source?.resource);
    const row: DiagnosisRow = {
      value: String(code),
      label: known === undefined ? String(code) : `${code} ${known.label.replace(/ \([^()]*\)$/, '')}`,
      ticked: provenance?.kind !== 'proposed',
    };
    return [provenance === undefined ? row : { ...row, provenance }];
  });
  const codes = new Set(current.map((row) => row.value));
  const cited = new Set(current.map((row) => row.provenance?.source?.resource));
  const offered = gaps.flatMap((gap) => gap.options ?? []).filter((option) => !codes.has(option.value));
  const isNew = ({ reference, label, fits }: Candidate) =>
    fits &&
    !cited.has(reference) &&
    !codes.has(codeIn(label)) &&
    !offered.some((option) => option.reason === reference);
  return {
    current,
    offered: offered.map(fromOption),
    further: distinctLabels(candidates.filter(isNew)).map(fromCandidate),
    others: candidates.filter((candidate) => !candidate.fits),
  };
}

// Two entries of the same words and code make the same request.
function distinctLabels(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.toReversed().map((one) => [one.label, one])).values()].toReversed();
}

// Selection writes a usable candidate as `Plaque psoriasis (L40.0)`.
function codeIn(label: string): string {
  return /\(([^()]*)\)$/.exec(label)?.[1] ?? '';
}

function fromOption(option: Option): DiagnosisRow {
  return {
    value: option.value,
    label: option.label,
    ticked: false,
    ...(option.reason === undefined ? {} : { reason: sentence(sourceWords(option.reason)) }),
  };
}

// The resource that states it, or the words of the site's map.
function sourceWords(reason: string): string {
  return /^[A-Z]\w+\//.test(reason) ? `from the ${resourceWords(reason)}` : reason;
}

function fromCandidate(candidate: Candidate): DiagnosisRow {
  return {
    value: candidate.reference,
    label: candidate.label,
    ticked: false,
    reason: `${sentence(candidate.reason)} Not a stated reason of this order.`,
  };
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
