import { canonicalSystem, systemKind, systems } from '../../../core/fhir/codes/systems.ts';

const hosts = [
  'terminology.hl7.org',
  'hl7.org',
  'www.hl7.org',
  'unitsofmeasure.org',
  'snomed.info',
  'loinc.org',
  'www.nlm.nih.gov',
  'www.ada.org',
  'www.ama-assn.org',
  'www.whocc.no',
  'ncimeta.nci.nih.gov',
  'nucc.org',
  'nahdo.org',
];
// OIDs of HL7 and of the code systems registered there. The registers of the CDC, Germany and Australia are left out.
// So is 2.16.840.1.113883.3 in general, under which anyone may request a number.
const publicOid = /^urn:oid:2\.16\.840\.1\.113883\.(?:[456]|12|3\.26|2\.4)(?:\.\d{1,6}){0,8}$/;
const publicUrn = /^urn:(?:ietf:(?:rfc:3986|bcp:\d+)|iso:std:iso:(?:3166|4217)|iso-astm:E1762-95:2013)$/;
// A path of plain words. It has no query and no number of more than four digits.
const plainPath = /^(?:\/[A-Za-z][A-Za-z_.-]*(?:\d{1,4}[A-Za-z_.-]*){0,4}|\/\d{1,4})*\/?(?:\|[\d.]{1,12})?$/;

/** Whether a URI is of HL7 or of a public code system, so that thousands of charts contain it. */
export function isPublicUri(uri: string): boolean {
  if (systemKind(uri) !== undefined || publicOid.test(uri) || publicUrn.test(uri)) return true;
  const [, host = '', path = ''] = /^https?:\/\/([^/?#|]{1,100})([^?#]{0,200})$/.exec(uri) ?? [];
  return hosts.includes(host) && plainPath.test(path);
}

/**
 * Whether the URI is a public code system. Identifiers of people such as us-npi and us-ssn are not, nor are unknown
 * systems.
 */
export function isPublicCodeSystem(uri: string): boolean {
  const kind = systemKind(uri);
  return kind === undefined ? isPublicUri(uri) && !/\/fhir\/sid\//.test(uri) : kind !== 'identifier';
}

const forms: Readonly<Record<string, RegExp>> = {
  [systems.rxnorm]: /^\d{1,8}$/,
  [systems.ndc]: /^(?:\d{10,11}|\d{4,6}-\d{3,4}(?:-\d{1,2})?)$/,
  [systems.sct]: /^\d{6,18}$/,
  [systems.loinc]: /^(?:LA|LL|LP)?\d{1,7}-\d$/,
  [systems.icd10]: /^[A-Z]\d[0-9A-Z]\.?[0-9A-Z]{0,4}$/i,
  [systems.icd10who]: /^[A-Z]\d\d\.?\d{0,3}$/i,
  [systems.icd9]: /^[EV]?\d{2,4}\.?\d{0,2}$/i,
  [systems.cpt]: /^\d{4}[0-9A-Z]$/,
  [systems.cvx]: /^\d{1,3}$/,
  [systems.unii]: /^[A-Z0-9]{10}$/,
  [systems.ncit]: /^C\d{3,6}$/i,
  [systems.edqm]: /^(?:[A-Z]{3}-)?\d{8}$/,
  [systems.ucum]: /^[A-Za-z0-9%[\]().*/'"_^+-]{0,20}(?:\{[A-Za-z]{1,12}\})?$/,
};
const anyForm = /^(?:[A-Za-z][A-Za-z_.-]{0,40}(?:\d{1,4}[A-Za-z_.-]*){0,3}|\d{1,6}(?:[.-]\d{1,3})?)$/;

/** Whether the codes of a public system have a form of their own, mostly numbers, which no word about a person has. */
export function hasOwnForm(system: string): boolean {
  return Object.hasOwn(forms, canonicalSystem(system));
}

/** Whether a code has the form of its public system's codes. False for any other system. */
export function isPublicCode(system: string, code: string): boolean {
  return isPublicCodeSystem(system) && (forms[canonicalSystem(system)] ?? anyForm).test(code.trim());
}
