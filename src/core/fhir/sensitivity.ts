import type { CodeableConcept, Coding, FhirResource } from 'fhir/r4.js';
import { systems } from './codes/systems.ts';
import { meaningful } from './text/placeholder.ts';

/** Where a row of a knowledge table comes from, and who has looked at it. */
export interface Reviewed {
  /** Document, section and version or year; for a row that was put together from general knowledge, this is said. */
  readonly source: string;
  /** `none`: no clinician has reviewed the row. */
  readonly review: 'none' | { readonly by: string; readonly on: string };
}

/** What tells one sensitive category: labels or names, by the table the row stands in. */
export interface SensitiveRow extends Reviewed {
  /** What people read: `mental health`. */
  readonly category: string;
  readonly keys: readonly string[];
}

/** Codes of one system, each with its name as the source has it. */
export interface CodesOfSource extends Reviewed {
  readonly system: string;
  readonly codes: Readonly<Record<string, string>>;
}

/** Codes that tell one sensitive category. */
export interface SensitiveCodes extends CodesOfSource {
  readonly category: string;
}

/** Words, or shapes of codes, that tell one sensitive category. */
export interface SensitiveWordsRow extends Reviewed {
  readonly category: string;
  /** Case is ignored. Each runs in linear time. */
  readonly patterns: readonly RegExp[];
}

/** What the bridge knows of sensitive information. Within a table the first row that fits tells the category. */
export interface SensitivityTables {
  /** Security labels of HL7 that mark nothing out of the ordinary; every other label marks something. */
  readonly ordinaryLabels: readonly (Reviewed & { readonly keys: readonly string[] })[];
  /** Security labels with a category of their own; case, blanks and punctuation do not matter. */
  readonly labels: readonly SensitiveRow[];
  /** Beginnings of ICD-10-CM codes, in capitals and without dots. */
  readonly icd10: readonly SensitiveCodes[];
  /** What whole ICD-10-CM codes look like, in capitals and without dots, where no beginning tells it. */
  readonly icd10Shapes: readonly SensitiveWordsRow[];
  /** Whole codes of any other system. */
  readonly codes: readonly SensitiveCodes[];
  /** Codes whose names are known and tell of nothing sensitive. */
  readonly ordinaryCodes: readonly CodesOfSource[];
  /** Legal notices: the strongest mark that a text can carry. */
  readonly notices: readonly SensitiveWordsRow[];
  /** Names of ingredients and brands, in small letters; a `?` behind a letter makes it optional. */
  readonly drugs: readonly SensitiveRow[];
  readonly words: readonly SensitiveWordsRow[];
}

/** What may tell something: a concept, one coding of it, or words. */
export type Telling = CodeableConcept | Coding | string | undefined;

/** Answers which sensitive category something tells: `mental health`; undefined when nothing does. */
export interface Sensitivity {
  /** By the resource's own security labels and notices, then by the codes and words of the concepts and texts. */
  readonly ofResource: (resource: FhirResource, ...told: readonly Telling[]) => string | undefined;
  /** By the resource's security labels alone; a label that no table knows marks something all the same. */
  readonly ofLabels: (resource: FhirResource) => string | undefined;
  /** By a legal notice, in a text or anywhere in a resource. */
  readonly ofNotice: (where: FhirResource | string | undefined) => string | undefined;
  /** By codes and words. */
  readonly of: (...told: readonly Telling[]) => string | undefined;
  /** By words, names of drugs among them. */
  readonly ofText: (text: string | undefined) => string | undefined;
  /** The same of what the patient is told to do: a caution against alcohol or in pregnancy tells nothing. */
  readonly ofDirections: (text: string | undefined) => string | undefined;
  /** Whether nobody can say what a code of the concept means: no table knows it, and no words stand beside it. */
  readonly isUnknown: (concept: CodeableConcept | undefined) => boolean;
}

/**
 * Makes the tables ready to be asked. A category is a reason never to send or show something unasked; it is no
 * diagnosis.
 * @example sensitivityBy(sensitivity).ofResource(condition, condition.code) // 'mental health'
 */
export function sensitivityBy(tables: SensitivityTables): Sensitivity {
  const reader = new SensitivityReader(tables);
  const of = (...told: readonly Telling[]) => firstOf(told, (one) => reader.of(one));
  return {
    of,
    ofResource: (resource, ...told) => reader.ofLabels(resource) ?? reader.ofNotice(resource) ?? of(...told),
    ofLabels: (resource) => reader.ofLabels(resource),
    ofNotice: (where) => reader.ofNotice(where),
    ofText: (text) => reader.ofText(text),
    ofDirections: (text) => reader.ofText(text?.replace(cautions, '')),
    isUnknown: (concept) => reader.isUnknown(concept),
  };
}

const someLabel = 'a security label';
// What anyone is told who takes the drug.
const cautions = /\b(avoid|no|without|not (drink|take|use)|if)\b[^.;]{0,40}?\b(alcohol|pregnan\w*)/gi;

// Keys come from charts: they are looked up in Maps and Sets, which hold only what the tables say.
class SensitivityReader {
  private readonly ordinaryLabels: ReadonlySet<string>;
  private readonly labels: ReadonlyMap<string, string>;
  private readonly codes: ReadonlyMap<string, string>;
  private readonly ordinaryCodes: ReadonlySet<string>;
  private readonly icd10: readonly (readonly [start: string, category: string])[];
  private readonly words: readonly Pattern[];
  private readonly notices: readonly Pattern[];
  private readonly icd10Shapes: readonly Pattern[];

  constructor(tables: SensitivityTables) {
    this.ordinaryLabels = new Set(tables.ordinaryLabels.flatMap(({ keys }) => keys.map(labelKey)));
    // by the name of the category too
    this.labels = new Map(
      tables.labels.flatMap(({ category, keys }) =>
        [category, ...keys].map((key) => [labelKey(key), category] as const),
      ),
    );
    this.codes = new Map(
      tables.codes.flatMap(({ category, system, codes }) =>
        Object.keys(codes).map((code) => [`${system}|${code}`, category] as const),
      ),
    );
    this.ordinaryCodes = new Set(
      tables.ordinaryCodes.flatMap(({ system, codes }) => Object.keys(codes).map((code) => `${system}|${code}`)),
    );
    this.icd10 = tables.icd10.flatMap(({ category, codes }) =>
      Object.keys(codes).map((start) => [start, category] as const),
    );
    this.icd10Shapes = patternsOf(tables.icd10Shapes);
    this.notices = patternsOf(tables.notices);
    const drugs = tables.drugs.map(({ category, keys }) => ({ category, pattern: anyNameOf(keys) }));
    this.words = [...this.notices, ...patternsOf(tables.words), ...drugs];
  }

  ofLabels(resource: FhirResource): string | undefined {
    return mayBeLabelled(resource) ? firstOf(labelsOf(resource), (label) => this.ofLabel(label)) : undefined;
  }

  ofNotice(where: FhirResource | string | undefined): string | undefined {
    if (where === undefined) return undefined;
    const text = typeof where === 'string' ? where : textOf(where);
    return mayBeNotice.test(text) ? this.notices.find(({ pattern }) => pattern.test(text))?.category : undefined;
  }

  of(told: Telling): string | undefined {
    if (told === undefined) return undefined;
    if (typeof told === 'string') return this.ofText(told);
    if (isCoding(told)) return this.ofCoding(told);
    return firstOf(told.coding ?? [], (coding) => this.ofCoding(coding)) ?? this.ofText(told.text);
  }

  ofText(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.words.find(({ pattern }) => pattern.test(text))?.category;
  }

  isUnknown(concept: CodeableConcept | undefined): boolean {
    const { coding = [], text } = concept ?? {};
    if (isWords(text, coding)) return false;
    const isNamed = coding.some(({ display }) => isWords(display, coding));
    return coding.some((one) => {
      if (one.code === undefined || isWords(one.display, coding) || this.isKnown(one)) return false;
      // The codes of one product in several systems mean the product that one of them names.
      return !(isNamed && one.system !== undefined && productSystems.has(one.system));
    });
  }

  private isKnown(coding: Coding): boolean {
    const { system = '', code } = coding;
    return isIcd10(system) || ownSystems.test(system) || this.ordinaryCodes.has(`${system}|${code}`);
  }

  private ofLabel(label: Coding): string | undefined {
    const { system, code, display } = label;
    const keys = [code, display].flatMap((text) => (text === undefined ? [] : [labelKey(text)]));
    const [key] = keys;
    if (key === undefined) return code === undefined && display === undefined ? undefined : someLabel;
    if (this.ordinaryLabels.has(key) && (system === undefined || ownSystems.test(system))) return undefined;
    return firstOf(keys, (one) => this.labels.get(one)) ?? this.ofCoding(label) ?? someLabel;
  }

  private ofCoding({ system, code, display }: Coding): string | undefined {
    return (code === undefined ? undefined : this.ofCode(system, code)) ?? this.ofText(display);
  }

  private ofCode(system: string | undefined, code: string): string | undefined {
    if (!isIcd10(system)) return this.codes.get(`${system}|${code}`);
    const plain = code.toUpperCase().replaceAll('.', '');
    const begun = this.icd10.find(([start]) => plain.startsWith(start))?.[1];
    return begun ?? this.icd10Shapes.find(({ pattern }) => pattern.test(plain))?.category;
  }
}

interface Pattern {
  readonly category: string;
  readonly pattern: RegExp;
}

function patternsOf(rows: readonly SensitiveWordsRow[]): Pattern[] {
  return rows.flatMap(({ category, patterns }) => patterns.map((pattern) => ({ category, pattern })));
}

/** `42CFRPART2` of `42 CFR Part 2`. */
function labelKey(label: string): string {
  return label.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const productSystems: ReadonlySet<string> = new Set([systems.rxnorm, systems.ndc, systems.unii, systems.cvx]);

// Those of FHIR and HL7 themselves: what of them is sensitive stands in the tables.
const ownSystems = /^https?:\/\/(terminology\.hl7\.org|hl7\.org\/fhir)\/(?!sid\/)/;

function isWords(text: string | undefined, coding: readonly Coding[]): boolean {
  const words = meaningful(text);
  return words !== undefined && /\p{L}{2}/u.test(words) && !coding.some(({ code }) => code === words);
}

// Elements of a concept that only a coding has.
function isCoding(told: CodeableConcept | Coding): told is Coding {
  return 'code' in told || 'system' in told || 'display' in told;
}

// false for nearly every resource
function mayBeLabelled(resource: FhirResource): boolean {
  const { meta, resourceType: type } = resource;
  return (
    meta?.security !== undefined || type === 'DocumentReference' || type === 'Composition' || 'contained' in resource
  );
}

// A chart may hold anything where labels belong: what cannot be read as one marks something.
function labelsOf(resource: FhirResource): Coding[] {
  const ofDocument = resource.resourceType === 'DocumentReference' ? [resource.securityLabel].flat() : [];
  const ofComposition = resource.resourceType === 'Composition' ? [{ code: resource.confidentiality }] : [];
  const inner = 'contained' in resource && Array.isArray(resource.contained) ? resource.contained : [];
  const stated: unknown[] = [
    resource.meta?.security,
    ...inner.map((one) => one?.meta?.security),
    ...ofDocument.map((concept) => concept?.coding ?? textLabel(concept?.text)),
  ].flat();
  return [
    ...ofComposition.flatMap(({ code }) => (code === undefined ? [] : [{ code }])),
    ...stated
      .filter((label) => label !== undefined && label !== null)
      .map((label) => (typeof label === 'object' && label !== null ? (label as Coding) : { display: '' })),
  ];
}

function textLabel(text: string | undefined): Coding | undefined {
  return text === undefined ? undefined : { display: text };
}

// Everything that people wrote into a resource; bytes of attachments are no text.
function textOf(resource: FhirResource): string {
  const json = JSON.stringify(resource, (key, value: unknown) => (key === 'data' ? undefined : value));
  return json.replace(/<[^<>]*>|&#?\w+;|\\[nrt]/g, ' ');
}

const mayBeNotice = /c\.?\s?f\.?\s?r|part\W*(2|ii|two)\b|re-?\s?disclos|confidential|290dd|prohibit/i;

function isIcd10(system: string | undefined): boolean {
  return system === systems.icd10 || system === systems.icd10who;
}

function anyNameOf(names: readonly string[]): RegExp {
  return new RegExp(`\\b(${names.join('|')})\\b`, 'i');
}

function firstOf<T>(all: readonly T[], answer: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = answer(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
