import type { CodeableConcept, Coding, FhirResource } from 'fhir/r4.js';
import { systems } from './systems.ts';

/** Where a row of a knowledge table comes from, and who has looked at it. */
export interface Reviewed {
  /** Document, section and version or year; for a row that was put together from general knowledge, this is said. */
  readonly source: string;
  /** `none`: no clinician has reviewed the row. */
  readonly review: 'none' | { readonly by: string; readonly on: string };
}

/** What tells one sensitive category: codes, beginnings of codes, or names, by the table the row stands in. */
export interface SensitiveRow extends Reviewed {
  /** What people read: `mental health`. */
  readonly category: string;
  readonly keys: readonly string[];
}

/** Words that tell one sensitive category. */
export interface SensitiveWordsRow extends Reviewed {
  readonly category: string;
  /** Case is ignored. Each runs in linear time. */
  readonly patterns: readonly RegExp[];
}

/** What the bridge knows of sensitive information. Within a table the first row that fits tells the category. */
export interface SensitivityTables {
  /** Security labels that mark nothing out of the ordinary; every other label marks something. */
  readonly ordinaryLabels: readonly (Reviewed & { readonly keys: readonly string[] })[];
  /** Security labels with a category of their own. */
  readonly labels: readonly SensitiveRow[];
  /** Beginnings of ICD-10-CM codes, in capitals and without dots. */
  readonly icd10: readonly SensitiveRow[];
  /** LOINC codes of tests and documents. */
  readonly loinc: readonly SensitiveRow[];
  /** Names of ingredients and brands, in small letters; a `?` behind a letter makes it optional. */
  readonly drugs: readonly SensitiveRow[];
  readonly words: readonly SensitiveWordsRow[];
}

/** Answers which sensitive category something tells: `mental health`; undefined when nothing does. */
export interface Sensitivity {
  /** By the resource's own security labels, then by the codes and words of the concepts and texts. */
  readonly ofResource: (
    resource: FhirResource,
    ...concepts: readonly (CodeableConcept | string | undefined)[]
  ) => string | undefined;
  /** By the resource's security labels alone; a label that no table knows marks something all the same. */
  readonly ofLabels: (resource: FhirResource) => string | undefined;
  /** By words, names of drugs among them. */
  readonly ofText: (text: string | undefined) => string | undefined;
  /** The same of what the patient is told to do: a caution against alcohol or in pregnancy tells nothing. */
  readonly ofDirections: (text: string | undefined) => string | undefined;
}

/**
 * Makes the tables ready to be asked. A category is a reason never to send or show something unasked; it is no
 * diagnosis.
 * @example sensitivityBy(sensitivity).ofResource(condition, condition.code) // 'mental health'
 */
export function sensitivityBy(tables: SensitivityTables): Sensitivity {
  const reader = new SensitivityReader(tables);
  return {
    ofResource: (resource, ...concepts) =>
      reader.ofLabels(resource) ?? firstOf(concepts, (one) => reader.ofConcept(one)),
    ofLabels: (resource) => reader.ofLabels(resource),
    ofText: (text) => reader.ofText(text),
    ofDirections: (text) => reader.ofText(text?.replace(cautions, '')),
  };
}

const someLabel = 'a security label';
// What anyone is told who takes the drug.
const cautions = /\b(avoid|no|without|not (drink|take|use)|if)\b[^.;]{0,40}?\b(alcohol|pregnan\w*)/gi;

// Keys come from charts: they are looked up in Maps and Sets, which hold only what the tables say.
class SensitivityReader {
  private readonly ordinary: ReadonlySet<string>;
  private readonly labels: ReadonlyMap<string, string>;
  private readonly loinc: ReadonlyMap<string, string>;
  private readonly words: readonly { readonly category: string; readonly pattern: RegExp }[];

  constructor(private readonly tables: SensitivityTables) {
    this.ordinary = new Set(tables.ordinaryLabels.flatMap(({ keys }) => keys));
    this.labels = categoryByKey(tables.labels);
    this.loinc = categoryByKey(tables.loinc);
    const written = tables.words.flatMap(({ category, patterns }) =>
      patterns.map((pattern) => ({ category, pattern })),
    );
    this.words = [...written, ...tables.drugs.map(({ category, keys }) => ({ category, pattern: anyNameOf(keys) }))];
  }

  ofLabels(resource: FhirResource): string | undefined {
    return firstOf(labelsOf(resource), (label) => this.ofLabel(label));
  }

  ofConcept(concept: CodeableConcept | string | undefined): string | undefined {
    if (concept === undefined) return undefined;
    if (typeof concept === 'string') return this.ofText(concept);
    return firstOf(concept.coding ?? [], (coding) => this.ofCoding(coding)) ?? this.ofText(concept.text);
  }

  ofText(text: string | undefined): string | undefined {
    return text === undefined ? undefined : this.words.find(({ pattern }) => pattern.test(text))?.category;
  }

  private ofLabel({ code, display }: Coding): string | undefined {
    if (code === undefined) return display === undefined ? undefined : someLabel;
    return this.ordinary.has(code) ? undefined : (this.labels.get(code) ?? someLabel);
  }

  private ofCoding({ system, code, display }: Coding): string | undefined {
    return (code === undefined ? undefined : this.ofCode(system, code)) ?? this.ofText(display);
  }

  private ofCode(system: string | undefined, code: string): string | undefined {
    if (system === systems.loinc) return this.loinc.get(code);
    if (!isIcd10(system)) return undefined;
    const plain = code.toUpperCase().replaceAll('.', '');
    return this.tables.icd10.find(({ keys }) => keys.some((key) => plain.startsWith(key)))?.category;
  }
}

// A chart may hold anything where labels belong: what cannot be read as one marks something.
function labelsOf(resource: FhirResource): Coding[] {
  const ofDocument = resource.resourceType === 'DocumentReference' ? [resource.securityLabel].flat() : [];
  const stated: unknown[] = [resource.meta?.security, ...ofDocument.map((concept) => concept?.coding)].flat();
  return stated
    .filter((label) => label !== undefined && label !== null)
    .map((label) => (typeof label === 'object' && label !== null ? (label as Coding) : { display: '' }));
}

function isIcd10(system: string | undefined): boolean {
  return system === systems.icd10 || system === systems.icd10who || system === 'urn:oid:2.16.840.1.113883.6.90';
}

function categoryByKey(rows: readonly SensitiveRow[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(({ category, keys }) => keys.map((key) => [key, category] as const)));
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
