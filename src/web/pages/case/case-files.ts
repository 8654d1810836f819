import { type Case, type CaseKind, isSent, kindRecordOf } from '../../../cases/case.ts';
import type { Site } from '../../../config/config.ts';
import { BridgeError } from '../../../core/errors.ts';
import { statusRule } from '../../../service/statuses.ts';
import type { Deps } from '../../http/deps.ts';
import { hasNotice, type NoticeFor } from '../../request/print/notice.ts';
import { renderNotice } from '../../request/print/notice-pdf.ts';
import { printedRequestOf } from '../../request/print/printed-request.ts';
import { renderRequest } from '../../request/print/request-pdf.ts';
import { serviceName } from './words.ts';

export interface CaseFile {
  /** The file name; has no patient data. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The files of a case, by the last segment of their URLs. */
export const caseFileNames = [
  'letter.pdf',
  'payer-letter.pdf',
  'request.pdf',
  'fax.pdf',
  'pharmacy-notice.pdf',
  'patient-notice.pdf',
] as const;
export type CaseFileName = (typeof caseFileNames)[number];

/**
 * The bridge's summary, the payer's letter, notices, and the sent request as a copy or as a fax form. Throws not_found
 * for a file that the case does not have, and case_not_ready for a letter before the decision.
 */
export async function caseFile(deps: Deps, one: Case, site: Site, name: CaseFileName): Promise<CaseFile> {
  if (name === 'letter.pdf') return pdf(`${summaryName[one.kind]}-${fileId(one)}`, await deps.cases.letter(one.id));
  if (name === 'payer-letter.pdf') {
    const letter = await deps.cases.payerLetter(one.id);
    if (letter === undefined) throw new BridgeError('not_found', { what: 'the payer’s letter', case: one.id });
    return { ...pdf(`payer-letter-${fileId(one)}`, letter.bytes), contentType: letter.contentType };
  }
  const reader = readers[name];
  if (reader !== undefined) {
    const notice = await renderNotice(one, site, { reader, now: deps.clock() });
    if (notice === undefined) throw new BridgeError('not_found', { what: 'a decision to tell', case: one.id });
    return pdf(`${reader}-notice-${fileId(one)}`, notice);
  }
  const isFax = name === 'fax.pdf';
  const printed = printedRequestOf(one, site);
  if (printed === undefined || (isFax && one.kind !== 'prior-auth'))
    throw new BridgeError('not_found', { what: 'a request that was sent', case: one.id });
  const bytes = await renderRequest(printed, {
    as: isFax ? 'fax' : 'copy',
    now: deps.clock(),
    zone: site.timeZone,
    service: serviceName(site),
  });
  return pdf(`${isFax ? 'fax-form' : 'request'}-${fileId(one)}`, bytes);
}

const readers: Readonly<Partial<Record<CaseFileName, NoticeFor>>> = {
  'pharmacy-notice.pdf': 'pharmacy',
  'patient-notice.pdf': 'patient',
};

/** The files that the case page links to. */
export async function caseFilesOf(deps: Deps, one: Case): Promise<readonly CaseFileName[]> {
  const isThere = isDecided(one);
  const hasLetter = isThere && (await deps.cases.payerLetter(one.id)) !== undefined;
  return [
    ...(hasLetter ? (['payer-letter.pdf'] as const) : []),
    ...(isThere ? (['letter.pdf'] as const) : []),
    ...(hasNotice(one) ? (['pharmacy-notice.pdf', 'patient-notice.pdf'] as const) : []),
    ...(isSent(one) ? (['request.pdf'] as const) : []),
  ];
}

function isDecided(one: Case): boolean {
  const read = kindRecordOf(one);
  return one.state === 'ended' && read !== undefined && statusRule(read.kind, read.record.status).shows === 'payer';
}

const summaryName: Readonly<Record<CaseKind, string>> = {
  'prior-auth': 'prior-authorization',
  enrollment: 'enrollment',
  'benefit-verification': 'benefit-verification',
};

/**
 * The service's id of the request, so that a person who files the letter can find the request. It is safe in a file
 * name.
 */
export function fileId(one: Case): string {
  return (('serviceId' in one ? one.serviceId : undefined) ?? one.id).replaceAll(/[^\w.-]/g, '_');
}

function pdf(name: string, bytes: Uint8Array): CaseFile {
  return { name: `${name}.pdf`, bytes, contentType: 'application/pdf' };
}
