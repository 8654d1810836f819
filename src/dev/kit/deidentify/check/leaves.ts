import { isObject } from '../../../../core/fhir/is-object.ts';

/** A text or number of a JSON document. */
export interface TextLeaf {
  /** Example: `name[0].family`. */
  readonly path: string;
  readonly key: string;
  readonly value: string;
  readonly isNumber: boolean;
  /** `parent`: the object that contains the text. `parentKey`: the property that contains that object. */
  readonly parent: Readonly<Record<string, unknown>>;
  readonly parentKey: string;
  readonly grandparent: Readonly<Record<string, unknown>>;
}

type Holder = Readonly<Record<string, unknown>>;

interface Pending {
  readonly value: unknown;
  readonly path: string;
  readonly key: string;
  readonly parent: Holder;
  readonly parentKey: string;
  readonly grandparent: Holder;
}

const nothing: Holder = {};

/**
 * Yields every text and number of a document. Every property name is yielded as a leaf too, with the name as both `key`
 * and `value`.
 */
export function* textLeaves(document: unknown): Generator<TextLeaf> {
  const pending: Pending[] = [
    { value: document, path: '', key: '', parent: nothing, parentKey: '', grandparent: nothing },
  ];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { value, path } = at;
    if (typeof value === 'string') yield { ...at, value, isNumber: false };
    else if (typeof value === 'number') yield { ...at, value: String(value), isNumber: true };
    else if (Array.isArray(value))
      for (const [index, item] of value.entries()) pending.push({ ...at, value: item, path: `${path}[${index}]` });
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) pending.push(memberOf(at, value, key, inner));
  }
}

function memberOf(at: Pending, parent: Holder, key: string, value: unknown): Pending {
  return {
    value,
    path: at.path === '' ? key : `${at.path}.${key}`,
    key,
    parent,
    parentKey: at.key,
    grandparent: at.parent,
  };
}
