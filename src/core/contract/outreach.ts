import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import type { WebhookEvent } from './envelope.ts';
import { loose, looseText, readLoosely } from './open-contract.ts';

/**
 * An event of the profile `current`: the service tried to reach the practice for the payer. It is not in the interface
 * document. What is public names `id`, `object`, `outreach_sequence_id`, a reference to the prior authorization whose
 * name is cut off, a state, a channel, a purpose and `transmission`; every other name here is presumed, and whatever
 * else comes is kept. One event is the whole of one attempt on one channel; a retry is another attempt. Files in it are
 * behind links that end soon, and its text may hold patient data and credentials.
 */
export const outreachEvent = 'prior_authorization.provider_outreach_change';

const Data = loose({
  id: z.string().min(1),
  outreach_sequence_id: looseText,
  state: looseText,
  channel: looseText,
  purpose: looseText,
  /** Presumed: nothing public says how the end of a sequence is told. */
  outreach_sequence_state: looseText,
  outreach_sequence_ended_at: looseText,
  respond_by: looseText,
  transmission: readLoosely(z.unknown()),
});

/** One part of what was sent, by the name that the service gives it. */
export interface SentField {
  readonly name: string;
  readonly text: string;
}

/** One attempt as an event tells it. */
export interface Outreach {
  readonly id: string;
  /** What groups the attempts of one question; the attempt's own id where there is none. */
  readonly sequence: string;
  /** The service's id of the prior authorization. */
  readonly priorAuth: string;
  /** Words of the service, kept as they came. */
  readonly state?: string;
  readonly channel?: string;
  readonly purpose?: string;
  /** When it happened, as the event says. */
  readonly at?: string;
  /** Until when the practice is asked to answer. */
  readonly until?: string;
  /** The whole sequence has ended. */
  readonly over: boolean;
  readonly fields: readonly SentField[];
  readonly files: readonly { readonly name: string; readonly url: string }[];
}

/** true for an event about an attempt, whatever is in it. */
export function isOutreach({ event_type: type }: Pick<WebhookEvent, 'event_type'>): boolean {
  return type.trim().toLowerCase() === outreachEvent;
}

/** The attempt of an event; undefined for an event of another kind, and for one that names no prior authorization. */
export function outreachOf(event: WebhookEvent): Outreach | undefined {
  if (!isOutreach(event)) return undefined;
  const data = Data.safeParse(event.data);
  const priorAuth = priorAuthIn(event.data);
  if (!data.success || priorAuth === undefined) return undefined;
  const { id, outreach_sequence_id, state, channel, purpose, respond_by, transmission } = data.data;
  const { outreach_sequence_state: sequenceState, outreach_sequence_ended_at: endedAt } = data.data;
  const parts = partsOf(transmission);
  return {
    id,
    sequence: outreach_sequence_id ?? id,
    priorAuth,
    ...(state === undefined ? {} : { state }),
    ...(channel === undefined ? {} : { channel }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(event.occurred_at === undefined ? {} : { at: event.occurred_at }),
    ...(respond_by === undefined ? {} : { until: respond_by }),
    over: endedAt !== undefined || ['ended', 'completed', 'closed'].includes(sequenceState?.toLowerCase() ?? ''),
    ...parts,
  };
}

// The name of the reference is cut off in what is public: any that begins so is taken.
function priorAuthIn(data: unknown): string | undefined {
  if (!isObject(data)) return undefined;
  const [, value] = Object.entries(data).find(([name]) => name.startsWith('prior_authori')) ?? [];
  const id = isObject(value) ? value.id : value;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

interface Parts {
  readonly fields: SentField[];
  readonly files: { readonly name: string; readonly url: string }[];
}

const deepest = 8;

/** Texts and files of what was sent. Its form is not public: every text is kept, in order, under the name it has. */
function partsOf(transmission: unknown): Parts {
  const parts: Parts = { fields: [], files: [] };
  collect(transmission, 'text', parts, 0);
  return parts;
}

function collect(value: unknown, name: string, parts: Parts, depth: number): void {
  if (depth > deepest) return;
  if (Array.isArray(value)) for (const item of value) collect(item, name, parts, depth + 1);
  else if (isObject(value)) collectObject(value, name, parts, depth);
  else if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value).trim();
    if (text !== '') parts.fields.push({ name, text });
  }
}

function collectObject(value: Readonly<Record<string, unknown>>, name: string, parts: Parts, depth: number): void {
  const url = fileUrl(value, name);
  if (url !== undefined) return void parts.files.push({ name: fileName(value) ?? `${parts.files.length + 1}`, url });
  const named = namedValue(value);
  if (named !== undefined) return void parts.fields.push(named);
  for (const [key, inner] of Object.entries(value)) collect(inner, key, parts, depth + 1);
}

/** `{ "label": "Access code", "value": "4821" }` is one part, whose name says what its text is. */
function namedValue({ value, ...rest }: Readonly<Record<string, unknown>>): SentField | undefined {
  const [[, name] = [], ...others] = Object.entries(rest);
  const isPair = ['label', 'name', 'key', 'field'].some((key) => key in rest) && others.length === 0;
  if (!isPair || typeof name !== 'string' || !(typeof value === 'string' || typeof value === 'number'))
    return undefined;
  const [label, text] = [name.trim(), String(value).trim()];
  return label === '' || text === '' ? undefined : { name: label, text };
}

const urlKeys = ['url', 'file_url', 'download_url'];

// An address in a list of files, or beside the name or type of one; any other address is part of the text.
function fileUrl(value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const url = urlKeys.map((key) => value[key]).find((one) => typeof one === 'string');
  const isFile = /attach|file|document|fax|asset/i.test(name) || 'file_type' in value || 'content_type' in value;
  return typeof url === 'string' && isFile ? url : undefined;
}

function fileName(value: Readonly<Record<string, unknown>>): string | undefined {
  const name = ['name', 'file_name', 'filename', 'title']
    .map((key) => value[key])
    .find((one) => typeof one === 'string');
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : undefined;
}
