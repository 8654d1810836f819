import { createHash } from 'node:crypto';
import type { Editable, MappedBy } from '../../cases/case.ts';
import { type Change, changesBetween, type Leaves, leavesOf } from './leaves.ts';
import { ownFields } from './print/shown-request.ts';

/** The rules that fill a draft are not those under which a person last looked through it. */
export interface RulesChange {
  /** The values that are not as they were; undefined when nobody has seen what they were. */
  readonly changes: readonly Change[] | undefined;
}

/** Longer values, such as images, are kept by their digest. */
const longest = 400;

/** undefined while the rules are those under which a person last looked through the draft. */
export function rulesChangeOf(
  { mappedBy: before, shown, requests }: Pick<Editable, 'mappedBy' | 'shown' | 'requests'>,
  present: MappedBy,
  values: Leaves,
): RulesChange | undefined {
  if (before !== undefined && marksRules(before) === marksRules(present)) return undefined;
  const body = requests.at(-1)?.body;
  const seen = shown ?? (body === undefined ? undefined : shownOf(leavesOf(body)));
  return {
    changes:
      seen === undefined
        ? undefined
        : changesBetween(new Map(Object.entries(seen)), new Map(Object.entries(shownOf(values)))),
  };
}

/** What a form carries of the rules that its page was made with. */
export function marksRules({ mapping, version }: MappedBy): string {
  return `${mapping} ${version}`;
}

/** Whether a form's page was made with the rules of the draft; `marks` is what the form carries. */
export function isUnderRules(marks: string, { mappedBy }: { readonly mappedBy: MappedBy }): boolean {
  return marks === marksRules(mappedBy);
}

/** The values of a request as they are kept to be compared later, by target, without the bridge's own marks. */
export function shownOf(values: Leaves): Readonly<Record<string, string>> {
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
