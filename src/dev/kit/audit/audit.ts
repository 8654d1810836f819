import { isObject } from '../../../core/fhir/is-object.ts';
import { mendText } from '../../../core/fhir/text/damage.ts';
import type { MappingResult, Provenance } from '../../../core/mapping/result.ts';
import { parseTarget, valueAt } from '../../../core/mapping/target.ts';
import { answerFollows } from './answers.ts';
import { textsIn } from './compare-texts.ts';
import { type AuditTables, derivationOf } from './derivations.ts';
import { evidenceFollows } from './evidence-follows.ts';
import { at, type CitedEntry, nameOf, readCited, resourcesNamed } from './read-cited.ts';

/** The input of the audit: the chart's resources as in their file, and facts that are not in resources. */
export interface AuditRequest {
  readonly entries: readonly CitedEntry[];
  /** `Patient/1` and `MedicationRequest/9`, as in the chart. */
  readonly patient: string;
  readonly order: string;
  readonly tables: AuditTables;
  /** The site's policy. Values of kind `site` must be in it. */
  readonly site?: object;
  /** For the answers sheet: the site's current day, from which ages and days are counted. */
  readonly sheetDay?: string;
}

/** A value of a draft that does not follow from the element that it cites. The value itself is left out. */
export interface AuditFinding {
  readonly target: string;
  /** Example: `Patient/1 Patient.name[0].family`; empty if the value cites nothing. */
  readonly cited: string;
  readonly reason:
    | 'the value cites nothing'
    | 'the cited element is not there'
    | 'the value does not follow from the cited element'
    | 'the cited resource is of another patient';
}

/**
 * Checks every leaf of a draft against the element that it cites, without the mapping engine. Reports the values that
 * do not follow from it. Entries of a person and constants of a mapping are not checked.
 *
 * @example
 * auditResult(runMapping(priorAuth, chart), { entries, patient: chart.patient, order: chart.order, tables }) // []
 */
export function auditResult(result: MappingResult<unknown>, given: AuditRequest): AuditFinding[] {
  const request = { ...given, entries: decodedEntries(given.entries) };
  const body = result.status === 'complete' ? result.body : result.draft;
  const drugTexts = drugTextsOf(request);
  const judged = result.provenance.flatMap((entry) => {
    const value = valueAt(body, parseTarget(entry.target));
    const reason = value === undefined ? undefined : judge(value, entry, { ...request, drugTexts, body });
    return reason === undefined ? [] : [{ target: entry.target, cited: citedText(entry), reason }];
  });
  const covered = result.provenance.map(({ target }) => target);
  const silent = leavesOf(body, '').filter((leaf) => !covered.some((target) => isWithin(leaf, target)));
  return [...judged, ...silent.map((target) => ({ target, cited: '', reason: 'the value cites nothing' as const }))];
}

// A text with a damaged encoding is compared in its decoded form, which is what the mapping reads.
function decodedEntries(entries: AuditRequest['entries']): AuditRequest['entries'] {
  // decoding changes only texts
  return entries.map((entry) => ({ ...entry, resource: decoded(entry.resource) as CitedEntry['resource'] }));
}

function decoded(value: unknown): unknown {
  if (typeof value === 'string') return mendText(value).text;
  if (Array.isArray(value)) return value.map(decoded);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decoded(inner)]))
    : value;
}

export function leafCount(result: MappingResult<unknown>): number {
  return leavesOf(result.status === 'complete' ? result.body : result.draft, '').length;
}

type Judgement = AuditRequest & { readonly drugTexts: readonly string[]; readonly body: unknown };

function judge(value: unknown, entry: Provenance, request: Judgement): AuditFinding['reason'] | undefined {
  if (entry.kind === 'entered' || entry.kind === 'constant') return undefined;
  if (entry.source === undefined) return judgeSite(value, entry, request);
  const places = readCited(entry.source, request.entries);
  if (places.length === 0) return 'the cited element is not there';
  if (!places.some(({ resource }) => isOpen(resource, request))) return 'the cited resource is of another patient';
  const field = entry.target.replace(/\[\d+\]/g, '[]');
  const { path } = entry.source;
  const { sheetDay: day } = request;
  const follows = places.some(({ resource, items }) => {
    const place = { ...request, resource, items, path };
    if (day !== undefined)
      return answerFollows(value, { ...place, target: entry.target, day }) || isBySitesMap(value, entry, request);
    return field.startsWith('evidence[]')
      ? evidenceFollows(value, { target: field, resource, entries: request.entries })
      : derivationOf(field)(value, place) || isBySitesMap(value, entry, request);
  });
  return follows ? undefined : 'the value does not follow from the cited element';
}

function judgeSite(
  value: unknown,
  { kind, target }: Provenance,
  { site }: Judgement,
): AuditFinding['reason'] | undefined {
  if (kind !== 'site') return 'the value cites nothing';
  const isOurs = /(submission_id|enrollment_id|programId)$/.test(target);
  return isOurs || site === undefined || textsIn(site).includes(String(value)) ? undefined : 'the value cites nothing';
}

// A code that was translated by the site's ConceptMap is in that map and not in the chart.
function isBySitesMap(value: unknown, { target }: Provenance, { site }: Judgement): boolean {
  const maps = at(site, 'conceptMaps');
  return /^diagnos[ei]s/.test(target) && maps !== undefined && textsIn(maps).includes(String(value));
}

// Only resources of the order's patient may be cited: with the same reference, or with another reference to the same
// Patient.
function isOpen(resource: object, { entries, patient, order }: Judgement): boolean {
  const mine = resourcesNamed(patient, entries);
  if (at(resource, 'resourceType') === 'Patient') return mine.includes(resource);
  const owner = ownerOf(resource);
  if (owner === undefined || owner.startsWith('#') || owner.includes('?')) return true;
  if (resourcesNamed(order, entries).some((one) => ownerOf(one) === owner)) return true;
  const names = [patient, ...mine.flatMap(linkedTo)];
  return names.includes(owner) || entries.some((entry) => mine.includes(entry.resource) && isNamed(entry, owner));
}

/** Resource types that belong to no patient. */
const ofNobody = new Set(['Binary', 'Organization', 'Practitioner', 'PractitionerRole', 'Location', 'Medication']);

/** The reference of a resource to its patient, without version, surrounding spaces or trailing slash. */
function ownerOf(resource: object): string | undefined {
  if (ofNobody.has(String(at(resource, 'resourceType')))) return undefined;
  const owner = ['subject', 'beneficiary', 'patient', 'for'].map((key) => at(resource, key)).find(isObject);
  const reference = at(owner, 'reference');
  if (typeof reference !== 'string') return undefined;
  return reference
    .trim()
    .replace(/\/$/, '')
    .replace(/\/_history\/[^/]*$/, '');
}

function isNamed({ resource, fullUrl }: CitedEntry, reference: string): boolean {
  const name = nameOf(resource);
  return (
    [name, fullUrl].some((one) => one === reference || one?.endsWith(`/${reference}`)) || reference.endsWith(`/${name}`)
  );
}

// A coverage may come from a patient record that the EHR links to this one, if a person chose it.
function linkedTo(patient: object): string[] {
  return textsIn(at(patient, 'link')).filter((text) => text.startsWith('Patient/'));
}

// The texts that name the drug: in the order, in its contained Medication and in the Medication to which it refers.
function drugTextsOf({ entries, order }: AuditRequest): string[] {
  return resourcesNamed(order, entries).flatMap((resource) => {
    const reference = at(resource, 'medicationReference');
    const name = String(at(reference, 'reference') ?? '').replace(/\/_history\/[^/]*$/, '');
    const contained = at(resource, 'contained');
    const medications = [
      ...(Array.isArray(contained) ? contained : []),
      ...entries.filter((one) => one.fullUrl === name || nameOf(one.resource) === name).map((one) => one.resource),
    ].filter((one) => at(one, 'resourceType') === 'Medication');
    return textsIn([
      at(resource, 'medicationCodeableConcept'),
      at(reference, 'display'),
      medications.map((one) => at(one, 'code')),
    ]);
  });
}

function leavesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  if (!isObject(value)) return value === undefined ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

function isWithin(leaf: string, target: string): boolean {
  return leaf === target || leaf.startsWith(`${target}.`) || leaf.startsWith(`${target}[`);
}

function citedText({ source }: Provenance): string {
  return source === undefined ? '' : `${source.resource} ${source.path}`;
}
