import { BridgeError } from '../../errors.ts';
import type { Environment, Items } from '../../fhirpath/environment.ts';
import { Item, type Origin, placeOf } from '../../fhirpath/item.ts';
import type { MappingInput, Node, Root } from '../input.ts';

/** What expressions see of a chart: its roots by name, and resolve() over its resources. Values keep the root they come from. */
export function environmentOf(input: MappingInput): Environment {
  const roots = new Map<string, Items>();
  return {
    variable: (name) => {
      const known = roots.get(name);
      if (known !== undefined) return known;
      const root = Object.hasOwn(input.roots, name) ? input.roots[name] : undefined;
      if (root === undefined)
        throw new BridgeError('mapping_invalid', { variable: `%${name}`, reason: 'there is no such role' });
      const items = root.nodes.map((node) => itemOf(node, rootFor(node, root)));
      roots.set(name, items);
      return items;
    },
    resolve: (reference) => {
      const place = placeOf(reference);
      const target = input.resolve(reference.value, {
        value: reference.value,
        ...(place === undefined ? {} : { source: place }),
      });
      return target === undefined ? undefined : itemOf(target, reference.origin.tag);
    },
  };
}

// A proposal stays one, and what a person typed or chose stays theirs, whatever its node tells.
function rootFor({ told }: Node, root: Root): Root {
  return told === undefined
    ? root
    : {
        ...root,
        kind: root.kind ?? told.kind,
        note: [told.note, root.note].filter((note) => note !== undefined).join('; '),
      };
}

function itemOf(node: Node, tag: unknown): Item {
  const origin: Origin = {
    tag,
    ...(node.source === undefined ? {} : { place: node.source }),
    ...(node.whole ? { whole: node.whole } : {}),
    ...(node.parts === undefined ? {} : { parts: node.parts }),
  };
  return new Item(node.value, origin);
}
