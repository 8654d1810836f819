import { memoized } from '../../text-cache.ts';
import { fhirText, terminologyText } from '../model/code-systems.generated.ts';
import { once } from '../once.ts';
import { type CodeSystem, codeSystems, type SystemKind } from './code-systems.ts';

export type { SystemKind } from './code-systems.ts';

type Systems = { readonly [Name in keyof typeof codeSystems]: (typeof codeSystems)[Name]['url'] };

const rows: readonly CodeSystem[] = Object.values(codeSystems);

/**
 * The addresses of the known systems by their names in FHIRPath (`%rxnorm`). A test checks that no role has one of
 * these names.
 */
// `Object.fromEntries` loses the names of the keys
export const systems = Object.fromEntries(Object.entries(codeSystems).map(([name, { url }]) => [name, url])) as Systems;

/**
 * The canonical spelling of a system: the table's address for every spelling in the table, `urn:oid:` before any other
 * OID, and any other text unchanged.
 *
 * @example
 * canonicalSystem('urn:oid:2.16.840.1.113883.6.96') // 'http://snomed.info/sct'
 * canonicalSystem('https://loinc.org/') // 'http://loinc.org'
 * canonicalSystem('https://clinic.example.org/mrn/') // 'https://clinic.example.org/mrn/'
 */
export function canonicalSystem(stated: string): string {
  return addresses[stated.length]?.includes(stated) ? stated : respelled(stated);
}

const respelled = memoized((stated): string => {
  const key = keyOf(stated);
  return spellings().get(key) ?? (isOid(key) ? `urn:oid:${key}` : stated);
});

/** What the codes of a system identify, for any of its spellings; undefined for an unknown system. */
export function systemKind(system: string | undefined): SystemKind | undefined {
  if (system === undefined) return undefined;
  const url = canonicalSystem(system);
  return byUrl.get(url)?.kind ?? (hl7Urls().has(url) ? 'hl7' : undefined);
}

/** The common name of the system at an address (`http://loinc.org`); undefined for any other text. */
export function systemName(address: string | undefined): string | undefined {
  return address === undefined ? undefined : byUrl.get(address)?.name;
}

const groups: ReadonlySet<SystemKind | undefined> = new Set(['drug class', 'vaccine', 'billing']);

/** Whether codes of the system identify a group or a billed unit (HCPCS, CPT, CVX, ATC), never a product. */
export function namesNoProduct(system: string | undefined): boolean {
  return groups.has(systemKind(system));
}

// A lookup by length is faster than a Set, because a text of a chart that was just read has no hash yet.
const addresses: (readonly string[] | undefined)[] = [];
for (const { url } of rows) addresses[url.length] = [...(addresses[url.length] ?? []), url];

const byUrl: ReadonlyMap<string, CodeSystem> = new Map(rows.map((row) => [row.url, row]));

// Nearly every chart writes the canonical addresses, so the other spellings are collected on first use.
const spellings = once(() => {
  const all = new Map<string, string>();
  const add = (spelling: string, url: string) => {
    const key = keyOf(spelling);
    if (!all.has(key)) all.set(key, url);
  };
  for (const { url, oids = [], also = [], names = [] } of rows)
    for (const spelling of [url, ...oids, ...also, ...names]) add(spelling, url);
  for (const [url, oid] of hl7Urls()) for (const spelling of [url, ...(oid === '' ? [] : [oid])]) add(spelling, url);
  for (const url of hl7Urls().keys()) for (const earlier of earlierAddresses(url)) add(earlier, url);
  return all;
});

const terminology = 'http://terminology.hl7.org/CodeSystem/';
const fhir = 'http://hl7.org/fhir/';

/** The code systems of FHIR and HL7 with their OIDs; an empty text if a system has none. */
const hl7Urls = once(
  () =>
    new Map([
      ...entriesIn(terminology, terminologyText),
      ...entriesIn(fhir, fhirText).filter(([url]) => !url.startsWith(`${fhir}sid/`)),
    ]),
);

function entriesIn(place: string, text: string): [string, string][] {
  return text.split(' ').map((entry) => {
    const [name = '', oid] = entry.split('=');
    return [place + name, oid === undefined ? '' : `2.16.840.1.113883.${oid}`];
  });
}

/**
 * The addresses that code systems of HL7 had before R4: version 2 tables under `v2/`, version 3 under `v3/`, FHIR's own
 * beside its pages (FHIR DSTU2 and STU3, terminologies-systems.html). Tables also have an OID of their own (FHIR R4,
 * terminologies-systems.html: 2.16.840.1.113883.12.[X]) and the name HL7nnnn (CodeSystem v2-0396).
 */
function earlierAddresses(url: string): string[] {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const [, version, rest = ''] = /^v([23])-(.+)$/.exec(name) ?? [];
  if (version === '2') return [`${fhir}v2/${rest}`, `2.16.840.1.113883.12.${Number(rest)}`, `HL7${rest}`];
  if (version === '3') return [`${fhir}v3/${rest}`];
  return [fhir + name, `${fhir}CodeSystem/${name}`, terminology + name];
}

// Removes the differences between spellings of one system. The page of a release is treated as the system that it
// describes.
const reduced: readonly (readonly [RegExp, string])[] = [
  [/\|.*$/, ''],
  [/[/#.]+$/, ''],
  [/^(?:urn:oid:\s*|oid:\s*|https?:\/\/)/, ''],
  [/^www\./, ''],
  [/^snomed\.info\/sct\/\d.*$/, 'snomed.info/sct'],
  [/^terminology\.hl7\.org\/[\d.]+\/codesystem-/, 'terminology.hl7.org/codesystem/'],
  [/^hl7\.org\/fhir\/(?:dstu2|stu3|r4|r4b|r5)\//, 'hl7.org/fhir/'],
  [/^hl7\.org\/fhir\/codesystem-/, 'hl7.org/fhir/codesystem/'],
  [/(?:\/(?:cs|index))?\.html$/, ''],
];

/** A spelling in the form in which spellings are compared: `2.16.840.1.113883.6.1`, `loinc.org`, `icd10cm` (a name). */
function keyOf(stated: string): string {
  const key = reduced.reduce((text, [part, by]) => text.replace(part, by), stated.trim().toLowerCase());
  return /[/:.]/.test(key) ? key : key.replace(/[\s_-]+/g, '');
}

function isOid(key: string): boolean {
  return /^[0-2](?:\.(?:0|[1-9]\d*)){3,}$/.test(key);
}
