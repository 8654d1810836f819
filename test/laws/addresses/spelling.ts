import type { Resource } from 'fhir/r4.js';
import { addressOf, baseOf } from '../../../src/core/fhir/address.ts';
import type { Entry } from '../../../src/core/fhir/bundle.ts';
import { isObject } from '../../../src/core/fhir/is-object.ts';
import { one } from '../privacy/facts.ts';

/** How the references of a chart are written. */
export const referenceForms = ['as stated', 'relative', 'absolute', 'mixed'] as const;
export type ReferenceForm = (typeof referenceForms)[number];

type Next = (limit: number) => number;

/** The base URLs by which one server is called. */
export function spellingsOfServer(base: string): readonly [string, ...string[]] {
  const [, host = '', path = ''] = /^https:\/\/([^/]+)(.*)$/.exec(base) ?? [];
  return [base, `http://${host}${path}`, `https://${host}:443${path}`, `https://${host.toUpperCase()}${path}`];
}

/** One of them, mostly the plain one. */
export function oneSpelling(base: string, next: Next): string {
  return next(4) === 0 ? one(spellingsOfServer(base), next) : base;
}

/** A copy of a resource whose literal references are written in this form. */
export function respelled(resource: Resource, form: ReferenceForm, server: () => string, next: Next): Resource {
  const isAbsolute = () => form === 'absolute' || (form === 'mixed' && next(2) === 0);
  return withReferences(resource, (reference) => {
    const address = form === 'as stated' ? undefined : addressOf(reference);
    if (address === undefined) return reference;
    const relative = `${address.type}/${address.id}`;
    return isAbsolute() ? `${server()}/${relative}` : relative;
  });
}

/** A copy with other literal references and addresses of Binary. */
function withReferences(resource: Resource, written: (reference: string) => string): Resource {
  // a copy has the type of what was copied
  return JSON.parse(JSON.stringify(resource), (key, value: unknown) => {
    const isReference = key === 'reference' || (key === 'url' && /(^|\/)Binary\/[^/]+$/.test(String(value)));
    return isReference && typeof value === 'string' ? written(value) : value;
  }) as Resource;
}

/** The servers that a chart names. */
export function basesIn(entries: readonly Entry[]): readonly string[] {
  const found = new Set<string>();
  const add = (address: string | undefined) => {
    const base = baseOf(address);
    if (base !== undefined) found.add(base);
    return address ?? '';
  };
  for (const { resource, fullUrl } of entries) {
    add(fullUrl);
    withReferences(resource, add);
  }
  return [...found];
}

/** What the texts of somebody else's resources begin with. */
export const canary = 'CANARY';

/** A copy of a resource as another patient of another server may have it: the same ids, every text another. */
export function foreign(resource: Resource): Resource {
  return marked(resource, '') as Resource; // a copy has the type of what was copied
}

function marked(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => marked(item, name));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner, key)]));
  if (name === 'birthDate') return '1961-01-01';
  return typeof value === 'string' && texts.has(name) ? `${canary} ${value}` : value;
}

const texts: ReadonlySet<string> = new Set(
  (
    'city conclusion description display family given line patientInstruction subscriberId text title value ' +
    'valueString'
  ).split(' '),
);
