import { getSearchParameter, Operator, type SearchRequest } from '@medplum/core';
import type { Resource } from '@medplum/fhirtypes';

/**
 * Ids of resources by identifiers and references. A search reads these and not every resource of a type, so that a
 * chart with thousands of resources answers as fast as one with ten.
 */
export class SearchIndex {
  private readonly ids = new Map<string, Set<string>>();

  change(before: Resource | undefined, after: Resource | undefined): void {
    if (before?.id !== undefined) for (const term of termsOf(before)) this.ids.get(term)?.delete(before.id);
    if (after?.id === undefined) return;
    for (const term of termsOf(after)) {
      const known = this.ids.get(term);
      if (known === undefined) this.ids.set(term, new Set([after.id]));
      else known.add(after.id);
    }
  }

  /** Returns ids that may match; undefined if the index covers no filter of the request. */
  candidates(request: SearchRequest): ReadonlySet<string> | undefined {
    const found = (request.filters ?? []).flatMap((filter) => {
      const terms = termsOfFilter(request.resourceType, filter);
      return terms === undefined ? [] : [this.union(terms)];
    });
    return found.sort((a, b) => a.size - b.size)[0];
  }

  private union(terms: readonly string[]): Set<string> {
    const [only, ...more] = terms.map((term) => this.ids.get(term) ?? new Set<string>());
    if (only !== undefined && more.length === 0) return only;
    return new Set(terms.flatMap((term) => [...(this.ids.get(term) ?? [])]));
  }
}

const referenceForm = /(?:^|\/)([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/;

function termsOf(resource: Resource): Set<string> {
  const { resourceType } = resource;
  const identifiers = ('identifier' in resource ? [resource.identifier].flat() : []) as readonly (
    | { readonly system?: string; readonly value?: string }
    | undefined
  )[]; // an Identifier, or a list of them
  const byIdentifier = identifiers.flatMap((identifier) =>
    identifier?.value === undefined
      ? []
      : [identifier.value, ...(identifier.system === undefined ? [] : [`${identifier.system}|${identifier.value}`])],
  );
  const byReference = referencesIn(resource).flatMap((reference) => {
    const [, type, id] = referenceForm.exec(reference) ?? [];
    return type === undefined || id === undefined ? [] : [`${type}/${id}`, id];
  });
  return new Set([
    ...(resource.id === undefined ? [] : [termOf(resourceType, '_id', resource.id)]),
    ...byIdentifier.map((text) => termOf(resourceType, 'identifier', text)),
    ...byReference.map((text) => termOf(resourceType, 'reference', text)),
  ]);
}

function termsOfFilter(
  type: string,
  { code, operator, value }: NonNullable<SearchRequest['filters']>[number],
): readonly string[] | undefined {
  if (operator !== Operator.EQUALS || code.includes('.') || /[\\]|(^|,)\||\|(,|$)/.test(value)) return undefined;
  const values = value.split(',');
  if (code === '_id' || code === 'identifier') return values.map((text) => termOf(type, code, text));
  if (getSearchParameter(type, code)?.type !== 'reference') return undefined;
  const terms = values.map((text) => {
    const [, target, id] = referenceForm.exec(text) ?? [];
    if (target !== undefined) return termOf(type, 'reference', `${target}/${id}`);
    return /^[A-Za-z0-9.-]{1,64}$/.test(text) ? termOf(type, 'reference', text) : undefined;
  });
  return terms.every((term) => term !== undefined) ? terms : undefined;
}

// Compared without regard to case, so that no match of the search itself is missed.
function termOf(type: string, kind: '_id' | 'identifier' | 'reference', text: string): string {
  return `${type} ${kind} ${text.toLowerCase()}`;
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'reference' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}
