import { type CompiledPath, compilePath } from '../../fhirpath/compile.ts';
import type { Question, Root } from '../../mapping/input.ts';
import type { Look } from '../../mapping/result.ts';
import type { Choice } from '../chart.ts';
import { compileClause, compileWords } from '../compile-clauses.ts';
import { compileUnless, compileWhy } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot, type RootWords } from '../filled.ts';
import { compareKeys, compileRanking, type Ranked } from '../rank.ts';
import { itemsAt, partOf, type Subject, subjectNode, textAt } from '../subject.ts';
import type { AskWhen, Pick } from '../words.ts';
import {
  type CandidateRules,
  comparedContent,
  fieldAlone,
  judgeCandidates,
  looksOf,
  type RankedCandidates,
  refusalAlone,
} from './candidates.ts';
import { askedOf, type CompiledAsk, type Filler, noRoot, questionOf } from './filler.ts';

export function compileAsks(asks: readonly AskWhen[]): CompiledAsk[] {
  return asks.map((ask) => ({
    ask,
    when: compileClause(ask.when),
    beside: ask.beside === undefined ? undefined : compileClause(ask.beside),
    words: compileWords(ask.message),
    part: ask.why === undefined || ask.part === undefined ? undefined : compilePath(ask.part),
    confirms: ask.confirms === undefined ? undefined : compilePath(ask.confirms),
  }));
}

export function compilePick(rule: Pick): Filler {
  const paths = rule.paths.map((path) => compilePath(path));
  const unless = compileUnless(rule.unless);
  const ranking = compileRanking(rule.prefer);
  const same = rule.same.map((path) => compilePath(path));
  const asks = compileAsks(rule.asks);
  const option = rule.tie.kind === 'ask' && rule.tie.option !== undefined ? compilePath(rule.tie.option) : undefined;
  const rules = { unless, whyOf: compileWhy(rule.unless), ranking };
  const compiled = { rule, rules, same, asks, option };
  return (facts, role) => {
    for (const path of paths) {
      const items = itemsAt(path, none, facts);
      const [only] = items;
      if (only === undefined) continue;
      const filled =
        items.length === 1
          ? pickOnly(role, partOf(only), compiled, facts)
          : pickBest(role, items.map(partOf), compiled, facts);
      if (filled !== undefined) return filled;
    }
    return new NothingPicked(role, paths, rules, facts);
  };
}

function fieldAt(path: CompiledPath, rules: CandidateRules, facts: Facts): RankedCandidates {
  const items = itemsAt(path, none, facts);
  return judgeCandidates(items.length === 0 ? none : items.map(partOf), rules, facts);
}

interface Compiled {
  readonly rule: Pick;
  readonly rules: CandidateRules;
  readonly same: readonly CompiledPath[];
  readonly asks: readonly CompiledAsk[];
  readonly option: CompiledPath | undefined;
}

// Most candidates are the only one, so nothing is compared, and the reason is composed on access.
function pickOnly(role: string, only: Subject, { rules, asks }: Compiled, facts: Facts): Filled | undefined {
  if (refusalAlone(only, rules, facts) !== undefined) return undefined;
  return new Picked(role, undefined, only, askedOf(role, asks, only, facts));
}

function pickBest(role: string, all: readonly Subject[], compiled: Compiled, facts: Facts): Filled | undefined {
  const field = judgeCandidates(all, compiled.rules, facts);
  return field.fitting.length === 0 ? undefined : decide(role, field, compiled, facts);
}

function decide(role: string, field: RankedCandidates, { rule, same, asks, option }: Compiled, facts: Facts): Filled {
  const [best] = field.fitting;
  if (best === undefined) return { root: noRoot };
  const others = field.fitting.length - 1;
  const differing = others === 0 ? none : differingFrom(best, field.fitting, same, facts);
  const { tie } = rule;
  if (differing.length > 0 && (tie.kind === 'leave' || tie.kind === 'none')) {
    const questions = tie.kind === 'leave' ? [questionOf(role, asked(tie, 'warns', 'advice'), tie.message)] : [];
    const reason = `${differing.length + 1} fit equally well; none is used`;
    return { root: noRoot, choice: () => choiceOf(role, field, undefined, reason), questions };
  }
  if (differing.length > 0 && tie.kind === 'ask') {
    const tied = [best, ...differing].map(({ candidate }) => candidate);
    const reason = `${tied.length} fit equally well`;
    const options = tied.map((one) => ({
      value: option === undefined ? one.reference : (textAt(option, one.item, facts) ?? ''),
    }));
    // A candidate without a text cannot be an option, but is still a reason to ask.
    const named = options.filter(({ value }) => value !== '');
    const unique = [...new Map(named.map(({ value }) => [value, { value, label: value }])).values()];
    const questions = [questionOf(role, asked(tie, 'blocks', 'choice'), tie.message, unique)];
    return { root: noRoot, choice: () => choiceOf(role, field, undefined, reason), questions };
  }
  const questions = askedOf(role, asks, best.candidate, facts);
  const isWarned = differing.length > 0 && tie.kind === 'warn';
  const allQuestions = isWarned
    ? [...questions, questionOf(role, asked(tie, 'warns', 'advice'), tie.message)]
    : questions;
  return new Picked(role, field, best.candidate, allQuestions);
}

const none: readonly never[] = [];

// A chart has dozens of these objects, and closures would take several times the memory of classes.
class Picked implements Filled {
  readonly root: Root;

  constructor(
    private readonly role: string,
    /** Undefined if the candidate was the only one. */
    private readonly field: RankedCandidates | undefined,
    private readonly chosen: Subject,
    readonly questions: readonly Question[],
  ) {
    this.root = { nodes: [subjectNode(chosen.item)] };
  }

  choice(): Choice {
    const field = this.field ?? fieldAlone(this.chosen);
    return choiceOf(this.role, field, this.chosen, reasonOf(field.fitting.length - 1));
  }
}

class NothingPicked implements Filled, RootWords {
  readonly root: Root;

  constructor(
    private readonly role: string,
    private readonly paths: readonly CompiledPath[],
    private readonly rules: CandidateRules,
    private readonly facts: Facts,
  ) {
    this.root = new FilledRoot(none, this);
  }

  looks(): Look[] {
    return this.paths.flatMap((path) => looksOf(path, fieldAt(path, this.rules, this.facts), this.rules, this.facts));
  }

  choice(): Choice {
    const all = this.paths.flatMap((path) => fieldAt(path, this.rules, this.facts).all);
    const reason = all.length === 0 ? 'the chart has none' : 'none can be used';
    return choiceOf(this.role, { all, fitting: none }, undefined, reason);
  }
}

/** Candidates that rank equal to the best but have other content. */
function differingFrom(
  best: Ranked,
  fitting: readonly Ranked[],
  same: readonly CompiledPath[],
  facts: Facts,
): readonly Ranked[] {
  const equal = fitting.slice(1).filter(({ key }) => compareKeys(key, best.key, facts) === 0);
  const content = equal.length === 0 ? '' : comparedContent(best.candidate, same, facts);
  return equal.filter(({ candidate }) => comparedContent(candidate, same, facts) !== content);
}

function asked(
  tie: { message: string; part?: string },
  severity: 'blocks' | 'warns',
  reason: 'choice' | 'advice',
): AskWhen {
  const ask = { severity, reason, message: tie.message, when: { test: { kind: 'all', tests: [] }, text: '' } } as const;
  return tie.part === undefined ? ask : { ...ask, part: tie.part };
}

function choiceOf(role: string, field: RankedCandidates, chosen: Subject | undefined, reason: string): Choice {
  const candidates = field.all.map(({ subject, refusal }) => ({
    reference: subject.reference,
    label: labelOf(subject),
    fits: refusal === undefined,
    reason: refusal ?? (subject === chosen ? 'it comes first' : 'another one comes first'),
  }));
  return chosen === undefined ? { role, reason, candidates } : { role, chosen: chosen.reference, reason, candidates };
}

function labelOf({ item }: Subject): string {
  const use: unknown =
    typeof item.value === 'object' && item.value !== null ? Reflect.get(item.value, 'use') : undefined;
  return typeof use === 'string' ? use : 'no use';
}

function reasonOf(others: number): string {
  if (others === 0) return 'the only one that can be used';
  return others === 1 ? 'comes before the other one' : `comes before ${others} others`;
}
