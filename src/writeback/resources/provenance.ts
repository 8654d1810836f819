import type { CodeableConcept, Provenance, ProvenanceAgent, ProvenanceEntity, Reference } from 'fhir/r4.js';
import { hasRecord } from '../../core/contract/kinds.ts';
import type { CaseFacts } from '../case-facts.ts';
import type { DeliveryRequest } from '../delivery.ts';
import { authorOf, identifierOf, kindWords, namespace } from './common.ts';

/**
 * Builds the Provenance of `target`: the person who sent the request, the bridge that transmitted it, and references to
 * patient, order, coverage and the service's record. It has no clinical values. The payer's own letter has no author in
 * the practice, since it was only transmitted.
 */
export function provenanceResource(
  request: DeliveryRequest,
  target: string,
  isPayers: boolean,
  recorded: string,
): Provenance {
  const sender = senderOf(request);
  const bridge = identifierOf(request, 'provenance', target);
  const passedOn: ProvenanceAgent = {
    type: usCore('transmitter', 'Transmitter'),
    who: { type: 'Device', identifier: bridge, display: bridge.value },
    onBehalfOf: sender,
  };
  const wrote: ProvenanceAgent = { type: participant('author', 'Author'), who: sender };
  return {
    resourceType: 'Provenance',
    target: [{ reference: target }],
    recorded,
    activity: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-DataOperation', code: 'CREATE', display: 'create' }],
    },
    agent: isPayers ? [passedOn] : [wrote, passedOn],
    entity: sourcesOf(request),
  };
}

function senderOf(request: DeliveryRequest): Reference {
  const { sentBy } = request.facts;
  if (sentBy === undefined || sentBy === 'bridge') return authorOf(request);
  const { author: _, ...asSent } = request;
  return authorOf(asSent);
}

function sourcesOf({ bridgeUrl, facts }: DeliveryRequest): ProvenanceEntity[] {
  const references = [facts.patient, facts.order, facts.coverage].filter((each) => each !== undefined);
  const sources: Reference[] = [...references.map((reference) => ({ reference })), ...recordOf(bridgeUrl, facts)];
  return sources.map((what) => ({ role: 'source', what }));
}

function recordOf(bridgeUrl: string, { kind, serviceId }: CaseFacts): Reference[] {
  if (serviceId === undefined || !hasRecord(kind)) return [];
  const { label, name } = kindWords[kind];
  return [{ identifier: { system: namespace({ bridgeUrl }, name), value: serviceId }, display: label }];
}

function participant(code: string, display: string): CodeableConcept {
  return {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type', code, display }],
  };
}

// R4 has no code for a transmitter, so US Core's code is used.
function usCore(code: string, display: string): CodeableConcept {
  return {
    coding: [{ system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type', code, display }],
  };
}
