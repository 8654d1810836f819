import type { Located } from '../fhir/references/graph.ts';
import type { Cited, FindingFacts } from './cite.ts';

/** The type of an evidence item, as in its heading and in the `type` of an enrollment's item. */
export type EvidenceType =
  | 'Diagnosis'
  | 'Prior Therapy'
  | 'Current Therapy'
  | 'Continuation'
  | 'Allergy'
  | 'Lab Result'
  | 'Vital Sign'
  | 'Score'
  | 'Note'
  | 'Report';

/** The member of an `%evidence` node that has the finding's content. Each kind has its own rules in a mapping. */
export type EvidenceKind = 'diagnosis' | 'therapy' | 'allergy' | 'test' | 'note';

/** Removes undefined members. */
export function presentReasons<T extends Pick<Finding, 'called' | 'sensitive' | 'unjudged'>>(
  reasons: { readonly [Name in keyof T]: T[Name] | undefined },
): Partial<T> {
  const stated = Object.entries(reasons).filter(([, reason]) => reason !== undefined);
  return Object.fromEntries(stated) as Partial<T>;
}

/**
 * A part of the chart that could be sent: one resource, or several that belong together, such as the fills of a drug.
 */
export interface Finding {
  readonly kind: EvidenceKind;
  readonly type: EvidenceType;
  /** The resources of the finding, newest first. A tick on any of their references selects the finding. */
  readonly members: readonly Located[];
  /** The members that have a value; the finding cites one of these. Without this list, it cites any member. */
  readonly saying?: readonly Located[];
  readonly title: string;
  /** The text after the title: a result, the time a drug was taken, the beginning of a note. */
  readonly detail?: string;
  /** The date as in the chart. It may be only a year or a month, because a missing day is never invented. */
  readonly date: Cited<string> | undefined;
  /** Why the finding cannot be sent, apart from a missing or partial date. */
  readonly unfit?: string;
  /** The sensitive category, such as `mental health`. A sensitive finding is never suggested. */
  readonly sensitive?: string;
  /**
   * Why the sensitivity is unknown: the finding was not read, or its code is unknown. Such a finding is never
   * suggested.
   */
  readonly unjudged?: string;
  /** What suggestions look up: ingredient names in lowercase, or the concept of a test. */
  readonly topic?: string;
  /** A reason in the chart to send the finding: `the order names it as its reason`. */
  readonly called?: string;
  /** What mappings read besides title, type and date. Computed only when the finding is sent. */
  readonly facts: () => FindingFacts;
}
