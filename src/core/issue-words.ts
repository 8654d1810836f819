import type { z } from 'zod';

/**
 * An option of `safeParse` for issues that people read. It replaces zod's words with the bridge's own, which follow the
 * name of the field. A message from the schema itself is kept. The words never quote the value.
 *
 * @example Schema.safeParse(value, inOurWords).error?.issues[0]?.message // 'it is missing'
 */
export const inOurWords = { error: issueText } as const;

type Issue = z.core.$ZodRawIssue;

function issueText(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'it is missing' : `it must be ${typeWords[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `it must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      return formatText(issue);
    case 'too_small':
      return smallText(issue);
    case 'too_big':
      return `it must ${sizeText('at most', issue.origin, issue.maximum, issue.inclusive === false)}`;
    case 'invalid_union':
      return unionText(issue);
    case 'unrecognized_keys':
      return `there is no such key here: ${issue.keys.join(', ')}`;
    default:
      return undefined;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function oneOf(values: readonly unknown[]): string {
  const names = values.map(String);
  return names.length === 1 ? (names[0] ?? '') : `one of ${names.join(', ')}`;
}

const formatWords: Readonly<Record<string, string>> = {
  url: 'it must be a URL',
  email: 'it must be an email address',
  date: 'it must be a date, as YYYY-MM-DD',
  datetime: 'it must be a date with a time',
};

function formatText({ format, pattern }: Issue & { readonly code: 'invalid_format' }): string {
  const known = formatWords[format];
  if (known !== undefined) return known;
  return format === 'regex' ? `it must match ${String(pattern)}` : `it must be a valid ${format}`;
}

function smallText({ origin, minimum, inclusive }: Issue & { readonly code: 'too_small' }): string {
  if (minimum === 1 && (origin === 'string' || origin === 'array')) return 'it is empty';
  return `it must ${sizeText('at least', origin, minimum, inclusive === false)}`;
}

function sizeText(bound: 'at least' | 'at most', origin: string, limit: number | bigint, isOpen: boolean): string {
  if (origin === 'string') return `have ${bound} ${limit} characters`;
  if (origin === 'array') return `have ${bound} ${limit} entries`;
  if (!isOpen) return `be ${bound} ${limit}`;
  return `be ${bound === 'at least' ? 'more' : 'less'} than ${limit}`;
}

function unionText(issue: Issue & { readonly code: 'invalid_union' }): string {
  if (issue.input === undefined) return 'it is missing';
  const options: unknown = 'options' in issue ? issue.options : undefined;
  return Array.isArray(options) ? `it must be ${oneOf(options)}` : 'it has none of the forms that are allowed here';
}
