import type { Resource } from 'fhir/r4.js';
import { isRecord, isResource } from './json.ts';
import type { Problem } from './outcome.ts';

/** A resource and where it stood in its document. */
export interface Located {
  readonly resource: Resource;
  readonly fullUrl?: string;
  /** `entry[3].resource`; empty for a document that is the resource itself. */
  readonly path: string;
}

/** One JSON document of the input, by what it is. */
export type Document =
  | { readonly kind: 'resource'; readonly items: readonly Located[]; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'bundle';
      readonly type: string;
      readonly items: readonly Located[];
      readonly problems: readonly Problem[];
    }
  | {
      readonly kind: 'hook';
      readonly hook: string;
      readonly items: readonly Located[];
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'other'; readonly why: string };

/** Tells Bundles (of any type, nested ones too), single resources, arrays of resources and CDS Hooks requests from everything else. */
export function readDocument(value: unknown): Document {
  if (isResource(value))
    return value.resourceType === 'Bundle'
      ? readBundleDocument(value)
      : { kind: 'resource', items: [{ resource: value, path: '' }], problems: [] };
  if (Array.isArray(value)) return readArray(value);
  if (isRecord(value) && typeof value.hook === 'string' && typeof value.hookInstance === 'string')
    return readHook(value, value.hook);
  return { kind: 'other', why: 'JSON without a FHIR resource' };
}

function readBundleDocument(bundle: Resource): Document {
  const problems: Problem[] = [];
  const fields: Readonly<Record<string, unknown>> = { ...bundle };
  return {
    kind: 'bundle',
    type: typeof fields.type === 'string' ? fields.type : 'no type',
    items: bundleItems(bundle, '', problems),
    problems,
  };
}

function bundleItems(bundle: Resource, prefix: string, problems: Problem[]): Located[] {
  const fields: Readonly<Record<string, unknown>> = { ...bundle };
  const entries = fields.entry ?? [];
  if (!Array.isArray(entries)) {
    problems.push({ path: `${prefix}entry`, reason: 'entry is not a list' });
    return [];
  }
  return entries.flatMap((entry: unknown, index): Located[] => {
    const path = `${prefix}entry[${index}]`;
    if (!isRecord(entry)) {
      problems.push({ path, reason: 'not an object' });
      return [];
    }
    // Entries without a resource are normal: deletes, GETs of a batch, answers without a body.
    if (entry.resource === undefined) return [];
    return located(
      entry.resource,
      `${path}.resource`,
      typeof entry.fullUrl === 'string' ? entry.fullUrl : undefined,
      problems,
    );
  });
}

function located(value: unknown, path: string, fullUrl: string | undefined, problems: Problem[]): Located[] {
  if (!isResource(value)) {
    problems.push({ path, reason: 'not a FHIR resource: it has no resourceType' });
    return [];
  }
  if (value.resourceType === 'Bundle') return bundleItems(value, `${path}.`, problems);
  return [{ resource: value, path, ...(fullUrl === undefined ? {} : { fullUrl }) }];
}

function readArray(values: readonly unknown[]): Document {
  if (!values.some(isResource)) return { kind: 'other', why: 'JSON without a FHIR resource' };
  const problems: Problem[] = [];
  return {
    kind: 'resource',
    items: values.flatMap((value, index) => located(value, `[${index}]`, undefined, problems)),
    problems,
  };
}

/** A CDS Hooks request: what it prefetched and the orders being written. */
function readHook(request: Readonly<Record<string, unknown>>, hook: string): Document {
  const problems: Problem[] = [];
  const context = isRecord(request.context) ? request.context : {};
  const prefetch = isRecord(request.prefetch) ? request.prefetch : {};
  const parts = [
    ...['draftOrders', 'medications'].map((name) => [`context.${name}`, context[name]] as const),
    ...Object.entries(prefetch).map(([name, value]) => [`prefetch.${name}`, value] as const),
  ];
  const items = parts.flatMap(([path, value]) => (isRecord(value) ? prefetched(value, path, problems) : []));
  return { kind: 'hook', hook, items, problems };
}

/** Some EHRs prefetch by batch and pass on the entry: `{ response, resource }`. A failed one has no resource. */
function prefetched(value: Readonly<Record<string, unknown>>, path: string, problems: Problem[]): Located[] {
  if (isResource(value) || !('response' in value)) return located(value, path, undefined, problems);
  return value.resource === undefined ? [] : located(value.resource, `${path}.resource`, undefined, problems);
}
