import { type CodeSystem, codeSystems } from '../../src/core/fhir/codes/code-systems.ts';
import { fhirText, terminologyText } from '../../src/core/fhir/model/code-systems.generated.ts';

const byUrl = new Map<string, CodeSystem>(Object.values(codeSystems).map((row) => [row.url, row]));
const oidsOf = new Map(
  [
    ['http://terminology.hl7.org/CodeSystem/', terminologyText],
    ['http://hl7.org/fhir/', fhirText],
  ].flatMap(([place, text = '']) =>
    text.split(' ').map((entry): [string, string[]] => {
      const [name, oid] = entry.split('=');
      return [`${place}${name}`, oid === undefined ? [] : [`2.16.840.1.113883.${oid}`]];
    }),
  ),
);

/** The ways in which charts write one system; none of a system that the table does not have. */
export function spellingsOf(url: string): readonly string[] {
  const row = byUrl.get(url);
  const oids = [...(row?.oids ?? []), ...(oidsOf.get(url) ?? [])];
  if (row === undefined && !oidsOf.has(url)) return [];
  return [
    ...[url, ...(row?.also ?? []), ...earlierOf(url)].flatMap(addressesOf),
    ...oids.flatMap((oid) => [oid, `urn:oid:${oid}`, `URN:OID:${oid}`, ` urn:oid:${oid}`]),
    ...(row?.names ?? []).flatMap((name) => [name, name.toLowerCase(), name.replaceAll(/[ -]/g, '_')]),
  ];
}

function addressesOf(url: string): string[] {
  if (!url.startsWith('http://')) return [url];
  const bare = url.replace(/^http:\/\/(www\.)?/, '').replace(/\/$/, '');
  return ['http://', 'https://', 'http://www.', 'https://www.', 'HTTP://', '']
    .map((start) => start + bare)
    .flatMap((one) => [one, `${one}/`, `${one}#`, `${one}|2024-09`]);
}

/** Addresses of HL7's code systems before R4. */
function earlierOf(url: string): string[] {
  const [, version, name] = /^http:\/\/terminology\.hl7\.org\/CodeSystem\/(?:v([23])-)?(.+)$/.exec(url) ?? [];
  if (name === undefined) return [];
  return [`http://hl7.org/fhir/${version === undefined ? '' : `v${version}/`}${name}`];
}
