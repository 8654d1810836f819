import type { VNode } from 'preact';
import type { Problem } from '../../cases/case.ts';
import type { ErrorCode, ErrorFacts } from '../../core/errors.ts';
import { actions } from '../pages/case/words.ts';
import { anchorOf, labelOf, type SectionSpec } from '../request/labels.ts';

interface ProblemProps {
  readonly problem: Problem;
  readonly heading: string;
  /** Of the page that shows the fields; then the fields that the service named are links. */
  readonly sections?: readonly SectionSpec[];
}

/** Code and facts of a failure, folded away; nothing when there are no facts. */
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
  return (
    <details>
      <summary>{actions.itSupport}</summary>
      <p>
        <code>
          {[
            code,
            ...facts.map(([name, value]) => `${name} ${Array.isArray(value) ? listed(value) : String(value)}`),
          ].join(', ')}
        </code>
      </p>
      <EhrWords says={says} />
    </details>
  );
}

/** Codes stand side by side, sentences apart. */
function listed(values: readonly string[]): string {
  return values.join(values.some((value) => value.includes(' ')) ? '; ' : ' ');
}

/** What the EHR said in its own words; nothing where it said nothing. */
export function EhrWords({ says }: { readonly says: string }): VNode | null {
  return says === '' ? null : <p>{actions.ehrSays(says)}</p>;
}

/** What stands in the way, what to do next, and the codes that IT support asks for. */
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
              <a href={`#${anchorOf(field, sections)}`}>{labelOf(field, sections)}</a>
            </li>
          ))}
        </ul>
      )}
      <OperatorFacts code={problem.code} facts={facts} />
    </div>
  );
}
