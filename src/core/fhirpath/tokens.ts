import { PathError } from './error.ts';

export type TokenKind = 'identifier' | 'string' | 'number' | 'date' | 'variable' | 'symbol' | 'end';

export interface PathToken {
  readonly kind: TokenKind;
  /** The content, without quotes, backticks, `%` or `@`. */
  readonly text: string;
  readonly position: number;
  readonly end: number;
  /** Inside backticks, keywords such as `as` and `and` are names. */
  readonly delimited?: boolean;
}

const symbol = /<=|>=|!=|[.,()[\]{}|=<>-]/y;
const identifier = /[A-Za-z_]\w*/y;
const number = /\d+(?:\.\d+)?/y;
const date = /@(\d{4}(?:-\d\d(?:-\d\d)?)?(?:T(?:\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)/y;
const space = /\s+/y;
const escapes: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '`': '`',
  '\\': '\\',
  '/': '/',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/**
 * The tokens of an expression, followed by an `end` token. Throws PathError at the first character that cannot start a
 * token.
 */
export function tokenize(expression: string): PathToken[] {
  const tokens: PathToken[] = [];
  let position = 0;
  for (;;) {
    position += match(space, expression, position)?.[0].length ?? 0;
    if (position >= expression.length) break;
    const token = next(expression, position);
    tokens.push(token);
    position = token.end;
  }
  tokens.push({ kind: 'end', text: '', position: expression.length, end: expression.length });
  return tokens;
}

function next(expression: string, position: number): PathToken {
  const first = expression[position] ?? '';
  if (first === "'") return { kind: 'string', ...quoted(expression, position, "'") };
  if (first === '`') return { kind: 'identifier', ...quoted(expression, position, '`'), delimited: true };
  if (first === '%') return variable(expression, position);
  if (first === '$') return special(expression, position);
  for (const [kind, pattern] of [
    ['identifier', identifier],
    ['number', number],
    ['date', date],
    ['symbol', symbol],
  ] as const) {
    const found = match(pattern, expression, position);
    if (found !== null) return { kind, text: found[1] ?? found[0], position, end: position + found[0].length };
  }
  throw new PathError(expression, position, `"${first}" is not part of the FHIRPath subset`);
}

// %name, %`vs-name` and %'name' (FHIRPath, "Environment variables")
function variable(expression: string, position: number): PathToken {
  const quote = expression[position + 1];
  if (quote === '`' || quote === "'") return { kind: 'variable', ...quoted(expression, position + 1, quote), position };
  const name = match(identifier, expression, position + 1)?.[0];
  if (name === undefined) throw new PathError(expression, position, 'a name is missing after "%"');
  return { kind: 'variable', text: name, position, end: position + 1 + name.length };
}

function special(expression: string, position: number): PathToken {
  const name = match(identifier, expression, position + 1)?.[0] ?? '';
  if (name !== 'this')
    throw new PathError(expression, position, `"$${name}" is not part of the FHIRPath subset; only $this is`);
  return { kind: 'identifier', text: '$this', position, end: position + 5 };
}

function quoted(expression: string, start: number, quote: string): { text: string; position: number; end: number } {
  let text = '';
  for (let at = start + 1; at < expression.length; at += 1) {
    const character = expression[at] ?? '';
    if (character === quote) return { text, position: start, end: at + 1 };
    if (character !== '\\') {
      text += character;
      continue;
    }
    at += 1;
    const escaped = expression[at] ?? '';
    if (escaped === 'u') {
      const code = /^[0-9A-Fa-f]{4}/.exec(expression.slice(at + 1))?.[0];
      if (code === undefined) throw new PathError(expression, at, 'four hexadecimal digits are missing after "\\u"');
      text += String.fromCharCode(Number.parseInt(code, 16));
      at += 4;
    } else {
      const meant = escapes[escaped];
      if (meant === undefined) throw new PathError(expression, at, `"\\${escaped}" is not an escape of FHIRPath`);
      text += meant;
    }
  }
  throw new PathError(expression, start, `the closing ${quote} is missing`);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
