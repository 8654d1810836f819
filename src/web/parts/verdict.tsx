import type { VNode } from 'preact';
import type { Gap } from '../../mapping/result.ts';
import { anchorOf, labelOf, type SectionSpec } from '../labels.ts';
import { gapPhrase, plural } from './words.ts';

/** Is it ready, and if not, what is missing: each point leads to where it is asked for. */
export function Verdict({ gaps, sections }: { readonly gaps: readonly Gap[]; readonly sections: readonly SectionSpec[] }): VNode {
  const blocks = gaps.filter((gap) => gap.severity === 'blocks');
  const warns = gaps.filter((gap) => gap.severity === 'warns');
  return (
    <section class={blocks.length === 0 ? 'verdict ready' : 'verdict open'} id="verdict" aria-labelledby="verdict-title">
      <h2 id="verdict-title">{blocks.length === 0 ? 'Ready to send' : plural(blocks.length, 'thing is missing', 'things are missing')}</h2>
      {blocks.length > 0 && <GapList gaps={blocks} sections={sections} />}
      {warns.length > 0 && (
        <details open={blocks.length === 0}>
          <summary>{plural(warns.length, 'point', 'points')} worth a look</summary>
          <GapList gaps={warns} sections={sections} />
        </details>
      )}
    </section>
  );
}

function GapList({ gaps, sections }: { readonly gaps: readonly Gap[]; readonly sections: readonly SectionSpec[] }): VNode {
  return (
    <ul>
      {gaps.map((gap) => (
        <li key={`${gap.target} ${gap.message}`}>
          <a href={`#${anchorOf(gap.target, sections)}`}>{labelOf(gap.target, sections)}</a> <span class="word">{gapPhrase(gap)}</span>
        </li>
      ))}
    </ul>
  );
}
