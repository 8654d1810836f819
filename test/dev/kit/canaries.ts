import { type Element, elementsOf, isA, isPrimitive, isResourceType } from '../../../src/core/fhir/model/model.ts';

/** What must not be found again, in small letters: each is a part of some canary. */
export const canaries = [
  'zqcanary',
  'plinkwort',
  'quabberly',
  'snorfletop',
  '1987-03-21',
  '98765432',
  '9876.5432',
  Buffer.from('zqcanary').toString('base64').slice(0, 10).toLowerCase(),
] as const;

const file = Buffer.from('zqcanary plinkwort quabberly snorfletop '.repeat(20)).toString('base64');

const byType: Readonly<Record<string, unknown>> = {
  boolean: true,
  integer: 98765432,
  positiveInt: 98765432,
  unsignedInt: 98765432,
  decimal: 9876.5432,
  code: 'zqcanary-plinkwort',
  id: 'zqcanary-77',
  uri: 'https://zqcanary.example.net/plinkwort?quabberly=77',
  url: 'https://zqcanary.example.net/plinkwort.pdf',
  canonical: 'http://zqcanary.example.net/StructureDefinition/plinkwort|1.0',
  oid: 'urn:oid:1.2.98765432',
  uuid: 'urn:uuid:zqcanary-98765432',
  date: '1987-03-21',
  dateTime: '1987-03-21T03:17:46-05:00',
  instant: '1987-03-21T03:17:46.123Z',
  time: '03:17:46',
  base64Binary: file,
  xhtml: '<div xmlns="http://www.w3.org/1999/xhtml"><p>Zqcanary Plinkwort quabberly snorfletop 98765432</p></div>',
  markdown: 'Zqcanary **Plinkwort** quabberly, snorfletop 98765432; mail zqcanary@plinkwort.example on 1987-03-21',
};
const text = 'Zqcanary Plinkwort quabberly snorfletop 98765432 1987-03-21 zqcanary@plinkwort.example';
const short = 'Zqcanary98765432';
const deepest = 4;

/**
 * A resource of which every element of FHIR R4 is filled with a canary of its type. `isShort` fills texts with one
 * word.
 */
export function canaryOf(type: string, isShort = false): Record<string, unknown> {
  return { resourceType: type, ...filled(type, 0, isShort) };
}

function filled(type: string, depth: number, isShort: boolean): Record<string, unknown> {
  const wanted = [...(elementsOf(type)?.values() ?? [])]
    .filter((element) => depth < deepest - 2 || isSmall(element))
    .filter((element) => depth === 0 || element.type !== 'Extension');
  const entries = wanted.flatMap((element): [string, unknown][] => {
    const value = canaryFor(element, depth + 1, isShort);
    return value === undefined ? [] : [[element.key, element.isList ? [value] : value]];
  });
  return Object.fromEntries(entries);
}

// Deeper down only what ends soon.
function isSmall({ type }: Element): boolean {
  return (
    isPrimitive(type) || type === 'xhtml' || ['Coding', 'HumanName', 'Period', 'Identifier', 'Reference'].includes(type)
  );
}

function canaryFor({ key, type }: Element, depth: number, isShort: boolean): unknown {
  if (depth > deepest) return undefined;
  if (type === 'Resource') return depth > 2 ? undefined : { resourceType: 'Patient', ...filled('Patient', 3, isShort) };
  if (isResourceType(type)) return undefined;
  if (key === 'reference') return 'Patient/zqcanary-77';
  if (isPrimitive(type) || type === 'xhtml') return byType[type] ?? (isShort ? short : text);
  return filled(type, depth, isShort);
}

/** Amounts stay: the same resource without them. */
export function withoutAmounts(value: unknown, type: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutAmounts(one, type));
  if (typeof value !== 'object' || value === null) return value;
  const own = 'resourceType' in value && typeof value.resourceType === 'string' ? value.resourceType : type;
  const isAmount =
    isA(own, 'Quantity') ||
    ['Money', 'Timing.repeat', 'SampledData', 'Observation', 'Observation.component'].includes(own);
  const entries = Object.entries(value).filter(([, inner]) => !(isAmount && typeof inner === 'number'));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, withoutAmounts(inner, elementsOf(own)?.get(key)?.type ?? '')]),
  );
}
