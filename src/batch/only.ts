import type { OrderFacts } from './order-facts.ts';
import type { Place } from './outcome.ts';

/** One condition of `--only`: `drug=adalimumab`. */
export interface Only {
  readonly key: 'drug' | 'payer' | 'prescriber' | 'site' | 'from' | 'until';
  readonly value: string;
}

/** Whether an order is asked for: of conditions with one key one has to hold, of each key. */
export function isAskedFor(only: readonly Only[], facts: OrderFacts, place: Place): boolean {
  return [...Map.groupBy(only, ({ key }) => key).values()].every((conditions) =>
    conditions.some((condition) => holds(condition, facts, place)),
  );
}

function holds({ key, value }: Only, facts: OrderFacts, { file }: Place): boolean {
  if (key === 'site') return file.split(/[\\/]/).includes(value);
  if (key === 'from') return facts.day !== '' && facts.day >= value;
  if (key === 'until') return facts.day !== '' && facts.day <= value;
  const words = key === 'drug' ? facts.drugWords : [facts[key]];
  return words.some((word) => word.toLowerCase().includes(value.toLowerCase()));
}

/** Says of an order why it was not mapped. */
export function leftOutReason(only: readonly Only[]): string {
  return `not asked for: --only ${only.map(({ key, value }) => `${key}=${value}`).join(' ')}`;
}
