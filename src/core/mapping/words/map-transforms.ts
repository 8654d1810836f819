import type { Transform } from './rules.ts';
import type { ObjectTree, Tree } from './tree.ts';

/** Returns the replacement of a transform; `to` is the target of the leaf that uses it (`diagnoses[].code`). */
export type ChangeTransform = (transform: Transform<unknown>, to: string) => Transform<unknown>;

/** The same rules with every transform replaced by the result of `change`. */
export function mapTransforms(tree: ObjectTree, change: ChangeTransform, to = ''): ObjectTree {
  return {
    ...tree,
    entries: tree.entries.map(
      ([key, inner]) => [key, mapTree(inner, change, to === '' ? key : `${to}.${key}`)] as const,
    ),
  };
}

/** Every transform of the rules without duplicates, in the order of the target. */
export function transformsOf(tree: ObjectTree): Transform<unknown>[] {
  const found = new Set<Transform<unknown>>();
  mapTransforms(tree, (transform) => {
    found.add(transform);
    return transform;
  });
  return [...found];
}

function mapTree(tree: Tree, change: ChangeTransform, to: string): Tree {
  switch (tree.kind) {
    case 'object':
      return mapTransforms(tree, change, to);
    case 'each':
      return { ...tree, item: mapTree(tree.item, change, `${to}[]`) };
    case 'concat':
      return { ...tree, lists: tree.lists.map((list) => ({ ...list, item: mapTree(list.item, change, `${to}[]`) })) };
    case 'from':
      return {
        ...tree,
        sources: tree.sources.map(({ path, transform }) => ({
          path,
          transform: transform === undefined ? undefined : change(transform, to),
        })),
        ...(tree.beside === undefined
          ? {}
          : {
              beside: tree.beside.map((one) => ({
                ...one,
                transform: one.transform === undefined ? undefined : change(one.transform, to),
              })),
            }),
      };
    default:
      return tree;
  }
}
