import type { VNode } from 'preact';
import type { ExplainedGap } from '../../core/mapping/review/explain-result.ts';
import { gapWord, lookText, plural } from '../../web/request/field-words.ts';
import type { Mapped } from './answer.ts';
import { bodyLineAt, fieldsOf } from './body-tree.ts';

/** Gaps, how far each expression matched, and the available options. */
export function GapPane({ mapped }: { readonly mapped: Mapped }): VNode {
  const { gaps } = mapped.explanation;
  const blocks = gaps.filter((gap) => gap.severity === 'blocks');
  const warns = gaps.filter((gap) => gap.severity === 'warns');
  const fields = fieldsOf(mapped.body);
  const list = (some: readonly ExplainedGap[]) => (
    <ul class="gap-list">
      {some.map((gap) => (
        <GapItem key={`${gap.target} ${gap.message}`} gap={gap} field={bodyLineAt(fields, gap.target)?.id} />
      ))}
    </ul>
  );
  return (
    <section class={blocks.length === 0 ? 'pane gaps ready' : 'pane gaps open'} aria-labelledby="gaps-title">
      <h2 id="gaps-title">
        {blocks.length === 0 ? 'Ready to send' : plural(blocks.length, 'thing is missing', 'things are missing')}
      </h2>
      {blocks.length > 0 && list(blocks)}
      {warns.length > 0 && (
        <>
          <h3>Worth a look</h3>
          {list(warns)}
        </>
      )}
      {gaps.length === 0 && <p class="hint">Nothing is missing and nothing is in doubt.</p>}
    </section>
  );
}

function GapItem({ gap, field }: { readonly gap: ExplainedGap; readonly field: string | undefined }): VNode {
  const { target, severity, message, looks, options = [] } = gap;
  return (
    <li class={`gap ${severity}`}>
      <p class="gap-target">
        {field === undefined ? <code>{target}</code> : <a href={`#${field}`}>{target}</a>}{' '}
        <span class="word">{gapWord(gap)}</span>
      </p>
      <p class="gap-message">{message}</p>
      {options.length > 0 && (
        <ul class="options">
          {options.map(({ value, label, reason }) => (
            <li key={value}>
              {label}
              {reason !== undefined && <span class="reason">{reason}</span>}
            </li>
          ))}
        </ul>
      )}
      {looks.length > 0 && (
        <details class="looks">
          <summary>
            {plural(looks.length, 'look', 'looks')}
            <span class="hidden"> for {target}</span>
          </summary>
          <ol>
            {looks.map((look) => (
              <li key={look.expression}>
                {lookText(look)} <code>{look.expression}</code>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}
