import type { Site } from '../../config/config.ts';
import { usStates } from '../../core/fhir/codes/us-states.ts';
import { isWithin } from '../../core/mapping/target.ts';
import type { Leaves } from './leaves.ts';

interface SectionWords {
  readonly title: string;
  /** The owner of the section's fields, for sentences: `the patient’s`. */
  readonly owner?: string;
  /** Shown if the section is empty, because charts never have the values of this section. */
  readonly none?: string;
}

/** The sections of all kinds of request, in the order of most plans' forms. */
export const sectionWords = {
  program: { title: 'Program' },
  patient: { title: 'Patient', owner: 'the patient’s' },
  insurance: { title: 'Insurance', owner: 'the plan’s' },
  prescriber: { title: 'Prescriber', owner: 'the prescriber’s' },
  prescription: { title: 'Prescription' },
  drugs: { title: 'Drug' },
  diagnoses: { title: 'Diagnoses' },
  pharmacy: { title: 'Pharmacy', owner: 'the pharmacy’s' },
  plan: { title: 'Who pays for the plan', none: 'Not asked' },
  priority: { title: 'Priority', none: 'Not set' },
  resubmission: { title: 'Resubmission', none: 'None' },
  appeal: { title: 'Appeal', none: 'None' },
  replaces: { title: 'Earlier verification' },
  evidence: { title: 'Supporting documents' },
  consent: { title: 'Consent' },
  /** Not on the review page. */
  further: { title: 'Further data' },
} as const satisfies Readonly<Record<string, SectionWords>>;
export type SectionId = keyof typeof sectionWords;
export const sectionIds = Object.keys(sectionWords) as SectionId[];

/**
 * The input of a field. `digits` is a text of digits, for which a phone shows its number keys; `zip` is a US ZIP code;
 * `flag` is yes or no.
 */
type Input =
  | ('text' | 'long' | 'choice' | 'flag' | 'state' | 'tel' | 'email' | 'date' | 'day')
  | ('number' | 'whole' | 'digits' | 'zip');

/** A leaf that has a field on the review page. */
export interface EntryField {
  readonly label: string;
  readonly input: Input;
  /** The question for the field, if its label is not enough. */
  readonly question?: string;
  /** true if the field takes the whole row. */
  readonly wide?: true;
  readonly hint?: string;
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** true if the contract has numbers for the options. */
  readonly isNumber?: true;
  /** Where further options come from: the site's programs, or earlier requests for the order. */
  readonly offers?: 'programs' | 'finished requests' | 'canceled requests';
  /** What the server searches while a person types in this field (pages/search). */
  readonly find?: 'pharmacy';
  /** Suggestions while typing. Other text is accepted, unless the contract has a closed list. */
  readonly suggestions?: readonly string[];
  /** The field is shown only if the contract also has this leaf, because its own leaf is in a free-form part. */
  readonly beside?: string;
  /** true for a part of a name; prints show a name in one line. */
  readonly isName?: true;
  /** What the field means, for fields whose name differs between kinds of request. */
  readonly means?: 'payer' | 'plan' | 'member' | 'rxBin' | 'rxPcn' | 'rxGroup' | 'group';
  /** true if plans require the field, so that a print marks it as missing. */
  readonly planNeeds?: true;
  /** false if the section's line leaves the field out. */
  readonly inLine?: false;
}

/** A leaf without a field. Without a label, it is named by its part and the path in that part. */
interface EntryWithoutField {
  /** `#1` is the number of the item in the first list of its path, `#2` in the second: `Visit note #1: title`. */
  readonly label?: string;
  /** Who wrote the value, if it has no recorded source. */
  readonly writtenBy?: 'app' | 'person';
  /** The name of the part of the body, if it differs from the section's title. */
  readonly part?: string;
  /** true for what the bridge itself adds to the request, outside the mapping. */
  readonly isOwn?: true;
}

export type LeafEntry = EntryField | EntryWithoutField;
export type LeafSpec = LeafEntry & { readonly section: SectionId };

export interface FieldSpec extends EntryField {
  /** The path in the contract: `drugs[].name`. */
  readonly leaf: string;
  /** The path in the body: `drugs[0].name`. */
  readonly target: string;
  /** true if a missing value blocks sending. */
  readonly required?: true;
}

export interface OtherSpec extends EntryWithoutField {
  readonly leaf: string;
}

export interface SectionSpec extends SectionWords {
  readonly id: SectionId;
  readonly fields: readonly FieldSpec[];
  readonly others: readonly OtherSpec[];
}

/** The sections of a table of leaves, in the table's order. Of a list with fields, only the first item is shown. */
export function sectionsIn(table: Readonly<Record<string, LeafSpec>>): SectionSpec[] {
  const specs = Object.entries(table).map(([leaf, spec]) => ({ ...spec, leaf }));
  return [...Map.groupBy(specs, ({ section }) => section)].map(([id, own]) => ({
    id,
    ...sectionWords[id],
    fields: own.flatMap((spec) => ('input' in spec ? [{ ...spec, target: spec.leaf.replaceAll('[]', '[0]') }] : [])),
    others: own.flatMap((spec) => ('input' in spec ? [] : [spec])),
  }));
}

export function fieldAt(target: string, sections: readonly SectionSpec[]): FieldSpec | undefined {
  return sections.flatMap(({ fields }) => fields).find((field) => field.target === target);
}

/** The entry of a leaf without a field, or of the free-form part that contains it. */
export function otherAt(target: string, sections: readonly SectionSpec[]): OtherSpec | undefined {
  const place = contractPath(target);
  return sections
    .flatMap(({ others }) => others)
    .filter(({ leaf }) => isWithin(place, leaf))
    .toSorted((one, other) => other.leaf.length - one.leaf.length)[0];
}

/** The path in the contract of a leaf in a body: `diagnoses[].code` for `diagnoses[1].code`. */
export function contractPath(target: string): string {
  return target.replaceAll(/\[\d+\]/g, '[]');
}

/** The section of a leaf or of a part. For any other target, the section of its first path element. */
export function sectionOf(target: string, sections: readonly SectionSpec[]): SectionSpec | undefined {
  const root = target.replace(/[.[].*$/, '');
  const id = root === 'coverage' ? 'insurance' : root;
  return (
    sections.find((section) => leavesAt(target, section).length > 0) ??
    sections.find((section) => section.id === id) ??
    sections.find((section) => leavesAt(root, section).length > 0)
  );
}

// The leaf at the target, leaves inside the target, and leaves that contain the target.
function leavesAt(target: string, { fields, others }: SectionSpec): (FieldSpec | OtherSpec)[] {
  const place = contractPath(target);
  return [...fields, ...others].filter(({ leaf }) => isWithin(leaf, place) || isWithin(place, leaf));
}

/**
 * The name of a leaf for people: `Prescriber: NPI` if it has a field, `Visit note 1: title` if its label has numbers,
 * otherwise the name of its part.
 */
export function leafLabel(target: string, sections: readonly SectionSpec[]): string {
  const section = sections.find((one) => one.id === target || leavesAt(target, one).length > 0);
  if (section === undefined) return target;
  const field = fieldAt(target, [section]);
  if (field !== undefined) return section.fields.length === 1 ? field.label : `${section.title}: ${field.label}`;
  const other = otherAt(target, [section]);
  if (other?.leaf === contractPath(target) && other.label?.includes('#') === true) return numbered(other.label, target);
  const leaves = other === undefined ? leavesAt(target, section) : [other];
  const [part, ...others] = new Set(leaves.map((spec) => ('part' in spec ? spec.part : undefined)));
  return (others.length === 0 ? part : undefined) ?? section.title;
}

/** A label with the numbers of the target's items. */
function numbered(label: string, target: string): string {
  const items = [...target.matchAll(/\[(\d+)\]/g)].map(([, index]) => String(Number(index) + 1));
  return label.replaceAll(/#(\d)/g, (_, list: string) => items[Number(list) - 1] ?? '');
}

/** Sections with a choice that answers the question at the section itself. */
export const answerableSections: ReadonlySet<string> = new Set([
  'section-diagnoses',
  'section-insurance',
  'section-evidence',
  'section-consent',
]);

/**
 * The id of the element where a gap is answered. That is the first of these that exists: its field, its section if the
 * section has a choice of its own, the first field of a missing part, its section.
 */
export function anchorOf(target: string, sections: readonly SectionSpec[]): string {
  if (fieldAt(target, sections) !== undefined) return fieldId(target);
  const section = `section-${sectionOf(target, sections)?.id ?? 'top'}`;
  if (answerableSections.has(section)) return section;
  const inside = sections.flatMap(({ fields }) => fields).find((field) => field.target.startsWith(`${target}.`));
  return inside === undefined ? section : fieldId(inside.target);
}

/** `City` becomes `city`; `NPI`, `ZIP code` and `RxBIN` stay unchanged. */
export function inSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) && !label.startsWith('Rx') ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

export function fieldId(target: string): string {
  return `field-${target.replaceAll(/[^\w]+/g, '-')}`;
}

export function withSiteOptions(section: SectionSpec, site: Site, values?: Leaves): SectionSpec {
  return { ...section, fields: section.fields.map((spec) => withOptions(spec, site, values)) };
}

/** The abbreviation comes first, because browsers find an option by the beginning of its text. */
export const stateOptions: readonly (readonly [string, string])[] = [
  ['', 'Not set'],
  ...usStates.map(([code, name]) => [code, `${code} · ${name}`] as const),
];

/**
 * The field as this site and this request need it. Outside the USA, state and ZIP code are free text. The site's
 * programs are options by name.
 */
export function withOptions(spec: FieldSpec, { enrollment, country }: Site, values?: Leaves): FieldSpec {
  if (spec.input === 'state' || spec.input === 'zip') {
    const stated = values?.get(spec.target.replace(/\w+$/, 'country')) ?? country;
    return stated === 'USA' ? spec : { ...spec, input: 'text' };
  }
  if (spec.offers !== 'programs') return spec;
  return { ...spec, options: enrollment.programs.map(({ programId, name }) => [programId, name] as const) };
}
