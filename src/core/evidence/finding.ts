import type { Located } from '../fhir/references/graph.ts';
import type { Cited, FindingFacts } from './cite.ts';

/** What an item of evidence is, for headings and for enrollment's `type`. */
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

/** The member of an `%evidence` node that holds what a finding says; a mapping has rules for each. */
export type EvidenceKind = 'diagnosis' | 'therapy' | 'allergy' | 'test' | 'note';

/** The reasons that there are, without those that are undefined. */
export function presentReasons<T extends Pick<Finding, 'called' | 'sensitive' | 'unjudged'>>(
  reasons: { readonly [Name in keyof T]: T[Name] | undefined },
): Partial<T> {
  const stated = Object.entries(reasons).filter(([, reason]) => reason !== undefined);
  return Object.fromEntries(stated) as Partial<T>; // fewer members
}

/** Something of the chart that could be sent: one resource, or several that belong together (the fills of a drug). */
export interface Finding {
  readonly kind: EvidenceKind;
  readonly type: EvidenceType;
  /** The resources it is made of, newest first. Any of their references ticks it. */
  readonly members: readonly Located[];
  /** Those of them that say something, one of which it is cited by; all when left out. */
  readonly saying?: readonly Located[];
  readonly title: string;
  /** What a person reads beside the title: a result, the time a drug was taken, the beginning of a note. */
  readonly detail?: string;
  /** As the chart has it: a year or a month where nothing of it names a day. None is invented. */
  readonly date: Cited<string> | undefined;
  /** Why it cannot be sent, besides a date that is missing or names no day. */
  readonly unfit?: string;
  /** A category that is never suggested: `mental health`. */
  readonly sensitive?: string;
  /** Why nobody can say that it is not sensitive: it was not read, or its code is not known. Never suggested either. */
  readonly unjudged?: string;
  /** Ingredient names in small letters, or the concept of a test: what suggestions are made by. */
  readonly topic?: string;
  /** A reason that the chart itself gives for sending it: `the order names it as its reason`. */
  readonly called?: string;
  /** What mappings read of it besides title, type and date; worked out only when it is sent. */
  readonly facts: () => FindingFacts;
}
