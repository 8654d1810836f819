import { BridgeError } from '../../errors.ts';
import type { Root } from '../../mapping/input.ts';
import { runMapping } from '../../mapping/run/run.ts';
import type { Mapping } from '../../mapping/words/define.ts';
import { leftAt, prescriberName } from '../case-facts.ts';
import type { DeliveryRequest } from '../delivery.ts';

/**
 * The resources of a case, made by the mappings `task` and `document-reference` over these roots:
 * `%case` ids, references and times; `%progress` the Task's words; `%priorAuthorization` the service's record;
 * `%outcome` and `%output` only once there is an outcome; `%letter` one document with its bytes; `%replaced` the letter
 * before it.
 */

export interface Identified<T> {
  readonly resource: T;
  readonly identifier: { readonly system: string; readonly value: string };
}

/** System of an identifier that the bridge gives out. */
export function namespace(
  { bridgeUrl }: Pick<DeliveryRequest, 'bridgeUrl'>,
  name: 'case' | 'prior-authorization' | 'enrollment' | 'status' | 'document' | 'communication',
): string {
  return `${bridgeUrl}/fhir/ns/${name}`;
}

export function common(request: DeliveryRequest): Record<string, Root> {
  const { facts } = request;
  const label = facts.kind === 'enrollment' ? 'Patient enrollment' : 'Prior authorization';
  const root = {
    ...facts,
    // The rest of the facts is not for a mapping: what it says has a root of its own.
    record: undefined,
    body: undefined,
    notArrived: undefined,
    writes: undefined,
    banner: undefined,
    label,
    description: `${label} for ${facts.title}`,
    identifier: [
      { system: namespace(request, 'case'), value: facts.id },
      ...(facts.serviceId === undefined
        ? []
        : [
            {
              system: namespace(request, facts.kind === 'enrollment' ? 'enrollment' : 'prior-authorization'),
              value: facts.serviceId,
            },
          ]),
    ],
    fulfill: {
      system: 'http://hl7.org/fhir/CodeSystem/task-code',
      code: 'fulfill',
      display: 'Fulfill the focal request',
    },
    sentAt: leftAt(facts),
    changedAt: facts.changedAt ?? leftAt(facts),
    requester:
      facts.prescriber === undefined ? undefined : { reference: facts.prescriber, display: prescriberName(facts) },
  };
  return { case: one(root), priorAuthorization: one(facts.record) };
}

export function authorOf({ author, facts }: DeliveryRequest): { reference?: string; display?: string } {
  const { fhirUser, name } = author ?? (facts.sentBy === undefined || facts.sentBy === 'bridge' ? {} : facts.sentBy);
  if (fhirUser === undefined) return { display: name ?? 'prior-auth-bridge' };
  return { reference: fhirUser, ...(name === undefined ? {} : { display: name }) };
}

export function one(value: unknown): Root {
  return { nodes: value === undefined ? [] : [{ value: JSON.parse(JSON.stringify(value)) }], kind: 'site' };
}

export function whole<T>(mapping: Mapping<T>, roots: Readonly<Record<string, Root>>): T {
  const result = runMapping(mapping, { root: (role) => roots[role], resolve: () => undefined, questions: () => [] });
  if (result.status === 'complete') return result.body;
  const targets = result.gaps.filter((gap) => gap.severity === 'blocks').map((gap) => gap.target);
  throw new BridgeError('mapping_invalid', { mapping: mapping.name, targets });
}
