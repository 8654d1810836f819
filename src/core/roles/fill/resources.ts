import type { FhirResource, Reference } from 'fhir/r4.js';
import { isObject } from '../../fhir/is-object.ts';
import { compilePath } from '../../fhirpath/compile.ts';
import type { Items } from '../../fhirpath/environment.ts';
import type { Root } from '../../mapping/input.ts';
import type { Look } from '../../mapping/result.ts';
import { type CompiledClause, compileClause, compileWords } from '../compile-clauses.ts';
import { compileUnless } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot, type RootWords } from '../filled.ts';
import { compileLabel, holderOf, itemsAt, partOf, type Subject, subjectNode } from '../subject.ts';
import type { Follow, Given, Own } from '../words.ts';
import { candidateSubject } from './choose.ts';
import { askedOf, type Filler, questionOf } from './filler.ts';
import { compileAsks } from './pick.ts';

export function compileGiven(rule: Given): Filler {
  const unless = compileUnless(rule.unless);
  const asks = compileAsks(rule.asks);
  const warns = rule.warns.map(compileClause);
  const label = rule.label.map(compileLabel);
  return (facts, role) => {
    const { request, graph } = facts;
    const located = graph.find(rule.type === 'Patient' ? request.patient : request.order);
    if (located === undefined || located.resource.resourceType !== rule.type) return missing(rule.type, role);
    const subject = candidateSubject(located);
    const refusal = unless(subject, facts);
    const { refused } = rule;
    const fits = refusal === undefined;
    const question =
      refusal === undefined || refused === undefined
        ? []
        : [questionOf(role, refused, refused.message.replace('{reason}', refusal))];
    const reason = refusal ?? 'the one that was named';
    const choice = () => {
      const name = label.flatMap((read) => read(subject.item, facts) ?? []).join(', ') || 'without a name';
      const candidate = { reference: located.reference, label: name, fits, reason };
      return { role, chosen: located.reference, reason, candidates: [candidate] };
    };
    const filled: Filled = {
      root: { nodes: [subjectNode(subject.item)] },
      choice,
      questions: [...question, ...askedOf(role, asks, subject, facts)],
      warnings: () => (fits ? saidOf(warns, subject, facts) : []),
    };
    return refusal === undefined ? filled : { ...filled, refusal };
  };
}

function missing(type: string, role: string): Filled {
  const look: Look = { expression: `%${role}`, steps: [{ step: type, items: 0 }] };
  return { root: { nodes: [], looks: [look] }, warnings: () => [`The ${type} resource is not among the resources.`] };
}

function saidOf(clauses: readonly CompiledClause[], subject: Subject, facts: Facts): string[] {
  return clauses.filter(({ holds }) => holds(subject, facts)).map(({ words }) => words(subject, facts));
}

export function compileFollow(rule: Follow): Filler {
  const path = compilePath(rule.path);
  const warns = rule.warns.map(compileClause);
  const missingWords = rule.missing === undefined ? undefined : compileWords(rule.missing);
  // a role table has FHIR types; `lint` checks them
  const types = rule.types as readonly FhirResource['resourceType'][];
  return (facts) => {
    const references = itemsAt(path, none, facts);
    for (const item of references) {
      const holder = holderOf(item, facts);
      const found =
        holder === undefined || !isObject(item.value) ? undefined : facts.resolve(item.value, holder, ...types);
      if (found === undefined) continue;
      const subject = candidateSubject(found);
      const root = { nodes: [subjectNode(subject.item)] };
      return warns.length === 0 ? { root } : { root, warnings: () => saidOf(warns, subject, facts) };
    }
    return new NothingFollowed(rule, missingWords, references, facts);
  };
}

class NothingFollowed implements Filled, RootWords {
  readonly root: Root;

  constructor(
    private readonly rule: Follow,
    private readonly missing: CompiledClause['words'] | undefined,
    private readonly references: Items,
    private readonly facts: Facts,
  ) {
    this.root = new FilledRoot(none, this);
  }

  looks(): Look[] {
    return [lookOf(this.rule, this.references, this.facts)];
  }

  warnings(): string[] {
    const { unread = [] } = this.facts.request;
    if (this.rule.types.some((type) => unread.includes(type))) return [];
    const lost = this.references.find(({ value }) => isObject(value) && typeof value.reference === 'string');
    return lost === undefined || this.missing === undefined ? [] : [this.missing(partOf(lost), this.facts)];
  }
}

const none: readonly never[] = [];

function lookOf(rule: Follow, references: Items, facts: Facts): Look {
  const order = facts.graph.find(facts.request.order);
  const steps = [
    { step: rule.path, items: references.length },
    { step: 'resolve()', items: 0 },
  ];
  const targets = references.flatMap(({ value }) =>
    // the path finds references
    order === undefined ? [] : (facts.graph.resolve(value as Reference, order)?.resource.resourceType ?? []),
  );
  const [other] = targets;
  const look = { expression: `${rule.path}.resolve()`, steps };
  if (other === undefined) return look;
  return { ...look, refused: [{ why: 'other_type', words: `it is a ${other}, not ${rule.types.join(' or ')}` }] };
}

export function compileOwn(rule: Own): Filler {
  return ({ request }) => {
    if (rule.from === 'submission') {
      const nodes = request.submission === undefined ? [] : [{ value: { id: request.submission } }];
      return { root: { nodes, kind: 'site' } };
    }
    const site: Readonly<Record<string, unknown>> = { ...request.site };
    const value = Object.fromEntries(rule.keys.flatMap((key) => (site[key] === undefined ? [] : [[key, site[key]]])));
    return { root: { nodes: [{ value }], kind: 'site' } };
  };
}
