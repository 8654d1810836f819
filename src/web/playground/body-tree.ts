import type { ExplainedGap, ExplainedValue, Explanation } from '../../mapping/explain.ts';
import { parseTarget } from '../../mapping/target.ts';
import { isObject, shortened } from './resource-trees.ts';

/** One field of the request as a line of its tree; lists have no line of their own. */
export interface Field {
  /** Of the line on the page: `f12`. */
  readonly id: string;
  /** `first_name`, `diagnoses[0]` */
  readonly label: string;
  /** `patient.first_name` */
  readonly target: string;
  /** Of a leaf, as JSON. Without one and without children nothing is sent. */
  readonly text?: string;
  readonly children: readonly Field[];
  readonly origin?: ExplainedValue;
  readonly gaps: readonly ExplainedGap[];
}

/** The body or draft as a tree, with a line also for every field of `keys` that is asked for and missing. */
export function growBody(body: object, explanation: Explanation, keys: readonly string[]): readonly Field[] {
  const missing = Map.groupBy(
    explanation.gaps.filter((gap) => keys.includes(String(partsOf(gap.target)[0]))),
    (gap) => gap.target,
  );
  return new Grower(new Map(explanation.values.map((value) => [value.target, value])), missing).children({ ...body }, '');
}

/** Every field by its target. */
export function fieldsOf(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(flat(fields).map((field) => [field.target, field]));
}

/** The line of a target, else of the nearest part around it. */
export function fieldAt(fields: ReadonlyMap<string, Field>, target: string): Field | undefined {
  for (let at = target; at !== ''; at = at.replace(/(\[\d+\]|\.?[^.[\]]+)$/, '')) {
    const found = fields.get(at) ?? fields.get(`${at}[0]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function flat(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...flat(field.children)]);
}

class Grower {
  private count = 0;

  constructor(
    private readonly origins: ReadonlyMap<string, ExplainedValue>,
    private readonly gaps: ReadonlyMap<string, readonly ExplainedGap[]>,
  ) {}

  children(object: Readonly<Record<string, unknown>>, at: string): Field[] {
    const present = Object.entries(object).flatMap(([key, value]) => this.fields(key, value, at === '' ? key : `${at}.${key}`));
    const known = new Set(Object.keys(object));
    const absent = [...new Set([...this.gaps.keys()].flatMap((target) => nextKey(target, at) ?? []))].filter((key) => !known.has(key));
    return [...present, ...absent.flatMap((key) => this.fields(key, undefined, at === '' ? key : `${at}.${key}`))];
  }

  private fields(label: string, value: unknown, target: string): Field[] {
    if (!Array.isArray(value)) return [this.field(label, value, target)];
    const ofList = this.gaps.has(target) ? [this.field(label, undefined, target)] : [];
    return [...ofList, ...value.flatMap((item: unknown, index) => this.fields(`${label}[${index}]`, item, `${target}[${index}]`))];
  }

  private field(label: string, value: unknown, target: string): Field {
    this.count += 1;
    const origin = this.origins.get(target);
    const about = { id: `f${this.count}`, label, target, gaps: this.gaps.get(target) ?? [], ...(origin === undefined ? {} : { origin }) };
    if (isObject(value) || value === undefined) return { ...about, children: this.children(isObject(value) ? value : {}, target) };
    return { ...about, text: shortened(value), children: [] };
  }
}

/** `city` for `patient.address.city` at `patient.address`; items of lists are not invented. */
function nextKey(target: string, at: string): string | undefined {
  if (at !== '' && !target.startsWith(`${at}.`)) return undefined;
  return /^[^.[\]]+/.exec(target.slice(at === '' ? 0 : at.length + 1))?.[0];
}

function partsOf(target: string): readonly (string | number)[] {
  return parseTarget(target);
}
