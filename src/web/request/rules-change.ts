import { createHash } from 'node:crypto';
import type { Editable, MappedBy } from '../../cases/case.ts';
import { changesBetween, type LeafChange, type Leaves, leavesOf } from './leaves.ts';
import { ownFields } from './print/shown-request.ts';

/** The rules that made a draft differ from those under which a person last reviewed it. */
export interface RulesChange {
  /** The values that changed; undefined if nobody has seen the earlier ones. */
  readonly changes: readonly LeafChange[] | undefined;
}

/** Longer values, such as images, are stored as their digest. */
const longest = 400;

/** undefined while the rules are those under which a person last reviewed the draft. */
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

/** The mark of the rules that made a page, for its form. */
export function marksRules({ mapping, version }: MappedBy): string {
  return `${mapping} ${version}`;
}

/** Whether the form's page was made with the rules of the draft; `marks` is the form's rules mark. */
export function isUnderRules(marks: string, { mappedBy }: { readonly mappedBy: MappedBy }): boolean {
  return marks === marksRules(mappedBy);
}

/** The values of a request, stored by target for a later comparison, without the bridge's own marks. */
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
