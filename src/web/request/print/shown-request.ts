import type { CaseKind } from '../../../cases/case.ts';
import type { Site } from '../../../config/config.ts';
import { type SentAnswers, sentAnswersIn } from '../../../core/answers/sent-answers.ts';
import { drugTargets } from '../../../core/contract/groups.ts';
import { dateOrText, dayText } from '../../../core/fhir/time/day-text.ts';
import type { Provenance } from '../../../core/mapping/result.ts';
import { isWithin } from '../../../core/mapping/target.ts';
import { type Evidence, evidenceOf, pdfText } from '../evidence.ts';
import { shown } from '../form.ts';
import { allSections, kindPages } from '../kind-pages.ts';
import {
  contractPath,
  fieldAt,
  leafLabel,
  type OtherSpec,
  otherAt,
  type SectionId,
  type SectionSpec,
  sectionOf,
  withOptions,
} from '../labels.ts';
import { isCardImage, type Leaves, leavesOf } from '../leaves.ts';

export interface RequestLeaf {
  readonly target: string;
  readonly label: string;
  /** undefined if a value of the chart is not sent. */
  readonly text?: string;
  /** The provenance of the leaf, or of its part of the body. */
  readonly provenance?: Provenance;
  /** The value of the chart that an entry replaced, as text. */
  readonly had?: string;
  /** Why the value of the chart is not sent; present only without `text`. */
  readonly why?: string;
  /** true for what the bridge itself adds to the request, outside the mapping. */
  readonly isOwn: boolean;
  /** Who wrote the value, if its source is not recorded. */
  readonly writtenBy?: OtherSpec['writtenBy'] | undefined;
}

export interface RequestSection {
  readonly id: SectionId;
  readonly title: string;
  readonly leaves: readonly RequestLeaf[];
  /** Only in the evidence section. */
  readonly evidence: readonly Evidence[];
}

/** A request body in the sections and order of the review page. It is used before and after sending. */
export interface RequestView {
  readonly sections: readonly RequestSection[];
  readonly values: Leaves;
  /** The answers to payer questions, if the body has them. */
  readonly answers?: SentAnswers;
  /** The order's drug and the request's drug as text, if a person changed the drug. */
  readonly drug?: { readonly order: string; readonly request: string };
}

/** Longer texts, such as images, are cut to this many characters. */
const longest = 400;
export const ownFields = allSections
  .flatMap(({ others }) => others)
  .flatMap(({ isOwn, leaf }) => (isOwn === true ? leaf : []));

interface Material {
  readonly kind: CaseKind;
  readonly site: Site;
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  /** Titles of the diagnosis codes, by code. */
  readonly codeTitles?: CodeTitles | undefined;
}

type CodeTitles = Readonly<Record<string, string>>;

export function requestOf({ kind, site, body, provenance, codeTitles = {} }: Material): RequestView {
  const { sections } = kindPages[kind];
  const specs = sections.map((section) => ({
    ...section,
    fields: section.fields.map((spec) => withOptions(spec, site)),
  }));
  const values = leavesOf(body);
  const isKept = (whole: string) => [...values.keys()].some((target) => isWithin(target, whole));
  const leaves = [
    ...[...values]
      .filter(([target]) => !isWithin(target, 'evidence'))
      .map(([target, value]) => withTitle(leafOf(target, value, specs, provenance), codeTitles)),
    ...provenance
      .filter(({ target, replaces }) => replaces !== undefined && !isKept(target))
      .map((entry) => absentLeaf(entry, specs)),
  ];
  const drug = drugOf(values, provenance);
  const answers = sentAnswersIn(body);
  return {
    sections: grouped(leaves, evidenceOf(body, provenance), specs),
    values,
    ...(answers === undefined ? {} : { answers }),
    ...(drug === undefined ? {} : { drug }),
  };
}

function leafOf(
  target: string,
  value: string | number | boolean,
  specs: readonly SectionSpec[],
  provenance: readonly Provenance[],
): RequestLeaf {
  const origin = provenance
    .filter((entry) => isWithin(target, entry.target))
    .sort((one, other) => other.target.length - one.target.length)[0];
  return {
    target,
    label: nameOf(target, specs),
    text: textOf(target, value, specs),
    isOwn: ownFields.includes(target),
    writtenBy: otherAt(target, specs)?.writtenBy,
    ...(origin === undefined ? {} : { provenance: origin }),
    ...(origin?.replaces === undefined ? {} : { had: textOf(target, origin.replaces, specs) }),
  };
}

// Adds the title to a diagnosis code: `M05.79 Rheumatoid arthritis with rheumatoid factor`.
function withTitle(leaf: RequestLeaf, titles: CodeTitles): RequestLeaf {
  const title = leaf.text === undefined ? undefined : titles[leaf.text];
  return title === undefined || contractPath(leaf.target) !== 'diagnoses[].code'
    ? leaf
    : { ...leaf, text: `${leaf.text} ${title}` };
}

function absentLeaf(entry: Provenance, specs: readonly SectionSpec[]): RequestLeaf {
  const { target, replaces, note = 'cleared by a person' } = entry;
  const why = note.replaceAll(/[a-z_]+(\.[a-z_]+)+/g, (other) => nameOf(other, specs).toLowerCase());
  return {
    target,
    label: nameOf(target, specs),
    provenance: entry,
    had: textOf(target, replaces, specs),
    why,
    isOwn: false,
  };
}

/** The label of a leaf; without a label, the name of its part and the path in that part: `Drug codes: other`. */
function nameOf(target: string, specs: readonly SectionSpec[]): string {
  const field = fieldAt(target, specs);
  if (field !== undefined) return field.label;
  const other = otherAt(target, specs);
  const isLeaf = other?.leaf === contractPath(target);
  const own = isLeaf ? other?.label : undefined;
  if (own?.includes('#') === true) return leafLabel(target, specs);
  const label = own ?? leafLabel(target, specs);
  if (label === target) return target;
  const item = /\[(\d+)\]/.exec(target)?.[1];
  const tail = own === undefined ? pathIn(target, isLeaf ? undefined : other) : '';
  return `${label}${item === undefined ? '' : ` ${Number(item) + 1}`}${tail === '' ? '' : `: ${tail}`}`;
}

// The words of the path after the labelled part: a free-form part with a name, else the first part of the body.
function pathIn(target: string, freeForm: OtherSpec | undefined): string {
  const path =
    freeForm?.part === undefined ? target.replace(/^\w+(\[\d+\])?\.?/, '') : target.slice(freeForm.leaf.length + 1);
  return path.replaceAll('_', ' ');
}

/**
 * The name of a leaf outside of its section: `Prescription: Quantity`, `Diagnosis 1`. Leaves of other profiles have a
 * name too.
 */
export function fullNameOf(target: string, specs: readonly SectionSpec[]): string {
  const known = [...specs, ...kindPages['prior-auth'].sections];
  return fieldAt(target, known) === undefined ? nameOf(target, known) : leafLabel(target, known);
}

function textOf(target: string, value: unknown, specs: readonly SectionSpec[]): string {
  if (isCardImage(target)) return 'The image below';
  if (/\.asset\.file_content$/.test(target)) return pdfText(String(value));
  const spec = fieldAt(target, specs);
  const text =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : JSON.stringify(value);
  if (spec?.input === 'day' || spec?.input === 'date') return dayText(shown(spec, text));
  const option = spec?.options?.find(([known]) => known === text)?.[1];
  const said = spec === undefined ? dateOrText(text) : text;
  return option ?? (said.length <= longest ? said : `${text.slice(0, longest)}… (${text.length} characters)`);
}

function grouped(
  leaves: readonly RequestLeaf[],
  evidence: readonly Evidence[],
  specs: readonly SectionSpec[],
): RequestSection[] {
  const groups = Map.groupBy(leaves, ({ target }) => sectionOf(target, specs)?.id ?? 'further');
  return specs
    .map(({ id, title, fields }) => ({
      id,
      title,
      leaves: inOrder(
        groups.get(id) ?? [],
        fields.map(({ target }) => target),
      ),
      evidence: id === 'evidence' ? evidence : [],
    }))
    .filter((section) => section.leaves.length + section.evidence.length > 0);
}

// Leaves in the order of the fields on the review page; leaves without a field come last.
function inOrder(leaves: readonly RequestLeaf[], fields: readonly string[]): RequestLeaf[] {
  const rank = ({ target }: RequestLeaf) => (fields.includes(target) ? fields.indexOf(target) : fields.length);
  return leaves.toSorted((one, other) => rank(one) - rank(other));
}

function drugOf(values: Leaves, provenance: readonly Provenance[]): RequestView['drug'] {
  const replaced = new Map(
    provenance.flatMap(({ target, replaces }) =>
      drugTargets.includes(target) && replaces !== undefined ? [[target, replaces] as const] : [],
    ),
  );
  if (![...replaced].some(([target, before]) => before !== values.get(target))) return undefined;
  const words = (valueAt: (field: string) => unknown) =>
    drugTargets
      .flatMap((field) => valueAt(field) ?? [])
      .map(String)
      .join(' ');
  return {
    order: words((field) => (replaced.has(field) ? replaced.get(field) : chartOnly(field, values, provenance))),
    request: words((field) => values.get(field)),
  };
}

// A value that a person added is not part of the order, so it is not compared.
function chartOnly(field: string, values: Leaves, provenance: readonly Provenance[]): unknown {
  return provenance.some(({ target, kind }) => target === field && kind === 'entered') ? undefined : values.get(field);
}
