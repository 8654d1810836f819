import { parseAst } from 'vitest/node';

/** A node of the syntax tree (ESTree, with TypeScript), as far as all nodes are alike. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export function parse(source: string, file = '.ts'): Node {
  return parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The nodes right below one. */
export function below(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** A member that is a node; undefined where there is none. */
export function at(node: Node | undefined, member: string): Node | undefined {
  const value = node?.[member];
  return isNode(value) ? value : undefined;
}

export function listAt(node: Node | undefined, member: string): readonly Node[] {
  const value = node?.[member];
  return Array.isArray(value) ? value.filter(isNode) : [];
}
