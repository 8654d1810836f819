import type { VNode } from 'preact';
import { type Case, isSent, userText } from '../../../cases/case.ts';
import { valueCounts } from '../../../cases/value-counts.ts';
import type { Site } from '../../../config/config.ts';
import { isAnswersItem } from '../../../core/answers/sent-answers.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { Provenance } from '../../../core/mapping/result.ts';
import { DrugChange, RequestSections } from '../../request/print/request-table.tsx';
import { type RequestView, requestOf } from '../../request/print/shown-request.ts';
import { ItSupport } from '../../ui/it-support.tsx';
import { attach } from '../documents/words.ts';
import { sentCopyOf } from './sent-copy.ts';
import { actions, sent as words } from './words.ts';

interface SentProps {
  readonly case: Case;
  readonly site: Site;
  readonly here: string;
  /** true if the request is shown unfolded, beside a payer's question. */
  readonly isOpen?: boolean;
}

/**
 * The sent request, each value with its source, and its copy; null before a request was sent. Folded, because people
 * who open a case want to see its status first.
 */
export function WhatWasSent({ case: one, site, here, isOpen = false }: SentProps): VNode | null {
  if (!isSent(one)) return null;
  const { kind, body, provenance, codeTitles } = one;
  const request = requestOf({ kind, site, body, provenance, codeTitles });
  return (
    <details class="card sent" id="sent" open={isOpen}>
      <summary>
        <h2>{words.heading}</h2> <span class="quiet-text">{countsOf(request, provenance)}</span>
      </summary>
      <DrugChange drug={request.drug} />
      <RequestSections request={request} prefix="sent" withSources />
      {one.consent !== undefined && (
        <p>
          {words.consent}: {one.consent.by}, {dayText(one.consent.on)}, {one.consent.how.toLowerCase()};{' '}
          {words.recordedBy} {userText(one.consent.recordedBy)}.
          {one.consent.wording !== undefined && <q class="consent-wording">{one.consent.wording}</q>}
        </p>
      )}
      {(one.entries.attached ?? [])
        .filter(({ kind }) => kind === 'consent')
        .map(({ id, title, by }) => (
          <p key={id}>
            <a href={`${here}/consent/${id}`} target="_blank" rel="noopener noreferrer">
              {title}
              <span class="hidden">{actions.newWindow}</span>
            </a>{' '}
            <span class="quiet-text">{attach.attachedBy(userText(by))}</span>
          </p>
        ))}
      <p>
        <a href={`${here}/sent.json`} download>
          {words.copy}
        </a>
      </p>
      <ItSupport of={words.heading}>
        <p>
          {words.hash}: <code>{sentCopyOf(one)?.hash}</code>
        </p>
        <p>
          {words.rules} {one.mappedBy.mapping}, version {one.mappedBy.version}.
        </p>
      </ItSupport>
    </details>
  );
}

// The answers sheet does not count as a document, just as in the review.
function countsOf({ sections }: RequestView, provenance: readonly Provenance[]): string {
  const { chart, typed, changed } = valueCounts(provenance);
  const documents = sections.flatMap(({ evidence }) => evidence).filter((item) => !isAnswersItem(item));
  return words.counts(chart + typed + changed, documents.length);
}
