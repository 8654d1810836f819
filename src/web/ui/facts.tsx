import type { VNode } from 'preact';

/** Name and value. */
export type Fact = readonly [string, string];

/** Facts by name, one under the other. */
export function Facts({ rows }: { readonly rows: readonly Fact[] }): VNode {
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
