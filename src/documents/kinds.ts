import type { DiagnosticReport, DocumentReference, Resource } from 'fhir/r4.js';
import { hasCode } from '../fhir/concept.ts';

// LOINC: health insurance card, and its older code for a copy of it
const cardCodes = ['64290-0', '52037-9'] as const;

/** true for a document that is an image of an insurance card. */
export function isCard({ type, category }: DocumentReference): boolean {
  // asked of resources as they come, before their form is looked at
  return [type, ...(Array.isArray(category) ? category : [])].some((concept) => hasCode(concept, ...cardCodes));
}

/**
 * true for a document or report that is in force and may hold text: no card, not superseded, not entered in error, not
 * a draft.
 */
export function isNote(resource: Resource): resource is DocumentReference | DiagnosticReport {
  if (isType<DocumentReference>(resource, 'DocumentReference')) {
    return (
      resource.status === 'current' &&
      resource.docStatus !== 'entered-in-error' &&
      resource.docStatus !== 'preliminary' &&
      !isCard(resource)
    );
  }
  return (
    isType<DiagnosticReport>(resource, 'DiagnosticReport') &&
    ['final', 'amended', 'corrected', 'appended'].includes(resource.status)
  );
}

function isType<T extends Resource>(resource: Resource, type: T['resourceType']): resource is T {
  return resource.resourceType === type;
}
