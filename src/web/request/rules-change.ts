import { createHash } from 'node:crypto';
import type { Editable, MappedBy } from '../../cases/case.ts';
import { changesBetween, type LeafChange, type Leaves, leavesOf } from './leaves.ts';
import { ownFields } from './print/shown-request.ts';

/** The rules have changed since a person last reviewed the draft. */
export interface RulesChange {
  /** The values that changed; undefined if nobody has seen the earlier values. */
  readonly changes: readonly LeafChange[] | undefined;
}

/** Longer values, such as images, are stored as a digest. */
const longest = 400;

/** undefined if the rules have not changed since a person last reviewed the draft. */
export function rulesChangeOf(
  { mappedBy: before, shown, requests }: Pick<Editable, 'mappedBy' | 'shown' | 'requests'>,
  present: MappedBy,
  values: Leaves,
): RulesChange | undefined {
  if (before !== undefined && marksRules(before) === marksRules(present)) return undefined;
  const body = requests.at(-1)?.body;
  const seen = shown ?? (body === undefined ? undefined : keptValues(leavesOf(body)));
  return {
    changes:
      seen === undefined
        ? undefined
        : changesBetween(new Map(Object.entries(seen)), new Map(Object.entries(keptValues(values)))),
  };
}

/** Identifies the rules that produced a page, for the page's form. */
export function marksRules({ mapping, version }: MappedBy): string {
  return `${mapping} ${version}`;
}

export function isUnderRules(marks: string, { mappedBy }: { readonly mappedBy: MappedBy }): boolean {
  return marks === marksRules(mappedBy);
}

/** The values of a request by target, for a later comparison. What the bridge itself adds is left out. */
export function keptValues(values: Leaves): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...values]
      .filter(([target]) => !ownFields.includes(target))
      .map(([target, value]) => [target, kept(String(value))]),
  );
}

function kept(text: string): string {
  if (text.length <= longest) return text;
  return `${text.length} characters (${createHash('sha256').update(text).digest('hex').slice(0, 12)})`;
}
