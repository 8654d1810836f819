import type { CodeableConcept, Coding, FhirResource } from 'fhir/r4.js';
import { systems } from './codes/systems.ts';
import { meaningful } from './text/placeholder.ts';

/** The source of a row of a knowledge table, and its review. */
export interface Reviewed {
  /** Document, section and version or year; a row compiled from general knowledge states that instead. */
  readonly source: string;
  /** `none`: a clinician has not reviewed the row. */
  readonly review: 'none' | { readonly by: string; readonly on: string };
}

/** Evidence of one sensitive category: labels or names, depending on the table of the row. */
export interface SensitiveRow extends Reviewed {
  /** The words for people: `mental health`. */
  readonly category: string;
  readonly keys: readonly string[];
}

/** Codes of one system, each with its name in the source. */
export interface CodesOfSource extends Reviewed {
  readonly system: string;
  readonly codes: Readonly<Record<string, string>>;
}

export interface SensitiveCodes extends CodesOfSource {
  readonly category: string;
}

export interface SensitiveWordsRow extends Reviewed {
  readonly category: string;
  /** Case is ignored. Each pattern runs in linear time. */
  readonly patterns: readonly RegExp[];
}

/** The bridge's knowledge of sensitive information. Within a table, the first matching row determines the category. */
export interface SensitivityTables {
  /** Security labels of HL7 that do not mark sensitive information; every other label does. */
  readonly ordinaryLabels: readonly (Reviewed & { readonly keys: readonly string[] })[];
  /** Security labels that have a category of their own; case, blanks and punctuation are ignored. */
  readonly labels: readonly SensitiveRow[];
  /** Prefixes of ICD-10-CM codes, in capitals and without dots. */
  readonly icd10: readonly SensitiveCodes[];
  /** Patterns of whole ICD-10-CM codes, in capitals and without dots, where no prefix indicates the category. */
  readonly icd10Shapes: readonly SensitiveWordsRow[];
  /** Whole codes of any other system. */
  readonly codes: readonly SensitiveCodes[];
  /** Codes whose meaning is known and not sensitive. */
  readonly ordinaryCodes: readonly CodesOfSource[];
  /** Legal notices: the strongest evidence in a text. */
  readonly notices: readonly SensitiveWordsRow[];
  /** Names of ingredients and brands, in small letters; a `?` after a letter makes it optional. */
  readonly drugs: readonly SensitiveRow[];
  readonly words: readonly SensitiveWordsRow[];
}

/** Something that may be sensitive: a concept, one of its codings, or words. */
export type Telling = CodeableConcept | Coding | string | undefined;

/** Finds the sensitive category of something, such as `mental health`; undefined when it is not sensitive. */
export interface Sensitivity {
  /**
   * The category by the resource's security labels and notices, or else by the codes and words of the given concepts
   * and texts.
   */
  readonly ofResource: (resource: FhirResource, ...stated: readonly Telling[]) => string | undefined;
  /** The category by the resource's security labels alone. An unknown label also counts as sensitive. */
  readonly ofLabels: (resource: FhirResource) => string | undefined;
  /** The category by a legal notice, in a text or anywhere in a resource. */
  readonly ofNotice: (where: FhirResource | string | undefined) => string | undefined;
  /** The category by codes and words. */
  readonly of: (...stated: readonly Telling[]) => string | undefined;
  /** The category by words, including names of drugs. */
  readonly ofText: (text: string | undefined) => string | undefined;
  /**
   * The category by the words of directions for the patient. A caution against alcohol or in pregnancy does not count.
   */
  readonly ofDirections: (text: string | undefined) => string | undefined;
  /**
   * Whether one of the concept's codes has an unknown meaning: the code is in no table, and the concept has no words.
   */
  readonly isUnknown: (concept: CodeableConcept | undefined) => boolean;
}

/**
 * Prepares the tables for look-ups. A category is a reason not to send or show something unless somebody asks for it;
 * it is not a diagnosis.
 * @example sensitivityBy(sensitivity).ofResource(condition, condition.code) // 'mental health'
 */
export function sensitivityBy(tables: SensitivityTables): Sensitivity {
  const reader = new SensitivityReader(tables);
  const of = (...stated: readonly Telling[]) => firstOf(stated, (one) => reader.of(one));
  return {
    of,
    ofResource: (resource, ...stated) => reader.ofLabels(resource) ?? reader.ofNotice(resource) ?? of(...stated),
    ofLabels: (resource) => reader.ofLabels(resource),
    ofNotice: (where) => reader.ofNotice(where),
    ofText: (text) => reader.ofText(text),
    ofDirections: (text) => reader.ofText(text?.replace(cautions, '')),
    isUnknown: (concept) => reader.isUnknown(concept),
  };
}

const someLabel = 'a security label';
// Cautions that apply to everyone who takes the drug.
const cautions = /\b(avoid|no|without|not (drink|take|use)|if)\b[^.;]{0,40}?\b(alcohol|pregnan\w*)/gi;

// Keys come from charts, so they are looked up in Maps and Sets, which have no inherited properties.
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
    // the name of the category is a label as well
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

  of(stated: Telling): string | undefined {
    if (stated === undefined) return undefined;
    if (typeof stated === 'string') return this.ofText(stated);
    if (isCoding(stated)) return this.ofCoding(stated);
    return firstOf(stated.coding ?? [], (coding) => this.ofCoding(coding)) ?? this.ofText(stated.text);
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
      // Codes of one product in several systems mean the same, so it is enough that one of them has a name.
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

/** `42CFRPART2` for `42 CFR Part 2`. */
function labelKey(label: string): string {
  return label.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const productSystems: ReadonlySet<string> = new Set([systems.rxnorm, systems.ndc, systems.unii, systems.cvx]);

// The code systems of FHIR and HL7. All of their sensitive codes are in the tables.
const ownSystems = /^https?:\/\/(terminology\.hl7\.org|hl7\.org\/fhir)\/(?!sid\/)/;

function isWords(text: string | undefined, coding: readonly Coding[]): boolean {
  const words = meaningful(text);
  return words !== undefined && /\p{L}{2}/u.test(words) && !coding.some(({ code }) => code === words);
}

// Only a coding has these elements; a concept does not.
function isCoding(stated: CodeableConcept | Coding): stated is Coding {
  return 'code' in stated || 'system' in stated || 'display' in stated;
}

// false for nearly every resource
function mayBeLabelled(resource: FhirResource): boolean {
  const { meta, resourceType: type } = resource;
  return (
    meta?.security !== undefined || type === 'DocumentReference' || type === 'Composition' || 'contained' in resource
  );
}

// A chart may hold anything in place of labels; a value that cannot be read as a label counts as sensitive.
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

// All text that people wrote in a resource; the bytes of attachments are not text.
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
