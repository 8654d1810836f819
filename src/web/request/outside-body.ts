import type { Gap } from '../../core/mapping/result.ts';
import { consent } from '../pages/case/words.ts';
import { attach } from '../pages/documents/words.ts';
import { review } from '../pages/review/words.ts';
import { codeGaps } from '../pages/search/search-codes.ts';
import { unplacedIn } from './attached.ts';
import type { Draft } from './draft.ts';
import { consentFaults } from './form.ts';
import { npiGaps } from './npi-sent.ts';

/** Open points outside the request body. */
export function gapsOutsideBody(draft: Draft, now: Date): Gap[] {
  return [...codeGaps(draft), ...npiGaps(draft), ...unfitFiles(draft), ...consentGaps(draft, now)];
}

/** true if the body is complete and nothing outside it blocks sending. */
export function isReady(draft: Draft): boolean {
  const isStopped = [...codeGaps(draft), ...unfitFiles(draft)].some(({ severity }) => severity === 'blocks');
  return draft.result.status === 'complete' && !isStopped && !lacksConsent(draft);
}

// Files that were attached while the site's service accepted PDFs.
function unfitFiles({ case: { attached }, schema }: Draft): Gap[] {
  return unplacedIn(attached, schema).map(({ title }) => ({
    target: 'evidence',
    severity: 'blocks',
    reason: 'invalid',
    message: attach.noPdf(title),
    looks: [],
  }));
}

// An enrollment is sent only with a recorded consent.
function lacksConsent({ kind, case: one }: Draft): boolean {
  return kind === 'enrollment' && one.consent === undefined;
}

// A missing scan only warns, because the clinic may keep the form elsewhere.
function scanGaps({ kind, case: { consent: given, attached = [] } }: Draft): Gap[] {
  const hasScan = attached.some((file) => file.kind === 'consent');
  if (kind !== 'enrollment' || given?.how !== consent.signedForm || hasScan) return [];
  return [{ target: 'consent', severity: 'warns', reason: 'missing', message: consent.noScan, looks: [] }];
}

function consentGaps(draft: Draft, now: Date): Gap[] {
  if (!lacksConsent(draft)) return scanGaps(draft);
  const { by, on, how } = draft.case.consentEntry ?? { by: '', on: '', how: '' };
  const isTyped = [by, on, how].some((text) => text !== '');
  const life = { now, today: draft.chart.today, birthDate: draft.case.banner.birthDate };
  const message = isTyped ? review.consentUnfinished(consentFaults({ by, on, how }, life)) : consent.first;
  return [{ target: 'consent', severity: 'blocks', reason: isTyped ? 'invalid' : 'missing', message, looks: [] }];
}
