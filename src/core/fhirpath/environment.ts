import type { Item } from './item.ts';

/** A `%name` that is not a system URI. It has the same number in every expression, counted from 0. */
export interface Variable {
  readonly name: string;
  readonly number: number;
}

const variables = new Map<string, Variable>();

/** The variable with a name. It is always the same object, so that an environment finds it by its number. */
export function variableNamed(name: string): Variable {
  const known = variables.get(name) ?? { name, number: variables.size };
  variables.set(name, known);
  return known;
}

export function variableCount(): number {
  return variables.size;
}

export interface Environment {
  /** The items of a variable; throws when the name is unknown. */
  readonly variable: (variable: Variable) => Items;
  /** The resource that a Reference (or a reference string) points to. */
  readonly resolve: (reference: Item) => Item | undefined;
}

export type Items = readonly Item[];
/** `context` is `$this`, the collection that relative paths start from. */
export type Run = (context: Items, environment: Environment) => Items;
export type StepRun = (input: Items, context: Items, environment: Environment) => Items;
export const noItems: Items = [];
