import type { VNode } from 'preact';
import { Time } from '../../ui/time.tsx';
import type { Step } from './case-steps.ts';
import { steps as words } from './words.ts';

/** The steps of a request at the top of its page; null before it was sent. */
export function Steps({ steps, zone }: { readonly steps: readonly Step[]; readonly zone: string }): VNode | null {
  if (steps.length === 0) return null;
  return (
    <ol class="steps" aria-label={words.name}>
      {steps.map(({ label, state, at, took }) => (
        <li
          key={label}
          {...(state === 'later' || state === 'skipped' ? { class: 'later' } : {})}
          {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}
        >
          {label}
          <span class="quiet-text step-time">
            {state === 'later' && words.later}
            {state === 'skipped' && words.skipped}
            {state === 'now' && `${words.since} `}
            {at !== undefined && <Time at={at} zone={zone} />}
            {took}
          </span>
        </li>
      ))}
    </ol>
  );
}
