import type { VNode } from 'preact';
import type { Problem } from '../../cases/case.ts';
import { anchorOf, labelOf, type SectionSpec } from '../labels.ts';

interface ProblemProps {
  readonly problem: Problem;
  readonly heading: string;
  /** Of the page that shows the fields; then the fields that the service named are links. */
  readonly sections?: readonly SectionSpec[];
}

/** What stands in the way, what to do next, and the codes that an operator asks for. */
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
      {facts.length > 0 && (
        <details>
          <summary>For the operator</summary>
          <p>
            <code>{[problem.code, ...facts.map(([name, value]) => `${name} ${String(value)}`)].join(', ')}</code>
          </p>
        </details>
      )}
    </div>
  );
}
