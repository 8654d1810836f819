import { memoized } from '../../text-cache.ts';

const marks = new RegExp(
  [
    String.raw`\b(?:deceased|dec'd|expired|duplicate|merged|inactive|inactivated|do not use|don'?t use)\b`,
    String.raw`\bentered in error\b|\b(?:wrong|invalid|bad|old) (?:patient|chart|record|name)\b`,
    String.raw`\buse (?:other|another|mrn|chart|record)\b`,
    String.raw`\b[zx]{2,}[\W_]*test|^z{3,}|\btest[\W_]?patient|\bpatient[\W_]?test|\btest (?:only|record|account)\b`,
  ].join('|'),
  'i',
);

/**
 * Whether a name contains words that describe the record and are not part of a name: `Smith (DECEASED)`, `DUPLICATE`,
 * `ZZTEST`. "Test" and "Patient" alone are names of people.
 *
 * @example hasRecordMark('Do Not Use') // true
 */
export const hasRecordMark: (name: string) => boolean = memoized((name) => marks.test(name));
