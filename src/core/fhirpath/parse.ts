import { canonicalSystem } from '../fhir/codes/systems.ts';
import type { BinaryExpression, BinaryOperator, Expression, Head, PathExpression, PathStep } from './ast.ts';
import { PathError } from './error.ts';
import { type PathToken, tokenize } from './tokens.ts';

// FHIRPath, "Operator precedence": lowest precedence first.
const levels: readonly (readonly BinaryOperator[])[] = [
  ['implies'],
  ['or', 'xor'],
  ['and'],
  ['in', 'contains'],
  ['=', '!='],
  ['<', '<=', '>', '>='],
  ['|'],
];
const arities: Readonly<Record<string, readonly [number, number]>> = {
  where: [1, 1],
  exists: [0, 1],
  all: [1, 1],
  first: [0, 0],
  last: [0, 0],
  tail: [0, 0],
  empty: [0, 0],
  not: [0, 0],
  count: [0, 0],
  distinct: [0, 0],
  hasValue: [0, 0],
  resolve: [0, 0],
  extension: [1, 1],
  startsWith: [1, 1],
  endsWith: [1, 1],
  contains: [1, 1],
  iif: [2, 3],
};
const keywords = new Set(['and', 'or', 'xor', 'implies', 'is', 'as', 'in', 'contains', 'div', 'mod']);
const maximumDepth = 50;

const functionNames: readonly string[] = [...Object.keys(arities), 'ofType', 'as', 'is'];

/**
 * The syntax tree of an expression of the FHIRPath subset; throws PathError with position and reason for any other
 * expression.
 */
export function parse(expression: string): Expression {
  const parser = new Parser(expression, tokenize(expression));
  return parser.whole();
}

// Charts are read with canonical system URIs, so the literals that are compared with a system are canonical too.
function comparedBySystem(tree: BinaryExpression): BinaryExpression {
  if (!['=', '!=', 'in'].includes(tree.operator)) return tree;
  if (endsInSystem(tree.left)) return { ...tree, right: asSystem(tree.right) };
  return endsInSystem(tree.right) ? { ...tree, left: asSystem(tree.left) } : tree;
}

function endsInSystem(tree: Expression): boolean {
  const last = tree.kind === 'path' ? tree.steps.at(-1) : undefined;
  return last?.kind === 'member' && last.name === 'system';
}

function asSystem(tree: Expression): Expression {
  if (tree.kind === 'binary') return { ...tree, left: asSystem(tree.left), right: asSystem(tree.right) };
  if (tree.kind !== 'path' || tree.steps.length > 0) return tree;
  const { head } = tree;
  if (head.kind === 'group') return { ...tree, head: { ...head, inner: asSystem(head.inner) } };
  return head.kind === 'literal' && typeof head.value === 'string'
    ? { ...tree, head: { ...head, value: canonicalSystem(head.value) } }
    : tree;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly expression: string,
    private readonly tokens: readonly PathToken[],
  ) {}

  whole(): Expression {
    if (this.peek().kind === 'end') this.refuse('the expression is empty');
    const result = this.binary(0);
    if (this.peek().kind !== 'end') this.refuse(`"${this.written(this.peek())}" is not expected here`);
    return result;
  }

  private binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return this.typed();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = operators.find((candidate) => this.isOperator(candidate));
      if (operator === undefined) return left;
      this.at += 1;
      const right = this.binary(level + 1);
      left = comparedBySystem({ kind: 'binary', operator, left, right, position: left.position, end: right.end });
    }
  }

  private typed(): Expression {
    let operand: Expression = this.path();
    for (;;) {
      const operator = (['is', 'as'] as const).find((one) => this.isOperator(one));
      if (operator === undefined) return operand;
      this.at += 1;
      const { type, end } = this.typeName();
      operand = { kind: 'type', operator, operand, type, position: operand.position, end };
    }
  }

  private path(): PathExpression {
    const head = this.head();
    const steps: PathStep[] = [];
    if (head.kind === 'context') steps.push(this.invocation());
    for (;;) {
      if (this.take('.')) steps.push(this.invocation());
      else if (this.isSymbol('[')) steps.push(this.index());
      else return { kind: 'path', head, steps, position: head.position, end: steps.at(-1)?.end ?? head.end };
    }
  }

  private head(): Head {
    const token = this.peek();
    const { position, end } = token;
    if (token.kind === 'variable') return this.consumed({ kind: 'variable', name: token.text, position, end });
    if (token.kind === 'string') return this.consumed({ kind: 'literal', value: token.text, position, end });
    if (token.kind === 'number') return this.consumed({ kind: 'literal', value: Number(token.text), position, end });
    if (token.kind === 'date') return this.consumed({ kind: 'literal', value: { date: token.text }, position, end });
    if (token.kind === 'identifier') return this.named(token);
    if (this.isSymbol('-')) return this.negative();
    if (this.isSymbol('{')) return this.emptyCollection();
    if (this.isSymbol('(')) return this.group();
    return this.refuse(token.kind === 'end' ? 'the expression ends too early' : `"${token.text}" is not expected here`);
  }

  private named(token: PathToken): Head {
    const { position, end } = token;
    if (token.delimited !== true && token.text === '$this') return this.consumed({ kind: 'this', position, end });
    if (token.delimited !== true && (token.text === 'true' || token.text === 'false'))
      return this.consumed({ kind: 'literal', value: token.text === 'true', position, end });
    return { kind: 'context', position, end: position };
  }

  private negative(): Head {
    const { position } = this.peek();
    this.at += 1;
    const token = this.peek();
    if (token.kind !== 'number') this.refuse('"-" stands only before a number; arithmetic is not part of the subset');
    return this.consumed({ kind: 'literal', value: -Number(token.text), position, end: token.end });
  }

  private emptyCollection(): Head {
    const { position } = this.peek();
    this.at += 1;
    const { end } = this.peek();
    this.expect('}');
    return { kind: 'empty', position, end };
  }

  private group(): Head {
    const { position } = this.peek();
    this.at += 1;
    this.deeper();
    const inner = this.binary(0);
    this.depth -= 1;
    const { end } = this.peek();
    this.expect(')');
    return { kind: 'group', inner, position, end };
  }

  private invocation(): PathStep {
    const token = this.peek();
    if (token.kind !== 'identifier') this.refuse('a name is missing');
    if (token.text === '$this' && token.delimited !== true) this.refuse('$this stands only at the beginning of a path');
    if (this.tokens[this.at + 1]?.text === '(' && this.tokens[this.at + 1]?.kind === 'symbol') return this.call(token);
    if (
      token.delimited !== true &&
      keywords.has(token.text) &&
      token.text !== 'contains' &&
      token.text !== 'as' &&
      token.text !== 'is'
    )
      this.refuse(`"${token.text}" is an operator, not a name`);
    this.at += 1;
    return { kind: 'member', name: token.text, position: token.position, end: token.end };
  }

  private call(name: PathToken): PathStep {
    this.at += 2;
    if (name.text === 'ofType' || name.text === 'as' || name.text === 'is') {
      const { type } = this.typeName();
      return { kind: 'typed', name: name.text, type, position: name.position, end: this.closing() };
    }
    const arity = Object.hasOwn(arities, name.text) ? arities[name.text] : undefined;
    if (arity === undefined)
      throw new PathError(
        this.expression,
        name.position,
        `the function ${name.text}() is not part of the subset; it has ${functionNames.join(', ')}`,
      );
    const args = this.arguments();
    if (args.length < arity[0] || args.length > arity[1])
      throw new PathError(
        this.expression,
        name.position,
        `${name.text}() takes ${arity[0] === arity[1] ? arity[0] : arity.join(' to ')} argument(s), not ${args.length}`,
      );
    return { kind: 'call', name: name.text, args, position: name.position, end: this.closing() };
  }

  private arguments(): Expression[] {
    const args: Expression[] = [];
    this.deeper();
    if (!this.isSymbol(')')) {
      do args.push(this.binary(0));
      while (this.take(','));
    }
    this.depth -= 1;
    return args;
  }

  private closing(): number {
    const { end } = this.peek();
    this.expect(')');
    return end;
  }

  private index(): PathStep {
    const { position } = this.peek();
    this.at += 1;
    const token = this.peek();
    if (token.kind !== 'number' || !/^\d+$/.test(token.text)) this.refuse('an index is a whole number from 0');
    this.at += 1;
    const { end } = this.peek();
    this.expect(']');
    return { kind: 'index', index: Number(token.text), position, end };
  }

  // `FHIR.Quantity` and `Quantity` mean the same; System types are not part of the subset.
  private typeName(): { type: string; end: number } {
    const first = this.peek();
    if (first.kind !== 'identifier') this.refuse('the name of a FHIR type is missing');
    this.at += 1;
    if (!this.take('.')) return { type: first.text, end: first.end };
    const second = this.peek();
    if (first.text !== 'FHIR' || second.kind !== 'identifier')
      throw new PathError(this.expression, first.position, 'only types of FHIR are part of the subset');
    this.at += 1;
    return { type: second.text, end: second.end };
  }

  private deeper(): void {
    this.depth += 1;
    if (this.depth > maximumDepth) this.refuse('the expression is nested too deeply');
  }

  private peek(): PathToken {
    return this.tokens[this.at] as PathToken; // the last token is `end`, which is never consumed
  }

  private consumed(head: Head): Head {
    this.at += 1;
    return head;
  }

  private isSymbol(text: string): boolean {
    const token = this.peek();
    return token.kind === 'symbol' && token.text === text;
  }

  private isOperator(text: string): boolean {
    const token = this.peek();
    return (
      token.text === text && (token.kind === 'symbol' || (token.kind === 'identifier' && token.delimited !== true))
    );
  }

  private take(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text))
      this.refuse(
        this.peek().kind === 'end'
          ? `"${text}" is missing`
          : `"${text}" is expected before "${this.written(this.peek())}"`,
      );
  }

  private written(token: PathToken): string {
    return this.expression.slice(token.position, token.end);
  }

  private refuse(reason: string): never {
    throw new PathError(this.expression, this.peek().position, reason);
  }
}
