import type { Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';

/**
 * Elements that the bridge reads, by type, with their FHIR R4 kind: `string`, `number`, `boolean` or the name of a type below; `*` for a list.
 * What is not named here is left as it is.
 */
const shapes: Readonly<Record<string, string>> = {
  Coding: 'system:string code:string display:string version:string',
  CodeableConcept: 'coding:Coding* text:string',
  Period: 'start:string end:string',
  Identifier: 'use:string type:CodeableConcept system:string value:string period:Period',
  Reference: 'reference:string display:string type:string identifier:Identifier',
  Quantity: 'value:number unit:string system:string code:string comparator:string',
  Ratio: 'numerator:Quantity denominator:Quantity',
  Range: 'low:Quantity high:Quantity',
  HumanName: 'use:string family:string given:string* text:string period:Period',
  ContactPoint: 'system:string value:string use:string rank:number period:Period',
  Address:
    'use:string type:string line:string* city:string state:string postalCode:string country:string period:Period',
  Attachment: 'contentType:string url:string data:string title:string creation:string',
  Repeat:
    'boundsDuration:Quantity boundsPeriod:Period count:number countMax:number frequency:number frequencyMax:number period:number periodMax:number periodUnit:string dayOfWeek:string*',
  Timing: 'repeat:Repeat code:CodeableConcept',
  DoseAndRate: 'type:CodeableConcept doseQuantity:Quantity doseRange:Range',
  Dosage:
    'sequence:number text:string patientInstruction:string timing:Timing asNeededBoolean:boolean asNeededCodeableConcept:CodeableConcept route:CodeableConcept doseAndRate:DoseAndRate*',
  Meta: 'versionId:string lastUpdated:string security:Coding*',
  PatientLink: 'other:Reference type:string',
  Patient:
    'active:boolean identifier:Identifier* name:HumanName* telecom:ContactPoint* address:Address* gender:string birthDate:string link:PatientLink*',
  Practitioner: 'active:boolean identifier:Identifier* name:HumanName* telecom:ContactPoint* address:Address*',
  PractitionerRole:
    'active:boolean identifier:Identifier* practitioner:Reference organization:Reference location:Reference* telecom:ContactPoint* period:Period',
  Organization: 'name:string identifier:Identifier* telecom:ContactPoint* address:Address*',
  Location: 'name:string identifier:Identifier* telecom:ContactPoint* address:Address',
  Fill: 'quantity:Quantity duration:Quantity',
  DispenseRequest:
    'initialFill:Fill quantity:Quantity expectedSupplyDuration:Quantity validityPeriod:Period performer:Reference',
  Substitution: 'allowedBoolean:boolean',
  MedicationRequest:
    'status:string intent:string category:CodeableConcept* doNotPerform:boolean reportedBoolean:boolean reportedReference:Reference medicationCodeableConcept:CodeableConcept medicationReference:Reference subject:Reference encounter:Reference authoredOn:string requester:Reference reasonCode:CodeableConcept* reasonReference:Reference* insurance:Reference* dosageInstruction:Dosage* dispenseRequest:DispenseRequest substitution:Substitution statusReason:CodeableConcept',
  Ingredient: 'itemCodeableConcept:CodeableConcept itemReference:Reference isActive:boolean strength:Ratio',
  Medication: 'code:CodeableConcept status:string form:CodeableConcept ingredient:Ingredient*',
  CoverageClass: 'type:CodeableConcept value:string name:string',
  Coverage:
    'status:string identifier:Identifier* type:CodeableConcept policyHolder:Reference subscriberId:string beneficiary:Reference period:Period payor:Reference* class:CoverageClass* order:number',
  Condition:
    'clinicalStatus:CodeableConcept verificationStatus:CodeableConcept category:CodeableConcept* code:CodeableConcept subject:Reference encounter:Reference onsetDateTime:string abatementDateTime:string recordedDate:string',
  EncounterDiagnosis: 'condition:Reference rank:number',
  Encounter: 'status:string subject:Reference diagnosis:EncounterDiagnosis* serviceProvider:Reference period:Period',
  DocumentContent: 'attachment:Attachment',
  DocumentContext: 'encounter:Reference* period:Period related:Reference*',
  DocumentReference:
    'context:DocumentContext status:string docStatus:string type:CodeableConcept category:CodeableConcept* subject:Reference date:string content:DocumentContent* author:Reference* description:string',
  Binary: 'contentType:string data:string',
  DiagnosticReport:
    'status:string category:CodeableConcept* code:CodeableConcept subject:Reference effectiveDateTime:string effectivePeriod:Period issued:string encounter:Reference conclusionCode:CodeableConcept* presentedForm:Attachment* result:Reference* performer:Reference* resultsInterpreter:Reference* conclusion:string',
  ReferenceRange: 'low:Quantity high:Quantity text:string',
  ObservationComponent:
    'code:CodeableConcept valueQuantity:Quantity valueCodeableConcept:CodeableConcept valueString:string',
  Observation:
    'status:string category:CodeableConcept* code:CodeableConcept subject:Reference effectiveDateTime:string effectivePeriod:Period issued:string valueQuantity:Quantity valueCodeableConcept:CodeableConcept valueString:string interpretation:CodeableConcept* referenceRange:ReferenceRange* component:ObservationComponent* hasMember:Reference* encounter:Reference',
  Reaction: 'manifestation:CodeableConcept* severity:string description:string',
  AllergyIntolerance:
    'clinicalStatus:CodeableConcept verificationStatus:CodeableConcept type:string category:string* criticality:string code:CodeableConcept patient:Reference recordedDate:string onsetDateTime:string reaction:Reaction*',
  MedicationStatement:
    'status:string statusReason:CodeableConcept* medicationCodeableConcept:CodeableConcept medicationReference:Reference subject:Reference effectiveDateTime:string effectivePeriod:Period dateAsserted:string reasonCode:CodeableConcept* dosage:Dosage*',
  MedicationDispense:
    'status:string medicationCodeableConcept:CodeableConcept medicationReference:Reference subject:Reference whenHandedOver:string whenPrepared:string quantity:Quantity daysSupply:Quantity dosageInstruction:Dosage*',
};

interface Field {
  readonly key: string;
  readonly type: string;
  readonly isList: boolean;
}

const resourceFields = fieldsIn('id:string meta:Meta');
const fields: Readonly<Record<string, readonly Field[]>> = Object.fromEntries(
  Object.entries(shapes).map(([type, shape]) => [type, fieldsIn(shape)]),
);

/**
 * The resource with every element that the bridge reads in the JSON form of FHIR R4; the same object when nothing has another form, which is nearly always.
 * What has another form is absent, or an empty item of its list so that the others keep their index; `misshapen` names the places (`class[0].type`), never a value.
 */
export function tidyResource(resource: Resource): {
  readonly resource: Resource;
  readonly misshapen: readonly string[];
} {
  if (isInShape(resource)) return { resource, misshapen: [] };
  const misshapen: string[] = [];
  return { resource: tidyAny(resource, '', misshapen), misshapen };
}

// Only looks, and writes no places: what nearly every resource needs.
function isInShape(resource: Resource): boolean {
  if (!fits(resource, resourceFields) || !fits(resource, fieldsOf(resource))) return false;
  const contained: unknown = Reflect.get(resource, 'contained');
  return !Array.isArray(contained) || contained.every((inner: unknown) => !isResource(inner) || isInShape(inner));
}

function fits(value: object, known: readonly Field[]): boolean {
  const record = value as Readonly<Record<string, unknown>>; // every object is one when its values are unknown
  for (const { key, type, isList } of known) {
    const given = record[key];
    if (given !== undefined && !(isList ? listFits(given, type) : oneFits(given, type))) return false;
  }
  return true;
}

function listFits(given: unknown, type: string): boolean {
  return (
    Array.isArray(given) && given.every((item: unknown) => (type === 'string' && item === null) || oneFits(item, type))
  );
}

function oneFits(given: unknown, type: string): boolean {
  if (type === 'string' || type === 'number' || type === 'boolean') return typeof given === type;
  return isObject(given) && fits(given, fields[type] ?? []);
}

function fieldsOf(resource: Resource): readonly Field[] {
  const type: unknown = resource.resourceType;
  return typeof type === 'string' && Object.hasOwn(fields, type) ? (fields[type] ?? []) : [];
}

function tidyAny(resource: Resource, path: string, misshapen: string[]): Resource {
  const tidied = tidyFields(tidyFields(resource, resourceFields, path, misshapen), fieldsOf(resource), path, misshapen);
  const contained: unknown = Reflect.get(tidied, 'contained');
  if (!Array.isArray(contained)) return tidied;
  const inside = contained.map((inner: unknown, index) =>
    isResource(inner) ? tidyAny(inner, `${path}contained[${index}].`, misshapen) : inner,
  );
  return inside.every((inner, index) => inner === contained[index])
    ? tidied
    : Object.assign({ ...tidied }, { contained: inside });
}

function tidyFields<T extends object>(value: T, known: readonly Field[], path: string, misshapen: string[]): T {
  let copy: T | undefined;
  for (const { key, type, isList } of known) {
    const given: unknown = Reflect.get(value, key);
    if (given === undefined) continue;
    const good = isList
      ? tidyList(given, type, `${path}${key}`, misshapen)
      : tidyOne(given, type, `${path}${key}`, misshapen);
    if (good === given) continue;
    copy ??= { ...value };
    if (good === undefined) Reflect.deleteProperty(copy, key);
    else Reflect.set(copy, key, good);
  }
  return copy ?? value;
}

function tidyOne(given: unknown, type: string, path: string, misshapen: string[]): unknown {
  if (type === 'string' || type === 'number' || type === 'boolean')
    return typeof given === type ? given : refuse(given, path, misshapen);
  return isObject(given)
    ? tidyFields(given, fields[type] ?? [], `${path}.`, misshapen)
    : refuse(given, path, misshapen);
}

// In a list of primitives null is FHIR's way to say "see the extension".
function tidyList(given: unknown, type: string, path: string, misshapen: string[]): unknown {
  if (!Array.isArray(given)) return refuse(given, path, misshapen);
  const isPrimitive = type === 'string';
  const items = given.map((item: unknown, index) =>
    isPrimitive && item === null
      ? item
      : (tidyOne(item, type, `${path}[${index}]`, misshapen) ?? (isPrimitive ? null : {})),
  );
  return items.every((item, index) => item === given[index]) ? given : items;
}

// null is as good as absent; nobody has to hear of it
function refuse(given: unknown, path: string, misshapen: string[]): undefined {
  if (given !== null) misshapen.push(path);
  return undefined;
}

function fieldsIn(shape: string): Field[] {
  return shape.split(' ').map((field) => {
    const [key = '', type = ''] = field.split(':');
    return { key, type: type.replace('*', ''), isList: type.endsWith('*') };
  });
}

function isResource(value: unknown): value is Resource {
  return isObject(value) && typeof Reflect.get(value, 'resourceType') === 'string';
}
