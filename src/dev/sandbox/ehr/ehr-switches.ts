import { z } from 'zod';
import { httpSwitches } from '../control/misbehave.ts';
import { row, type Switches } from '../control/switches.ts';
import { resourceTypes } from './fhir/resource-types.ts';
import { ruleSets } from './fhir/rules.ts';
import { tokenRefusals } from './oauth/token-refusals.ts';

const seconds = z.number().positive().max(86_400);
const type = z.enum(resourceTypes);
const interactions = z.string().regex(/^c?r?u?p?d?s?$/, 'letters of c, r, u, p, d and s, in this order');
const refused = z.strictObject({ type, status: z.union([z.literal(403), z.literal(405), z.literal(422)]) });

/** All faults of the sandbox EHR. The documentation and `--help` are generated from this table. */
export const ehrSwitches = {
  ...httpSwitches,
  'late-commit': row({
    meaning:
      'A create or update is checked and answered as ever, and reads, searches and conditional creates see it ' +
      'only so long after. With `drop`, `late-answer` or `false-status` its answer is lost as well.',
    value: seconds,
    values: 'seconds',
    off: 'a write is there when it is answered',
    example: 45,
    of: 'request',
  }),
  'search-lag': row({
    meaning:
      'A search, and the search of a conditional create, sees the chart as it was so long ago; a read sees it ' +
      'as it is.',
    value: seconds,
    values: 'seconds',
    off: 'searches see what reads see',
    example: 60,
    of: 'request',
  }),
  'slow-search': row({
    meaning: 'A search, of this type only when one is named, takes so much longer.',
    value: z.strictObject({ milliseconds: z.int().min(1).max(3_600_000), type: type.optional() }),
    values: '`milliseconds`, `type` (a resource type)',
    off: 'at once',
    example: { milliseconds: 20_000, type: 'Observation' as const },
    of: 'request',
  }),
  'refuse-create': row({
    meaning:
      'No resource of this type can be created, though the token would allow it. With 405 the ' +
      'CapabilityStatement does not offer it either; 422 names an element.',
    value: refused,
    values: '`type`, `status` (403, 405, 422)',
    off: 'what the token allows',
    example: { type: 'DocumentReference' as const, status: 422 as const },
    of: 'request',
  }),
  'refuse-update': row({
    meaning: 'The same for updates (PUT and PATCH).',
    value: refused,
    values: '`type`, `status` (403, 405, 422)',
    off: 'what the token allows',
    example: { type: 'Task' as const, status: 405 as const },
    of: 'request',
  }),
  'hide-type': row({
    meaning: 'The EHR does not know this resource type: 404, and the CapabilityStatement does not name it.',
    value: type,
    values: 'a resource type',
    off: 'every type of the sandbox',
    example: 'Task' as const,
    of: 'request',
  }),
  'hide-patient': row({
    meaning: 'A token answer does not say which patient is open.',
    value: z.literal(true),
    values: '`true`',
    off: 'it says so',
    example: true as const,
    of: 'request',
  }),
  'token-refusals': row({
    meaning:
      'A code that nobody was given is refused in the way of this server, which looks at the code before the client: ' +
      '`medplum` says `invalid_request` of it, `smart-launcher` `invalid_client`, whoever asks.',
    value: z.enum(tokenRefusals),
    values: '`medplum`, `smart-launcher`',
    off: '`invalid_client` for a client that is not known, else `invalid_grant`',
    example: 'medplum' as const,
    of: 'request',
  }),
  'refuse-sign-in': row({
    meaning: 'An authorization request is refused: the browser goes back with this error (RFC 6749 4.1.2.1).',
    value: z.strictObject({ error: z.string().regex(/^[a-z_]{1,40}$/), description: z.string().max(2000).optional() }),
    values: '`error`, `description`',
    off: 'who opens a chart is signed in',
    example: { error: 'invalid_scope', description: 'patient/Task.crus is not enabled for this client' },
    of: 'request',
  }),
  'empty-created': row({
    meaning: 'A create is done and answered with 201, without a body, without Location and ETag, or without both.',
    value: z.enum(['body', 'location', 'both']),
    values: '`body`, `location`, `both`: what is missing',
    off: '201 with Location and the resource',
    example: 'both' as const,
    of: 'request',
  }),
  'conflict-status': row({
    meaning:
      'What fails a precondition (If-Match, If-None-Exist with several matches) has this status in place of 412.',
    value: z.int().min(400).max(499),
    values: '400 to 499',
    off: '412',
    example: 409,
    of: 'request',
  }),
  offers: row({
    meaning:
      'Only these interactions are offered, by type (`c` create, `r` read, `u` update, `p` patch, `d` delete, `s` ' +
      'search): the CapabilityStatement names no others, and others are answered with 405, whatever was granted. A ' +
      'type with none is not known.',
    value: z.strictObject({ others: interactions, types: z.partialRecord(type, interactions) }),
    values: '`others` (of every type that is not named), `types` (by resource type)',
    off: 'everything',
    example: { others: 'rs', types: { Task: 'rus', DocumentReference: 'crus' } },
    of: 'request',
  }),
  'no-system': row({
    meaning: 'Neither batch nor transaction: 404, and the CapabilityStatement names none.',
    value: z.literal(true),
    values: '`true`',
    off: 'both',
    example: true as const,
    of: 'request',
  }),
  'no-include': row({
    meaning: 'A search with `_include` or `_revinclude` is refused with 400, and the CapabilityStatement names none.',
    value: z.literal(true),
    values: '`true`',
    off: 'every include',
    example: true as const,
    of: 'request',
  }),
  'no-conditional': row({
    meaning: 'If-None-Exist is not looked at, and the CapabilityStatement says so.',
    value: z.literal(true),
    values: '`true`',
    off: 'conditional creates',
    example: true as const,
    of: 'request',
  }),
  versions: row({
    meaning:
      'How versions are named and taken: `etag` of an answer (`W/"3"`, `"3"`, `3` or none), whether resources say ' +
      'their `versionId`, which spelling of If-Match `takes` an update (`strong` as RFC 9110 compares: a weak one ' +
      'never matches), and whether an update without If-Match is refused with 428 (`required`).',
    value: z.strictObject({
      etag: z.enum(['weak', 'strong', 'bare', 'none']).default('weak'),
      versionId: z.boolean().default(true),
      takes: z.enum(['any', 'weak', 'strong', 'bare']).default('any'),
      required: z.boolean().default(false),
    }),
    values:
      '`etag` (`weak`, `strong`, `bare`, `none`), `versionId`, `takes` (`any`, `weak`, `strong`, `bare`), `required`',
    off: 'weak ETags and `versionId`; If-Match in any spelling, or none',
    example: { etag: 'strong' as const, versionId: false, takes: 'strong' as const, required: true },
    of: 'request',
  }),
  precondition: row({
    meaning: 'An update is checked by If-Unmodified-Since, and If-Match is not looked at.',
    value: z.literal('if-unmodified-since'),
    values: '`if-unmodified-since`',
    off: 'If-Match',
    example: 'if-unmodified-since' as const,
    of: 'request',
  }),
  pages: row({
    meaning:
      'Pages of a search: so many entries on each (`size`) unless it asks for others by `parameter`, and how the ' +
      'link to the next one is written: with the search in it, the same as a `relative` address or at the name that ' +
      'the EHR has behind its proxy (`inner-host`), or with one opaque parameter (`cursor`, `continue`, `page`).',
    value: z.strictObject({
      size: z.int().min(1).max(100),
      parameter: z.enum(['_count', '_maxresults']).default('_count'),
      link: z.enum(['search', 'relative', 'inner-host', 'cursor', 'continue', 'page']).default('search'),
    }),
    values:
      '`size` (1 to 100), `parameter` (`_count`, `_maxresults`), `link` (`search`, `relative`, `inner-host`, ' +
      '`cursor`, `continue`, `page`)',
    off: '20 entries, by `_count`, with the search in the link',
    example: { size: 10, parameter: '_count' as const, link: 'relative' as const },
    of: 'request',
  }),
  'outcome-entry': row({
    meaning: 'The answer of a search has an OperationOutcome with this code among its entries.',
    value: z.string().regex(/^[A-Za-z0-9-]{1,20}$/),
    values: 'a code of letters and digits',
    off: 'only resources',
    example: '4119',
    of: 'request',
  }),
  'failed-search': row({
    meaning:
      'A search answers 200 with half of what it has found, and an OperationOutcome of this severity among its ' +
      'entries.',
    value: z.enum(['error', 'fatal']),
    values: '`error`, `fatal`',
    off: 'everything that was found',
    example: 'error' as const,
    of: 'request',
  }),
  'null-entries': row({
    meaning: 'The entries and links of a search have null among them.',
    value: z.literal(true),
    values: '`true`',
    off: 'entries and links only',
    example: true as const,
    of: 'request',
  }),
  'break-the-glass': row({
    meaning: 'Reading and searching this type is refused with 403 and the code 4130 until the user gives a reason.',
    value: type,
    values: 'a resource type',
    off: 'open',
    example: 'Condition' as const,
    of: 'request',
  }),
  'merged-patient': row({
    meaning: 'The record of one patient was merged into another one: reading it redirects there.',
    value: z.strictObject({ from: z.string().min(1), to: z.string().min(1) }),
    values: '`from`, `to`: ids of Patients',
    off: 'every record is its own',
    example: { from: 'complete-patient', to: 'norx-patient' },
    of: 'request',
  }),
  'body-limit': row({
    meaning: 'A request with a larger body is refused with 413.',
    value: z.int().min(1),
    values: 'bytes',
    off: '16 MiB',
    example: 1_048_576,
    of: 'request',
  }),
  rules: row({
    meaning:
      'What is written must have the form that this product takes (422 names the element), and elements that it does ' +
      'not know are not stored: `canvas` of Task and DocumentReference, where notes are added each time; `oracle` of ' +
      'DocumentReference, Communication and Provenance.',
    value: z.enum(ruleSets),
    values: '`canvas`, `oracle`',
    off: 'FHIR R4',
    example: 'canvas' as const,
    of: 'request',
  }),
} as const;

export type EhrSwitches = Switches<typeof ehrSwitches>;
