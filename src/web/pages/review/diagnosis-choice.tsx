import type { VNode } from 'preact';
import { normaliseIcd10 } from '../../../core/fhir/codes/icd10.ts';
import type { Gap, Option } from '../../../core/mapping/result.ts';
import type { Candidate } from '../../../core/roles/chart.ts';
import type { Draft } from '../../request/draft.ts';
import { resourceWords, sentence } from '../../request/field-words.ts';
import { replacedNames } from '../../request/typed/replaced.ts';
import { candidateId, RefusedCandidates } from '../../ui/candidates.tsx';
import { type FieldNotes, SourceLine } from '../../ui/source.tsx';
import { search } from '../documents/words.ts';
import { CodeSearch } from '../search/code-search.tsx';
import type { LikelyCodes } from '../search/likely-codes.ts';

/** The codes to send, other codes of the chart that can be selected, and a field for typed codes. */
export function DiagnosisChoice({
  draft,
  gaps,
  notes,
  here,
  likely,
}: {
  readonly draft: Draft;
  readonly gaps: readonly Gap[];
  readonly notes: FieldNotes;
  /** Address of the review page. */
  readonly here: string;
  /** Codes of the loaded code file that match the reason of the order. */
  readonly likely: readonly LikelyCodes[];
}): VNode {
  const { current, offered, further, others } = diagnosesOf(draft, gaps);
  const asking = notes.blocks;
  const refused = refusedCodes(draft);
  const shown = [...current.filter((row) => row.ticked).map((row) => row.value), ...refused];
  return (
    <fieldset class="choice boxes">
      <legend>Diagnosis for this drug</legend>
      <input type="hidden" name={replacedNames.diagnosesAt} value={draft.case.enteredBy?.diagnoses?.at ?? ''} />
      {shown.map((value) => (
        <input key={value} type="hidden" name="o.diagnosis" value={value} />
      ))}
      {[...current, ...offered].map((row) => (
        <DiagnosisOption key={row.value} row={row} />
      ))}
      {asking &&
        likely.map((one) => (
          <CodeButtons key={one.said} likely={one} has={[...current, ...offered].map(({ value }) => value)} />
        ))}
      <CodeSearch
        here={here}
        label={current.length + offered.length === 0 ? 'ICD-10-CM code' : 'Another ICD-10-CM code'}
        text={refused.join(', ')}
        file={draft.codes.file}
        today={draft.chart.today}
        asking={asking}
        describedBy={notes.ids}
      />
      {/* Folded, because a problem that the order does not mention must not look like the answer. */}
      {further.length + others.length > 0 && (
        <details class="others">
          <summary>Other problems in the chart ({further.length + others.length})</summary>
          {further.map((row) => (
            <DiagnosisOption key={row.value} row={row} />
          ))}
          <RefusedCandidates candidates={others} />
        </details>
      )}
    </fieldset>
  );
}

function CodeButtons({
  likely: { said, codes, year },
  has,
}: {
  readonly likely: LikelyCodes;
  readonly has: readonly string[];
}): VNode {
  return (
    <fieldset class="likely">
      <legend>{search.likelyCodes(said, search.fromFile(year))}</legend>
      {codes
        .filter(({ code }) => !has.includes(code))
        .map(({ code, title, note }) => (
          <button key={code} type="submit" name="diagnosis" value={code} class="secondary">
            <strong>{code}</strong> {title}
            {note !== undefined && <span class="reason">{note}</span>}
          </button>
        ))}
    </fieldset>
  );
}

function DiagnosisOption({ row }: { readonly row: DiagnosisRow }): VNode {
  return (
    <div class="option-row">
      <label class="option">
        <input
          id={candidateId(`diagnosis-${row.value}`)}
          type="checkbox"
          name="diagnosis"
          value={row.value}
          checked={row.ticked}
        />
        <span>
          <strong>{row.label}</strong>
          {row.reason !== undefined && <span class="reason">{row.reason}</span>}
        </span>
      </label>
      {row.provenance !== undefined && <SourceLine label={`diagnosis ${row.label}`} provenance={row.provenance} />}
    </div>
  );
}

/** The codes to send, with titles where they are known: `L40.0 Plaque psoriasis`. */
export function diagnosisLabels(draft: Draft): string[] {
  return diagnosesOf(draft, [])
    .current.filter(({ ticked }) => ticked)
    .map(({ label }) => label);
}

interface DiagnosisRow {
  readonly value: string;
  readonly label: string;
  readonly ticked: boolean;
  readonly reason?: string;
  readonly provenance?: Draft['result']['provenance'][number];
}

/** Typed texts that are not codes. They stay in the field to be corrected. */
function refusedCodes(draft: Draft): string[] {
  const answers = draft.case.answers.diagnoses ?? [];
  // Text with a slash is the reference of a chosen problem.
  return answers.filter((answer) => !answer.includes('/') && normaliseIcd10(answer) === undefined);
}

function diagnosesOf(
  draft: Draft,
  gaps: readonly Gap[],
): { current: DiagnosisRow[]; offered: DiagnosisRow[]; further: DiagnosisRow[]; others: Candidate[] } {
  const candidates = draft.chart.choices.find((choice) => choice.role === 'diagnosis')?.candidates ?? [];
  const titleOf = (code: string) => draft.codes.named.get(code)?.title;
  const current = [...draft.values].flatMap(([target, code]) => {
    if (!/^diagnoses\[\d+\]\.code$/.test(target)) return [];
    const provenance = draft.provenance.get(target);
    const known = candidates.find((candidate) => candidate.reference === provenance?.source?.resource);
    const row: DiagnosisRow = {
      value: String(code),
      label: [code, known?.label.replace(/ \([^()]*\)$/, '') ?? titleOf(String(code))].filter(Boolean).join(' '),
      // A proposed code is shown unchecked, so that a person confirms it by checking it.
      ticked: provenance?.kind !== 'proposed',
    };
    return [provenance === undefined ? row : { ...row, provenance }];
  });
  const codes = new Set(current.map((row) => row.value));
  const cited = new Set(current.map((row) => row.provenance?.source?.resource));
  const isHeader = (code: string) => draft.codes.named.get(code)?.billable === false;
  const offered = gaps
    .flatMap((gap) => gap.options ?? [])
    .filter((option) => !codes.has(option.value) && !isHeader(option.value));
  const isNew = ({ reference, label, fits }: Candidate) =>
    fits &&
    !cited.has(reference) &&
    !codes.has(codeIn(label)) &&
    !offered.some((option) => option.reason === reference);
  return {
    current,
    offered: offered.map((option) => fromOption(option, titleOf(option.value))),
    further: distinctLabels(candidates.filter(isNew)).map(fromCandidate),
    others: candidates.filter((candidate) => !candidate.fits),
  };
}

// Two problems with the same text and code lead to the same request, so one is enough.
function distinctLabels(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.toReversed().map((one) => [one.label, one])).values()].toReversed();
}

// The label of a usable candidate ends with its code: `Plaque psoriasis (L40.0)`.
function codeIn(label: string): string {
  return /\(([^()]*)\)$/.exec(label)?.[1] ?? '';
}

function fromOption(option: Option, title: string | undefined): DiagnosisRow {
  // The label of a code from the site's map has no title, so the loaded code file provides it.
  const isBare = option.label.startsWith(`${option.value} for `);
  return {
    value: option.value,
    label: isBare && title !== undefined ? `${option.value} ${title}` : option.label,
    ticked: false,
    ...(option.reason === undefined ? {} : { reason: sentence(sourceWords(option.reason)) }),
  };
}

// The reason is a reference, or the text of the site's map.
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
