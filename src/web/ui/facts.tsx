import type { VNode } from 'preact';

export type NamedFact = readonly [string, string];

export function FactList({ rows }: { readonly rows: readonly NamedFact[] }): VNode {
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
