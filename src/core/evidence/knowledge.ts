import type { CodeableConcept } from 'fhir/r4.js';
import { systems } from '../fhir/codes/systems.ts';
import {
  type CodesOfSource,
  type Reviewed,
  type Sensitivity,
  type SensitivityTables,
  sensitivityBy,
} from '../fhir/sensitivity.ts';

/** A class of drugs, or a group of several classes, with the tests that reviewers commonly ask for. */
export interface DrugClassRow extends Reviewed {
  readonly name: string;
  /** `class`: drugs that work in the same way. `group`: drugs of several classes for similar diseases. */
  readonly kind: 'class' | 'group';
  /** ICD-10-CM code prefixes of the diseases that the row is for. Absent for any disease. */
  readonly diagnoses?: readonly string[];
  /** How the drugs of the row are used, if some of them also have another use. */
  readonly use?: DrugUse;
  /** A product or its directions must match, because other forms of the drug have other uses. */
  readonly says?: RegExp;
  /** Ingredients in lowercase. */
  readonly drugs: readonly string[];
  /** Ingredients of the treatments that usually come first. */
  readonly before: readonly string[];
  /** Names of lab concepts. */
  readonly asks: readonly string[];
  readonly asksOf?: readonly AskedOf[];
}

/** Tests that reviewers ask for only with some diseases or drugs of a class. */
export interface AskedOf {
  /** Names of lab concepts. */
  readonly tests: readonly string[];
  /** ICD-10-CM code prefixes of the diseases. Absent for any disease. */
  readonly diagnoses?: readonly string[];
  /** Ingredients in lowercase. Absent for every drug of the class. */
  readonly drugs?: readonly string[];
  readonly source: string;
}

export type DrugUse = 'as needed' | 'regular';

/** A test with its LOINC codes. Results of all the codes are shown together, and suggestions use its name. */
export interface LabConceptRow extends Reviewed {
  readonly name: string;
  readonly kind: 'Lab Result' | 'Vital Sign' | 'Score';
  /** No code is in two rows. */
  readonly loinc: readonly string[];
  /** Patterns for the name of a test that has no LOINC code. */
  readonly words?: readonly RegExp[];
  /** Patterns for the body site in a name in lowercase. Results of two sites are never compared. */
  readonly sites?: readonly RegExp[];
  /**
   * ICD-10-CM code prefixes of the diseases that the test measures, if it is part of a usual panel or monitors the
   * safety of many drugs. Such a test is no evidence for any other disease.
   */
  readonly measures?: readonly string[];
}

export interface DoubtWords extends Reviewed {
  readonly words: RegExp;
}

/** The tables of `mappings/knowledge`. */
export interface KnowledgeTables {
  readonly drugClasses: readonly DrugClassRow[];
  readonly labConcepts: readonly LabConceptRow[];
  readonly sensitivity: SensitivityTables;
  readonly doubtWords: DoubtWords;
}

export interface DrugClass extends Pick<DrugClassRow, 'name' | 'kind' | 'diagnoses' | 'use' | 'says'> {
  /** Where the row of the class comes from. */
  readonly source: string;
  /** Whether the class has a drug with any of these ingredients. */
  readonly holds: (ingredients: string) => boolean;
  /** The tests that reviewers commonly ask for with any disease. */
  readonly asks: readonly string[];
  readonly asksOf: readonly AskedOf[];
  /** Whether a treatment with any of these ingredients usually comes before the drugs of the class. */
  readonly comesFirst: (ingredients: string) => boolean;
}

/** The tables, indexed once by `knowledgeOf`. */
export interface Knowledge {
  /** The classes that have a drug with any of these ingredients. */
  readonly classesOf: (ingredients: string) => readonly DrugClass[];
  readonly classNamed: (name: string) => DrugClass | undefined;
  /** The concept of a test, by its LOINC codes. Only a test without a LOINC code is looked up by its name. */
  readonly labConceptOf: (
    test: CodeableConcept | undefined,
  ) => Pick<LabConceptRow, 'name' | 'kind' | 'sites'> | undefined;
  /** The lab concepts in a sentence such as `HBsAg nonreactive, anti-HBs reactive`, by name. */
  readonly labConceptsIn: (sentence: string) => readonly string[];
  readonly kindOf: (concept: string) => LabConceptRow['kind'] | undefined;
  readonly diseasesOf: (concept: string) => LabConceptRow['measures'];
  readonly sensitivity: Sensitivity;
  readonly doubtWords: DoubtWords;
}

/**
 * Indexes the knowledge tables.
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

// Codes in the tables are not sensitive, so the words of their tests are not checked.
function ordinaryCodesOf({ name, loinc, source, review }: LabConceptRow): CodesOfSource {
  return { system: systems.loinc, codes: Object.fromEntries(loinc.map((code) => [code, name])), source, review };
}

// In characters. No test name is longer.
const longestName = 200;

function conceptFinder(rows: readonly LabConceptRow[]): Knowledge['labConceptOf'] {
  const byCode = new Map(rows.flatMap((row) => row.loinc.map((code) => [code, row] as const)));
  // Scores come first, because DAS28-CRP is not C-reactive protein.
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

// In characters. No conclusion is longer.
const longestSentence = 2000;

// Longer names come first and each match is removed, because hemoglobin A1c is not hemoglobin.
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

// An empty list must not match any text.
function anyOf(names: readonly string[]): RegExp {
  return names.length === 0 ? /(?!)/ : new RegExp(`\\b(${names.join('|')})(?![a-z])`);
}
