import { stateCode } from '../../../core/fhir/codes/us-states.ts';
import { isFhirCode } from '../../../core/fhir/model/codes.ts';
import { isA, isResourceType } from '../../../core/fhir/model/model.ts';
import { isKeptCode } from './concepts.ts';
import type { ElementPlace } from './element-place.ts';
import type { Means, TextRule } from './means.ts';
import { movedDate } from './move-date.ts';
import { neutralSig } from './neutral-sig.ts';
import { isPublicCode, isPublicUri } from './public-systems.ts';
import { versionStandIn } from './rename-references.ts';
import { keptMimeType, standInFile } from './stand-in-files.ts';
import {
  codingDisplay,
  conceptRule,
  personNameRule,
  phrase,
  prose,
  referenceDisplay,
  shape,
  title,
  unit,
} from './text-rules.ts';

const uri: TextRule = (text, _, { renamed }) => renamed.uri(text);
const reference: TextRule = (text, _, { renamed }) => renamed.reference(text);
const date: TextRule = (text, place, means) => movedDate(text, means.shiftDays) ?? phrase(text, place, means);

const code: TextRule = (text, { parent, element }, { standIns, named }) => {
  if (isFhirCode(text) || named.has(text)) return text;
  if (element.key === 'contentType') return keptMimeType(text);
  if (/^(?:[a-z]{2}(?:-[A-Z]{2})?|[A-Z]{3})$/.test(text)) return text;
  return isKeptCode(parent.system, text, named) ? text : standIns.shape(text);
};

const codingCode: TextRule = (text, { parent }, { standIns, named }) =>
  isKeptCode(parent.system, text, named) ? text : standIns.shape(text);

// The parts of a public extension have plain words for URLs, which are kept.
const extensionUrl: TextRule = (text, place, means) => {
  const outer = place.above?.parent.url;
  const isPart = typeof outer === 'string' && isPublicUri(outer) && /^[A-Za-z][A-Za-z-]{1,40}$/.test(text);
  return isPart ? text : means.renamed.uri(text);
};

const telecom: TextRule = (text, { parent }, { standIns, renamed }) => {
  if (text.includes('@')) return standIns.email(text);
  return parent.system === 'url' ? renamed.uri(text) : standIns.phone(text);
};

const identifierValue: TextRule = (text, { parent }, { standIns, renamed }) => {
  if (typeof parent.system === 'string' && isPublicCode(parent.system, text)) return text;
  return /^urn:(?:uuid|oid):/.test(text) ? renamed.reference(text) : standIns.shape(text);
};

// HIPAA's safe harbor allows a state, but no smaller area (45 CFR 164.514(b)(2)).
const state: TextRule = (text, place, means) =>
  stateCode(text) === undefined ? personNameRule(text, place, means) : text;
const country: TextRule = (text, place, means) =>
  /^\s*(?:[A-Z]{2,3}|United States(?: of America)?)\s*$/i.test(text) ? text : personNameRule(text, place, means);

/**
 * A plan's name keeps its public words, by which roles choose a coverage. The RxBIN is on the cards of thousands of
 * members and is kept. Group and member numbers are replaced.
 */
const classValue: TextRule = (text, place, means) => {
  const type = typeOfClass(place);
  if (type.includes('"rxbin"') && /^\s*\d{6}\s*$/.test(text)) return text;
  return type.includes('"plan"') && /[a-z]{3}/i.test(text) ? title(text, place, means) : means.standIns.shape(text);
};

const className: TextRule = (text, place, means) =>
  typeOfClass(place).includes('"plan"') ? title(text, place, means) : personNameRule(text, place, means);

function typeOfClass({ parent }: ElementPlace): string {
  return JSON.stringify(parent.type ?? null).toLowerCase();
}

/**
 * Directions are kept unchanged in the order for which a person has reviewed them. In other resources only amounts and
 * times are kept.
 */
const sig: TextRule = (text, { resource }, { standIns, order, keptSigs }) => {
  if (resource === order && keptSigs.has(text)) return text;
  return neutralSig(text, standIns.neutral) ?? standIns.prose(text);
};

/** Returns the new id of a resource. A contained resource is renamed like a reference to it. */
const id: TextRule = (text, { above, parent }, { renamed }) => {
  if (above?.element.key !== 'contained') return renamed.id(String(parent.resourceType), text);
  return text.startsWith('#') ? renamed.reference(text) : renamed.reference(`#${text}`).slice(1);
};

const byElement: Readonly<Record<string, TextRule>> = {
  'Meta.versionId': (text, _, { standIns }) => versionStandIn(standIns, text),
  'HumanName.family': personNameRule,
  'HumanName.given': personNameRule,
  'HumanName.text': personNameRule,
  'HumanName.prefix': personNameRule,
  'HumanName.suffix': personNameRule,
  'ContactDetail.name': personNameRule,
  'Contributor.name': personNameRule,
  'Annotation.authorString': personNameRule,
  'Address.line': personNameRule,
  'Address.city': personNameRule,
  'Address.district': personNameRule,
  'Address.text': personNameRule,
  'Address.state': state,
  'Address.country': country,
  'Address.postalCode': shape,
  'ContactPoint.value': telecom,
  'Identifier.value': identifierValue,
  'Coding.code': codingCode,
  'Coding.display': codingDisplay,
  'CodeableConcept.text': conceptRule,
  'Reference.reference': reference,
  'Reference.display': referenceDisplay,
  'Attachment.url': reference,
  'Extension.url': extensionUrl,
  'Quantity.unit': unit,
  'Organization.name': title,
  'Organization.alias': title,
  'Location.name': title,
  'Coverage.subscriberId': shape,
  'Coverage.dependent': shape,
  'Coverage.class.value': classValue,
  'Coverage.class.name': className,
  'Dosage.text': sig,
  'Dosage.patientInstruction': sig,
};

const byType: Readonly<Record<string, TextRule>> = {
  string: phrase,
  markdown: prose,
  xhtml: () => '<div xmlns="http://www.w3.org/1999/xhtml">Replaced</div>',
  code,
  id: shape,
  uri,
  url: uri,
  canonical: reference,
  oid: uri,
  uuid: uri,
  date,
  dateTime: date,
  instant: date,
  time: (text) => (/^\d{2}:\d{2}(?::\d{2})?$/.test(text) ? text : '00:00:00'),
  base64Binary: (text, { parent }) => standInFile(text, parent),
};

/**
 * Returns the replacement of a text by the rule of its element, else by the rule of its type. No rule keeps unknown
 * text.
 */
export function replacedText(text: string, place: ElementPlace, means: Means): string {
  const { holder, element } = place;
  if (element.key === 'id' && isResourceType(holder)) return id(text, place, means);
  const holderName = isA(holder, 'Quantity') ? 'Quantity' : holder;
  const rule = byElement[`${holderName}.${element.key}`] ?? byType[element.type] ?? phrase;
  return rule(text, place, means);
}

/** Replaces the whole of a text that belongs to no FHIR R4 element. */
export function replacedUnknown(text: string, { standIns }: Means): string {
  return /\d/.test(text) && !/\s/.test(text.trim()) ? standIns.shape(text) : standIns.prose(text);
}
