import { isObject } from '../../core/fhir/is-object.ts';
import type { Node } from '../../core/mapping/input.ts';
import type { Chart } from '../../core/roles/chart.ts';

export const countedFacts = ['drug', 'payer', 'prescriber'] as const;
export type CountedFact = (typeof countedFacts)[number];

/**
 * What an order is counted and selected by, as the chart states it. A fact that the chart does not state is empty.
 * Nothing in it identifies a patient.
 */
export type OrderFacts = CountedFacts & {
  readonly day: string;
  readonly drugWords: readonly string[];
};

export type CountedFacts = Readonly<Record<CountedFact, string>>;

/** Mappings read these roles too, so reading them costs nothing more. */
const factRoles = ['order', 'drugConcept', 'payer', 'payor', 'prescriberName', 'prescriberNpi'] as const;

export function orderFactsOf(chart: Chart): OrderFacts {
  const [order, drug, payer, payor, name, npi] = factRoles.map((role) => objectOf(chart.root(role).nodes[0]));
  const drugWords = wordsOf(drug);
  return {
    drug: drugWords[0] ?? '',
    drugWords,
    payer: textOf(payer?.name) || textOf(payor?.display),
    prescriber: [nameOf(name), textOf(npi?.value)].filter((text) => text !== '').join(', NPI '),
    day: textOf(order?.authoredOn).slice(0, 10),
  };
}

function objectOf(node: Node | undefined): Record<string, unknown> | undefined {
  return isObject(node?.value) ? node.value : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function wordsOf(concept: Record<string, unknown> | undefined): string[] {
  const codings = listOf(concept?.coding).filter(isObject);
  const words = [...codings.map(({ display }) => display), concept?.text, ...codings.map(({ code }) => code)];
  return words.map(textOf).filter((text) => text !== '');
}

function nameOf(name: Record<string, unknown> | undefined): string {
  const text = [...listOf(name?.given).map(textOf), textOf(name?.family)].filter((part) => part !== '').join(' ');
  return text === '' ? textOf(name?.text) : text;
}

export interface Only {
  readonly key: 'drug' | 'payer' | 'prescriber' | 'site' | 'from' | 'until';
  readonly value: string;
}

/** Whether an order is selected. For each key, at least one condition must match. */
export function isAskedFor(only: readonly Only[], facts: OrderFacts, file: string): boolean {
  return [...Map.groupBy(only, ({ key }) => key).values()].every((conditions) =>
    conditions.some((condition) => holds(condition, facts, file)),
  );
}

function holds({ key, value }: Only, facts: OrderFacts, file: string): boolean {
  if (key === 'site') return file.split(/[\\/]/).includes(value);
  if (key === 'from') return facts.day !== '' && facts.day >= value;
  if (key === 'until') return facts.day !== '' && facts.day <= value;
  const words = key === 'drug' ? facts.drugWords : [facts[key]];
  return words.some((word) => word.toLowerCase().includes(value.toLowerCase()));
}

export function leftOutReason(only: readonly Only[]): string {
  return `not asked for: --only ${only.map(({ key, value }) => `${key}=${value}`).join(' ')}`;
}
