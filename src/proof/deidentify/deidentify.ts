import type { Resource } from 'fhir/r4.js';
import { systems } from '../../fhir/systems.ts';
import { createReplacer, type Replacer } from './replacer.ts';

export interface Deidentified {
  readonly resources: readonly Resource[];
  /** Where an original value is still found, as `Patient/patient-1 name[0].family`; the caller must not write anything when there is one. */
  readonly survivors: readonly string[];
  /** The same replacement for text outside the resources: a site's own identifier system, a reference, a date. */
  readonly replace: {
    readonly reference: (reference: string) => string;
    readonly date: (date: string) => string;
    readonly system: (system: string) => string;
  };
}

export interface DeidentifyOptions {
  /** Anything unpredictable; never stored. */
  readonly seed: string;
  /** Every date moves by this many days. Multiples of seven keep weekdays. */
  readonly shiftDays: number;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** Elements that only people write and no mapping reads: replaced as a whole. */
const freeText = new Set([
  'div',
  'note',
  'comment',
  'description',
  'conclusion',
  'clinicalNotes',
  'authorString',
  'patientInstructionNote',
]);
const personTypes = new Set(['Patient', 'Practitioner', 'PractitionerRole', 'RelatedPerson', 'Person']);
const publicSystem =
  /^(https?:\/\/(terminology\.hl7\.org|hl7\.org|www\.hl7\.org|unitsofmeasure\.org|snomed\.info|loinc\.org|www\.nlm\.nih\.gov|www\.ada\.org|www\.ama-assn\.org|www\.whocc\.no|ncimeta\.nci\.nih\.gov|nucc\.org)\b|urn:ietf|urn:oid:2\.16\.840\.1\.113883\.(6|4\.6|5|12|3\.26)\b)/;
// Those that the bridge itself reads codes by, besides.
const namedSystems = new Set<string>(Object.values(systems));
const datelike = /^\d{4}-\d{2}(-\d{2}(T\d{2}:\d{2}.*)?)?$/;
// The kind of an attachment stays (image, PDF, text), its content goes.
const page = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
).toString('base64');
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/**
 * Replaces what identifies people and places in FHIR resources: names, addresses, telecom, identifiers, ids and references, photos,
 * attachments, narrative and notes, dates (moved by one constant). Codes, quantities, drug names and directions stay, the latter
 * with any known name or date in them replaced. The shape stays: padding, missing parts, repetition, partial dates.
 */
export function deidentify(resources: readonly Resource[], options: DeidentifyOptions): Deidentified {
  const replacer = createReplacer(options.seed, options.shiftDays);
  const walker = new Walker(replacer, payersOf(resources));
  const first = resources.map((resource) => walker.resource(asJson(resource)));
  // Names are known only after the first pass, so texts are scrubbed in a second one.
  const scrubbed = first.map((resource) => scrubTexts(resource, replacer) as JsonObject);
  return {
    resources: scrubbed as unknown as Resource[],
    survivors: scrubbed.flatMap((resource) => survivorsIn(resource, replacer.originals)),
    replace: {
      reference: (reference) => walker.reference(reference),
      date: replacer.date,
      system: (system) => walker.system(system),
    },
  };
}

class Walker {
  constructor(
    private readonly replacer: Replacer,
    private readonly payers: ReadonlySet<string>,
  ) {}

  resource(resource: JsonObject): JsonObject {
    const type = String(resource.resourceType);
    return this.object(
      resource,
      { type, person: personTypes.has(type), payer: this.payers.has(`${type}/${String(resource.id)}`) },
      '',
    );
  }

  private object(object: JsonObject, scope: Scope, key: string): JsonObject {
    if (key === 'photo' || key === 'attachment' || key.endsWith('Attachment')) return this.attachment(object, scope);
    const own =
      typeof object.resourceType === 'string'
        ? { ...scope, type: object.resourceType, person: personTypes.has(object.resourceType) }
        : scope;
    return Object.fromEntries(
      Object.entries(object).map(([name, value]) => [name, this.element(name, value, object, own, key)]),
    );
  }

  private element(name: string, value: Json, parent: JsonObject, scope: Scope, parentKey: string): Json {
    if (Array.isArray(value)) return value.map((item) => this.element(name, item, parent, scope, parentKey));
    if (typeof value === 'string') return this.text(name, value, parent, scope, parentKey);
    if (typeof value === 'object' && value !== null) return this.object(value as JsonObject, scope, name);
    return /^(latitude|longitude)$/.test(String(parent.url)) && typeof value === 'number' ? 0 : value;
  }

  private text(name: string, value: string, parent: JsonObject, scope: Scope, parentKey: string): string {
    if (name === 'id')
      return typeof parent.resourceType === 'string' && parentKey !== 'contained'
        ? this.replacer.id(parent.resourceType, value)
        : value;
    if (name === 'reference') return this.reference(value);
    if (name === 'div') return '<div xmlns="http://www.w3.org/1999/xhtml">Replaced</div>';
    if (parentKey === 'name' || parentKey === 'valueHumanName') return this.namePart(name, value, parent);
    if (parentKey === 'address' || parentKey === 'valueAddress') return this.addressPart(name, value);
    if (parentKey === 'telecom' && name === 'value') return this.telecom(value, parent);
    if ((parentKey === 'identifier' || parentKey === 'valueIdentifier') && name === 'value')
      return isPlaceholder(value) ? value : this.replacer.sameShape(value);
    if (name === 'subscriberId' || name === 'policyNumber' || name === 'lotNumber' || name === 'versionId')
      return name === 'versionId' ? value : this.replacer.sameShape(value);
    if (parentKey === 'class') return this.classPart(name, value, parent);
    if (name === 'name' && typeof value === 'string' && !scope.payer) return this.replacer.organization(value);
    if (name === 'display' && typeof parent.reference === 'string')
      return this.referenceDisplay(value, parent.reference, parentKey);
    if (name === 'system' || name === 'source') return this.system(value);
    if (
      freeText.has(name) ||
      (name === 'text' && parentKey === 'note') ||
      (name === 'valueString' && !/us-core-(race|ethnicity)|text$/.test(String(parent.url)))
    )
      return filler(value);
    if (
      scope.type === 'Binary' &&
      parent.resourceType === 'Binary' &&
      (name === 'data' || name === 'contentType') &&
      parent.data !== undefined
    )
      return standIn(parent.contentType, parent.data)[name];
    return datelike.test(value) && name !== 'version' && name !== 'code' && name !== 'value'
      ? this.replacer.date(value)
      : value;
  }

  private namePart(name: string, value: string, parent: JsonObject): string {
    if (isPlaceholder(value)) return value;
    if (name === 'text' && parent.family === undefined && parent.given === undefined)
      return this.words(value, this.replacer.family);
    if (name === 'family') return this.words(value, this.replacer.family);
    if (name === 'given') return this.words(value, this.replacer.given);
    return datelike.test(value) ? this.replacer.date(value) : value;
  }

  private addressPart(name: string, value: string): string {
    if (isPlaceholder(value)) return value;
    if (name === 'line') return this.replacer.street(value);
    if (name === 'city' || name === 'district') return this.replacer.city(value);
    if (name === 'postalCode') return this.replacer.sameShape(value);
    if (name === 'text') return filler(value);
    return datelike.test(value) ? this.replacer.date(value) : value;
  }

  // Plans and routings are shared by many and decide what is chosen; a group's name is an employer's, and rxid is one person's number.
  private classPart(name: string, value: string, parent: JsonObject): string {
    const type = JSON.stringify(parent.type ?? null).toLowerCase();
    if (name === 'value' && type.includes('"rxid"')) return this.replacer.sameShape(value);
    const isGroupName = type.includes('group"') && (name === 'name' || (name === 'value' && value === parent.name));
    return isGroupName ? this.replacer.organization(value) : value;
  }

  private telecom(value: string, parent: JsonObject): string {
    if (isPlaceholder(value)) return value;
    if (parent.system === 'email' || parent.system === 'url')
      return value.includes('@')
        ? `${this.replacer.sameShape(value.slice(0, value.indexOf('@')))}@example.org`
        : 'https://www.example.org';
    return this.replacer.sameShape(value);
  }

  private words(value: string, replace: (word: string) => string): string {
    return value.replace(/[\p{L}'’.]+/gu, (word) => (word.replace(/[.'’]/g, '').length < 2 ? word : replace(word)));
  }

  private referenceDisplay(value: string, reference: string, element: string): string {
    // A contained resource shows its type only by the element that points to it.
    const contained =
      reference.startsWith('#') &&
      !/medication|payor|insurer|organization|location|custodian|device|specimen/i.test(element);
    return contained || /(^|\/)(Patient|Practitioner|PractitionerRole|RelatedPerson|Person)\//.test(reference)
      ? this.words(value, this.replacer.family)
      : value;
  }

  private attachment(object: JsonObject, scope: Scope): JsonObject {
    const kept = Object.entries(object).filter(([name]) => ['contentType', 'creation', 'language'].includes(name));
    const inner = Object.fromEntries(
      kept.map(([name, value]) => [name, this.element(name, value, object, scope, 'attachment')]),
    );
    const linked = typeof object.url === 'string' ? { url: this.reference(object.url) } : {};
    return {
      ...inner,
      ...linked,
      ...(object.title === undefined ? {} : { title: 'Replaced' }),
      ...(object.data === undefined ? {} : standIn(object.contentType, object.data)),
    };
  }

  /** `Patient/p9`, absolute and versioned references, `#contained`, `urn:uuid:`. */
  reference(reference: string): string {
    const found = /^(.*\/)?([A-Z][A-Za-z]+)\/([A-Za-z0-9.-]{1,64})(\/_history\/[A-Za-z0-9.-]+)?$/.exec(reference);
    if (found !== null)
      return `${found[1] === undefined ? '' : 'https://ehr.example.org/fhir/'}${found[2]}/${this.replacer.id(found[2] ?? '', found[3] ?? '')}${found[4] ?? ''}`;
    const logical = /^([A-Z][A-Za-z]+)\?identifier=(.*)\|(.*)$/.exec(reference);
    if (logical !== null)
      return `${logical[1]}?identifier=${this.system(logical[2] ?? '')}|${this.replacer.sameShape(logical[3] ?? '')}`;
    return reference.startsWith('#') || reference.startsWith('urn:') ? reference : this.system(reference);
  }

  /** Systems of standards stay; a system that names a practice becomes one of example.org. */
  system(system: string): string {
    if (publicSystem.test(system) || namedSystems.has(system) || !/^(https?:|urn:)/.test(system)) return system;
    return `https://ehr.example.org/systems/${this.replacer.id('System', system)}`;
  }
}

interface Scope {
  readonly type: string;
  readonly person: boolean;
  readonly payer: boolean;
}

/** Organizations that pay keep their names: they identify no patient and the mapping sends them. */
function payersOf(resources: readonly Resource[]): ReadonlySet<string> {
  const payors = resources.flatMap((resource) =>
    resource.resourceType === 'Coverage' ? ((resource as { payor?: { reference?: string }[] }).payor ?? []) : [],
  );
  return new Set(payors.map((payor) => payor.reference?.split('/').slice(-2).join('/') ?? ''));
}

function scrubTexts(value: Json, replacer: Replacer, key = ''): Json {
  if (Array.isArray(value)) return value.map((item) => scrubTexts(item, replacer, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, scrubTexts(inner, replacer, name)]));
  return typeof value === 'string' && /^(text|patientInstruction|display|title|reason|name)$/.test(key)
    ? replacer.scrub(value)
    : value;
}

function survivorsIn(resource: JsonObject, originals: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const look = (value: Json, path: string): void => {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        look(item, `${path}[${index}]`);
      });
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) look(inner, path === '' ? name : `${path}.${name}`);
    else if (typeof value === 'string' && holdsOriginal(value, originals))
      found.push(`${String(resource.resourceType)}/${String(resource.id)} ${path}`);
  };
  look(resource, '');
  return found;
}

function holdsOriginal(value: string, originals: ReadonlySet<string>): boolean {
  const lower = value.toLowerCase();
  for (const original of originals) {
    if (original.length < 4 || !lower.includes(original)) continue;
    const at = lower.indexOf(original);
    const before = lower[at - 1] ?? ' ';
    const after = lower[at + original.length] ?? ' ';
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

function standIn(contentType: Json | undefined, data: Json): { data: string; contentType: string } {
  const type = String(contentType ?? '');
  if (type.startsWith('image/'))
    return { data: isCutOff(String(data)) ? pixel.slice(0, 40) : pixel, contentType: 'image/png' };
  return type.includes('pdf')
    ? { data: page, contentType: type }
    : { data: Buffer.from('words that stood here were replaced').toString('base64'), contentType: type };
}

// A picture that nobody can read stays one: the mapping answers otherwise for it. PNG ends with IEND, JPEG with FF D9.
function isCutOff(data: string): boolean {
  const bytes = Buffer.from(data, 'base64').toString('latin1');
  return bytes.startsWith('\x89PNG')
    ? !bytes.includes('IEND')
    : bytes.startsWith('\xff\xd8') && !bytes.includes('\xff\xd9');
}

function filler(value: string): string {
  const words = 'words that stood here were replaced '.repeat(Math.ceil(value.length / 35));
  return words.slice(0, Math.max(1, value.length)).trimEnd() || 'x';
}

function isPlaceholder(value: string): boolean {
  return /^\s*(n\/?a|none|unknown|unk|null|:none(:none)?|[0-]+|x+|\.|-)?\s*$/i.test(value);
}

function asJson(resource: Resource): JsonObject {
  return JSON.parse(JSON.stringify(resource)) as JsonObject;
}
