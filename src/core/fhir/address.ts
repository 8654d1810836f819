import type { Identifier } from 'fhir/r4.js';
import { memoized } from '../text-cache.ts';
import { canonicalSystem } from './codes/systems.ts';
import { isObject } from './is-object.ts';
import { isResourceType } from './model/model.ts';

/** The address of a resource: `[base]/[type]/[id]` (FHIR R4, References, "Literal References"). */
export interface Address {
  /** `https://ehr.example/fhir`; undefined for a relative reference. */
  readonly base: string | undefined;
  readonly type: string;
  readonly id: string;
}

/**
 * The parts of `Patient/1` or `https://ehr.example/fhir/Patient/1`, with or without a version; undefined for anything
 * else (`#a`, `urn:uuid:1`).
 */
export function addressOf(text: string): Address | undefined {
  const plain = plainAddress(text);
  const idAt = plain.lastIndexOf('/') + 1;
  if (idAt < 2) return undefined;
  const typeAt = plain.lastIndexOf('/', idAt - 2) + 1;
  const type = plain.slice(typeAt, idAt - 1);
  const id = plain.slice(idAt);
  if (!/^[A-Z][A-Za-z]+$/.test(type) || !/^[^?#]+$/.test(id)) return undefined;
  if (typeAt === 0) return { base: undefined, type, id };
  return /^https?:\/\/[^/]/.test(plain) ? { base: plain.slice(0, typeAt - 1), type, id } : undefined;
}

/**
 * `Patient/1` for a reference to a resource of this server, relative or absolute, with or without a version; undefined
 * for a resource of another server.
 */
export function nameAt(base: string, text: string): string | undefined {
  const address = addressOf(text);
  if (address === undefined) return undefined;
  const isHere = address.base === undefined || serverOf(address.base) === serverOf(base);
  return isHere ? `${address.type}/${address.id}` : undefined;
}

/** The server part of a fullUrl or absolute reference; undefined when it has none (`urn:uuid:1`, `Patient/1`). */
export function baseOf(address: string | undefined): string | undefined {
  return address?.startsWith('http') === true ? addressOf(address)?.base : undefined;
}

/**
 * The base URL of a request's URL: the part before the first resource type, operation, `_search` or `_history`;
 * undefined for a relative URL.
 *
 * @example baseOfRequest('https://ehr.example/fhir/Coverage?patient=1') // 'https://ehr.example/fhir'
 */
export function baseOfRequest(url: string): string | undefined {
  const [, server, path = ''] = /^(https?:\/\/[^/?#]+)([^?#]*)/.exec(url.trim()) ?? [];
  if (server === undefined) return undefined;
  const segments = path.split('/');
  const end = segments.findIndex((segment) => /^[$_]/.test(segment) || isResourceType(segment));
  return `${server}${segments.slice(0, end === -1 ? segments.length : end).join('/')}`.replace(/\/+$/, '');
}

/**
 * A base URL in the form in which servers are compared. The scheme (FHIR servers answer under both), the case of the
 * host, the scheme's default port and a trailing slash do not make a different server. The path is case-sensitive (FHIR
 * R4, "Service Base URL").
 *
 * @example serverOf('http://EHR.example:80/fhir/') // '//ehr.example/fhir'
 */
export const serverOf = memoized((base) => {
  const [, scheme = '', host = '', path = ''] = /^(https?):\/\/([^/]+)(.*)$/i.exec(base.trim()) ?? [];
  const named = host.toLowerCase().replace(scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/, '');
  return named === '' ? base : `//${named}${path.replace(/\/+$/, '')}`;
});

/**
 * The canonical spelling of a reference. A relative reference is resolved against `base`, the server of the resource
 * that holds the reference.
 */
export function canonicalReference(text: string, base?: string): string {
  const plain = plainAddress(text);
  return base !== undefined && isRelative(plain) ? `${base}/${plain}` : plain;
}

function isRelative(plain: string): boolean {
  const address = addressOf(plain);
  return address !== undefined && address.base === undefined;
}

/**
 * A reference or fullUrl in the form in which it is compared: without `/_history/n`, and without the surrounding blanks
 * and the trailing slash that some exports write. An id never contains any of these.
 */
export function plainAddress(stated: string): string {
  const text = isBare(stated) ? stated : stated.trim().replace(/\/$/, '');
  if (!text.includes('/_history/')) return text;
  const at = text.lastIndexOf('/_history/');
  return text.includes('/', at + '/_history/'.length) ? text : text.slice(0, at);
}

// A quick check that there is nothing to trim at either end.
function isBare(text: string): boolean {
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f && last !== slash;
}

const slash = 0x2f;

/** A reference that identifies its target by identifier. */
export interface LogicalReference {
  /** Undefined when any type may be meant. */
  readonly type: string | undefined;
  /** Without `system`, any system matches; an empty `system` means that the identifier has none. */
  readonly identifier: Identifier;
}

/** A search used as a reference: `Practitioner?identifier=system|value` (FHIR R4, "Conditional References"). */
export function conditionalReference(stated: string): LogicalReference | undefined {
  if (!stated.includes('?identifier=')) return undefined;
  const text = stated.trim();
  const mark = text.indexOf('?identifier=');
  const type = text.slice(0, mark);
  const token = text.slice(mark + '?identifier='.length);
  return mark > 0 && /^[A-Z][A-Za-z]+$/.test(type) && token !== ''
    ? { type, identifier: identifierOf(decode(token)) }
    : undefined;
}

/** The identifier of a logical reference (`Reference.identifier`); undefined if it has no value. */
export function logicalReference(reference: unknown): LogicalReference | undefined {
  if (!isObject(reference) || !isObject(reference.identifier)) return undefined;
  const { system, value } = reference.identifier;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const identifier = typeof system === 'string' ? { system, value: value.trim() } : { value: value.trim() };
  return { type: typeof reference.type === 'string' ? reference.type : undefined, identifier };
}

/** The literal reference of a Reference, or a text unchanged. Undefined if the Reference also has an identifier. */
export function textAlone(reference: unknown): string | undefined {
  const text = isObject(reference) && reference.identifier === undefined ? reference.reference : reference;
  return typeof text === 'string' ? text : undefined;
}

export function isSameIdentifier(identifier: Identifier, wanted: Identifier): boolean {
  return (
    typeof identifier.value === 'string' &&
    identifier.value.trim() === wanted.value &&
    (wanted.system === undefined || canonicalSystem(identifier.system ?? '') === canonicalSystem(wanted.system))
  );
}

// A token search: `system|value`, `|value` for no system, `value` for any system (FHIR R4, "token").
function identifierOf(token: string): Identifier {
  const bar = token.indexOf('|');
  return bar < 0 ? { value: token } : { system: token.slice(0, bar), value: token.slice(bar + 1) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
