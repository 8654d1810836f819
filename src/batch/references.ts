import type { Resource } from 'fhir/r4.js';
import { isRecord } from './json.ts';

/** What a reference in a resource points to: a literal address, or the identifier of a logical reference. */
export interface Pointer {
  readonly literal?: string;
  /** `system|value` */
  readonly identifier?: string;
}

/** The server part of an absolute address that ends in `Type/id`, else undefined. */
export function baseOf(address: string | undefined): string | undefined {
  return address === undefined
    ? undefined
    : /^(https?:\/\/.+)\/[A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(address)?.[1];
}

/** One spelling per target: without version, relative ones under `base` when the resource that refers stands at one. */
export function canonical(reference: string, base?: string): string {
  const plain = reference.replace(/\/_history\/[^/]*$/, '');
  return base === undefined || !/^[A-Z][A-Za-z]+\/[^/?]+$/.test(plain) ? plain : `${base}/${plain}`;
}

/** The reference to the patient that a resource is about; undefined for resources that are about nobody. */
export function patientReference(resource: Resource): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...resource };
  for (const field of ['subject', 'patient', 'beneficiary', 'for', 'individual']) {
    const value = fields[field];
    if (isRecord(value) && typeof value.reference === 'string') return value.reference;
  }
  return undefined;
}

/** Every reference inside a resource or an element: literal ones, logical ones, search-style ones (`Practitioner?identifier=system|value`), and addresses of Binary. */
export function pointers(within: unknown): Pointer[] {
  const found: Pointer[] = [];
  walk(within, found);
  return found;
}

function walk(value: unknown, found: Pointer[]): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found);
    return;
  }
  if (!isRecord(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') {
      if (key === 'identifier' && isRecord(inner) && typeof inner.value === 'string')
        found.push({ identifier: `${String(inner.system ?? '')}|${inner.value}` });
      walk(inner, found);
    } else if (key === 'reference' && !inner.startsWith('#')) found.push(pointer(inner));
    else if (key === 'url' && /(^|\/)Binary\/[^/]+$/.test(inner)) found.push({ literal: inner });
  }
}

function pointer(reference: string): Pointer {
  const search = /^[A-Z][A-Za-z]+\?identifier=(.+)$/.exec(reference)?.[1];
  return search === undefined ? { literal: reference } : { identifier: decode(search) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `system|value` of each identifier of a resource. */
export function identifiersOf(resource: Resource): string[] {
  const fields: Readonly<Record<string, unknown>> = { ...resource };
  const list = Array.isArray(fields.identifier) ? fields.identifier : [];
  return list
    .filter(isRecord)
    .flatMap((identifier) =>
      typeof identifier.value === 'string' ? [`${String(identifier.system ?? '')}|${identifier.value}`] : [],
    );
}
