import type { MappingKind } from '../../core/contract/kinds.ts';
import { kindPages } from '../../web/request/kind-pages.ts';
import { leafLabel, type SectionSpec } from '../../web/request/labels.ts';

/** The label of a field on the review page: `Prescriber: NPI` for `provider.npi`, with or without indexes. */
export type FieldLabel = (field: string) => string;

/** The field labels of a kind of request. The answers sheet has no review page, so its fields are shown by name. */
export function fieldLabels(kind: MappingKind): FieldLabel {
  const sections = isRequest(kind) ? kindPages[kind].sections : [];
  const leaves = new Map(sections.flatMap(leavesOf).map((leaf) => [bare(leaf), leaf]));
  return (field) => leafLabel((leaves.get(bare(field)) ?? field).replaceAll('[]', '[0]'), sections);
}

function isRequest(kind: MappingKind): kind is Exclude<MappingKind, 'answers'> {
  return kind !== 'answers';
}

function leavesOf({ fields, others }: SectionSpec): string[] {
  return [...fields, ...others].map(({ leaf }) => leaf);
}

function bare(field: string): string {
  return field.replaceAll(/\[\d*\]/g, '');
}
