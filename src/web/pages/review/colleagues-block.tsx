import type { VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import type { Colleague } from '../../request/colleagues.ts';
import { anchorOf, type SectionSpec } from '../../request/labels.ts';
import { fullNameOf } from '../../request/print/shown-request.ts';
import { Time } from '../../ui/time.tsx';

/** Says which colleagues changed what in this request, and when; null if nobody did. */
export function ColleagueChanges({
  changes,
  sections,
}: {
  readonly changes: readonly Colleague[];
  readonly sections: readonly SectionSpec[];
}): VNode | null {
  if (changes.length === 0) return null;
  return (
    <div class="notice calm" id="colleagues" role="status">
      {changes.map(({ by, at, targets }) => (
        <p key={`${userText(by)} ${at}`}>
          <strong>{userText(by)}</strong> changed, <Time at={at} />:{' '}
          {targets.map((target, index) => (
            <span key={target}>
              {index > 0 && ', '}
              <a href={`#${anchorOf(target, sections)}`}>{nameOf(target, sections)}</a>
            </span>
          ))}
          .
        </p>
      ))}
    </div>
  );
}

function nameOf(target: string, sections: readonly SectionSpec[]): string {
  return target === 'coverage' ? 'Coverage' : fullNameOf(target, sections);
}
