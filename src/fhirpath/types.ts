import { type Item, resourceTypeOf } from './item.ts';

const any = 'any';

/** FHIR R4's choice elements (`value[x]`) and the types they may have, by element name. A test compares this table with the StructureDefinitions. */
export const choices: Readonly<Record<string, readonly string[] | typeof any>> = {
  abatement: ['Age', 'DateTime', 'Period', 'Range', 'String'],
  additive: ['CodeableConcept', 'Reference'],
  age: ['Age', 'CodeableConcept', 'Range', 'String'],
  allowed: ['Boolean', 'CodeableConcept', 'Money', 'String', 'UnsignedInt'],
  amount: ['Quantity', 'Range', 'Ratio', 'String'],
  answer: ['Boolean', 'Coding', 'Date', 'DateTime', 'Decimal', 'Integer', 'Quantity', 'Reference', 'String', 'Time'],
  asNeeded: ['Boolean', 'CodeableConcept'],
  author: ['Reference', 'String'],
  born: ['Date', 'Period', 'String'],
  bounds: ['Duration', 'Period', 'Range'],
  characteristic: ['CodeableConcept', 'Quantity'],
  chargeItem: ['CodeableConcept', 'Reference'],
  code: ['CodeableConcept', 'Reference'],
  collected: ['DateTime', 'Period'],
  content: ['Attachment', 'Reference', 'String'],
  created: ['DateTime', 'Period'],
  date: ['DateTime', 'Period'],
  deceased: ['Age', 'Boolean', 'Date', 'DateTime', 'Range', 'String'],
  defaultValue: any,
  definingSubstance: ['CodeableConcept', 'Reference'],
  definition: [
    'Canonical',
    'CodeableConcept',
    'DataRequirement',
    'Expression',
    'Reference',
    'TriggerDefinition',
    'Uri',
  ],
  detail: ['Boolean', 'CodeableConcept', 'Integer', 'Quantity', 'Range', 'Ratio', 'String'],
  diagnosis: ['CodeableConcept', 'Reference'],
  dose: ['Quantity', 'Range'],
  doseNumber: ['PositiveInt', 'String'],
  due: ['Date', 'Duration'],
  effective: ['DateTime', 'Instant', 'Period', 'Timing'],
  entity: ['CodeableConcept', 'Reference'],
  event: ['Coding', 'Uri'],
  example: ['Boolean', 'Canonical'],
  fastingStatus: ['CodeableConcept', 'Duration'],
  fixed: any,
  identified: ['DateTime', 'Period'],
  indication: ['CodeableConcept', 'Reference'],
  item: ['CodeableConcept', 'Reference'],
  legallyBinding: ['Attachment', 'Reference'],
  location: ['Address', 'CodeableConcept', 'Reference'],
  manufacturer: ['Reference', 'String'],
  maxValue: ['Date', 'DateTime', 'Decimal', 'Instant', 'Integer', 'PositiveInt', 'Quantity', 'Time', 'UnsignedInt'],
  medication: ['CodeableConcept', 'Reference'],
  minValue: ['Date', 'DateTime', 'Decimal', 'Instant', 'Integer', 'PositiveInt', 'Quantity', 'Time', 'UnsignedInt'],
  minimumVolume: ['Quantity', 'String'],
  module: ['Canonical', 'CodeableConcept', 'Uri'],
  multipleBirth: ['Boolean', 'Integer'],
  name: ['Reference', 'Url'],
  occurred: ['DateTime', 'Period'],
  occurrence: ['DateTime', 'Period', 'String', 'Timing'],
  offset: ['Duration', 'Range'],
  onset: ['Age', 'DateTime', 'Period', 'Range', 'String'],
  participantEffective: ['DateTime', 'Duration', 'Period', 'Timing'],
  pattern: any,
  performed: ['Age', 'DateTime', 'Period', 'Range', 'String'],
  probability: ['Decimal', 'Range'],
  procedure: ['CodeableConcept', 'Reference'],
  product: ['CodeableConcept', 'Reference'],
  quantity: ['Quantity', 'Range', 'Ratio'],
  rate: ['Quantity', 'Range', 'Ratio'],
  reported: ['Boolean', 'Reference'],
  scheduled: ['Period', 'String', 'Timing'],
  seriesDoses: ['PositiveInt', 'String'],
  serviced: ['Date', 'Period'],
  source: ['Attachment', 'Canonical', 'Reference', 'Uri'],
  start: ['CodeableConcept', 'Date'],
  statusReason: ['CodeableConcept', 'Reference'],
  studyEffective: ['DateTime', 'Duration', 'Period', 'Timing'],
  subject: ['CodeableConcept', 'Reference'],
  substance: ['CodeableConcept', 'Reference'],
  target: ['Canonical', 'Identifier', 'Reference', 'Uri'],
  time: ['DateTime', 'Period'],
  timing: ['Age', 'Date', 'DateTime', 'Duration', 'Period', 'Range', 'Reference', 'Timing'],
  topic: ['CodeableConcept', 'Reference'],
  used: ['Money', 'String', 'UnsignedInt'],
  value: any,
  when: ['Period', 'Range'],
};

/**
 * Plain elements of R4 that read like a choice of another type (`Immunization.doseQuantity`, where there is no `dose`), each with where it stands:
 * a resource type or, in a backbone element, its property. Lists need no entry: no choice element is one. A test compares this table with the
 * StructureDefinitions.
 */
export const plainElements: Readonly<Record<string, readonly string[]>> = {
  contentReference: ['element'],
  doseQuantity: ['Immunization'],
  effectivePeriod: [
    'ActivityDefinition',
    'ChargeItemDefinition',
    'EffectEvidenceSynthesis',
    'EventDefinition',
    'Evidence',
    'EvidenceVariable',
    'Library',
    'Measure',
    'PlanDefinition',
    'Questionnaire',
    'ResearchDefinition',
    'ResearchElementDefinition',
    'RiskEvidenceSynthesis',
  ],
  itemCodeableConcept: ['finding'],
  itemReference: ['finding'],
  occurrenceDateTime: ['GuidanceResponse'],
  procedureReference: ['ImagingStudy'],
};

const anyTypes = [
  'Address',
  'Age',
  'Annotation',
  'Attachment',
  'Base64Binary',
  'Boolean',
  'Canonical',
  'Code',
  'CodeableConcept',
  'Coding',
  'ContactDetail',
  'ContactPoint',
  'Contributor',
  'Count',
  'DataRequirement',
  'Date',
  'DateTime',
  'Decimal',
  'Distance',
  'Dosage',
  'Duration',
  'Expression',
  'HumanName',
  'Id',
  'Identifier',
  'Instant',
  'Integer',
  'Markdown',
  'Meta',
  'Money',
  'Oid',
  'ParameterDefinition',
  'Period',
  'PositiveInt',
  'Quantity',
  'Range',
  'Ratio',
  'Reference',
  'RelatedArtifact',
  'SampledData',
  'Signature',
  'String',
  'Time',
  'Timing',
  'TriggerDefinition',
  'UnsignedInt',
  'Uri',
  'Url',
  'UsageContext',
  'Uuid',
];

const primitives = [
  'Base64Binary',
  'Boolean',
  'Canonical',
  'Code',
  'Date',
  'DateTime',
  'Decimal',
  'Id',
  'Instant',
  'Integer',
  'Markdown',
  'Oid',
  'PositiveInt',
  'String',
  'Time',
  'UnsignedInt',
  'Uri',
  'Url',
  'Uuid',
];
const elementTypes = [...primitives.map(lower), ...anyTypes.filter((type) => !primitives.includes(type))];

// The parents of types that another type stands for (FHIR R4, "Data types"); resources are their own.
const parents: Readonly<Record<string, string>> = {
  Age: 'Quantity',
  Count: 'Quantity',
  Distance: 'Quantity',
  Duration: 'Quantity',
  canonical: 'uri',
  oid: 'uri',
  url: 'uri',
  uuid: 'uri',
  code: 'string',
  id: 'string',
  markdown: 'string',
  positiveInt: 'integer',
  unsignedInt: 'integer',
};

/**
 * Elements whose text is a date, dateTime or instant in every R4 type that has them; only these (and choices typed so) are compared as dates.
 * A test compares this list with the StructureDefinitions.
 */
export const dateNames: ReadonlySet<string> = new Set(
  'approvalDate authored authoredOn birthDate created creation date dateAsserted dateOfFirstAuthorization dateTime dateWritten detected effectiveDate effectiveTime end enteredDate event expirationDate expiry ifModifiedSince internationalBirthDate issued lastModified lastOccurrence lastPerformed lastReviewDate lastUpdated lockedDate manufactureDate nextScheduled occurrenceDateTime onset paymentDate presentationDate publicationDate received receivedTime recorded recordedDate recordedOn releaseDate restoreDate sent start started statusDate time timestamp validTo validationDate verificationDate whenHandedOver whenPrepared'.split(
    ' ',
  ),
);
const dateTypes: ReadonlySet<string> = new Set(['date', 'dateTime', 'instant']);

interface ChoiceKey {
  readonly key: string;
  readonly type: string;
  /** Where a plain element has this name. */
  readonly plainIn: readonly string[] | undefined;
}

const choiceKeys: ReadonlyMap<string, readonly ChoiceKey[]> = new Map(
  Object.entries(choices).map(([name, types]) => [
    name,
    (types === any ? anyTypes : types).map((type) => ({
      key: `${name}${type}`,
      type: primitives.includes(type) ? lower(type) : type,
      plainIn: plainElements[`${name}${type}`],
    })),
  ]),
);

/** The JSON properties that stand for a choice element: `value` -> valueQuantity, valueString...; undefined for other names. */
export function choiceKeysOf(name: string): readonly ChoiceKey[] | undefined {
  return choiceKeys.get(name);
}

/** Whether ofType, is and as can tell this name: a FHIR R4 data type of choice elements, or a resource type. */
export function isTypeName(name: string): boolean {
  return elementTypes.includes(name) || /^[A-Z][A-Za-z]{2,}$/.test(name);
}

/** The FHIR type of an item when it is known: of resources, and of values found through a choice element. */
export function typeOf(item: Item): string | undefined {
  return item.type ?? resourceTypeOf(item.value);
}

/** Whether a type is another one or descends from it. */
export function isA(type: string, wanted: string): boolean {
  for (let at: string | undefined = type; at !== undefined; at = parents[at]) if (at === wanted) return true;
  return false;
}

/** Whether the text of this item is a date, dateTime or instant. */
export function isDate(item: Item): boolean {
  return item.type === undefined ? dateNames.has(item.key) : dateTypes.has(item.type);
}

export const timeNames: ReadonlySet<string> = new Set([
  'timeOfDay',
  'availableStartTime',
  'availableEndTime',
  'openingTime',
  'closingTime',
]);

/** Whether the text of this item is a time of day; the subset has no literal for one. */
export function isTime(item: Item): boolean {
  return item.type === undefined ? timeNames.has(item.key) : item.type === 'time';
}

function lower(type: string): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}
