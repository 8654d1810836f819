import type { Kind } from '../../core/contract/kinds.ts';
import { BridgeError } from '../../core/errors.ts';
import { kindLabels, type Namespace, namespaceAt } from '../../core/fhir/documents/own-writing.ts';
import type { Root } from '../../core/mapping/input.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import type { Mapping } from '../../core/mapping/words/define.ts';
import { leftAt, notBefore, prescriberName } from '../case-facts.ts';
import type { DeliveryRequest } from '../delivery.ts';
import type { WrittenKind } from '../ledger.ts';

/**
 * The resources of a case are built by the mappings `task` and `document-reference` over these roots:
 * - `%case`: ids, references and times;
 * - `%progress`: the progress in terms of a Task;
 * - `%priorAuthorization`: the service's record;
 * - `%outcome` and `%output`: only if there is an outcome;
 * - `%letter`: one document with its bytes;
 * - `%replaced`: the letter that it replaces.
 */

/** The identifier that the bridge gives a resource, and by which it finds the resource again. */
export interface Identifier {
  readonly system: string;
  readonly value: string;
}

export interface Identified<T> {
  readonly resource: T;
  readonly identifier: Identifier;
}

/** The system of the bridge's identifiers. */
export function namespace({ bridgeUrl }: Pick<DeliveryRequest, 'bridgeUrl'>, name: Namespace): string {
  return namespaceAt(bridgeUrl, name);
}

/**
 * Returns the identifier for a ledger row: one for a case's Task, one for each version of a document. A Provenance has
 * no identifier, so the bridge is identified as its agent.
 */
export function identifierOf(
  request: Pick<DeliveryRequest, 'bridgeUrl' | 'facts'>,
  what: Exclude<WrittenKind, 'double'>,
  version: string,
): Identifier {
  const { id } = request.facts;
  const identifiers = {
    task: { system: namespace(request, 'case'), value: id },
    'closing-task': { system: namespace(request, 'closing-task'), value: `${id}-${version}` },
    document: { system: namespace(request, 'document'), value: `${id}-document-${version}` },
    determination: { system: namespace(request, 'document'), value: `${id}-determination-${version}` },
    communication: { system: namespace(request, 'communication'), value: `${id}-${version}` },
    provenance: { system: namespace(request, 'agent'), value: 'prior-auth-bridge' },
  };
  return identifiers[what];
}

/** Returns the roots that every resource has. `changes` override members of `%case`. */
export function commonRoots(request: DeliveryRequest, changes: Partial<CaseRoot> = {}): Record<string, Root> {
  return { case: one({ ...caseRoot(request), ...changes }), priorAuthorization: one(request.facts.record) };
}

export interface CaseRoot extends Readonly<Record<string, unknown>> {
  readonly description: string;
  readonly identifier: readonly Identifier[];
  /** The Task that this closing Task replaces. */
  readonly partOf?: string;
}

/** The name of each kind of request in the chart, and in identifier systems. */
export const kindWords = {
  'prior-auth': { label: kindLabels['prior-auth'], name: 'prior-authorization' },
  enrollment: { label: kindLabels.enrollment, name: 'enrollment' },
  'benefit-verification': { label: kindLabels['benefit-verification'], name: 'benefit-verification' },
} as const satisfies Record<Kind, { readonly label: string; readonly name: Namespace }>;

export function caseRoot(request: DeliveryRequest): CaseRoot {
  const { facts } = request;
  const { label, name } = kindWords[facts.kind];
  return {
    ...facts,
    // `%case` does not contain these facts, since they have roots of their own.
    record: undefined,
    body: undefined,
    notArrived: undefined,
    approvedOtherwise: undefined,
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
              system: namespace(request, name),
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
    changedAt: notBefore(leftAt(facts), facts.changedAt ?? leftAt(facts)),
    requester:
      facts.prescriber === undefined ? undefined : { reference: facts.prescriber, display: prescriberName(facts) },
  };
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
