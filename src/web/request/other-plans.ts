import type { Entered, Entries } from '../../cases/case.ts';
import type { Edits } from '../../core/mapping/result.ts';

type Own = Pick<Entries, 'edits' | 'enteredFor' | 'enteredBy' | 'setAside' | 'setAsideBy'>;

/**
 * The entries that apply to the coverage `chosen`. Entries for another plan are set aside, and entries that were set
 * aside for this plan return. An entry from before any coverage was chosen belongs to no plan and stays.
 */
export function entriesFor<T extends Own>(entries: T, chosen: string | undefined): T {
  if (chosen === undefined) return entries;
  const { edits, enteredFor = {}, enteredBy = {}, setAside = {}, setAsideBy = {} } = entries;
  const foreign = Object.entries(enteredFor).filter(([target, plan]) => target in edits && plan !== chosen);
  const back = setAside[chosen];
  if (foreign.length === 0 && back === undefined) return entries;
  const left = new Set(foreign.map(([target]) => target));
  const aside: Record<string, Edits> = { ...setAside };
  delete aside[chosen];
  const asideBy: Record<string, Readonly<Record<string, Entered>>> = { ...setAsideBy };
  delete asideBy[chosen];
  for (const [target, plan] of foreign) {
    aside[plan] = { ...aside[plan], [target]: edits[target] };
    const by = enteredBy[target];
    if (by !== undefined) asideBy[plan] = { ...asideBy[plan], [target]: by };
  }
  const kept = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).filter(([target]) => !left.has(target)));
  return {
    ...entries,
    edits: { ...back, ...kept(edits) },
    enteredFor: { ...forPlan(back, chosen), ...kept(enteredFor) },
    enteredBy: { ...setAsideBy[chosen], ...kept(enteredBy) },
    setAside: aside,
    setAsideBy: asideBy,
  };
}

function forPlan(edits: Edits | undefined, plan: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(edits ?? {}).map((target) => [target, plan]));
}

/** The entries that are set aside for other plans. */
export function setAsideIn({ setAside, setAsideBy }: Own): Pick<Own, 'setAside' | 'setAsideBy'> {
  return {
    ...(setAside === undefined ? {} : { setAside }),
    ...(setAsideBy === undefined ? {} : { setAsideBy }),
  };
}
