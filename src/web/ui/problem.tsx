import type { VNode } from 'preact';
import type { Problem } from '../../cases/case.ts';
import type { ErrorCode, ErrorFacts } from '../../core/errors.ts';
import { actions } from '../pages/case/words.ts';
import { anchorOf, leafLabel, type SectionSpec } from '../request/labels.ts';
import { common } from './common-words.ts';

interface ProblemProps {
  readonly problem: Problem;
  readonly heading: string;
  /** The sections of the page that shows the fields. With them, the fields that the service listed become links. */
  readonly sections?: readonly SectionSpec[];
}

/** The code and facts of a failure, folded; null without facts. */
export function OperatorFacts({
  code,
  facts,
  says = '',
}: {
  readonly code: ErrorCode;
  readonly facts: readonly (readonly [string, ErrorFacts[string]])[];
  readonly says?: string | undefined;
}): VNode | null {
  if (facts.length === 0) return null;
  const sentences = facts.flatMap(([name, value]) => (hasSentences(value) ? [{ name, value }] : []));
  const codes = facts.flatMap(([name, value]) => (hasSentences(value) ? [] : [`${name} ${[value].flat().join(' ')}`]));
  return (
    <details>
      <summary>
        {common.itSupport}
        <span class="hidden">: {actions.problem}</span>
      </summary>
      <p>
        <code>{[code, ...codes].join(', ')}</code>
      </p>
      {sentences.map(({ name, value }) => (
        <>
          <p>
            <code>{name}</code>
          </p>
          <ul>
            {value.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      ))}
      <EhrWords says={says} />
    </details>
  );
}

// Several codes fit on one line; sentences need a line each.
function hasSentences(value: ErrorFacts[string]): value is readonly string[] {
  return Array.isArray(value) && value.some((each) => each.includes(' '));
}

/** The EHR's own message about a failure; null if there is none. */
export function EhrWords({ says }: { readonly says: string }): VNode | null {
  return says === '' ? null : <p>{actions.ehrSays(says)}</p>;
}

/** A problem: what happened, the next step, and the codes for IT support. */
export function ProblemNotice({ problem, heading, sections }: ProblemProps): VNode {
  const facts = Object.entries(problem.facts ?? {}).filter(([name]) => name !== 'fields');
  return (
    <div class="notice bad" role="alert">
      <h2>{heading}</h2>
      <p>{problem.text}</p>
      {sections !== undefined && (problem.fields?.length ?? 0) > 0 && (
        <ul>
          {problem.fields?.map((field) => (
            <li key={field}>
              <a href={`#${anchorOf(field, sections)}`}>{leafLabel(field, sections)}</a>
            </li>
          ))}
        </ul>
      )}
      <OperatorFacts code={problem.code} facts={facts} />
    </div>
  );
}
