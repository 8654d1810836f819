import type { VNode } from 'preact';

/** Name and value. */
export type NamedFact = readonly [string, string];

/** Facts by name, one under the other. */
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
