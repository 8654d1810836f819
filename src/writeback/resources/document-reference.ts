import { createHash } from 'node:crypto';
import type { Site } from '../../config.ts';
import { systems } from '../../fhir/systems.ts';
import { dayText } from '../../fhir/time/day-text.ts';
import { outcomeOf, provenanceLine } from '../case-facts.ts';
import type { Delivery } from '../delivery.ts';
import { authorOf, common, type Identified, namespace, one, whole } from './common.ts';
import type { DocumentReferenceShape } from './shapes.ts';

export interface Document {
  readonly what: 'document' | 'determination';
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** How the bridge's summary and the payer's letter are told apart in a list of documents. */
const kinds = {
  document: {
    title: 'Prior authorization',
    typeOf: ({ writeback }: Site) => ({ ...writeback.summaryType, text: 'Prior authorization summary' }),
    origin: provenanceLine,
  },
  determination: {
    title: 'Payer’s letter on prior authorization',
    typeOf: ({ writeback }: Site) => ({ ...writeback.documentType, text: writeback.documentType.display }),
    origin: () => 'The payer’s own letter, unchanged, as the prior authorization service received it.',
  },
} as const;

/** A PDF as DocumentReference; a later version replaces the one that stands in the chart. */
export function documentOf(delivery: Delivery, document: Document): Identified<DocumentReferenceShape> {
  const { facts, site } = delivery;
  const created = facts.changedAt ?? delivery.now();
  const id = `${facts.id}-${document.what}-${document.version}`;
  const kind = kinds[document.what];
  const title = `${kind.title}: ${[facts.title, outcomeOf(facts)?.label].filter(Boolean).join(', ')} (${dayText(created)})`;
  const letter = {
    contentType: 'application/pdf',
    data: Buffer.from(document.bytes).toString('base64'),
    size: document.bytes.length,
    hash: createHash('sha1').update(document.bytes).digest('base64'),
    title,
    created,
    type: { system: systems.loinc, ...kind.typeOf(site) },
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
    identifier: { system: namespace(delivery, 'document'), value: id },
    description: `${title}. Reference ${facts.serviceId ?? facts.id}. ${kind.origin(facts)}`,
    author: authorOf(delivery),
  };
  const replaced = delivery
    .rows()
    .filter(
      (row) =>
        row.what === document.what &&
        row.version !== document.version &&
        row.state === 'done' &&
        row.reference !== undefined,
    );
  const roots = {
    ...common(delivery),
    letter: one(letter),
    replaced: { nodes: replaced.slice(-1).map(({ reference }) => ({ value: { reference } })) },
  };
  return {
    resource: whole(delivery.mappings.documentReference, roots),
    identifier: { system: namespace(delivery, 'document'), value: id },
  };
}
