import type { VNode } from 'preact';
import { type Case, isSent, userText } from '../../cases/case.ts';
import type { Site } from '../../config.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import { requestOf } from '../request.ts';
import { DrugChange, RequestSections } from './request.tsx';

/**
 * The request as it was sent, each value with where it came from; nothing while none has left, or a correction is being
 * made.
 * Folded away: who opens a case first wants to know how it stands.
 */
export function WhatWasSent({ case: one, site }: { readonly case: Case; readonly site: Site }): VNode | null {
  if (!isSent(one) || one.state === 'sending') return null;
  const request = requestOf({ kind: one.kind, site, body: one.body, provenance: one.provenance });
  return (
    <details class="card sent" id="sent">
      <summary>
        <h2>What was sent</h2>
      </summary>
      <DrugChange drug={request.drug} />
      <RequestSections request={request} prefix="sent" withSources />
      <p class="hint">
        {one.mappedBy === undefined
          ? 'Which version of the mapping made it was not kept then.'
          : `Made by the mapping ${one.mappedBy.mapping}, version ${one.mappedBy.version}.`}
      </p>
      {one.consent !== undefined && (
        <p>
          Consent, not part of the request: {one.consent.by}, {dayText(one.consent.on)}, {one.consent.how.toLowerCase()}
          ; recorded by {userText(one.consent.recordedBy)}.
        </p>
      )}
    </details>
  );
}
