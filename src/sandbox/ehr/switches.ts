import { z } from 'zod';
import { httpSwitches } from '../control/http.ts';
import { row, type Switches } from '../control/switches.ts';
import { resourceTypes } from './fhir/types.ts';

const seconds = z.number().positive().max(86_400);
const type = z.enum(resourceTypes);
const refused = z.strictObject({ type, status: z.union([z.literal(403), z.literal(405), z.literal(422)]) });

/** All ways in which the sandbox EHR misbehaves on command. The documents and `--help` are made from it. */
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
} as const;

export type EhrSwitches = Switches<typeof ehrSwitches>;
