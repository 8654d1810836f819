import { isObject } from '../../fhir/is-object.ts';
import { lettersAndDigits } from '../../fhir/text/letters-and-digits.ts';
import { meaningful } from '../../fhir/text/placeholder.ts';
import type { CompiledPath } from '../../fhirpath/compile.ts';
import { refusedItem } from '../../mapping/refused.ts';
import type { Look, RefusedValue } from '../../mapping/result.ts';
import type { Unless, WhyOf } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { type Ranked, type Ranking, rankedAlone } from '../rank.ts';
import { itemsAt, type Subject } from '../subject.ts';

export interface JudgedCandidate {
  readonly subject: Subject;
  readonly refusal: string | undefined;
}

/** The candidates of a role. `fitting` are those that can fill the role, the best first. */
export interface RankedCandidates {
  readonly all: readonly JudgedCandidate[];
  readonly fitting: readonly Ranked[];
}

export interface CandidateRules {
  readonly unless: Unless;
  readonly whyOf: WhyOf;
  readonly ranking: Ranking;
}

const emptyField: RankedCandidates = Object.freeze({ all: [], fitting: [] });
const noFitting: readonly Ranked[] = Object.freeze([]);

export function fieldAlone(subject: Subject): RankedCandidates {
  return new FieldOfOne(subject, undefined);
}

/** Why a single candidate cannot fill the role. Undefined if it can. */
export function refusalAlone(subject: Subject, { unless, ranking }: CandidateRules, facts: Facts): string | undefined {
  return unless(subject, facts) ?? ranking.refusals?.([subject], facts)(subject);
}

/** The result for a single candidate, the usual case. `all` is computed only on access. */
class FieldOfOne implements RankedCandidates {
  readonly fitting: readonly Ranked[];

  constructor(
    private readonly subject: Subject,
    private readonly refusal: string | undefined,
  ) {
    this.fitting = refusal === undefined ? [rankedAlone(subject)] : noFitting;
  }

  get all(): readonly JudgedCandidate[] {
    const { subject, refusal } = this;
    return [{ subject, refusal }];
  }
}

/** Rules candidates out by clauses and then by preferences that compare candidates, and ranks the rest. */
export function judgeCandidates(subjects: readonly Subject[], rules: CandidateRules, facts: Facts): RankedCandidates {
  const [only] = subjects;
  if (only === undefined) return emptyField;
  if (subjects.length === 1) return new FieldOfOne(only, refusalAlone(only, rules, facts));
  const { unless, ranking } = rules;
  const ruled = subjects.map((subject): JudgedCandidate => ({ subject, refusal: unless(subject, facts) }));
  const open = openOf(ruled);
  if (ranking.refusals === undefined || open.length === 0) return { all: ruled, fitting: ranking.sort(open, facts) };
  const refusal = ranking.refusals(open, facts);
  const all = ruled.map((one) => (one.refusal === undefined ? { ...one, refusal: refusal(one.subject) } : one));
  return { all, fitting: ranking.sort(openOf(all), facts) };
}

function openOf(judged: readonly JudgedCandidate[]): Subject[] {
  const open: Subject[] = [];
  for (const { subject, refusal } of judged) if (refusal === undefined) open.push(subject);
  return open;
}

/**
 * The content of a candidate for comparison: the texts of its elements without surrounding blanks, case, dots, commas
 * and different Unicode forms. A family name loses its suffix, and a number its separators.
 */
export function comparedContent(subject: Subject, same: readonly CompiledPath[], facts: Facts): string {
  if (same.length === 0) return subject.reference;
  return JSON.stringify(
    same.map((path) => {
      const likened = alike[path.expression];
      return itemsAt(path, [subject.item], facts).map(({ value }) => {
        const text = plain(value);
        return typeof text === 'string' && likened !== undefined ? likened(text) : text;
      });
    }),
  );
}

// EHRs write HumanName.suffix into the family name ("Fenwick, Jr."), and separators into numbers.
const alike: Readonly<Record<string, (text: string) => string>> = {
  family: (text) => text.replace(/ (?:jr|sr|ii|iii|iv|md|phd|esq)$/, ''),
  value: (text) => lettersAndDigits(text) || text,
};

function plain(value: unknown): unknown {
  const text = meaningful(value);
  if (text === undefined) return isObject(value) ? value : undefined;
  return text.normalize('NFC').toLowerCase().replaceAll('.', '').replaceAll(',', '');
}

export function refusedOf({ all }: RankedCandidates, whyOf: WhyOf, facts: Facts): RefusedValue[] {
  return all.flatMap(({ subject, refusal }) => {
    if (refusal === undefined) return [];
    const why = whyOf(subject, facts);
    const words = why === undefined ? `${subject.reference}: ${refusal}` : undefined;
    return [refusedItem(why ?? 'ruled_out', subject.item, words)];
  });
}

/** How far the search for a role got: the steps of the path, and then the number of candidates that can be used. */
export function looksOf(path: CompiledPath, field: RankedCandidates, { whyOf }: CandidateRules, facts: Facts): Look[] {
  const { steps } = path.trace([], facts.environment);
  const refused = refusedOf(field, whyOf, facts);
  const counted = [
    ...steps.map(({ step, items }) => ({ step, items })),
    { step: 'can be used', items: field.fitting.length },
  ];
  const look = { expression: path.expression, steps: counted };
  return [refused.length === 0 ? look : { ...look, refused }];
}
