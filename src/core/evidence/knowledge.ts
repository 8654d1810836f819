import type { CodeableConcept } from 'fhir/r4.js';
import { systems } from '../fhir/codes/systems.ts';
import {
  type CodesOfSource,
  type Reviewed,
  type Sensitivity,
  type SensitivityTables,
  sensitivityBy,
} from '../fhir/sensitivity.ts';

/** A class of drugs, or a group of several classes, with what its reviewers commonly ask for. */
export interface DrugClassRow extends Reviewed {
  readonly name: string;
  /** `class`: drugs that work in the same way. `group`: drugs of several classes for like diseases. */
  readonly kind: 'class' | 'group';
  /** Prefixes of the ICD-10-CM codes that the row applies to; absent for any diagnosis. */
  readonly diagnoses?: readonly string[];
  /** The use that it is for, where some of its drugs have another one. */
  readonly use?: DrugUse;
  /** Words of a product or its directions without which a drug is not of the row: other forms of it are for others. */
  readonly says?: RegExp;
  /** Ingredients, in small letters, of the drugs of the class. */
  readonly drugs: readonly string[];
  /** Ingredients of treatments that usually come first. */
  readonly before: readonly string[];
  /** Names of lab concepts. */
  readonly asks: readonly string[];
  /** What is asked only of some of its diseases or drugs. */
  readonly asksOf?: readonly AskedOf[];
}

/** Tests that are asked only of some diseases or drugs of a class. */
export interface AskedOf {
  /** Names of lab concepts. */
  readonly tests: readonly string[];
  /** How the ICD-10-CM codes of the diseases begin; absent where it is asked of any. */
  readonly diagnoses?: readonly string[];
  /** Ingredients, in small letters; absent where it is asked of every drug of the class. */
  readonly drugs?: readonly string[];
  readonly source: string;
}

export type DrugUse = 'as needed' | 'regular';

/** A test that several LOINC codes mean: results of one are told together, and suggestions speak of it. */
export interface LabConceptRow extends Reviewed {
  readonly name: string;
  readonly kind: 'Lab Result' | 'Vital Sign' | 'Score';
  /** LOINC codes; a code stands in one row only. */
  readonly loinc: readonly string[];
  /** How the name of a test without any LOINC code tells it. */
  readonly words?: readonly RegExp[];
  /** How names in small letters say where on the body it was measured: results of two sites are not compared. */
  readonly sites?: readonly RegExp[];
  /**
   * Of a test that is part of a usual panel or watched for harm of many drugs: how the ICD-10-CM codes of the diseases
   * begin that it measures. Of any other disease it says nothing.
   */
  readonly measures?: readonly string[];
}

/** How a diagnosis says that it is not certain. */
export interface DoubtWords extends Reviewed {
  readonly words: RegExp;
}

/** Everything of `mappings/knowledge`, as the tables stand there. */
export interface KnowledgeTables {
  readonly drugClasses: readonly DrugClassRow[];
  readonly labConcepts: readonly LabConceptRow[];
  readonly sensitivity: SensitivityTables;
  readonly doubtWords: DoubtWords;
}

/** A class that the ordered drug belongs to. */
export interface DrugClass extends Pick<DrugClassRow, 'name' | 'kind' | 'diagnoses' | 'use' | 'says'> {
  /** Where its row was taken from. */
  readonly source: string;
  /** Whether a treatment, by its ingredients, belongs to the class. */
  readonly holds: (ingredients: string) => boolean;
  /** Names of the tests that reviewers commonly ask for, whatever the disease. */
  readonly asks: readonly string[];
  readonly asksOf: readonly AskedOf[];
  /** Whether a treatment, by its ingredients, usually comes before the drugs of the class. */
  readonly comesFirst: (ingredients: string) => boolean;
}

/** The tables made ready to be asked. Made once by `knowledgeOf`; the answers depend on nothing but the tables. */
export interface Knowledge {
  /** The classes that a drug belongs to, by its ingredients. */
  readonly classesOf: (ingredients: string) => readonly DrugClass[];
  readonly classNamed: (name: string) => DrugClass | undefined;
  /** The concept that a test's LOINC codes name; only a test without any LOINC code is told by its name or words. */
  readonly labConceptOf: (
    test: CodeableConcept | undefined,
  ) => Pick<LabConceptRow, 'name' | 'kind' | 'sites'> | undefined;
  /** The names of the laboratory tests that a sentence speaks of: `HBsAg nonreactive, anti-HBs reactive`. */
  readonly labConceptsIn: (sentence: string) => readonly string[];
  /** The kind of a lab concept, by its name. */
  readonly kindOf: (concept: string) => LabConceptRow['kind'] | undefined;
  /** `measures` of a lab concept, by its name. */
  readonly diseasesOf: (concept: string) => LabConceptRow['measures'];
  readonly sensitivity: Sensitivity;
  readonly doubtWords: DoubtWords;
}

/**
 * Makes knowledge tables ready to be asked.
 * @example knowledgeOf(tables).labConceptOf({ text: 'HbA1c (POC)' })?.name // 'Hemoglobin A1c'
 */
export function knowledgeOf({ drugClasses, labConcepts, sensitivity, doubtWords }: KnowledgeTables): Knowledge {
  const classes = drugClasses.map(({ drugs, before, asks, asksOf = [], source, ...row }) => {
    const [ofClass, first] = [anyOf(drugs), anyOf(before)];
    const known: DrugClass = {
      ...row,
      source,
      asks,
      asksOf,
      holds: (ingredients) => ofClass.test(ingredients.toLowerCase()),
      comesFirst: (ingredients) => first.test(ingredients.toLowerCase()),
    };
    return known;
  });
  return {
    classesOf: (ingredients) => classes.filter(({ holds }) => holds(ingredients)),
    classNamed: (name) => classes.find((one) => one.name === name),
    labConceptOf: conceptFinder(labConcepts),
    labConceptsIn: sentenceReader(labConcepts),
    doubtWords,
    kindOf: (concept) => labConcepts.find(({ name }) => name === concept)?.kind,
    diseasesOf: (concept) => labConcepts.find(({ name }) => name === concept)?.measures,
    sensitivity: sensitivityBy({
      ...sensitivity,
      ordinaryCodes: [...sensitivity.ordinaryCodes, ...labConcepts.map(ordinaryCodesOf)],
    }),
  };
}

// A test that the tables know by its codes needs no words.
function ordinaryCodesOf({ name, loinc, source, review }: LabConceptRow): CodesOfSource {
  return { system: systems.loinc, codes: Object.fromEntries(loinc.map((code) => [code, name])), source, review };
}

// No test is named in more characters; words behind them are not looked at.
const longestName = 200;

function conceptFinder(rows: readonly LabConceptRow[]): Knowledge['labConceptOf'] {
  const byCode = new Map(rows.flatMap((row) => row.loinc.map((code) => [code, row] as const)));
  // Scores first: DAS28-CRP is no C-reactive protein.
  const byWords = [...rows.filter(({ kind }) => kind === 'Score'), ...rows.filter(({ kind }) => kind !== 'Score')];
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  return ({ coding = [], text } = {}) => {
    const codes = coding.flatMap(({ system, code }) => (system === systems.loinc && code !== undefined ? [code] : []));
    if (codes.length > 0) return codes.map((code) => byCode.get(code)).find((row) => row !== undefined);
    const names = [text, ...coding.map(({ display }) => display)].flatMap((name) => name?.slice(0, longestName) ?? []);
    const named = names.map((name) => byName.get(name.trim().toLowerCase())).find((row) => row !== undefined);
    if (named !== undefined) return named;
    return byWords.find(({ words = [] }) => words.some((pattern) => names.some((name) => pattern.test(name))));
  };
}

// No conclusion is longer; words behind it are not looked at.
const longestSentence = 2000;

// The longer name first, and once: hemoglobin A1c is no hemoglobin.
function sentenceReader(rows: readonly LabConceptRow[]): Knowledge['labConceptsIn'] {
  const tests = rows
    .filter(({ kind }) => kind === 'Lab Result')
    .toSorted((one, other) => other.name.length - one.name.length)
    .map(({ name, words = [] }) => ({ name, patterns: [...words, new RegExp(`\\b${escaped(name)}\\b`, 'i')] }));
  return (sentence) => {
    let rest = sentence.slice(0, longestSentence);
    return tests.flatMap(({ name, patterns }) => {
      const found = patterns.find((pattern) => pattern.test(rest));
      if (found === undefined) return [];
      for (const pattern of patterns) rest = rest.replaceAll(new RegExp(pattern.source, 'gi'), ' ');
      return [name];
    });
  };
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

// No names are in no text.
function anyOf(names: readonly string[]): RegExp {
  return names.length === 0 ? /(?!)/ : new RegExp(`\\b(${names.join('|')})(?![a-z])`);
}
