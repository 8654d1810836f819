import {
  evalFhirPathTyped,
  parseFhirPath,
  parseMappingLanguage,
  structureMapTransform,
  toTypedValue,
} from '@medplum/core';
import fhirpath from 'fhirpath';
import jsonata from 'jsonata';
import { handWritten } from './hand-written.ts';
import { type Body, type Leaf, leaves, type Resolved, withoutAbsent } from './leaves.ts';

/** An engine that does the leaves of `leaves.ts`; everything it can compile is compiled before it is measured. */
export interface PeerEngine {
  readonly name: string;
  readonly read: (resolved: Resolved) => Body | Promise<Body>;
}

/** Hand-written code first, then what a mapping is written in elsewhere. */
export function peerEngines(): readonly PeerEngine[] {
  return [
    { name: 'hand-written', read: handWritten },
    { name: 'fhirpath.js', read: withFhirPathJs() },
    { name: '@medplum/core FHIRPath', read: withMedplum() },
    { name: 'JSONata', read: withJsonata() },
    { name: 'FHIR Mapping Language', read: withMappingLanguage() },
  ];
}

function withFhirPathJs(): (resolved: Resolved) => Body {
  const compiled = leaves.map(({ target, root, ...leaf }) => {
    const path = fhirpath.compile(fhirPathOf(leaf));
    return { target, root, path: (on: unknown): unknown[] => path(on) as unknown[] }; // a list without `async`
  });
  return (resolved) =>
    bodyOf(compiled, ({ root, path }) => (resolved[root] === undefined ? undefined : path(resolved[root])[0]));
}

function withMedplum(): (resolved: Resolved) => Body {
  const parsed = leaves.map(({ target, root, ...leaf }) => ({ target, root, atom: parseFhirPath(fhirPathOf(leaf)) }));
  return (resolved) =>
    bodyOf(parsed, ({ root, atom }) =>
      resolved[root] === undefined ? undefined : evalFhirPathTyped(atom, [toTypedValue(resolved[root])])[0]?.value,
    );
}

function withJsonata(): (resolved: Resolved) => Promise<Body> {
  const members = leaves.map((leaf) => `"${leaf.target}": ${jsonataOf(leaf)}`);
  const expression = jsonata(`{ ${members.join(', ')} }`);
  return (resolved) => expression.evaluate(resolved);
}

/** A rule a leaf. Its sources cannot filter a list by its items (`where` is tested on the parent), so FHIRPath does. */
function withMappingLanguage(): (resolved: Resolved) => Body {
  const rules = leaves.map((leaf) => {
    const path = fhirPathOf(leaf, '%root').replaceAll('"', '\\"');
    return `src.${leaf.root} as root -> tgt.${leaf.target} = evaluate("${path}");`;
  });
  const map = parseMappingLanguage(`map "http://example.org/leaves" = "leaves"
group leaves(source src, target tgt) {
  ${rules.join('\n  ')}
}`);
  return (resolved) => {
    const [made] = structureMapTransform(map, [{ type: 'BackboneElement', value: resolved }]);
    return made?.value;
  };
}

function bodyOf<One extends { readonly target: string }>(all: readonly One[], read: (one: One) => unknown): Body {
  const body: Record<string, unknown> = {};
  for (const one of all) body[one.target] = read(one);
  return body;
}

/** `telecom.where(system = 'phone').first().value.first()`. */
function fhirPathOf({ steps }: Pick<Leaf, 'steps'>, root?: string): string {
  const path = steps.map(({ name, where }) =>
    where === undefined ? `${name}.first()` : `${name}.where(${where[0]} = '${where[1]}').first()`,
  );
  return [...(root === undefined ? [] : [root]), ...path].join('.');
}

/** `patient.telecom[system = 'phone'][0].value[0]`. */
function jsonataOf({ root, steps }: Leaf): string {
  const path = steps.map(({ name, where }) =>
    where === undefined ? `${name}[0]` : `${name}[${where[0]} = '${where[1]}'][0]`,
  );
  return [root, ...path].join('.');
}

/** Names of the engines whose body of this chart is not that of hand-written code, with what differs. */
export async function differences(engines: readonly PeerEngine[], resolved: Resolved): Promise<string[]> {
  const expected = JSON.stringify(sorted(withoutAbsent(handWritten(resolved))));
  const told: string[] = [];
  for (const { name, read } of engines) {
    const made = JSON.stringify(sorted(withoutAbsent(await read(resolved))));
    if (made !== expected) told.push(`${name}: ${made} instead of ${expected}`);
  }
  return told;
}

function sorted(body: Body): Body {
  return Object.fromEntries(Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1)));
}
