import { baseOf } from '../../../src/core/fhir/address.ts';
import type { Entry } from '../../../src/core/fhir/bundle.ts';
import { one } from '../privacy/facts.ts';
import { basesIn, foreign, oneSpelling, type ReferenceForm, referenceForms, respelled } from './spelling.ts';

type Next = (limit: number) => number;

/** Files by name, as they are written to a folder. */
export type Files = Readonly<Record<string, unknown>>;

/** What every file of somebody else is named after, and every prefetched value. */
export const strangers = 'strangers';

/** The chart of a case, about to be written in another form. */
export interface Source {
  readonly entries: readonly Entry[];
  /** The server that it names; any where it names none. */
  readonly base: string;
}

/** Undefined where a case is about addresses itself: of several servers, or of another id than their resource has. */
export function sourceOf(entries: readonly Entry[]): Source | undefined {
  const bases = basesIn(entries);
  const source = { entries, base: bases[0] ?? 'https://ehr.example.org/fhir' };
  const isOdd = entries.some(
    (one) => baseOf(one.fullUrl) !== undefined && !isAddressable({ ...source, entries: [one] }),
  );
  return bases.length > 1 || isOdd ? undefined : source;
}

/** The chart as it stands in one Bundle; the orders that a CDS Hooks request names are beside it. */
export function plainBundle({ entries }: Pick<Source, 'entries'>): Files {
  return { 'chart.json': { resourceType: 'Bundle', type: 'collection', entry: entries } };
}

/** The same as a CDS Hooks request without any addresses but those of the case. */
export function plainRequest({ entries }: Source): Files {
  const [orders, others] = apart(entries);
  return { 'hook.json': hook(collection(orders), { chart: collection(others) }) };
}

export interface Form {
  readonly name: string;
  /** What it has to give the same as. */
  readonly plain: (source: Source) => Files;
  readonly made: (source: Source, next: Next) => Files;
}

/** The ways in which a chart of one server comes. */
export const forms: readonly Form[] = [
  { name: 'CDS Hooks request', plain: plainRequest, made: request },
  { name: 'folder of reads and searches', plain: plainBundle, made: savedAnswers },
  ...referenceForms.map((form) => ({
    name: `NDJSON, references ${form}`,
    plain: plainBundle,
    made: (source: Source, next: Next) => ndjson(source, form, next),
  })),
];

/** The same beside what another server has under the same ids, of a case in which everything has an address. */
export const mixedForms: readonly Form[] = [
  {
    name: 'CDS Hooks request beside answers of another server',
    plain: plainRequest,
    made: (source, next) => {
      const [[file, made]] = Object.entries(request(source, next)) as [[string, ReturnType<typeof hook>]];
      const prefetch = { ...made.prefetch, [strangers]: search(foreignEntries(source, next)) };
      return { [file]: { ...made, prefetch: fromEntries(shuffled(Object.entries(prefetch), next)) } };
    },
  },
  {
    name: 'folder beside answers of another server',
    plain: plainBundle,
    made: (source, next) => {
      const own = shuffled(source.entries, next).map((entry) => addressed(entry, source, next));
      const others = parts(foreignEntries(source, next), next).map(search);
      return { ...named(parts(own, next).map(search), '.json', next), ...named(others, `-${strangers}.json`, next) };
    },
  },
  {
    name: 'Bundle beside a Bundle of another server',
    plain: plainBundle,
    made: (source, next) => {
      const own = collection(shuffled(source.entries, next).map((entry) => addressed(entry, source, next)));
      const others = collection(foreignEntries(source, next));
      return { ...named([own], '.json', next), ...named([others], `-${strangers}.json`, next) };
    },
  },
];

const otherServer = 'https://other.example.org/fhir';

/** Whether everything of a case has an address at its server, stated or not. */
export function isAddressable({ entries, base }: Source): boolean {
  return entries.every(({ resource, fullUrl }) => {
    const name = `${resource.resourceType}/${resource.id}`;
    return resource.id !== undefined && (fullUrl === undefined || fullUrl === `${base}/${name}`);
  });
}

function request(source: Source, next: Next): Files {
  const { base } = source;
  const written = shuffled(source.entries, next).map((entry) => inAnyWay(entry, source, next));
  const [orders, others] = apart(written);
  const values = parts(others, next).map((entries) => {
    const [first] = entries;
    const isBare = entries.length === 1 && first?.fullUrl === undefined;
    return isBare ? first?.resource : search(entries);
  });
  const prefetch = fromEntries(values.map((value, at) => [`key${at}`, value]));
  const drafts = one(['collection', 'batch', 'transaction'], next);
  return { 'hook.json': { ...hook(collection(orders, drafts), prefetch), fhirServer: oneSpelling(base, next) } };
}

function hook(draftOrders: object, prefetch: Readonly<Record<string, unknown>>) {
  const context = { userId: 'Practitioner/invented', draftOrders };
  return { hook: 'order-sign', hookInstance: 'd1577c69-dfbe-44ad-ba6d-3e05e953b2ea', context, prefetch };
}

// An order without an id is known by its place in a request.
function apart(entries: readonly Entry[]): readonly [orders: readonly Entry[], others: readonly Entry[]] {
  const isDraft = ({ resource }: Entry) => resource.resourceType === 'MedicationRequest' && resource.id !== undefined;
  return [entries.filter(isDraft), entries.filter((entry) => !isDraft(entry))];
}

function savedAnswers(source: Source, next: Next): Files {
  const written = shuffled(source.entries, next).map((entry) => inAnyWay(entry, source, next));
  const reads = written.filter((entry) => entry.fullUrl === undefined && next(2) === 0);
  const searches = parts(
    written.filter((entry) => !reads.includes(entry)),
    next,
  );
  return named([...reads.map(({ resource }) => resource), ...searches.map(search)], '.json', next);
}

function ndjson({ entries, base }: Source, form: ReferenceForm, next: Next): Files {
  const written = shuffled(entries, next).map(({ resource, fullUrl }) => {
    const made = respelled(resource, form, () => oneSpelling(base, next), next);
    // a line has no fullUrl, and one that is no address of the server is needed
    return fullUrl?.startsWith(base) === false ? search([{ resource: made, fullUrl }]) : made;
  });
  const files = parts(written, next).map((lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return named(files, '.ndjson', next);
}

/** With an address or bare, its references in any form. */
function inAnyWay(entry: Entry, source: Source, next: Next): Entry {
  if (!isAddressable({ ...source, entries: [entry] })) return entry;
  if (next(2) === 0) return addressed(entry, source, next);
  return { resource: respelled(entry.resource, one(referenceForms, next), () => source.base, next) };
}

function addressed({ resource }: Entry, { base }: Source, next: Next): Entry {
  const server = () => oneSpelling(base, next);
  const fullUrl = `${server()}/${resource.resourceType}/${resource.id}`;
  return { fullUrl, resource: respelled(resource, one(referenceForms, next), server, next) };
}

function foreignEntries({ entries }: Source, next: Next): Entry[] {
  const others = entries.map(({ resource }) => ({
    resource: respelled(foreign(resource), 'relative', () => '', next),
  }));
  return shuffled(others, next).map((entry) => addressed(entry, { entries, base: otherServer }, next));
}

function collection(entry: readonly Entry[], type = 'collection'): object {
  return { resourceType: 'Bundle', type, entry };
}

function search(entry: readonly Entry[]): object {
  return { resourceType: 'Bundle', type: 'searchset', entry };
}

// Files are read by name: this is their order.
function named(contents: readonly unknown[], ending: string, next: Next): Files {
  return fromEntries(contents.map((content, at) => [`${next(1000)}-${at}${ending}`, content]));
}

/** A list in up to four lists, none of them empty. */
function parts<T>(all: readonly T[], next: Next): readonly (readonly T[])[] {
  const count = 1 + next(4);
  return [...Map.groupBy(all, () => next(count)).values()];
}

function shuffled<T>(all: readonly T[], next: Next): readonly T[] {
  return all
    .map((one) => ({ one, at: next(1_000_000) }))
    .sort((left, right) => left.at - right.at)
    .map(({ one }) => one);
}

function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}
