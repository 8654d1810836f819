import type { Item } from './item.ts';

/** What an expression cannot know by itself. */
export interface Environment {
  /** The items of a `%name` that is no system URI; throws when nobody knows the name. */
  readonly variable: (name: string) => Items;
  /** The resource that a Reference (or a reference string) points to. */
  readonly resolve: (reference: Item) => Item | undefined;
}

export type Items = readonly Item[];
/** `context` is `$this`, the collection that relative paths start from. */
export type Run = (context: Items, environment: Environment) => Items;
export type StepRun = (input: Items, context: Items, environment: Environment) => Items;
export const none: Items = [];
