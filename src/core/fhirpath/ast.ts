/** Every node has its position in the expression, for error messages and for the steps of a trace. */
interface Place {
  readonly position: number;
  readonly end: number;
}

export type Expression = PathExpression | BinaryExpression | TypeExpression;

/** A head and the steps after it: `%coverage.class.where(…)[0]`. */
export interface PathExpression extends Place {
  readonly kind: 'path';
  readonly head: Head;
  readonly steps: readonly PathStep[];
}

export type Head = Place &
  (
    | { readonly kind: 'context' /* the start of a relative path, which has no text of its own */ }
    | { readonly kind: 'this' }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'literal'; readonly value: string | number | boolean | DateLiteral }
    | { readonly kind: 'empty' }
    | { readonly kind: 'group'; readonly inner: Expression }
  );

export interface DateLiteral {
  readonly date: string;
}

export type PathStep = Place &
  (
    | { readonly kind: 'member'; readonly name: string }
    | { readonly kind: 'index'; readonly index: number }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
    | { readonly kind: 'typed'; readonly name: 'ofType' | 'as' | 'is'; readonly type: string }
  );

const binaryOperators = [
  'or',
  'xor',
  'and',
  'implies',
  'in',
  'contains',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '|',
] as const;
export type BinaryOperator = (typeof binaryOperators)[number];

export interface BinaryExpression extends Place {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `value is Quantity`, `value as Quantity` */
export interface TypeExpression extends Place {
  readonly kind: 'type';
  readonly operator: 'is' | 'as';
  readonly operand: Expression;
  readonly type: string;
}
