import { createHash } from 'node:crypto';
import type { Communication } from 'fhir/r4.js';
import type { Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import { systems } from '../fhir/systems.ts';
import { dayText } from '../fhir/time/day-text.ts';
import type { Root } from '../mapping/input.ts';
import { runMapping } from '../mapping/run/run.ts';
import type { Mapping } from '../mapping/words/define.ts';
import type { Delivery, Desk } from './desk.ts';
import { fingerprint, type Item, leftAt, outcomeOf, prescriberName, progressOf, provenanceLine } from './item.ts';
import type { LedgerEntry } from './ledger.ts';
import { type Letter, letterText } from './letter.ts';
import type { DocumentReferenceShape, TaskShape } from './shapes.ts';

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

/** The Task as it should stand now. Throws `mapping_invalid` when the mapping gives no whole Task. */
export function taskOf(desk: Desk, rows: readonly LedgerEntry[]): Identified<TaskShape> {
  const { item } = desk;
  const roots = {
    ...common(desk),
    progress: one(progressRoot(desk)),
    outcome: one(outcomeOf(item)),
    output: { nodes: outputsOf(item, rows).map((value) => ({ value })) },
  };
  return {
    resource: whole(desk.mappings.task, roots),
    identifier: { system: namespace(desk, 'case'), value: item.id },
  };
}

/** Names what the Task says; the same name is not written twice. */
export function taskVersion(item: Item, rows: readonly LedgerEntry[]): string {
  return fingerprint({ progress: progressOf(item), serviceId: item.serviceId, outputs: outputsOf(item, rows) });
}

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
  const { item, site } = delivery;
  const created = item.changedAt ?? delivery.now();
  const id = `${item.id}-${document.what}-${document.version}`;
  const kind = kinds[document.what];
  const what = [item.title, outcomeOf(item)?.label].filter(Boolean).join(', ');
  const title = `${kind.title}: ${what} (${dayText(created)})`;
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
    description: `${title}. Reference ${item.serviceId ?? item.id}. ${kind.origin(item)}`,
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

/** The letter as a message, for EHRs that take neither Task nor DocumentReference. */
export function communicationOf(delivery: Delivery, letter: Letter, version: string): Identified<Communication> {
  const { item } = delivery;
  const identifier = { system: namespace(delivery, 'communication'), value: `${item.id}-${version}` };
  const author = authorOf(delivery);
  const resource: Communication = {
    resourceType: 'Communication',
    identifier: [identifier],
    status: 'completed',
    category: [{ text: 'Prior authorization outcome' }],
    subject: { reference: item.patient },
    about: [{ reference: item.order }],
    ...(item.encounter === undefined ? {} : { encounter: { reference: item.encounter } }),
    sent: item.changedAt ?? delivery.now(),
    ...(author.reference === undefined ? {} : { sender: author }),
    ...(item.prescriber === undefined ? {} : { recipient: [{ reference: item.prescriber }] }),
    payload: [{ contentString: letterText(letter) }],
  };
  return { resource, identifier };
}

/** System of an identifier that the bridge gives out. */
export function namespace(
  { bridgeUrl }: Pick<Desk, 'bridgeUrl'>,
  name: 'case' | 'prior-authorization' | 'enrollment' | 'status' | 'document' | 'communication',
): string {
  return `${bridgeUrl}/fhir/ns/${name}`;
}

function progressRoot(desk: Desk): unknown {
  const progress = progressOf(desk.item);
  return { ...progress, coding: { system: namespace(desk, 'status'), code: progress.code } };
}

interface Output {
  readonly type: string;
  readonly text?: string;
  readonly string?: string;
  readonly date?: string;
  readonly reference?: string;
}

function outputsOf(item: Item, rows: readonly LedgerEntry[]): Output[] {
  const outcome = outcomeOf(item);
  if (outcome === undefined) return [];
  const written = (what: LedgerEntry['what']) =>
    rows.findLast((row) => row.what === what && row.state === 'done')?.reference;
  const outputs: (Output | undefined)[] = [
    { type: 'Outcome', text: outcome.label },
    outcome.detailCode === undefined ? undefined : { type: 'Reason code', string: outcome.detailCode },
    dated('Authorized from', outcome.authorizationStart),
    dated('Authorized until', outcome.authorizationExpiration),
    { type: 'Next step', string: outcome.next },
    referring('Letter', written('document') ?? written('communication')),
    referring('Letter of the payer', written('determination')),
  ];
  return outputs.filter((output) => output !== undefined);
}

// A date of the service that is no calendar date is said as it stands.
function dated(type: string, date: string | undefined): Output | undefined {
  if (date === undefined) return undefined;
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(date) ? { type, date } : { type, string: date };
}

function referring(type: string, reference: string | undefined): Output | undefined {
  return reference === undefined ? undefined : { type, reference };
}

function common(desk: Desk): Record<string, Root> {
  const { item } = desk;
  const label = item.kind === 'enrollment' ? 'Patient enrollment' : 'Prior authorization';
  const facts = {
    ...item,
    // The rest of an Item is not for a mapping: what it says has a root of its own.
    record: undefined,
    body: undefined,
    notArrived: undefined,
    writes: undefined,
    banner: undefined,
    label,
    description: `${label} for ${item.title}`,
    identifier: [
      { system: namespace(desk, 'case'), value: item.id },
      ...(item.serviceId === undefined
        ? []
        : [
            {
              system: namespace(desk, item.kind === 'enrollment' ? 'enrollment' : 'prior-authorization'),
              value: item.serviceId,
            },
          ]),
    ],
    fulfill: {
      system: 'http://hl7.org/fhir/CodeSystem/task-code',
      code: 'fulfill',
      display: 'Fulfill the focal request',
    },
    sentAt: leftAt(item),
    changedAt: item.changedAt ?? leftAt(item),
    requester:
      item.prescriber === undefined ? undefined : { reference: item.prescriber, display: prescriberName(item) },
  };
  return { case: one(facts), priorAuthorization: one(item.record) };
}

function authorOf({ author, item }: Desk): { reference?: string; display?: string } {
  const { fhirUser, name } = author ?? (item.sentBy === undefined || item.sentBy === 'bridge' ? {} : item.sentBy);
  if (fhirUser === undefined) return { display: name ?? 'prior-auth-bridge' };
  return { reference: fhirUser, ...(name === undefined ? {} : { display: name }) };
}

function one(value: unknown): Root {
  return { nodes: value === undefined ? [] : [{ value: JSON.parse(JSON.stringify(value)) }], kind: 'site' };
}

function whole<T>(mapping: Mapping<T>, roots: Readonly<Record<string, Root>>): T {
  const result = runMapping(mapping, { root: (role) => roots[role], resolve: () => undefined, questions: () => [] });
  if (result.status === 'complete') return result.body;
  const targets = result.gaps.filter((gap) => gap.severity === 'blocks').map((gap) => gap.target);
  throw new BridgeError('mapping_invalid', { mapping: mapping.name, targets });
}
