import type { Item } from './item.ts';

/** A `%name` that is no system URI. Its number is the same in every expression, from 0 on. */
export interface Variable {
  readonly name: string;
  readonly number: number;
}

const variables = new Map<string, Variable>();

/** The variable of a name: the same one each time, so that an environment finds it by its number. */
export function variableNamed(name: string): Variable {
  const known = variables.get(name) ?? { name, number: variables.size };
  variables.set(name, known);
  return known;
}

/** How many there are by now. */
export function variableCount(): number {
  return variables.size;
}

/** What an expression cannot know by itself. */
export interface Environment {
  /** The items of a variable; throws when nobody knows the name. */
  readonly variable: (variable: Variable) => Items;
  /** The resource that a Reference (or a reference string) points to. */
  readonly resolve: (reference: Item) => Item | undefined;
}

export type Items = readonly Item[];
/** `context` is `$this`, the collection that relative paths start from. */
export type Run = (context: Items, environment: Environment) => Items;
export type StepRun = (input: Items, context: Items, environment: Environment) => Items;
export const noItems: Items = [];
