import { z } from 'zod';
import type { Entered, Entries, Replaced, User } from '../../../cases/case.ts';
import { cellNames } from '../../../core/contract/answers-sheet.ts';
import { type Form, pickName, shown, textOf } from '../form.ts';
import type { SectionSpec } from '../labels.ts';
import { answerNames } from '../payer-answers.ts';

/**
 * Field names in the form. `diagnosesAt` is the time of the diagnoses that the page showed, `isFollowing` marks a save
 * while an earlier save of the same page is pending, `keep` and `use` are a person's decisions.
 */
export const replacedNames = {
  diagnosesAt: 'o.diagnoses-at',
  isFollowing: 'following',
  keep: 'replaced-keep',
  use: 'replaced-use',
} as const;

type Own = Pick<Entries, 'edits' | 'answers' | 'enteredBy' | 'sheet' | 'replaced'>;

/**
 * Entries that a form overwrites without having shown them, because another window saved them in the meantime. They are
 * kept with their author until a person decides.
 */
export function replacedBy(
  form: Form,
  before: Own,
  after: Pick<Own, 'edits' | 'answers' | 'sheet'>,
  { sections, user }: { readonly sections: readonly SectionSpec[]; readonly user: User },
): Pick<Entries, 'replaced'> {
  const found = [...fieldsReplaced(form, before, after, sections), ...choicesReplaced(form, before, after)];
  const own = (by: Entered | undefined) => (by?.fhirUser ?? by?.name) === (user.fhirUser ?? user.name);
  const isOwnSave = ({ by }: Replaced) => textOf(form, replacedNames.isFollowing) !== '' && own(by);
  const settled = [textOf(form, replacedNames.keep), textOf(form, replacedNames.use)];
  const kept = Object.entries(before.replaced ?? {}).filter(([key]) => !settled.includes(key));
  const all = [...kept, ...[...found, ...statementsReplaced(form, before, after)].filter(([, one]) => !isOwnSave(one))];
  return all.length === 0 && before.replaced === undefined ? {} : { replaced: Object.fromEntries(all) };
}

/** The form with an entry put back, as if a person had typed it again. */
export function withPutBack(form: Form, { replaced = {} }: Pick<Own, 'replaced'>): Form {
  const key = textOf(form, replacedNames.use);
  if (!Object.hasOwn(replaced, key)) return form;
  const { value } = replaced[key] ?? {};
  if (key === 'diagnoses') return { ...form, 'diagnosis-codes': '', diagnosis: z.array(z.string()).parse(value) };
  const text = value === null ? '' : String(value);
  return key === 'coverage' || key.startsWith('said.')
    ? { ...form, [key]: text }
    : { ...form, [`f.${key}`]: text, [pickName(key)]: text };
}

type Row = readonly [key: string, replaced: Replaced];

function fieldsReplaced(form: Form, before: Own, after: Pick<Own, 'edits'>, sections: readonly SectionSpec[]): Row[] {
  const specs = sections.flatMap(({ fields }) => fields);
  return specs.flatMap((spec): Row[] => {
    const { target } = spec;
    const value = before.edits[target];
    if (value === undefined || after.edits[target] === value || textOf(form, 'reset') === target) return [];
    const showed = textOf(form, `o.${pickName(target)}`) || textOf(form, `o.${target}`);
    return entryText(shown(spec, primitive(value))) === showed ? [] : [row(target, value, before)];
  });
}

function choicesReplaced(form: Form, before: Own, after: Pick<Own, 'answers'>): Row[] {
  const { coverage, diagnoses } = before.answers;
  const isPlan =
    coverage !== undefined && after.answers.coverage !== coverage && textOf(form, 'o.coverage') !== coverage;
  const at = before.enteredBy?.diagnoses?.at ?? '';
  const isNew = JSON.stringify(after.answers.diagnoses) !== JSON.stringify(diagnoses);
  const isCode = diagnoses !== undefined && isNew && textOf(form, replacedNames.diagnosesAt) !== at;
  return [
    ...(isPlan ? [row('coverage', coverage, before)] : []),
    ...(isCode ? [row('diagnoses', diagnoses, before)] : []),
  ];
}

// A form without answers, such as that of the confirmation page, changes no answers.
function statementsReplaced(form: Form, before: Own, after: Pick<Own, 'sheet'>): Row[] {
  if (after.sheet === undefined) return [];
  return cellNames.flatMap((cell): Row[] => {
    const of = ({ sheet }: Pick<Own, 'sheet'>) => sheet?.statements?.find((one) => one.cell === cell);
    const [was, is] = [of(before), of(after)];
    const name = answerNames.said(cell);
    if (was === undefined || was.text === is?.text || entryText(was.text) === entryText(textOf(form, `o.${name}`)))
      return [];
    return [[name, { value: was.text, by: { name: was.by, at: was.at } }]];
  });
}

function row(key: string, value: unknown, { enteredBy }: Own): Row {
  const by = enteredBy?.[key];
  return [key, { value, ...(by === undefined ? {} : { by }) }];
}

// Browsers send line breaks in forms as CRLF.
function entryText(text: string): string {
  return text.trim().replaceAll('\r\n', '\n');
}

function primitive(value: unknown): string | number | boolean | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
