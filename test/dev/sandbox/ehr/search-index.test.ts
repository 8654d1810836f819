import { getSearchParameters, parseSearchRequest } from '@medplum/core';
import type { Resource, Task } from '@medplum/fhirtypes';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLedger } from '../../../../src/dev/sandbox/control/ledger.ts';
import { ehrLedger } from '../../../../src/dev/sandbox/ehr/ehr-ledger.ts';
import { loadDefinitions } from '../../../../src/dev/sandbox/ehr/fhir/definitions.ts';
import { EhrStore } from '../../../../src/dev/sandbox/ehr/fhir/ehr-store.ts';
import { SearchIndex } from '../../../../src/dev/sandbox/ehr/fhir/search-index.ts';
import { stories } from '../../../../src/dev/sandbox/ehr/stories.ts';
import { storyBundle } from '../../../../src/dev/sandbox/ehr/story-bundle.ts';

beforeAll(() => loadDefinitions());

const clock = () => new Date();
const emptyStore = () =>
  new EhrStore(clock, openLedger(ehrLedger, undefined, clock), new AbortController().signal, () => undefined);

const task = (more: Partial<Task> = {}): Task => ({
  resourceType: 'Task',
  status: 'requested',
  intent: 'order',
  identifier: [{ system: 'urn:case', value: '1' }],
  ...more,
});

/** Searches by every reference, identifier and id that the resource has, alone and with others. */
function searchesFor(resource: Resource): string[] {
  const { resourceType: type, id = '' } = resource;
  const text = JSON.stringify(resource);
  const references = [...text.matchAll(/"reference":"([A-Z][A-Za-z]+\/([\w.-]+))"/g)].map(([, whole, bare]) => [
    whole,
    bare,
  ]);
  const identifiers = [...text.matchAll(/"system":"([^"]+)","value":"([^"]+)"/g)].map(([, system, value]) => [
    `${system}|${value}`,
    value,
    `${system}|`,
    `|${value}`,
  ]);
  const parameters = Object.entries(getSearchParameters(type) ?? {});
  const byReference = parameters
    .filter(([, parameter]) => parameter.type === 'reference')
    .flatMap(([name]) => references.flat().map((value) => `${name}=${value}`));
  const byIdentifier = parameters.some(([name]) => name === 'identifier')
    ? identifiers
        .flat()
        .flatMap((value) => [`identifier=${value}`, `identifier=${value},none`, `identifier:not=${value}`])
    : [];
  return [`_id=${id}`, `_id=${id},none`, `_id=${id.toUpperCase()}`, ...byReference, ...byIdentifier].map(
    (query) => `${type}?${query}`,
  );
}

describe('a search by the index', () => {
  test.each(stories.map(({ folder }) => folder))('finds in %s what a search of everything finds', async (folder) => {
    const story = stories.find((each) => each.folder === folder);
    // the same JSON in the two packages' types
    const resources = (storyBundle(story!).entry ?? []).flatMap(({ resource }) => resource ?? []) as Resource[];
    const store = emptyStore();
    await store.load({ resources, deleted: [] });
    const found = async (search: 'search' | 'searchAsOf', query: string) => {
      const request = parseSearchRequest(query);
      const bundle = search === 'search' ? await store.search(request) : await store.searchAsOf(request, 0);
      return (bundle.entry ?? []).map(({ resource }) => resource?.id).sort();
    };
    const queries = [...new Set(resources.flatMap(searchesFor))];
    expect(queries.length).toBeGreaterThan(50);
    let hits = 0;
    for (const query of queries) {
      const all = await found('search', query);
      hits += all.length;
      expect(await found('searchAsOf', query), query).toEqual(all);
    }
    expect(hits).toBeGreaterThan(20);
  });

  test('looks at no more resources than can match', () => {
    const index = new SearchIndex();
    for (let nth = 0; nth < 1000; nth += 1)
      index.change(
        undefined,
        task({
          id: `t${nth}`,
          identifier: [{ system: 'urn:case', value: String(nth) }],
          for: { reference: `Patient/p${nth % 10}` },
        }),
      );
    const looked = (query: string) => index.candidates(parseSearchRequest(query))?.size;
    expect(looked('Task?identifier=urn:case|7')).toBe(1);
    expect(looked('Task?patient=p3')).toBe(100);
    expect(looked('Task?patient=p3&identifier=urn:case|13')).toBe(1);
    expect(looked('Task?identifier=urn:case|7,urn:case|8')).toBe(2);
    expect(looked('Task?status=requested')).toBeUndefined();
  });

  test('forgets what a resource no longer says', () => {
    const index = new SearchIndex();
    const before = task({ id: 't', identifier: [{ value: 'old' }] });
    index.change(undefined, before);
    index.change(before, task({ id: 't', identifier: [{ value: 'new' }] }));
    expect([...(index.candidates(parseSearchRequest('Task?identifier=old')) ?? [])]).toEqual([]);
    expect([...(index.candidates(parseSearchRequest('Task?identifier=new')) ?? [])]).toEqual(['t']);
  });
});
