import { z } from 'zod';
import type { Clock } from '../../../base/log.ts';

/** One fault that a sandbox makes on command. */
export interface Switch<Value> {
  /** What the sandbox does while the switch is on. */
  readonly meaning: string;
  readonly value: z.ZodType<Value>;
  /** The possible values, in words. */
  readonly values: string;
  /** What the sandbox does while the switch is off. */
  readonly off: string;
  readonly example: Value;
  /** What an order concerns: one request, or one record of the service with all its later changes. */
  readonly of: 'request' | 'record';
}

/** Switches by name. Names are in kebab case. */
// biome-ignore lint/suspicious/noExplicitAny: rows with different types of value share one table
export type SwitchTable = Readonly<Record<string, Switch<any>>>;
export type ValueOf<Table extends SwitchTable, Name extends keyof Table> = z.output<Table[Name]['value']>;

export function row<Value>(definition: Switch<Value>): Switch<Value> {
  return definition;
}

const limitRows = {
  times: { value: z.int().min(1), values: 'a whole number, at least 1', meaning: 'Only so many times.' },
  forSeconds: {
    value: z.number().positive(),
    values: 'a number of seconds above 0',
    meaning: 'Only for so many seconds from now on.',
  },
  until: {
    value: z.iso.datetime({ offset: true }),
    values: 'a date with time and zone, such as 2026-11-27T08:00:00Z',
    meaning: 'Only until this instant (ISO 8601 with a zone).',
  },
  rate: {
    value: z.number().gt(0).max(1),
    values: 'a number above 0, at most 1',
    meaning: 'Only in this share of the cases, drawn by a generator of pseudo-random numbers.',
  },
  seed: {
    value: z.int().min(0),
    values: 'a whole number, at least 0',
    meaning: 'Where the generator of `rate` starts (default 1): the same seed draws alike.',
  },
  site: {
    value: z.string().min(1),
    values: 'the ID of a site',
    meaning: 'Service only: only what this site sent, by its token.',
  },
  method: {
    value: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    values: 'GET, POST, PUT, PATCH or DELETE',
    meaning: 'Only requests of this method.',
  },
  path: {
    value: z.string().startsWith('/'),
    values: 'a path that starts with /',
    meaning: 'Only requests of this path, without the query; `*` stands for any text: `/prior-authorization/*/cancel`.',
  },
} as const;

/** The limits of an order in words, for the documentation. */
export const limits: readonly { readonly name: string; readonly meaning: string }[] = Object.entries(limitRows).map(
  ([name, { meaning }]) => ({ name, meaning }),
);

const sharedLimits = {
  times: limitRows.times.value.optional(),
  forSeconds: limitRows.forSeconds.value.optional(),
  until: limitRows.until.value.optional(),
  rate: limitRows.rate.value.optional(),
  seed: limitRows.seed.value.optional(),
};
const siteLimit = { site: limitRows.site.value.optional() };
const requestLimits = { method: limitRows.method.value.optional(), path: limitRows.path.value.optional() };
const allLimits = { ...sharedLimits, ...siteLimit, ...requestLimits };
type Limits = z.output<z.ZodObject<typeof allLimits>>;

/** Example: `{ "switch": "delay", "value": 500, "path": "/prior-authorization", "times": 3 }`. */
export type Order<Table extends SwitchTable> = {
  readonly [Name in keyof Table & string]: { readonly switch: Name; readonly value: z.input<Table[Name]['value']> };
}[keyof Table & string] &
  z.input<z.ZodObject<typeof allLimits>>;

/** What a fault may happen to. */
export interface Occasion {
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  readonly site?: string | undefined;
}

/** An order that was given, as `/sandbox/switches` shows it. */
export interface GivenOrder {
  readonly id: number;
  readonly switch: string;
  readonly value: unknown;
  readonly limits: Readonly<Record<string, unknown>>;
  /** How often the order was applied. */
  readonly used: number;
  /** Whether the order can no longer be applied, because of `times`, `until` or `forSeconds`. */
  readonly over: boolean;
}

export class WrongOrder extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '));
  }
}

interface Given {
  readonly id: number;
  readonly switch: string;
  readonly value: unknown;
  readonly limits: Limits;
  readonly path: RegExp | undefined;
  readonly end: number;
  readonly random: () => number;
  used: number;
}

/** The active orders of a sandbox. Of several orders for one switch, the first that matches is applied. */
export class Switches<Table extends SwitchTable> {
  #given: Given[] = [];
  #last = 0;

  constructor(
    readonly table: Table,
    private readonly clock: Clock,
    /** Whether orders may name a site. The service has several sites, an EHR has one. */
    private readonly hasSites: boolean,
  ) {}

  /** Adds an order and returns its id. Throws WrongOrder. */
  set(order: Order<Table>): number {
    return this.add(order);
  }

  /** Adds an unchecked order and returns its id. Throws WrongOrder. */
  add(order: unknown): number {
    const { switch: name, value, ...set } = this.#checked(order);
    const now = this.clock().getTime();
    const end = Math.min(
      set.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(set.until),
      set.forSeconds === undefined ? Number.POSITIVE_INFINITY : now + set.forSeconds * 1000,
    );
    const given: Given = {
      id: ++this.#last,
      switch: name,
      value,
      limits: set,
      path: set.path === undefined ? undefined : patternOf(set.path),
      end,
      random: generator(set.seed ?? 1),
      used: 0,
    };
    this.#given.push(given);
    return given.id;
  }

  /** Removes the order with this id, or all orders. Returns false if there was none. */
  clear(id?: number): boolean {
    const before = this.#given.length;
    this.#given = id === undefined ? [] : this.#given.filter((given) => given.id !== id);
    return id === undefined || this.#given.length < before;
  }

  standing(): GivenOrder[] {
    const now = this.clock().getTime();
    return this.#given.map(({ id, switch: name, value, limits: set, used, end }) => ({
      id,
      switch: name,
      value,
      limits: set,
      used,
      over: now >= end || used >= (set.times ?? Number.POSITIVE_INFINITY),
    }));
  }

  /**
   * Returns the value of the order that applies, and counts it as applied; undefined if none does. `when`: whether an
   * order with this value applies.
   */
  take<Name extends keyof Table & string>(
    name: Name,
    occasion: Occasion,
    when: (value: ValueOf<Table, Name>) => boolean = () => true,
  ): ValueOf<Table, Name> | undefined {
    const given = this.#given.find(
      (one) =>
        one.switch === name &&
        this.#fits(one, occasion) &&
        when(one.value as ValueOf<Table, Name>) && // the row has checked it
        drawn(one),
    );
    if (given === undefined) return undefined;
    given.used += 1;
    return given.value as ValueOf<Table, Name>;
  }

  /** Returns the values of all orders without counting them as applied, for what a server says about itself. */
  stating<Name extends keyof Table & string>(name: Name): ValueOf<Table, Name>[] {
    return this.#given
      .filter((one) => one.switch === name && this.#isLive(one))
      .map((one) => one.value as ValueOf<Table, Name>); // the row has checked it
  }

  #fits(given: Given, { path, method, site }: Occasion): boolean {
    const { limits: set } = given;
    if (!this.#isLive(given)) return false;
    if (given.path !== undefined && (path === undefined || !given.path.test(path))) return false;
    if (set.method !== undefined && set.method !== method) return false;
    return set.site === undefined || set.site === site;
  }

  #isLive(given: Given): boolean {
    return given.used < (given.limits.times ?? Number.POSITIVE_INFINITY) && this.clock().getTime() < given.end;
  }

  #checked(order: unknown): { switch: string; value: unknown } & Limits {
    const name = z.object({ switch: z.string() }).safeParse(order).data?.switch;
    const known = name === undefined || !Object.hasOwn(this.table, name) ? undefined : this.table[name];
    if (name === undefined || known === undefined)
      throw new WrongOrder([`switch: expected one of ${Object.keys(this.table).join(', ')}`]);
    const rows = {
      ...sharedLimits,
      ...(this.hasSites ? siteLimit : {}),
      ...(known.of === 'request' ? requestLimits : {}),
    };
    const parsed = z.strictObject({ switch: z.literal(name), value: known.value, ...rows }).safeParse(order);
    // each limit was checked by its own schema
    if (parsed.success) return parsed.data as { switch: string; value: unknown } & Limits;
    throw new WrongOrder(
      parsed.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys' && issue.path.length === 0
          ? issue.keys.map((key) => `${key}: ${name} takes no such limit; it takes ${Object.keys(rows).join(', ')}`)
          : [`${issue.path.join('.')}: expected ${expectedAt(issue.path[0], known)}`],
      ),
    );
  }
}

function expectedAt(key: PropertyKey | undefined, { values, example }: SwitchTable[string]): string {
  const limit = Object.entries(limitRows).find(([name]) => name === key)?.[1].values;
  return limit ?? `${values}, such as ${JSON.stringify(example)}`;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.split('*').map(escaped).join('.*')}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
}

function drawn({ limits: { rate }, random }: Given): boolean {
  return rate === undefined || random() < rate;
}

/** Random numbers from 0 up to 1 that depend only on the seed (mulberry32, public domain). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
