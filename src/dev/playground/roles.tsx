import type { VNode } from 'preact';
import type { Question } from '../../core/mapping/input.ts';
import type { Source } from '../../core/mapping/result.ts';
import type { ExplainedRole } from '../../core/roles/explain-roles.ts';
import { plural } from '../../web/request/field-words.ts';
import type { Forest } from './resource-trees.ts';

export function RolePane({
  roles,
  forest,
}: {
  readonly roles: readonly ExplainedRole[];
  readonly forest: Forest;
}): VNode {
  const asking = roles.filter(({ questions }) => questions.length > 0).length;
  return (
    <section class="pane roles" aria-labelledby="roles-title">
      <h2 id="roles-title">{plural(roles.length, 'role', 'roles')}</h2>
      <p class="hint">
        What the request is made of: which resource, or which part of one, fills each role.{' '}
        {asking === 0 ? 'No role asks anything.' : `${plural(asking, 'role asks', 'roles ask')} something.`}
      </p>
      {roles.map((role) => (
        <RoleItem key={role.role} role={role} forest={forest} />
      ))}
    </section>
  );
}

function RoleItem({ role: explained, forest }: { readonly role: ExplainedRole; readonly forest: Forest }): VNode {
  const { role, chosen, reason, refused, sources, questions } = explained;
  return (
    <details class="role" id={`role-${role}`} open={questions.length > 0}>
      <summary>
        <span class="reference">%{role}</span> {questions.length > 0 && <span class="word">asks</span>}
      </summary>
      {reason !== undefined && (
        <p>
          {chosen === undefined ? 'None' : <Places references={chosen} forest={forest} />}: {reason}
        </p>
      )}
      {sources.length > 0 && (
        <ul>
          {sources.map(({ source, words }) => (
            <li key={placeOf(source)}>
              <Place source={source} forest={forest} /> says “{words}”
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <ul class="refused">
          {refused.map((candidate) => (
            <li key={candidate.reference}>
              Not <Places references={candidate.reference} forest={forest} /> ({candidate.label}): {candidate.reason}
            </li>
          ))}
        </ul>
      )}
      {questions.map((question) => (
        <QuestionItem key={`${question.part} ${question.message}`} question={question} />
      ))}
    </details>
  );
}

function QuestionItem({ question: { part, severity, message, options = [] } }: { readonly question: Question }): VNode {
  return (
    <div class={`gap ${severity}`}>
      <p class="gap-message">
        {part !== undefined && <code>{part}</code>} {message}
      </p>
      {options.length > 0 && (
        <ul class="options">
          {options.map(({ value, label }) => (
            <li key={value}>{label}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** References of candidates (`Coverage/2, Coverage/3`, `Patient/1#name[0]`), each linked to its line. */
function Places({ references, forest }: { readonly references: string; readonly forest: Forest }): VNode {
  return (
    <>
      {references.split(', ').map((reference, index) => (
        <span key={reference}>
          {index === 0 ? '' : ', '}
          <Place source={sourceOf(reference)} forest={forest} words={reference} />
        </span>
      ))}
    </>
  );
}

function Place({
  source,
  forest,
  words = placeOf(source),
}: {
  readonly source: Source | undefined;
  readonly forest: Forest;
  readonly words?: string;
}): VNode {
  const [element] = source === undefined ? [] : forest.find(source);
  return element === undefined ? <span>{words}</span> : <a href={`#${element.id}`}>{words}</a>;
}

function placeOf(source: Source | undefined): string {
  return source === undefined ? 'a person' : `${source.resource} ${source.path}`;
}

// `Patient/1#name[0]` stands for Patient.name[0] of Patient/1.
function sourceOf(reference: string): Source {
  const [resource = '', part] = reference.split('#');
  const type = resource.split('/')[0] ?? '';
  return { resource, path: part === undefined ? type : `${type}.${part}` };
}
