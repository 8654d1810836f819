import type { VNode } from 'preact';
import type { Gap } from '../../mapping/result.ts';
import { anchorOf, labelOf, type SectionSpec } from '../labels.ts';
import type { Cautions } from './notices.tsx';
import { gapPhrase, neededText, plural } from './words.ts';

interface VerdictProps {
  /** In the order of the page. */
  readonly gaps: readonly Gap[];
  readonly cautions: Cautions;
  /** Suggested evidence that nobody ticked. */
  readonly unticked: number;
  readonly sections: readonly SectionSpec[];
}

/**
 * Is it ready, and if not, what is missing: each point leads to where it is asked for. Plainly ready only when no
 * caution speaks against it.
 */
export function Verdict({
  gaps,
  cautions: { earlier, warnings, entries, rulesChanged },
  unticked,
  sections,
}: VerdictProps): VNode {
  const blocks = gaps.filter((gap) => gap.severity === 'blocks');
  const warns = gaps.filter((gap) => gap.severity === 'warns');
  const cautions = earlier.length + warnings.length + entries.length + Number(rulesChanged);
  const points = cautions + warns.length;
  const title = cautions === 0 ? 'Ready to send' : 'Complete, but look first';
  return (
    <section
      class={blocks.length + cautions === 0 ? 'verdict ready' : 'verdict open'}
      id="verdict"
      tabIndex={-1}
      aria-labelledby="verdict-title"
    >
      <h2 id="verdict-title">{blocks.length === 0 ? title : neededText(blocks)}</h2>
      {blocks.length > 0 && <GapList gaps={blocks} sections={sections} />}
      {points > 0 && (
        <details open={blocks.length === 0}>
          <summary>{plural(points, 'point', 'points')} worth a look</summary>
          {cautions > 0 && (
            <ul>
              {rulesChanged && (
                <li>
                  <a href="#new-rules">The rules</a> <span class="word">have changed</span>
                </li>
              )}
              {earlier.length > 0 && (
                <li>
                  <a href="#cautions">This order</a>{' '}
                  <span class="word">has {plural(earlier.length, 'finished request', 'finished requests')}</span>
                </li>
              )}
              {entries.length > 0 && (
                <li>
                  <a href="#entries">What was entered earlier</a>{' '}
                  <span class="word">has {plural(entries.length, 'value', 'values')} without a field</span>
                </li>
              )}
              {warnings.length > 0 && (
                <li>
                  <a href="#cautions">This chart</a>{' '}
                  <span class="word">has {plural(warnings.length, 'warning', 'warnings')}</span>
                </li>
              )}
            </ul>
          )}
          {warns.length > 0 && <GapList gaps={warns} sections={sections} />}
        </details>
      )}
      {unticked > 0 && (
        <p class="hint">
          <a href="#section-evidence">{plural(unticked, 'suggested item', 'suggested items')}</a> of evidence{' '}
          {unticked === 1 ? 'is' : 'are'} not ticked.
        </p>
      )}
    </section>
  );
}

function GapList({
  gaps,
  sections,
}: {
  readonly gaps: readonly Gap[];
  readonly sections: readonly SectionSpec[];
}): VNode {
  return (
    <ul>
      {gaps.map((gap) => (
        <li key={`${gap.target} ${gap.message}`}>
          <a href={`#${anchorOf(gap.target, sections)}`}>{labelOf(gap.target, sections)}</a>{' '}
          <span class="word">{gapPhrase(gap)}</span>
        </li>
      ))}
    </ul>
  );
}
