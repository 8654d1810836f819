import { z } from 'zod';
import { nearest } from '../../did-you-mean.ts';
import { isObject } from '../../fhir/is-object.ts';
import { inOurWords } from '../../issue-words.ts';
import { type CriterionCondition, type CriterionRow, leafWords, RowHead } from './words.ts';

/** A mistake in a criteria file. `path` starts at the root of the JSON. */
export interface CriteriaProblem {
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

/** An unknown name is reported, because its criterion could never be met. */
export interface KnownNames {
  /** Names of tests and scores. */
  readonly tests: readonly string[];
  readonly classes: readonly string[];
}

type Path = readonly PropertyKey[];

/**
 * Reads the rows of a site's criteria from parsed JSON: `{ "criteria": [ ... ] }`. Returns every mistake, not only the
 * first.
 *
 * @example readCriteria(JSON.parse(text), { tests: ['Hemoglobin A1c'], classes: [] })
 */
export function readCriteria(
  file: unknown,
  known: KnownNames,
): { readonly rows: readonly CriterionRow[]; readonly problems: readonly CriteriaProblem[] } {
  const reader = new CriteriaReader(known);
  const rows = reader.rows(file);
  return { rows, problems: reader.problems };
}

const joins = ['all', 'any', 'some', 'not'] as const;
const words: readonly string[] = [...joins, ...Object.keys(leafWords)];

class CriteriaReader {
  readonly problems: CriteriaProblem[] = [];

  constructor(private readonly known: KnownNames) {}

  rows(file: unknown): CriterionRow[] {
    const parsed = z.strictObject({ criteria: z.array(z.unknown()) }).safeParse(file, inOurWords);
    if (parsed.success) return parsed.data.criteria.flatMap((row, index) => this.row(row, ['criteria', index]));
    this.reportIssues(parsed.error.issues, []);
    return [];
  }

  private row(row: unknown, path: Path): CriterionRow[] {
    if (!isObject(row)) return this.report(path, 'a criterion is an object');
    const { condition, ...rest } = row;
    const head = RowHead.safeParse(rest, inOurWords);
    if (!head.success) this.reportIssues(head.error.issues, path);
    else if ((head.data.drug === undefined) === (head.data.class === undefined))
      this.report(path, 'drug or class, one');
    else this.checkName(head.data.class, this.known.classes, [...path, 'class'], 'class');
    const read = this.condition(condition, [...path, 'condition']);
    return head.success && read !== undefined ? [{ ...head.data, condition: read }] : [];
  }

  private condition(value: unknown, path: Path): CriterionCondition | undefined {
    if (!isObject(value)) return this.reportOne(path, `a condition is an object with one of ${words.join(', ')}`);
    const keys = Object.keys(value);
    const [word] = keys;
    if (word === undefined || keys.length > 1) return this.reportOne(path, 'a condition has one word');
    if (!words.includes(word)) return this.reportOne([...path, word], `there is no such word${nearest(word, words)}`);
    return this.worded(word, value[word], [...path, word]);
  }

  private worded(word: string, says: unknown, path: Path): CriterionCondition | undefined {
    if (word === 'all' || word === 'any') {
      const of = this.list(says, path);
      return of === undefined ? undefined : { word, of };
    }
    if (word === 'not') {
      const of = this.condition(says, path);
      return of === undefined ? undefined : { word, of };
    }
    return word === 'some' ? this.some(says, path) : this.leaf(word, says, path);
  }

  private some(says: unknown, path: Path): CriterionCondition | undefined {
    const head = z.strictObject({ atLeast: z.int().positive(), of: z.array(z.unknown()) }).safeParse(says, inOurWords);
    if (!head.success) return this.reportIssues(head.error.issues, path);
    const { atLeast } = head.data;
    const of = this.list(head.data.of, [...path, 'of']);
    if (of === undefined) return undefined;
    if (atLeast > of.length) return this.reportOne([...path, 'atLeast'], `there are only ${of.length} conditions`);
    return { word: 'some', atLeast, of };
  }

  private list(says: unknown, path: Path): CriterionCondition[] | undefined {
    if (!Array.isArray(says) || says.length === 0) return this.reportOne(path, 'a list of conditions');
    const read = says.map((one: unknown, index) => this.condition(one, [...path, index]));
    const whole = read.filter((one) => one !== undefined);
    return whole.length === read.length ? whole : undefined;
  }

  private leaf(word: string, says: unknown, path: Path): CriterionCondition | undefined {
    const schema: z.ZodType = leafWords[word as keyof typeof leafWords]; // the caller checked the word
    const parsed = schema.safeParse(says, inOurWords);
    if (!parsed.success) return this.reportIssues(parsed.error.issues, path);
    const condition = { word, says: parsed.data } as CriterionCondition; // parsed by the schema of the word
    if (condition.word === 'test') this.checkName(condition.says.name, this.known.tests, [...path, 'name'], 'test');
    return condition;
  }

  private checkName(name: string | undefined, known: readonly string[], path: Path, what: string): void {
    if (name === undefined || known.includes(name)) return;
    this.report(path, `there is no ${what} ${name}${nearest(name, known)}`);
  }

  private reportIssues(issues: readonly z.core.$ZodIssue[], path: Path): undefined {
    for (const issue of issues)
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys) this.report([...path, ...issue.path, key], 'there is no such key here');
      else this.report([...path, ...issue.path], issue.message);
    return undefined;
  }

  private reportOne(path: Path, reason: string): undefined {
    this.problems.push({ path, reason });
    return undefined;
  }

  private report(path: Path, reason: string): [] {
    this.problems.push({ path, reason });
    return [];
  }
}
