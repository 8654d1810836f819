import type { VNode } from 'preact';
import { type ExplainedValue, formatSource } from '../../core/mapping/review/explain-result.ts';
import { gapWord, originText } from '../../web/request/field-words.ts';
import { FactList, type NamedFact } from '../../web/ui/facts.tsx';
import type { BodyLine } from './body-tree.ts';
import type { PageLinks } from './links.ts';
import type { ElementLine } from './resource-trees.ts';

/** The request as a tree. Each value links to its source element and shows its rule. */
export function BodyTree({
  fields,
  links,
}: {
  readonly fields: readonly BodyLine[];
  readonly links: PageLinks;
}): VNode {
  return (
    <ul class="tree">
      {fields.map((field) => (
        <FieldLine key={field.id} field={field} links={links} />
      ))}
    </ul>
  );
}

function FieldLine({ field, links }: { readonly field: BodyLine; readonly links: PageLinks }): VNode {
  const { id, label, target, text, children, origin, gaps } = field;
  const sources = links.sources.get(id) ?? [];
  const isMissing = text === undefined && children.length === 0;
  const worst = gaps.find((gap) => gap.severity === 'blocks') ?? gaps[0];
  return (
    <li
      id={id}
      class={['field-line', isMissing ? 'missing' : '', worst?.severity ?? ''].filter(Boolean).join(' ')}
      data-target={target}
      data-from={sources.map((source) => source.id).join(' ')}
    >
      <div class="row">
        <Pick sources={sources}>
          <span class="key">{label}</span>
          {text !== undefined && <span class="value">{text}</span>}
          {isMissing && <span class="value none">nothing</span>}
        </Pick>
        {worst !== undefined && <span class={`mark ${worst.severity}`}>{gapWord(worst)}</span>}
      </div>
      {origin !== undefined && <Why origin={origin} sources={sources} />}
      {children.length > 0 && <BodyTree fields={children} links={links} />}
    </li>
  );
}

function Pick({
  sources,
  children,
}: {
  readonly sources: readonly ElementLine[];
  readonly children: preact.ComponentChildren;
}): VNode {
  const [first] = sources;
  return first === undefined ? (
    <span class="pick">{children}</span>
  ) : (
    <a class="pick" href={`#${first.id}`}>
      {children}
    </a>
  );
}

function Why({
  origin,
  sources,
}: {
  readonly origin: ExplainedValue;
  readonly sources: readonly ElementLine[];
}): VNode {
  const { source, expression, transform, note, others, rule, kind, replaces } = origin;
  const rows: NamedFact[] = [
    ['From', formatSource(origin)],
    ...(expression === undefined ? [] : [['Expression', expression] as const]),
    ...(transform === undefined ? [] : [['Transform', transform] as const]),
    ['Rule', rule],
    ...(note === undefined ? [] : [['Why', note] as const]),
    ...(others === undefined ? [] : [['Not taken', `${others} more that the expression found`] as const]),
    ...(replaces === undefined ? [] : [['Instead of', JSON.stringify(replaces)] as const]),
  ];
  return (
    <details class={`source source-${kind} why`}>
      <summary>
        {source === undefined || kind !== 'chart' ? originText(origin) : ''}
        {source !== undefined && kind !== 'chart' && ' · '}
        {source !== undefined && <span class="resource">{shortPath(source.path)}</span>}
        {source !== undefined && sources.length === 0 && ' (not in this bundle)'}
        <span class="hidden"> (source of {origin.target})</span>
      </summary>
      <FactList rows={rows} />
    </details>
  );
}

/** Example: `Patient › name[0].family`. */
function shortPath(path: string): string {
  return path.replace('.', ' › ');
}
