import { createHash } from 'node:crypto';
import type { DocumentReference } from 'fhir/r4.js';
import type { Site } from '../../config/config.ts';
import { presetOf } from '../../config/presets/presets.ts';
import { systems } from '../../core/fhir/codes/systems.ts';
import { payerLetter, payerLetterOrigin, shortTitles, summaryLabel } from '../../core/fhir/documents/own-writing.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { type CaseFacts, caseOutcome, leftAt, notBefore, provenanceLine } from '../case-facts.ts';
import type { Delivery } from '../delivery.ts';
import { authorOf, commonRoots, type Identified, identifierOf, kindWords, one, whole } from './common.ts';
import { documentTaken } from './takes.ts';

export interface DocumentDraft {
  readonly what: 'document' | 'determination';
  readonly version: string;
  readonly bytes: Uint8Array;
  /** Whether the letter came before the letter of the outcome. */
  readonly before?: boolean;
}

/** Title and type, so that a list of documents shows which is the bridge's summary and which the payer's letter. */
const kinds = {
  document: {
    titleOf: ({ kind }: CaseFacts) => kindWords[kind].label,
    typeOf: ({ writeback }: Site, { kind }: CaseFacts) => ({
      ...writeback.summaryType,
      text: summaryLabel(kindWords[kind].label),
    }),
    origin: provenanceLine,
  },
  determination: {
    titleOf: () => payerLetter,
    typeOf: ({ writeback }: Site) => ({ ...writeback.documentType, text: writeback.documentType.display }),
    origin: () => payerLetterOrigin,
  },
} as const;

/** Builds a PDF as DocumentReference. A later summary replaces the one in the chart. */
export function documentOf(delivery: Delivery, document: DocumentDraft): Identified<DocumentReference> {
  const { facts, site } = delivery;
  const created = notBefore(leftAt(facts), facts.changedAt ?? delivery.now());
  const identifier = identifierOf(delivery, document.what, document.version);
  const kind = kinds[document.what];
  const outcome = document.before === true ? undefined : caseOutcome(facts)?.label;
  const about = `${kind.titleOf(facts)}: ${[facts.title, outcome].filter(Boolean).join(', ')} (${dayText(created)})`;
  const letter = {
    contentType: 'application/pdf',
    data: Buffer.from(document.bytes).toString('base64'),
    size: document.bytes.length,
    hash: documentHash(document.bytes),
    title: shortTitle(facts, document.what, { outcome, created }),
    created,
    type: { system: systems.loinc, ...kind.typeOf(site, facts) },
    category: {
      system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
      code: 'clinical-note',
      display: 'Clinical Note',
    },
    format: {
      system: 'http://ihe.net/fhir/ihe.formatcode.fhir/CodeSystem/formatcode',
      code: 'urn:ihe:iti:xds:2017:mimeTypeSufficient',
      display: 'mimeType Sufficient',
    },
    identifier,
    description: `${about}. Reference ${facts.serviceId ?? facts.id}. ${kind.origin(facts)}`,
    author: authorOf(delivery),
  };
  const roots = {
    ...commonRoots(delivery),
    letter: one(letter),
    replaced: { nodes: replacedBy(delivery, document).map((reference) => ({ value: { reference } })) },
  };
  const made = whole(delivery.mappings.documentReference, roots);
  const reviewer = [facts.prescriber, letter.author.reference].find((each) => each?.startsWith('Practitioner/'));
  const takes = presetOf(site)?.takes?.document;
  return { resource: documentTaken(made, identifier, reviewer, takes), identifier };
}

/** `PA letter: Humira, denied 11/25/2026`. Short, since lists of documents cut off longer titles. */
function shortTitle(
  { kind, title }: CaseFacts,
  what: DocumentDraft['what'],
  { outcome, created }: { readonly outcome: string | undefined; readonly created: string },
): string {
  const said = outcome === undefined ? [] : [`${outcome.charAt(0).toLowerCase()}${outcome.slice(1)}`];
  const [year, month, day] = created.slice(0, 10).split('-').map(Number);
  return `${shortTitles[kind][what]}: ${[shortName(title), ...said].join(', ')} ${month}/${day}/${year}`;
}

// Returns the brand or the ingredient at the start of the name; for a mixture, the whole name.
function shortName(title: string): string {
  const [begin = ''] = /^[^\d(]+/.exec(title) ?? [];
  return begin.trim() === '' || title.includes(' / ') ? title : begin.trim();
}

/** SHA-1 of the bytes in base64, as FHIR R4 defines `Attachment.hash`. */
export function documentHash(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64');
}

// A new summary replaces the last one. The payer's letters are independent of each other.
function replacedBy(delivery: Delivery, { what, version }: DocumentDraft): string[] {
  if (what === 'determination') return [];
  const last = delivery.rows().findLast((row) => row.what === what && row.version !== version && row.state === 'done');
  return last?.reference === undefined ? [] : [last.reference];
}
