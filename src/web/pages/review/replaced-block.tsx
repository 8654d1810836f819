import type { VNode } from 'preact';
import { userText } from '../../../cases/case.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import { cellNames } from '../../../core/contract/answers-sheet.ts';
import { dateOrText } from '../../../core/fhir/time/day-text.ts';
import type { Draft } from '../../request/draft.ts';
import { shown } from '../../request/form.ts';
import { anchorOf, fieldAt, type SectionSpec } from '../../request/labels.ts';
import { answerNames } from '../../request/payer-answers.ts';
import { fullNameOf } from '../../request/print/shown-request.ts';
import { replacedNames } from '../../request/typed/replaced.ts';
import { Time } from '../../ui/time.tsx';
import { replacedWords as words } from './words.ts';

/** Entries that a save overwrote although its page had not shown them. A person keeps or restores each of them. */
export function ReplacedEntries({
  draft,
  sections,
}: {
  readonly draft: Draft;
  readonly sections: readonly SectionSpec[];
}): VNode | null {
  const rows = Object.entries(draft.case.replaced ?? {});
  if (rows.length === 0) return null;
  return (
    <div class="notice bad" id="replaced" role="alert" tabIndex={-1}>
      <h2>{words.title}</h2>
      <ul class="plain">
        {rows.map(([key, { value, by }]) => (
          <li key={key}>
            <a href={`#${placeOf(key, sections)}`}>{nameOf(key, sections)}</a>:{' '}
            <q>{dateOrText(textOf(key, value, draft, sections))}</q>
            {by !== undefined && ` (${words.by(userText(by))}`}
            {by?.at !== undefined && ', '}
            {by?.at !== undefined && <Time at={by.at} />}
            {by !== undefined && ')'} {words.was}{' '}
            <span class="picks">
              <button type="submit" form="review" name={replacedNames.use} value={key} class="secondary">
                {words.use}
                <span class="hidden"> {nameOf(key, sections)}</span>
              </button>
              <button type="submit" form="review" name={replacedNames.keep} value={key} class="secondary">
                {words.keep}
                <span class="hidden"> {nameOf(key, sections)}</span>
              </button>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const cellOf = (key: string) => cellNames.find((cell) => answerNames.said(cell) === key);

function nameOf(key: string, sections: readonly SectionSpec[]): string {
  const cell = cellOf(key);
  if (cell !== undefined) return cellTexts[cell].question;
  return key === 'coverage' ? words.coverage : fullNameOf(key, sections);
}

function placeOf(key: string, sections: readonly SectionSpec[]): string {
  if (cellOf(key) !== undefined) return 'section-answers';
  return key === 'coverage' ? 'section-insurance' : anchorOf(key, sections);
}

function textOf(key: string, value: unknown, { chart }: Draft, sections: readonly SectionSpec[]): string {
  const labels = ['coverage', 'diagnosis'].flatMap((role) => chart.choice(role)?.candidates ?? []);
  const named = (one: unknown) => labels.find(({ reference }) => reference === one)?.label ?? String(one);
  if (Array.isArray(value)) return value.length === 0 ? words.nothing : value.map(named).join(', ');
  if (value === null) return words.nothing;
  const spec = fieldAt(key, sections);
  const text = spec === undefined ? String(value) : shown(spec, String(value));
  return spec?.options?.find(([option]) => option === text)?.[1] ?? named(text);
}
