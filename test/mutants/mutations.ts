import { at, below, isNode, listAt, type Node, parse } from './syntax.ts';

/** A part of a source text and what is to stand there. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One small change of a source text. */
export interface Mutation extends Edit {
  /** The body of the function that it stands in; absent of what runs when the file is loaded. */
  readonly body?: Body;
}

export interface Body {
  readonly start: number;
  readonly end: number;
  readonly isBlock: boolean;
}

/** The function that a node stands in, as far as the changes depend on it. */
interface Around {
  readonly source: string;
  readonly answersBoolean: boolean;
  readonly body?: Body;
}

/** Every small change of a text that the kinds below know. */
export function mutationsOf(source: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const visit = (node: Node, around: Around) => {
    if (isLeftAlone(node)) return;
    const inside = functionOf(node, around);
    const { body } = inside;
    const edits = isTable(node) ? withoutMiddle(node, source) : (kinds[node.type]?.(node, inside) ?? []);
    for (const { start, end, text } of edits)
      if (source.slice(start, end) !== text) found.push({ start, end, text, ...(body === undefined ? {} : { body }) });
    if (isTable(node)) return;
    for (const child of below(node)) if (!isFixed(node, child)) visit(child, inside);
  };
  visit(parse(source), { source, answersBoolean: false });
  // An answer that is a literal is changed as an answer and as a literal.
  return [...new Map(found.map((one) => [`${one.start} ${one.end} ${one.text}`, one])).values()];
}

function functionOf(node: Node, around: Around): Around {
  const body = node.type.includes('Function') ? at(node, 'body') : undefined;
  if (body === undefined) return around;
  return {
    ...around,
    answersBoolean: answersBoolean(node),
    body: { ...placeOf(body), isBlock: body.type === 'BlockStatement' },
  };
}

type Kind = (node: Node, around: Around) => readonly Edit[];

const conditional: Kind = (node) => always(at(node, 'test'));

const kinds: Readonly<Record<string, Kind>> = {
  BinaryExpression: operator({
    '===': '!==',
    '!==': '===',
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
  }),
  LogicalExpression: (node, around) =>
    node.operator === '??'
      ? [instead(node, at(node, 'left'), around), instead(node, at(node, 'right'), around)]
      : operator({ '&&': '||', '||': '&&' })(node, around),
  UnaryExpression: (node, around) => (node.operator === '!' ? [instead(node, at(node, 'argument'), around)] : []),
  ConditionalExpression: conditional,
  IfStatement: conditional,
  WhileStatement: (node) => always(at(node, 'test'), ['false']),
  ReturnStatement: (node, around) => answers(at(node, 'argument'), around),
  ArrowFunctionExpression: (node, around) => (node.expression === true ? answers(at(node, 'body'), around) : []),
  ThrowStatement: (node) => [{ ...placeOf(node), text: '{}' }],
  ExpressionStatement: (node) => (isDirective(node) ? [] : [{ ...placeOf(node), text: '{}' }]),
  Literal: literal,
  TemplateLiteral: (node, { source }) =>
    /\s/.test(source.slice(node.start, node.end).replaceAll(/\$\{[^}]*\}/g, ''))
      ? []
      : [{ ...placeOf(node), text: "''" }],
  ArrayExpression: (node, { source }) => withoutMiddle(node, source),
  SpreadElement: (node) => [{ ...placeOf(node), text: '...[]' }],
  MemberExpression: (node, { source }) => (node.optional === true ? [certain(node, source)] : []),
  CallExpression: called,
};

function operator(others: Readonly<Record<string, string>>): Kind {
  return (node, { source }) => {
    const other = others[String(node.operator)];
    const [left, right] = [at(node, 'left'), at(node, 'right')];
    if (other === undefined || left === undefined || right === undefined) return [];
    const start = source.indexOf(String(node.operator), left.end);
    return [{ start, end: start + String(node.operator).length, text: other }];
  };
}

function always(test: Node | undefined, values: readonly string[] = ['true', 'false']): readonly Edit[] {
  return test === undefined ? [] : values.map((text) => ({ ...placeOf(test), text }));
}

/** What a function answers with: nothing, or where it tells yes from no, each of the two. */
function answers(answer: Node | undefined, { answersBoolean }: Around): readonly Edit[] {
  if (answer === undefined || answer.type === 'BlockStatement') return [];
  const isTest = answersBoolean || isComparison(answer);
  return (isTest ? ['true', 'false'] : ['undefined']).map((text) => ({ ...placeOf(answer), text }));
}

function isComparison(node: Node): boolean {
  if (node.type === 'BinaryExpression') return /^([<>]=?|[!=]==)$/.test(String(node.operator));
  return node.type === 'UnaryExpression' && node.operator === '!';
}

function literal(node: Node): readonly Edit[] {
  const { value } = node;
  if (typeof value === 'boolean') return [{ ...placeOf(node), text: String(!value) }];
  // Whether 600 seconds are waited or 601 is nobody's concern.
  if (typeof value === 'number') return value < 10 ? [{ ...placeOf(node), text: String(value + 1) }] : [];
  // What has a space in it is said to people.
  return typeof value === 'string' && !/^$|\s/.test(value) ? [{ ...placeOf(node), text: "''" }] : [];
}

const otherMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
};
const passedOver = new Set(['filter', 'toSorted', 'slice', 'toLowerCase', 'toUpperCase', 'trim', 'toReversed']);

/** Another method in the place of one, or what it was called on as it is. */
function called(node: Node, { source }: Around): readonly Edit[] {
  const callee = at(node, 'callee');
  const [object, property] = [at(callee, 'object'), at(callee, 'property')];
  if (callee?.type !== 'MemberExpression' || object === undefined || property === undefined) return [];
  const name = String(property.name);
  const other = Object.hasOwn(otherMethods, name) ? otherMethods[name] : undefined;
  if (other !== undefined) return [{ ...placeOf(property), text: other }];
  if (passedOver.has(name)) return [{ ...placeOf(node), text: source.slice(object.start, object.end) }];
  const [place] = listAt(node, 'arguments');
  if (name !== 'at' || place === undefined) return [];
  return [{ ...placeOf(place), text: source.slice(place.start, place.end) === '-1' ? '0' : '-1' }];
}

function certain(node: Node, source: string): Edit {
  const object = at(node, 'object') ?? node;
  const start = source.indexOf('?.', object.end);
  return { start, end: start + 2, text: node.computed === true ? '' : '.' };
}

function instead(node: Node, other: Node | undefined, { source }: Around): Edit {
  return { ...placeOf(node), text: other === undefined ? '' : `(${source.slice(other.start, other.end)})` };
}

function placeOf({ start, end }: Node): { readonly start: number; readonly end: number } {
  return { start, end };
}

function isDirective(node: Node): boolean {
  return typeof node.directive === 'string';
}

/** Types have no effect when they run; an import, and what a log says, is no behavior of its own. */
function isLeftAlone(node: Node): boolean {
  if (/^(Import|ExportAll)/.test(node.type) || isLogged(node)) return true;
  return node.type.startsWith('TS') && at(node, 'expression') === undefined;
}

function isLogged(node: Node): boolean {
  const logger = at(at(node, 'callee'), 'object');
  return logger?.name === 'log' || at(logger, 'property')?.name === 'log';
}

/** The name of a member, where an export comes from, the text of a tagged template: nothing to change. */
function isFixed(parent: Node, child: Node): boolean {
  return child === parent.quasi || child === parent.source || (child === parent.key && parent.computed !== true);
}

function answersBoolean(node: Node): boolean {
  const type = at(at(node, 'returnType'), 'typeAnnotation');
  const [promised] = listAt(at(type, 'typeArguments'), 'params');
  return [type, promised].some((one) => one?.type === 'TSBooleanKeyword' || one?.type === 'TSTypePredicate');
}

/** A list or a table that is nothing but values: one entry is as good as another. */
function isTable(node: Node): boolean {
  return (node.type === 'ArrayExpression' || node.type === 'ObjectExpression') && isData(node) && leaves(node) > 6;
}

function isData(node: Node): boolean {
  if (node.type === 'Literal') return true;
  if (node.type === 'ArrayExpression') return listAt(node, 'elements').every(isData);
  if (node.type === 'ObjectExpression')
    return listAt(node, 'properties').every((one) => isData(at(one, 'value') ?? one));
  const inner = at(node, 'expression');
  return node.type.startsWith('TS') && isNode(inner) && isData(inner);
}

function leaves(node: Node): number {
  return node.type === 'Literal' ? 1 : below(node).reduce((sum, child) => sum + leaves(child), 0);
}

/** Without the entry in the middle. */
function withoutMiddle(node: Node, source: string): readonly Edit[] {
  const entries = [...listAt(node, 'elements'), ...listAt(node, 'properties')];
  const middle = Math.floor(entries.length / 2);
  const [entry, next] = [entries[middle], entries[middle + 1]];
  if (entry === undefined) return [];
  const comma = source.slice(entry.end, node.end).match(/^\s*,/)?.[0] ?? '';
  return [{ start: entry.start, end: next?.start ?? entry.end + comma.length, text: '' }];
}
