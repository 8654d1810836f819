import type { ComponentChildren, VNode } from 'preact';
import { frameWords } from './words.ts';

/**
 * The fill of a part of a picture: each has a pattern of its own, so that parts can be distinguished without colors.
 */
export type PartFill = 'good' | 'act' | 'bad' | 'calm' | 'off' | 'plain';

/** The patterns that fills refer to; rendered once per page. */
export function Patterns(): VNode {
  return (
    <svg class="patterns" aria-hidden="true">
      <Pattern id="act" size={8}>
        <path class="pattern-act" d="M-2 2l4-4M0 8l8-8M6 10l4-4" />
      </Pattern>
      <Pattern id="bad" size={8}>
        <path class="pattern-bad" d="M0 0l8 8M0 8l8-8" />
      </Pattern>
      <Pattern id="off" size={6}>
        <circle class="pattern-off" cx="3" cy="3" r="1.3" />
      </Pattern>
      <Pattern id="calm" size={6}>
        <path class="pattern-calm" d="M0 3h6" />
      </Pattern>
    </svg>
  );
}

function Pattern(props: { readonly id: string; readonly size: number; readonly children: ComponentChildren }): VNode {
  const { id, size, children } = props;
  return (
    <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse">
      <rect class="pattern-ground" width={size} height={size} />
      {children}
    </pattern>
  );
}

export interface StackPart {
  readonly fill: PartFill;
  readonly count: number;
}

/** Draws the parts side by side, each `count / of` of the full width. */
function Stack({ parts, of }: { readonly parts: readonly StackPart[]; readonly of: number }): VNode {
  const starts = parts.map((_, at) => parts.slice(0, at).reduce((sum, { count }) => sum + count, 0));
  const width = (count: number) => `${((count / Math.max(1, of)) * 100).toFixed(3)}%`;
  return (
    <>
      {parts.map(({ fill, count }, at) =>
        count === 0 ? null : (
          <rect key={fill} class={fill} x={width(starts[at] ?? 0)} width={width(count)} height="100%" />
        ),
      )}
    </>
  );
}

export interface Share extends StackPart {
  readonly label: string;
}

/** One bar across the page, with the number and share of each part below it. */
export function Shares({ title, shares }: { readonly title: string; readonly shares: readonly Share[] }): VNode {
  const all = shares.reduce((sum, { count }) => sum + count, 0);
  const there = shares.filter(({ count }) => count > 0);
  return (
    <>
      <svg class="picture" role="img" aria-label={title}>
        <Stack parts={there} of={all} />
      </svg>
      <ul class="keys">
        {there.map(({ fill, count, label }) => (
          <li key={label}>
            <svg class="key" aria-hidden="true">
              <rect class={fill} x="1" y="1" width="22" height="22" />
            </svg>
            <b>{count.toLocaleString('en-US')}</b>
            <span>
              {label}, {frameWords.share(count, all)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

export interface Bar {
  readonly label: string;
  /** An identifier for machines, shown below the label. */
  readonly code?: string;
  readonly parts: readonly StackPart[];
  /** The parts' values, as text. */
  readonly said: string;
}

/** The number of bars shown at first, and at most. */
const [open, listed] = [10, 200];

/** Bars on one scale: the first ten, and further ones on request; all at once with `isWhole`. */
export function Bars({
  heads,
  bars,
  isWhole = false,
}: {
  readonly heads: readonly [string, string];
  readonly bars: readonly Bar[];
  readonly isWhole?: boolean;
}): VNode {
  const most = Math.max(1, ...bars.slice(0, listed).map(({ parts }) => countOf(parts)));
  const first = isWhole ? listed : open;
  const rest = bars.slice(first, listed);
  return (
    <>
      <BarTable heads={heads} bars={bars.slice(0, first)} most={most} />
      {rest.length > 0 && (
        <details>
          <summary>{frameWords.more(rest.length)}</summary>
          <BarTable heads={heads} bars={rest} most={most} />
        </details>
      )}
      {bars.length > listed && <p class="small">{frameWords.left(bars.length - listed)}</p>}
    </>
  );
}

function countOf(parts: readonly StackPart[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

function BarTable({
  heads: [name, number],
  bars,
  most,
}: {
  readonly heads: readonly [string, string];
  readonly bars: readonly Bar[];
  readonly most: number;
}): VNode {
  return (
    <table class="bars">
      <thead>
        <tr>
          <th scope="col">{name}</th>
          <td />
          <th scope="col" class="number">
            {number}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, code, parts, said }) => (
          <tr key={code ?? label}>
            <th scope="row">
              {label}
              {code !== undefined && code !== label && <code>{code}</code>}
            </th>
            <td>
              <svg class="bar" aria-hidden="true">
                <Stack parts={parts} of={most} />
              </svg>
            </td>
            <td class="number">{said}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
