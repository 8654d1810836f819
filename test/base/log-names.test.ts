import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { allowedFacts } from '../../src/base/log.ts';

const root = join(import.meta.dirname, '../..');

interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

test('every name that the code logs, or gives to an error that is logged, is one that the log writes', () => {
  const named = sources().flatMap((file) => namesIn(readFileSync(file, 'utf8'), relative(root, file)));
  const leftOut = named.filter(({ name }) => allowedFacts({ [name]: oneOf(name) }).left_out !== undefined);
  expect(named.length).toBeGreaterThan(150);
  expect([...new Set(leftOut.map(({ name, file }) => `${file}: ${name}`))]).toEqual([]);
});

/** One that the log takes: it is the name that is tried. */
function oneOf(name: string): unknown {
  return (
    new Map([
      ['auth', 'public'],
      ['token', 'id_token'],
    ]).get(name) ?? 1
  );
}

// An error of the other rooms ends a command, which prints it to whoever typed it.
const serving = /^src\/(config|service|ehr|writeback|store|cases|web)\//;

function sources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The keys of the facts of each `log.warn(facts, …)` and `new BridgeError(code, facts)`. */
function namesIn(text: string, file: string): { readonly name: string; readonly file: string }[] {
  if (!/\blog\.(debug|info|warn|error)\(|new BridgeError\(/.test(text)) return [];
  const all = nodesOf(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  const facts = all.flatMap((node) => loggedBy(node) ?? (serving.test(file) ? thrownWith(node) : undefined) ?? []);
  return facts.flatMap((each) => [...keysOf(each, all)]).map((name) => ({ name, file }));
}

function thrownWith({ type, callee, arguments: given }: Node): Node | undefined {
  return type === 'NewExpression' && (callee as Node).name === 'BridgeError' ? (given as Node[])[1] : undefined;
}

function loggedBy({ type, callee, arguments: given }: Node): Node | undefined {
  if (type !== 'CallExpression' || (callee as Node).type !== 'MemberExpression') return undefined;
  const { object, property } = callee as { readonly object?: Node; readonly property?: Node };
  const isLog = object?.name === 'log' || (object?.property as Node | undefined)?.name === 'log';
  return isLog && /^(debug|info|warn|error)$/.test(String(property?.name)) ? (given as Node[])[0] : undefined;
}

/** The keys of an object in words, of what is spread into it, and of what names of this file stand for. */
function keysOf(node: Node | null | undefined, all: readonly Node[], seen: readonly string[] = []): Set<string> {
  const of = (inner: unknown) => keysOf(inner as Node | null | undefined, all, seen);
  switch (node?.type) {
    case 'ObjectExpression':
      return new Set((node.properties as Node[]).flatMap((each) => [...of(each)]));
    case 'Property':
      return new Set(node.computed === true ? [] : [String((node.key as Node).name ?? (node.key as Node).value)]);
    case 'SpreadElement':
      return of(node.argument);
    case 'ConditionalExpression':
      return new Set([...of(node.consequent), ...of(node.alternate)]);
    case 'Identifier':
      return keysOfName(String(node.name), all, seen);
    case 'CallExpression':
      return keysOfName(String((node.callee as Node).name), all, seen);
    default:
      return new Set();
  }
}

function keysOfName(name: string, all: readonly Node[], seen: readonly string[]): Set<string> {
  if (seen.includes(name)) return new Set();
  const named = all.filter(({ id }) => (id as Node | null | undefined)?.name === name);
  return new Set(named.flatMap(valuesOf).flatMap((value) => [...keysOf(value, all, [...seen, name])]));
}

/** What a name stands for: the value of a constant, what a function returns. */
function valuesOf({ type, init, body }: Node): Node[] {
  if (type === 'VariableDeclarator') return [init as Node];
  const returns = type === 'FunctionDeclaration' ? nodesOf(body).filter((node) => node.type === 'ReturnStatement') : [];
  return returns.map(({ argument }) => argument as Node);
}

function nodesOf(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return 'type' in value ? [value as Node, ...inner] : inner;
}
