import type { FhirResource, Resource } from 'fhir/r4.js';
import type { Located } from '../../fhir/references/graph.ts';
import { dateOrText } from '../../fhir/time/day-text.ts';
import { Item, resourceVersion } from '../../fhirpath/item.ts';
import type { Question, Root } from '../../mapping/input.ts';
import type { Look, Option } from '../../mapping/result.ts';
import type { Candidate, Choice } from '../chart.ts';
import { type CompiledClause, compileClause, elementsOfClauses } from '../compile-clauses.ts';
import { compileUnless, compileWhy, type Unless, type WhyOf } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { type Filled, FilledRoot, type RootWords } from '../filled.ts';
import { compareKeys, compileRanking, type Ranking } from '../rank.ts';
import { compileLabel, type Label, type Subject, subjectNode } from '../subject.ts';
import type { Choose } from '../words.ts';
import { type JudgedCandidate, judgeCandidates, type RankedCandidates, refusedOf } from './candidates.ts';
import { askedOf, type CompiledAsk, type Filler, questionOf } from './filler.ts';
import { compileAsks } from './pick.ts';
import { unreadRefusal } from './unread.ts';

export function itemOfResource({ resource: stated, reference }: Located<Resource>): Item {
  // The id of a contained resource is valid only inside its container: two prescribers may both have the id #pr.
  const resource = reference.includes(' in ') ? { ...stated, id: undefined } : stated;
  const version = resourceVersion(resource);
  const place = { resource: reference, path: resource.resourceType };
  return new Item(resource, { place: version === undefined ? place : { ...place, version } });
}

export function candidateSubject(located: Located<Resource>): Subject {
  return { item: itemOfResource(located), reference: located.reference };
}

export function compileChoose(rule: Choose): Filler {
  const compiled: Compiled = {
    rule,
    unless: compileUnless(rule.unless),
    whyOf: compileWhy(rule.unless),
    ranking: compileRanking(rule.prefer),
    own: rule.own && {
      unless: compileUnless(rule.own.unless),
      whyOf: compileWhy(rule.own.unless),
      ranking: compileRanking(rule.own.prefer),
    },
    label: rule.label.map(compileLabel),
    looksAt: elementsOfClauses(rule.unless),
    apart: (rule.apart ?? []).map(compileLabel),
    asks: compileAsks(rule.asks),
    linkedWhen: rule.linked === undefined ? undefined : compileClause(rule.linked.when),
  };
  return (facts, role) => new Choosing(role, compiled, facts);
}

interface Compiled {
  readonly rule: Choose;
  readonly unless: Unless;
  readonly whyOf: WhyOf;
  readonly ranking: Ranking;
  /** The rules of the table itself, without the additions of a site. */
  readonly own: { readonly unless: Unless; readonly whyOf: WhyOf; readonly ranking: Ranking } | undefined;
  /** The elements by which candidates are ruled out. */
  readonly looksAt: readonly string[];
  readonly label: readonly Label[];
  readonly apart: readonly Label[];
  readonly asks: readonly CompiledAsk[];
  readonly linkedWhen: CompiledClause | undefined;
}

class Choosing implements Filled, RootWords {
  readonly root: Root;
  readonly questions: readonly Question[];
  private readonly field: RankedCandidates;
  private readonly linked: readonly JudgedCandidate[];
  private readonly best: readonly Subject[];
  private readonly ownField: RankedCandidates | undefined;
  private readonly answered: JudgedCandidate | undefined;
  private readonly isBetween: boolean;
  private readonly chosen: Subject | undefined;

  constructor(
    private readonly role: string,
    private readonly compiled: Compiled,
    private readonly facts: Facts,
  ) {
    const { rule } = compiled;
    const type = rule.type as FhirResource['resourceType']; // a role table has FHIR types; `lint` checks them
    const subjects = (rule.of === 'patient' ? facts.mine(type) : facts.all(type)).map(candidateSubject);
    this.field = judgeCandidates(subjects, { ...compiled, unless: this.unlessUnread() }, facts);
    const refused = rule.linked?.refused;
    this.linked =
      refused === undefined
        ? none
        : facts.linked(type).map((one) => ({ subject: candidateSubject(one), refusal: refused }));
    this.best = distinctContent(leadersOf(this.field, facts), facts);
    this.ownField = compiled.own && judgeCandidates(subjects, compiled.own, facts);
    this.answered = this.findAnswered();
    const between = this.answered === undefined && this.best.length === 1 ? this.between() : undefined;
    this.isBetween = between !== undefined;
    const only = between === undefined && this.best.length === 1 ? this.best[0] : undefined;
    this.chosen = this.answered?.subject ?? only;
    this.root = new FilledRoot(this.chosen === undefined ? none : [subjectNode(this.chosen.item)], this);
    this.questions = this.chosen === undefined ? this.open(between) : this.askedOf(this.chosen);
  }

  // a candidate cannot be judged if an element that could rule it out was not read
  private unlessUnread(): Unless {
    const { unless, looksAt } = this.compiled;
    if (!this.facts.graph.isMisshapen) return unless;
    return (subject, facts) =>
      unless(subject, facts) ?? unreadRefusal(subject.reference, resourceOf(subject), looksAt, facts);
  }

  note(): string | undefined {
    return this.chosen === undefined ? undefined : this.reason();
  }

  looks(): Look[] | undefined {
    return this.chosen === undefined ? this.searched() : undefined;
  }

  private open(between: Question | undefined): readonly Question[] {
    const { tie } = this.compiled.rule;
    const question =
      between ?? (this.best.length > 1 && tie.kind === 'ask' ? this.askOf(this.best, tie.message) : undefined);
    return question === undefined ? none : [question];
  }

  private askedOf(chosen: Subject): readonly Question[] {
    const asked = askedOf(this.role, this.compiled.asks, chosen, this.facts);
    const elsewhere = this.elsewhere(chosen);
    return elsewhere.length === 0 ? asked : [...asked, ...elsewhere];
  }

  private findAnswered(): JudgedCandidate | undefined {
    const answer = this.answer();
    if (answer === undefined) return undefined;
    return [...this.field.all, ...this.linked].find(({ subject }) => subject.reference === answer);
  }

  private answer(): string | undefined {
    const { answer } = this.compiled.rule;
    return answer === undefined ? undefined : this.facts.request.answers[answer];
  }

  warnings(): string[] {
    const { answered } = this;
    const name = this.compiled.rule.type.toLowerCase();
    if (answered?.refusal !== undefined)
      return [`The chosen ${name} (${this.label(answered.subject)}) does not fit by itself: ${answered.refusal}.`];
    if (this.answer() === undefined || answered !== undefined) return [];
    return [`The chosen ${name} is not among this patient’s ${name}s.`];
  }

  /**
   * The question between the best candidate and others that fit, if the table asks one. The candidates that rank best
   * without the site's additions are checked too, so that a site's preference never suppresses a question.
   */
  private between(): Question | undefined {
    return this.betweenOf(this.field) ?? (this.ownField && this.betweenOf(this.ownField));
  }

  private betweenOf(field: RankedCandidates): Question | undefined {
    if (field.fitting.length < 2) return undefined;
    const leaders = leadersOf(field, this.facts);
    for (const { ask, when, beside } of this.compiled.asks) {
      if (beside === undefined) continue;
      const [best] = leaders.filter((one) => when.holds(one, this.facts));
      if (best === undefined) continue;
      const others = field.fitting
        .map(({ candidate }) => candidate)
        .filter((one) => one !== best && beside.holds(one, this.facts));
      if (others.length > 0) return this.askOf([best, ...others], ask.message);
    }
    return undefined;
  }

  private askOf(subjects: readonly Subject[], message: string): Question {
    const labels = this.labels(subjects);
    const options = subjects.map(
      (subject, at): Option => ({
        value: subject.reference,
        label: labels[at] ?? '',
        reason: this.words(subject, isAsGood),
      }),
    );
    return questionOf(this.role, { severity: 'blocks', reason: 'choice', message }, message, options);
  }

  /**
   * A question if the chosen candidate does not meet the condition, but a candidate of a linked record does. The
   * question offers the candidate of the linked record.
   */
  private elsewhere(chosen: Subject): readonly Question[] {
    const { rule, linkedWhen, unless } = this.compiled;
    if (this.linked.length === 0 || this.answer() !== undefined) return none;
    if (rule.linked === undefined || linkedWhen === undefined) return none;
    if (linkedWhen.holds(chosen, this.facts)) return none;
    const found = this.linked
      .map(({ subject }) => subject)
      .filter((one) => linkedWhen.holds(one, this.facts) && unless(one, this.facts) === undefined);
    if (found.length === 0) return none;
    const options = found.map((one) => ({
      value: one.reference,
      label: this.label(one),
      reason: 'of a linked patient record',
    }));
    return [questionOf(this.role, rule.linked.ask, rule.linked.ask.message, options)];
  }

  private placeOf(subject: Subject, chosen: Subject | undefined): string {
    if (subject === chosen) return '';
    if (!this.best.includes(subject)) return 'comes after another';
    return this.best.length > 1 ? isAsGood : 'fits best by itself';
  }

  choice(): Choice {
    const { role, chosen } = this;
    const reason = this.reason();
    const candidates = [...this.field.all, ...this.linked].map(({ subject, refusal }): Candidate => {
      return {
        reference: subject.reference,
        label: this.label(subject),
        fits: refusal === undefined,
        reason: refusal ?? this.words(subject, this.placeOf(subject, chosen)),
      };
    });
    return chosen === undefined ? { role, reason, candidates } : { role, chosen: chosen.reference, reason, candidates };
  }

  private words(subject: Subject, before: string): string {
    const words = this.compiled.ranking.words(subject, this.facts);
    return before === '' ? words : joined(before, words, ': ');
  }

  private reason(): string {
    const { type } = this.compiled.rule;
    const [best] = this.best;
    const fitting = this.field.fitting.length;
    if (this.answered !== undefined) return 'chosen by a person';
    if (best === undefined)
      return this.field.all.length === 0 ? `the chart has no ${type}` : `no ${type} of ${this.whole()} fits`;
    if (this.best.length > 1) return `${this.best.length} fit equally well; a person chooses`;
    if (this.isBetween) return 'several could be meant; a person chooses';
    const words = this.words(best, '');
    const ofWhole = this.isUnread() ? ` in ${this.whole()}` : '';
    if (fitting !== 1) return joined(`comes first of ${fitting} that fit${ofWhole}`, words, ': ');
    return joined(`${this.compiled.rule.alone ?? 'the only one that fits'}${ofWhole}`, sentenceStart(words), '. ');
  }

  /** Whether resources of this type were not fully read from the EHR. */
  private isUnread(): boolean {
    return this.facts.request.unread?.includes(this.compiled.rule.type) === true;
  }

  private whole(): string {
    return this.isUnread() ? 'what could be read of the chart' : 'the chart';
  }

  private label(subject: Subject): string {
    const parts = this.compiled.label.flatMap((read) => read(subject.item, this.facts) ?? []);
    return parts.join(', ') || subject.reference;
  }

  /** Labels for the person who chooses. Equal labels also get the texts in which the candidates differ. */
  private labels(subjects: readonly Subject[]): string[] {
    const plain = subjects.map((subject) => this.label(subject));
    if (new Set(plain).size === plain.length) return plain;
    const differing = this.compiled.apart.filter(
      (read) => new Set(subjects.map(({ item }) => read(item, this.facts))).size > 1,
    );
    return subjects.map(({ item }, at) => {
      const isAlone = plain.indexOf(plain[at] ?? '') === plain.lastIndexOf(plain[at] ?? '');
      const more = isAlone ? [] : differing.flatMap((read) => read(item, this.facts) ?? []);
      return [plain[at] ?? '', ...more.map(dateOrText)].join(', ');
    });
  }

  private searched(): Look[] {
    const { role, compiled } = this;
    const refused = refusedOf(this.field, compiled.whyOf, this.facts);
    const steps = [
      { step: compiled.rule.type, items: this.field.all.length },
      { step: 'fits', items: this.field.fitting.length },
      { step: 'the one', items: 0 },
    ];
    const look = { expression: `%${role}`, steps };
    return [refused.length === 0 ? look : { ...look, refused }];
  }
}

const isAsGood = 'equal match';

function joined(place: string, words: string, by: string): string {
  return words === '' ? place : `${place}${by}${words}`;
}

function sentenceStart(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const none: readonly never[] = [];

/** The best candidate and all that rank equal to it. */
function leadersOf({ fitting }: RankedCandidates, facts: Facts): Subject[] {
  const [first] = fitting;
  if (first === undefined) return [];
  if (fitting.length === 1) return [first.candidate];
  return fitting.filter(({ key }) => compareKeys(key, first.key, facts) === 0).map(({ candidate }) => candidate);
}

/** Resources with the same content under different ids count as one. The first of them is kept. */
function distinctContent(subjects: readonly Subject[], { graph }: Facts): readonly Subject[] {
  if (subjects.length < 2) return subjects;
  return subjects.filter(
    (one, at) => subjects.findIndex((other) => graph.hasSameContent(resourceOf(other), resourceOf(one))) === at,
  );
}

function resourceOf({ item }: Subject): Resource {
  return item.value as Resource; // made from a resource by candidateSubject
}
