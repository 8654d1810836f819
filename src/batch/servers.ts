import { baseOf } from '../fhir/address.ts';
import { isObject } from '../fhir/is-object.ts';
import type { Slot } from './slot.ts';

/** Whether the resources of a pool stand at one server, and how their keys are spelled. */
export interface Servers {
  /**
   * When everything stands at one server, its absolute addresses and relative ones mean the same. With several, or with
   * relative references of unknown servers beside absolute ones, they are kept apart.
   */
  readonly isOne: boolean;
  /** A key as the pool spells it: relative where there is only one server. */
  readonly spelled: (key: string) => string;
}

/** What the addresses of a pool say: the servers that they name, and whether some name none. */
export interface ServerFacts {
  readonly bases: readonly string[];
  readonly isAnyRelative: boolean;
}

export function serversOf(slots: readonly Slot[]): Servers {
  const bases = new Set<string>();
  let isAnyRelative = false;
  for (const { base, owner } of slots) {
    const text = isObject(owner) ? owner.reference : owner;
    const reference = typeof text === 'string' ? text : undefined;
    for (const known of [base, baseOf(reference)]) if (known !== undefined) bases.add(known);
    if (base === undefined && reference !== undefined && /^[A-Z]/.test(reference)) isAnyRelative = true;
  }
  return serversFrom({ bases: [...bases], isAnyRelative });
}

export function serversFrom({ bases, isAnyRelative }: ServerFacts): Servers {
  const [first] = bases;
  const isOne = bases.length === 0 || (bases.length === 1 && !isAnyRelative);
  const prefix = isOne && first !== undefined ? `${first}/` : undefined;
  return {
    isOne,
    spelled: (key) => (prefix !== undefined && key.startsWith(prefix) ? key.slice(prefix.length) : key),
  };
}
