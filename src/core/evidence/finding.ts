import type { Located } from '../fhir/references/graph.ts';
import type { Cited, FindingFacts } from './cite.ts';

/** The type of an evidence item, for headings and for enrollment's `type`. */
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

/** The member of an `%evidence` node that holds the finding's content; a mapping has rules for each. */
export type EvidenceKind = 'diagnosis' | 'therapy' | 'allergy' | 'test' | 'note';

/** The defined reasons, without undefined members. */
export function presentReasons<T extends Pick<Finding, 'called' | 'sensitive' | 'unjudged'>>(
  reasons: { readonly [Name in keyof T]: T[Name] | undefined },
): Partial<T> {
  const stated = Object.entries(reasons).filter(([, reason]) => reason !== undefined);
  return Object.fromEntries(stated) as Partial<T>; // with fewer members
}

/** A part of the chart that could be sent: one resource, or several that belong together (the fills of a drug). */
export interface Finding {
  readonly kind: EvidenceKind;
  readonly type: EvidenceType;
  /** The resources of the finding, newest first. Any of their references selects it. */
  readonly members: readonly Located[];
  /** The members with content, one of which the finding cites; defaults to all members. */
  readonly saying?: readonly Located[];
  readonly title: string;
  /** The text beside the title: a result, the time a drug was taken, the beginning of a note. */
  readonly detail?: string;
  /** The date in the chart. It may be a year or a month, because a missing day is never invented. */
  readonly date: Cited<string> | undefined;
  /** Why it cannot be sent, apart from a missing or partial date. */
  readonly unfit?: string;
  /** A category that is never suggested: `mental health`. */
  readonly sensitive?: string;
  /** Why its sensitivity is unknown: it was not read, or its code is unknown. Such a finding is never suggested. */
  readonly unjudged?: string;
  /** Lowercase ingredient names, or the concept of a test. Suggestions are based on it. */
  readonly topic?: string;
  /** A reason in the chart for sending it: `the order names it as its reason`. */
  readonly called?: string;
  /** What mappings read in addition to title, type and date; computed only when it is sent. */
  readonly facts: () => FindingFacts;
}
