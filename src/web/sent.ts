import type { Case } from '../cases/case.ts';
import type { Provenance } from '../mapping/result.ts';
import { shown } from './form.ts';
import { anchorOf, enrollmentSections, labelOf, priorAuthSections, type SectionSpec } from './labels.ts';
import { type Leaves, leavesOf } from './leaves.ts';
import { dayText } from './parts/banner.tsx';

/** One leaf of a request that was sent, as people read it. */
export interface SentLeaf {
  readonly target: string;
  readonly label: string;
  /** undefined when a person cleared what the chart had. */
  readonly text?: string;
  /** Of the leaf, or of the part of the body that it belongs to. */
  readonly provenance?: Provenance;
  /** Not of the mapping: the bridge's own mark on the request. */
  readonly isOwn: boolean;
}

export interface SentSection {
  readonly id: string;
  readonly title: string;
  readonly leaves: readonly SentLeaf[];
}

export interface Sent {
  readonly sections: readonly SentSection[];
  readonly values: Leaves;
  /** Where a person asked for another drug than the order's: both, in words. */
  readonly drug?: { readonly order: string; readonly sent: string };
}

/** Longer texts, such as notes and images, are named by their beginning. */
const longest = 400;
const ownFields = ['prescription.extra.submission_id', 'is_training_data', 'metadata.enrollment_id'];
const drugFields = ['prescription.drug_name', 'prescription.strength', 'prescription.dose_form', 'prescription.dosage'];

/** What a case sent, in the sections of the review page; undefined while nothing has left, or a correction is being made. */
export function sentOf(one: Case): Sent | undefined {
  if (one.body === undefined || !['open', 'ended', 'unknown'].includes(one.state)) return undefined;
  const specs = one.kind === 'prior-auth' ? priorAuthSections : enrollmentSections;
  const values = leavesOf(one.body);
  const provenance = one.provenance ?? [];
  const cleared = provenance.filter((entry) => entry.replaces !== undefined && ![...values.keys()].some((target) => isWithin(target, entry.target)));
  const leaves = [
    ...[...values].map(([target, value]) => leafOf(target, value, specs, provenance)),
    ...cleared.map((entry) => ({ target: entry.target, label: nameOf(entry.target, specs), provenance: entry, isOwn: false })),
  ];
  const drug = drugOf(values, provenance);
  return { sections: grouped(leaves, specs), values, ...(drug === undefined ? {} : { drug }) };
}

function leafOf(target: string, value: string | number | boolean, specs: readonly SectionSpec[], provenance: readonly Provenance[]): SentLeaf {
  const origin = provenance.filter((entry) => isWithin(target, entry.target)).sort((one, other) => other.target.length - one.target.length)[0];
  return { target, label: nameOf(target, specs), text: textOf(target, value, specs), isOwn: ownFields.includes(target), ...(origin === undefined ? {} : { provenance: origin }) };
}

function isWithin(target: string, whole: string): boolean {
  return target === whole || target.startsWith(`${whole}.`) || target.startsWith(`${whole}[`);
}

/** The label of the field; of what has none the part of the body and the path in it: `Diagnosis 1: code`. */
function nameOf(target: string, specs: readonly SectionSpec[]): string {
  const field = specs.flatMap((section) => section.fields).find((spec) => spec.target === target);
  if (field !== undefined) return field.label;
  const label = labelOf(target, specs);
  if (label === target) return target;
  const item = /\[(\d+)\]/.exec(target)?.[1];
  const tail = target.replace(/^prescription\.extra\.?|^\w+(\[\d+\])?\.?/, '').replaceAll('_', ' ');
  return `${label}${item === undefined ? '' : ` ${Number(item) + 1}`}${tail === '' ? '' : `: ${tail}`}`;
}

/** A value of the body or of the chart at this leaf, as the pages write it. */
export function textOf(target: string, value: unknown, specs: readonly SectionSpec[]): string {
  if (/^insurance\[\d+\]\.file_content$/.test(target)) return 'The file below';
  const spec = specs.flatMap((section) => section.fields).find((one) => one.target === target);
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
  if (spec?.input === 'day' || spec?.input === 'date') return dayText(shown(spec, text));
  const option = spec?.options?.find(([known]) => known === text)?.[1];
  return option ?? (text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`);
}

function grouped(leaves: readonly SentLeaf[], specs: readonly SectionSpec[]): SentSection[] {
  const home = ({ target }: SentLeaf) => specs.find(({ fields }) => fields.some((spec) => spec.target === target))?.id ?? anchorOf(target, specs).replace(/^section-/, '');
  const groups = Map.groupBy(leaves, home);
  const known = specs.flatMap(({ id, title }) => ({ id, title, leaves: groups.get(id) ?? [] }));
  const rest = leaves.filter((leaf) => !specs.some(({ id }) => id === home(leaf)));
  return [...known, { id: 'further', title: 'Further data', leaves: rest }].filter((section) => section.leaves.length > 0);
}

function drugOf(values: Leaves, provenance: readonly Provenance[]): Sent['drug'] {
  const replaced = new Map(provenance.flatMap(({ target, replaces }) => (drugFields.includes(target) && replaces !== undefined ? [[target, replaces] as const] : [])));
  if (![...replaced].some(([target, before]) => before !== values.get(target))) return undefined;
  const words = (valueAt: (field: string) => unknown) =>
    drugFields
      .flatMap((field) => valueAt(field) ?? [])
      .map(String)
      .join(' ');
  return { order: words((field) => (replaced.has(field) ? replaced.get(field) : chartOnly(field, values, provenance))), sent: words((field) => values.get(field)) };
}

// What a person added where the order said nothing is not the order's.
function chartOnly(field: string, values: Leaves, provenance: readonly Provenance[]): unknown {
  return provenance.some(({ target, kind }) => target === field && kind === 'entered') ? undefined : values.get(field);
}
