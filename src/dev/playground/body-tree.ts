import { isObject } from '../../core/fhir/is-object.ts';
import type { ExplainedGap, ExplainedValue, Explanation } from '../../core/mapping/review/explain-result.ts';
import { parseTarget } from '../../core/mapping/target.ts';
import type { ObjectTree, Tree } from '../../core/mapping/words/tree.ts';
import { shortened } from './resource-trees.ts';

/** One field of the request as a line of its tree. Lists have no line of their own. */
export interface BodyLine {
  /** Id of the line on the page, such as `f12`. */
  readonly id: string;
  /** Example: `first_name`, `diagnoses[0]`. */
  readonly label: string;
  /** Example: `patient.first_name`. */
  readonly target: string;
  /** The value of a leaf, as JSON. A line without text and children is not sent. */
  readonly text?: string;
  readonly children: readonly BodyLine[];
  readonly origin?: ExplainedValue;
  readonly gaps: readonly ExplainedGap[];
}

/**
 * Returns the body or draft as a tree in the order of the mapping. Required fields that are missing have a line too.
 */
export function growBody(body: object, explanation: Explanation, tree: ObjectTree): readonly BodyLine[] {
  const fields = new Set(tree.entries.map(([key]) => key));
  const asked = explanation.gaps.filter((gap) => fields.has(String(parseTarget(gap.target)[0])));
  const origins = new Map(explanation.values.map((value) => [value.target, value]));
  return new Grower(
    origins,
    Map.groupBy(asked, (gap) => gap.target),
  ).children({ ...body }, { target: '', tree });
}

export function fieldsOf(fields: readonly BodyLine[]): ReadonlyMap<string, BodyLine> {
  return new Map(flat(fields).map((field) => [field.target, field]));
}

/** Returns the line of a target, else of the nearest part that encloses it. */
export function bodyLineAt(fields: ReadonlyMap<string, BodyLine>, target: string): BodyLine | undefined {
  for (let at = target; at !== ''; at = at.replace(/(\[\d+\]|\.?[^.[\]]+)$/, '')) {
    const found = fields.get(at) ?? fields.get(`${at}[0]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function flat(fields: readonly BodyLine[]): BodyLine[] {
  return fields.flatMap((field) => [field, ...flat(field.children)]);
}

class Grower {
  private count = 0;

  constructor(
    private readonly origins: ReadonlyMap<string, ExplainedValue>,
    private readonly gaps: ReadonlyMap<string, readonly ExplainedGap[]>,
  ) {}

  children(object: Readonly<Record<string, unknown>>, { target: at, tree }: Spot): BodyLine[] {
    const absent = [...this.gaps.keys()].flatMap((target) => nextKey(target, at) ?? []);
    const entries = tree?.kind === 'object' ? tree.entries : [];
    const inOrder = entries.map(([key]) => key).filter((key) => Object.hasOwn(object, key) || absent.includes(key));
    const keys = new Set([...inOrder, ...Object.keys(object), ...absent]);
    return [...keys].flatMap((key) =>
      this.fields(key, object[key], {
        target: at === '' ? key : `${at}.${key}`,
        tree: entries.find(([name]) => name === key)?.[1],
      }),
    );
  }

  private fields(label: string, value: unknown, spot: Spot): BodyLine[] {
    if (!Array.isArray(value)) return [this.field(label, value, spot)];
    const item = spot.tree?.kind === 'each' ? spot.tree.item : undefined;
    const ofList = this.gaps.has(spot.target)
      ? [this.field(label, undefined, { target: spot.target, tree: undefined })]
      : [];
    return [
      ...ofList,
      ...value.flatMap((one: unknown, index) =>
        this.fields(`${label}[${index}]`, one, { target: `${spot.target}[${index}]`, tree: item }),
      ),
    ];
  }

  private field(label: string, value: unknown, spot: Spot): BodyLine {
    const { target } = spot;
    this.count += 1;
    const origin = this.origins.get(target);
    const about = {
      id: `f${this.count}`,
      label,
      target,
      gaps: this.gaps.get(target) ?? [],
      ...(origin === undefined ? {} : { origin }),
    };
    if (isObject(value) || value === undefined)
      return { ...about, children: this.children(isObject(value) ? value : {}, spot) };
    return { ...about, text: shortened(value), children: [] };
  }
}

interface Spot {
  readonly target: string;
  readonly tree: Tree | undefined;
}

/** Returns `city` for `patient.address.city` below `patient.address`; undefined for list items. */
function nextKey(target: string, at: string): string | undefined {
  if (at !== '' && !target.startsWith(`${at}.`)) return undefined;
  return /^[^.[\]]+/.exec(target.slice(at === '' ? 0 : at.length + 1))?.[0];
}
