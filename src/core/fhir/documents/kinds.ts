import type { DiagnosticReport, DocumentReference, Resource } from 'fhir/r4.js';
import { hasCode } from '../codes/concept.ts';
import { isOwnWriting } from './own-writing.ts';

// LOINC: health insurance card, and its older code for a copy of it
const cardCodes = ['64290-0', '52037-9'] as const;

export function isCard({ type, category }: DocumentReference): boolean {
  // the form of the resource may not have been checked yet
  return [type, ...(Array.isArray(category) ? category : [])].some((concept) => hasCode(concept, ...cardCodes));
}

// LOINC: payer letter, administrative note. These are the usual types of documents about a decision.
const letterCodes = ['52034-6', '51851-4'] as const;

/**
 * Whether a document is a letter or summary about an earlier request, by its type. Documents of the bridge itself are
 * already excluded by `isNote`.
 */
export function isLetterOfRequest({ type }: DocumentReference): boolean {
  return hasCode(type, ...letterCodes);
}

/**
 * Whether a document or report is in force and may contain text: not a card, not superseded, not entered in error, not
 * a draft, and not written by the bridge itself.
 */
export function isNote(resource: Resource): resource is DocumentReference | DiagnosticReport {
  if (isType<DocumentReference>(resource, 'DocumentReference')) {
    return (
      resource.status === 'current' &&
      resource.docStatus !== 'entered-in-error' &&
      resource.docStatus !== 'preliminary' &&
      !isCard(resource) &&
      !isOwnWriting(resource)
    );
  }
  return (
    isType<DiagnosticReport>(resource, 'DiagnosticReport') &&
    ['final', 'amended', 'corrected', 'appended'].includes(resource.status) &&
    !isOwnWriting(resource)
  );
}

function isType<T extends Resource>(resource: Resource, type: T['resourceType']): resource is T {
  return resource.resourceType === type;
}
