import type { Resource, Task } from '@medplum/fhirtypes';

/** EHR products that accept resources only in a form of their own. */
export const ruleSets = ['canvas', 'oracle'] as const;
export type RuleSet = (typeof ruleSets)[number];

/** An element that breaks a rule of the product. */
export interface Broken {
  readonly expression: string;
  readonly text: string;
}

/** The writer, for products that check it. `user`: such as `Practitioner/1`; undefined for a system. */
export interface Writer {
  readonly user?: string | undefined;
}

type Rule = readonly [expression: string, text: string, holds: (resource: Json, writer: Writer) => boolean];
type Json = Readonly<Record<string, unknown>>;

const canvasExtensions = 'http://schemas.canvasmedical.com/fhir/document-reference-';
const oracleTypes = ['application/pdf', 'text/plain;charset=utf-8', 'text/html;charset=utf-8', 'text/rtf'];

// Canvas: docs.canvasmedical.com/api/task and /api/documentreference. Oracle Health: the operations "Create a document
// reference" and "Create a provenance" of docs.oracle.com/en/industries/health/millennium-platform-apis.
const rules: Readonly<Record<RuleSet, Readonly<Record<string, readonly Rule[]>>>> = {
  canvas: {
    Task: [
      ['Task.intent', 'must be unknown', ({ intent }) => intent === 'unknown'],
      [
        'Task.status',
        'must be requested, completed or cancelled',
        ({ status }) => ['requested', 'completed', 'cancelled'].includes(String(status)),
      ],
      ['Task.description', 'is required', ({ description }) => typeof description === 'string'],
      ['Task.requester', 'is required', (task) => referenceIn(task.requester) !== undefined],
    ],
    DocumentReference: [
      ...['clinical-date', 'reviewer', 'requires-signature'].map(
        (name): Rule => [
          'DocumentReference.extension',
          `needs ${canvasExtensions}${name}`,
          ({ extension }) => list(extension).some(({ url }) => url === `${canvasExtensions}${name}`),
        ],
      ),
      [
        'DocumentReference.category',
        'must be patientadministrativedocument or uncategorizedclinicaldocument',
        ({ category }) =>
          codesIn(category).some((code) =>
            ['patientadministrativedocument', 'uncategorizedclinicaldocument'].includes(code),
          ),
      ],
      [
        'DocumentReference.description',
        'must be the title of its type: Insurer Prior Authorization for 52034-6',
        ({ type, description }) =>
          !codesIn([type]).includes('52034-6') || description === 'Insurer Prior Authorization',
      ],
      ['DocumentReference.type', 'is none that can be created', ({ type }) => codesIn([type]).includes('52034-6')],
    ],
  },
  oracle: {
    DocumentReference: [
      ['DocumentReference.docStatus', 'must be final', ({ docStatus }) => docStatus === 'final'],
      [
        'DocumentReference.author',
        'must be the authorized provider alone',
        ({ author }, { user }) =>
          user === undefined || (list(author).length === 1 && referenceIn(list(author)[0]) === user),
      ],
      [
        'DocumentReference.authenticator',
        'must not be set by a provider',
        ({ authenticator }, { user }) => user === undefined || authenticator === undefined,
      ],
      ['DocumentReference.type', 'must be of one system', ({ type }) => codesIn([type]).length === 1],
      ['DocumentReference.content', 'must be one', ({ content }) => list(content).length === 1],
      [
        'DocumentReference.content.attachment.contentType',
        `must be one of ${oracleTypes.join(', ')}`,
        ({ content }) => oracleTypes.includes(String(object(object(list(content)[0]).attachment).contentType)),
      ],
      [
        'DocumentReference.context.period.end',
        'is required, with a time',
        ({ context }) => /T\d{2}:/.test(String(object(object(context).period).end)),
      ],
    ],
    Communication: [
      ['Communication.status', 'must be completed', ({ status }) => status === 'completed'],
      [
        'Communication.recipient',
        'must be Practitioners or Groups',
        ({ recipient }) =>
          list(recipient).length > 0 &&
          list(recipient).every((one) => /^(Practitioner|Group)\//.test(referenceIn(one) ?? '')),
      ],
      [
        'Communication.sender',
        'must be a Practitioner',
        (one) => /^Practitioner\//.test(referenceIn(one.sender) ?? ''),
      ],
    ],
    Provenance: [['Provenance.target', 'must be one', ({ target }) => list(target).length === 1]],
  },
};

const kept: Readonly<Record<RuleSet, Readonly<Record<string, readonly string[]>>>> = {
  canvas: {
    Task: [
      'status',
      'intent',
      'description',
      'for',
      'authoredOn',
      'requester',
      'owner',
      'restriction',
      'note',
      'input',
    ],
    DocumentReference: ['extension', 'status', 'type', 'category', 'subject', 'author', 'description', 'content'],
  },
  oracle: {
    DocumentReference: [
      'status',
      'docStatus',
      'type',
      'category',
      'subject',
      'date',
      'author',
      'description',
      'content',
      'context',
    ],
    Provenance: ['target', 'recorded', 'agent', 'entity'],
  },
};

/** Returns the rules that the product refuses the resource for. */
export function brokenRules(set: RuleSet, resource: Resource, writer: Writer): Broken[] {
  const json = resource as unknown as Json; // read member by member
  return (rules[set][resource.resourceType] ?? [])
    .filter(([, , holds]) => !holds(json, writer))
    .map(([expression, text]) => ({ expression, text }));
}

/**
 * Returns the resource as the product stores it. Unknown elements are dropped, and a Task's notes are appended to its
 * earlier notes.
 */
export function storedOf(set: RuleSet, resource: Resource, before: Resource | undefined): Resource {
  const known = kept[set][resource.resourceType];
  if (known === undefined) return resource;
  const members = Object.entries(resource).filter(([name]) => ['resourceType', 'id', ...known].includes(name));
  const stored = Object.fromEntries(members) as unknown as Resource; // the same type with fewer members
  if (set !== 'canvas' || stored.resourceType !== 'Task') return stored;
  const note = [...(before?.resourceType === 'Task' ? (before.note ?? []) : []), ...(stored.note ?? [])];
  const requester: Task['requester'] = { ...stored.requester, type: 'Practitioner' };
  return { ...stored, requester, ...(note.length === 0 ? {} : { note }) };
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function referenceIn(value: unknown): string | undefined {
  const { reference } = object(value);
  return typeof reference === 'string' ? reference : undefined;
}

function codesIn(concepts: unknown): string[] {
  return list(concepts).flatMap(({ coding }) => list(coding).map(({ code }) => String(code)));
}
