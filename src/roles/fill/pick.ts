import { compilePath, type Path } from '../../fhirpath/compile.ts';
import type { Choice } from '../chart.ts';
import { compileClause, compileWords } from '../compile-clauses.ts';
import { compileUnless } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot } from '../filled.ts';
import { compareKeys, compileRanking, type Ranked } from '../rank.ts';
import { itemsAt, nodeOf, partOf, type Subject, textAt } from '../subject.ts';
import type { AskWhen, Pick } from '../words.ts';
import { contentOf, type Field, judge, looksOf } from './candidates.ts';
import { askedOf, type CompiledAsk, type Filler, noRoot, questionOf } from './filler.ts';

/** Compiles what a role asks. */
export function compileAsks(asks: readonly AskWhen[]): CompiledAsk[] {
  return asks.map((ask) => ({
    ask,
    when: compileClause(ask.when),
    beside: ask.beside === undefined ? undefined : compileClause(ask.beside),
    words: compileWords(ask.message),
  }));
}

/** One part of a resource, with why the others were not taken. */
export function compilePick(rule: Pick): Filler {
  const paths = rule.paths.map((path) => compilePath(path));
  const unless = compileUnless(rule.unless);
  const ranking = compileRanking(rule.prefer);
  const same = rule.same.map((path) => compilePath(path));
  const asks = compileAsks(rule.asks);
  const option = rule.tie.kind === 'ask' && rule.tie.option !== undefined ? compilePath(rule.tie.option) : undefined;
  const [rules, compiled] = [
    { unless, ranking },
    { rule, same, asks, option },
  ];
  return (facts, role) => {
    const fields: Field[] = [];
    for (const path of paths) {
      const items = itemsAt(path, none, facts);
      const field = judge(items.length === 0 ? none : items.map(partOf), rules, facts);
      if (field.fitting.length > 0) return decide(role, field, compiled, facts);
      fields.push(field);
    }
    return notFound(role, paths, fields, facts);
  };
}

interface Compiled {
  readonly rule: Pick;
  readonly same: readonly Path[];
  readonly asks: readonly CompiledAsk[];
  readonly option: Path | undefined;
}

function decide(role: string, field: Field, { rule, same, asks, option }: Compiled, facts: Facts): Filled {
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
    // What has no words cannot be offered; it stays a reason to ask.
    const named = options.filter(({ value }) => value !== '');
    const unique = [...new Map(named.map(({ value }) => [value, { value, label: value }])).values()];
    const questions = [questionOf(role, asked(tie, 'blocks', 'choice'), tie.message, unique)];
    return { root: noRoot, choice: () => choiceOf(role, field, undefined, reason), questions };
  }
  const questions = askedOf(role, asks, best.candidate, facts);
  const isTold = differing.length > 0 && tie.kind === 'warn';
  return {
    root: { nodes: [nodeOf(best.candidate.item)] },
    choice: () => choiceOf(role, field, best.candidate, reasonOf(others)),
    questions: isTold ? [...questions, questionOf(role, asked(tie, 'warns', 'advice'), tie.message)] : questions,
  };
}

const none: readonly never[] = [];

/** Those that are as good as the best and say something else. */
function differingFrom(
  best: Ranked,
  fitting: readonly Ranked[],
  same: readonly Path[],
  facts: Facts,
): readonly Ranked[] {
  const equal = fitting.slice(1).filter(({ key }) => compareKeys(key, best.key, facts) === 0);
  const content = equal.length === 0 ? '' : contentOf(best.candidate, same, facts);
  return equal.filter(({ candidate }) => contentOf(candidate, same, facts) !== content);
}

function asked(
  tie: { message: string; part?: string },
  severity: 'blocks' | 'warns',
  reason: 'choice' | 'advice',
): AskWhen {
  const ask = { severity, reason, message: tie.message, when: { test: { kind: 'all', tests: [] }, text: '' } } as const;
  return tie.part === undefined ? ask : { ...ask, part: tie.part };
}

function choiceOf(role: string, field: Field, chosen: Subject | undefined, reason: string): Choice {
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

function notFound(role: string, paths: readonly Path[], fields: readonly Field[], facts: Facts): Filled {
  const looks = () =>
    paths.flatMap((path, index) => looksOf(path, fields[index] ?? { all: [], fitting: [] }, facts, 'can be used'));
  const choice = () => {
    const field: Field = { all: fields.flatMap(({ all }) => all), fitting: [] };
    const reason = field.all.length === 0 ? 'the chart has none' : 'none can be used';
    return choiceOf(role, field, undefined, reason);
  };
  return { root: new FilledRoot([], { looks }), choice };
}

function reasonOf(others: number): string {
  if (others === 0) return 'the only one that can be used';
  return others === 1 ? 'comes before the other one' : `comes before ${others} others`;
}
