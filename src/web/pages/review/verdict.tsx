import type { VNode } from 'preact';
import type { SignatureStage } from '../../../cases/signature.ts';
import type { Gap } from '../../../core/mapping/result.ts';
import { gapRequest } from '../../request/field-words.ts';
import { anchorOf, leafLabel, type SectionSpec } from '../../request/labels.ts';
import { isOpen, type OpenPoints, type QuestionAnchor } from '../../request/questions.ts';
import { capitalized } from '../../ui/common-words.ts';
import { type Cautions, countOf } from './notices.tsx';
import { neededOf } from './questions-block.tsx';
import { attachedWords, handedWords, readyWords, review, warningWords } from './words.ts';

interface VerdictProps {
  readonly points: OpenPoints;
  readonly cautions: Cautions;
  /** The number of documents that are sent; undefined if this kind of request has none. */
  readonly attached: number | undefined;
  /** The number of suggested documents that are not sent. */
  readonly suggested: number;
  readonly sections: readonly SectionSpec[];
  /** The next step of the draft's signature. */
  readonly stage: SignatureStage;
}

/** The verdict in one line, and the open points, each with a link to where it is answered. */
export function Verdict({ points, cautions, attached, suggested, sections, stage }: VerdictProps): VNode {
  const open = points.questions.filter(isOpen);
  const warnings = warningsIn(points).length + countOf(cautions);
  const documents = attached === undefined ? undefined : attachedWords(attached);
  const isStopped = points.stoppers.length > 0;
  return (
    <section
      class={`verdict ${toneOf(points, warnings + (attached === 0 ? suggested : 0) + Number(isHanded(stage)))}`}
      id="verdict"
      tabIndex={-1}
      aria-label={review.verdict}
    >
      <h2 id="verdict-title">{titleOf({ open, isStopped, warnings, documents, stage })}</h2>
      {points.stoppers.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      {open.length > 0 && <OpenList questions={open} sections={sections} />}
      {(open.length > 0 || isStopped) && warnings > 0 && (
        <p>
          <a href="#warnings">{warningWords(warnings)}</a>
        </p>
      )}
      {(open.length > 0 || isStopped) && documents !== undefined && <p>{capitalized(documents)}</p>}
    </section>
  );
}

/** `Ready to send`; `Ready, with 2 warnings. No documents attached`; `3 answers needed`; `Waiting for a signature`. */
function titleOf({
  open,
  isStopped,
  warnings,
  documents,
  stage,
}: {
  readonly open: readonly QuestionAnchor[];
  readonly isStopped: boolean;
  readonly warnings: number;
  readonly documents: string | undefined;
  readonly stage: SignatureStage;
}): string {
  if (isStopped) return `${review.stopped}${open.length === 0 ? '' : `, ${neededOf(open)}`}`;
  if (open.length > 0) return neededOf(open);
  return isHanded(stage) ? handedWords[stage] : readyWords(warnings, documents, stage);
}

function isHanded(stage: SignatureStage): stage is keyof typeof handedWords {
  return stage === 'asked' || stage === 'returned';
}

function toneOf({ questions, stoppers }: OpenPoints, toLookAt: number): string {
  if (stoppers.length > 0) return 'stopped';
  return questions.some(isOpen) || toLookAt > 0 ? 'open' : 'ready';
}

/** All warnings of the request, including warnings at a question, so that every count is the same. */
export function warningsIn({ questions, warnings }: OpenPoints): readonly Gap[] {
  return [...warnings, ...questions.flatMap(({ gaps }) => gaps.filter(({ severity }) => severity === 'warns'))];
}

function OpenList({
  questions,
  sections,
}: {
  readonly questions: readonly QuestionAnchor[];
  readonly sections: readonly SectionSpec[];
}): VNode {
  const blocking = questions.flatMap(({ gaps }) => gaps.filter(({ severity }) => severity === 'blocks').slice(0, 1));
  return (
    <ul>
      {blocking.map((gap: Gap) => (
        <li key={`${gap.target} ${gap.message}`}>
          <a href={`#${anchorOf(gap.target, sections)}`}>{gapRequest(gap, leafLabel(gap.target, sections))}</a>
        </li>
      ))}
    </ul>
  );
}
