import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import type { WebhookEvent } from './envelope.ts';
import { loose, looseText, readLoosely } from './open-contract.ts';

/**
 * An event of the profile `current`: the service tried to reach the practice on the payer's behalf. One event describes
 * one whole attempt on one channel; a retry is another attempt. Its files are behind links that expire soon, and its
 * text may contain patient data and credentials.
 *
 * The interface document does not describe the event. Public material names `id`, `object`, `outreach_sequence_id`, a
 * reference to the prior authorization (its name is cut off), a state, a channel, a purpose and `transmission`. Every
 * other name here is an assumption, and unknown fields are kept.
 */
export const outreachEvent = 'prior_authorization.provider_outreach_change';

const Data = loose({
  id: z.string().min(1),
  outreach_sequence_id: looseText,
  state: looseText,
  channel: looseText,
  purpose: looseText,
  /** An assumption: public material does not show how the end of a sequence is reported. */
  outreach_sequence_state: looseText,
  outreach_sequence_ended_at: looseText,
  respond_by: looseText,
  transmission: readLoosely(z.unknown()),
});

/** One part of the transmission, under the service's name for it. */
export interface SentField {
  readonly name: string;
  readonly text: string;
}

export interface Outreach {
  readonly id: string;
  /** Groups the attempts about one question; without a sequence id, the attempt's own id. */
  readonly sequence: string;
  /** The service's id of the prior authorization. */
  readonly priorAuth: string;
  /** `state`, `channel` and `purpose` are the service's words, unchanged. */
  readonly state?: string;
  readonly channel?: string;
  readonly purpose?: string;
  /** The time of the attempt, as the event states it. */
  readonly at?: string;
  /** The deadline for the practice's answer. */
  readonly until?: string;
  /** The whole sequence has ended. */
  readonly over: boolean;
  readonly fields: readonly SentField[];
  readonly files: readonly { readonly name: string; readonly url: string }[];
}

/** Whether an event is about an attempt, whatever its content. */
export function isOutreach({ event_type: type }: Pick<WebhookEvent, 'event_type'>): boolean {
  return type.trim().toLowerCase() === outreachEvent;
}

/** The attempt of an event; undefined for an event of another kind or without a reference to a prior authorization. */
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

// Public material shows only the beginning of the reference's name, so any field that begins this way is read.
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

/** Texts and files of the transmission. Its form is not public, so every text is kept, in order, under its own name. */
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

/** `{ "label": "Access code", "value": "4821" }` is one part: the label is its name and the value its text. */
function namedValue({ value, ...rest }: Readonly<Record<string, unknown>>): SentField | undefined {
  const [[, name] = [], ...others] = Object.entries(rest);
  const isPair = ['label', 'name', 'key', 'field'].some((key) => key in rest) && others.length === 0;
  if (!isPair || typeof name !== 'string' || !(typeof value === 'string' || typeof value === 'number'))
    return undefined;
  const [label, text] = [name.trim(), String(value).trim()];
  return label === '' || text === '' ? undefined : { name: label, text };
}

const urlKeys = ['url', 'file_url', 'download_url'];

// Only a URL in a list of files, or beside a file's name or type, is a file. Any other URL is part of the text.
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
