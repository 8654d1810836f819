import type { z } from 'zod';
import { schemaAt, titleOf } from '../schema.ts';
import { formatTarget } from '../target.ts';

const abbreviations: Readonly<Record<string, string>> = {
  npi: 'NPI',
  ndc: 'NDC',
  rxnorm: 'RxNorm code',
  id: 'ID',
  url: 'URL',
  rx_bin: 'RxBIN',
  rx_pcn: 'RxPCN',
  rx_group: 'RxGroup',
  zip_postal_code: 'ZIP or postal code',
};
const formats: Readonly<Record<string, string>> = {
  email: 'an email address is expected',
  date: 'a full date (YYYY-MM-DD) is expected',
  datetime: 'a date with a time is expected',
  base64: 'base64 content is expected',
  url: 'a web address is expected',
};
const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number is expected',
  number: 'a number is expected',
  string: 'a text is expected',
  boolean: 'yes or no is expected',
  array: 'a list is expected',
};
const codes: Readonly<Record<string, string>> = {
  invalid_value: 'it is not one of the values the service knows',
  too_big: 'it is too large',
  unrecognized_keys: 'the service does not know this field',
};

/**
 * A place of the body in words: the titles of the schema if it has any, else its names (`Prescription: days supply`).
 * Never a value.
 */
export function targetLabel(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const labels = known.get(schema) ?? new Map<string, string>();
  known.set(schema, labels);
  const target = formatTarget(path);
  const label = labels.get(target) ?? madeLabel(schema, path);
  if (labels.size < most) labels.set(target, label);
  return label;
}

// Labels are cached, because orders lack the same few fields again and again. The cache is limited, because each list
// item has a label of its own.
const known = new WeakMap<z.core.$ZodType, Map<string, string>>();
const most = 2000;

function madeLabel(schema: z.core.$ZodType, path: readonly PropertyKey[]): string {
  const title = titleOf(schemaAt(schema, path));
  const words = path.map((key, index) =>
    typeof key === 'number'
      ? String(key + 1)
      : index === path.length - 1 && title !== undefined
        ? title
        : wordsOf(String(key)),
  );
  // `extra` is where the contract keeps fields that it does not name; the word means nothing to a reader.
  const [first = 'The request', ...rest] = words.filter((word) => word !== 'extra');
  const whole = rest.length === 0 ? first : `${first}: ${rest.join(' ')}`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

const tooSmall: Readonly<Record<string, string>> = {
  array: 'it has no entry',
  string: 'it is empty',
  number: 'a number above zero is expected',
  int: 'a whole number above zero is expected',
};

/** Why the schema rejects a value, in words and without the value. */
export function complaintOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom') return `enter ${issue.message}`;
  if (issue.code === 'too_small') return tooSmall[issue.origin] ?? 'it is too small';
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? 'another kind of value is expected';
  if (issue.code !== 'invalid_format') return codes[issue.code] ?? 'another value is expected';
  const known = formats[issue.format];
  if (known !== undefined) return known;
  return issue.message.startsWith('Invalid') ? 'it is written in another way than expected' : `enter ${issue.message}`;
}

function wordsOf(name: string): string {
  return (
    abbreviations[name] ??
    name
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase()
  );
}
