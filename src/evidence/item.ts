import type { Located } from '../fhir/graph.ts';
import { wholeDate } from '../fhir/time/date-time.ts';

/** One piece of supporting information: what `%evidence` holds. `content` cites the resources it was read from. */
export interface EvidenceItem {
  readonly title: string;
  /** What it is, for enrollment's `type`: `Prior Therapy`. */
  readonly type: EvidenceType;
  /** FHIR date or dateTime, as the chart has it. */
  readonly date_created: string;
  readonly content: Readonly<Record<string, unknown>>;
}

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

/** Something of the chart that could be sent: one resource, or several that tell one thing (the fills of a drug, the results of a test). */
export interface Finding {
  /** The resources it is made of, newest first. Any of their references ticks it. */
  readonly members: readonly Located[];
  readonly type: EvidenceType;
  readonly title: string;
  /** What a person reads beside the title: a result, the time a drug was taken, the beginning of a note. */
  readonly detail?: string;
  /** Absent when nothing of it has a full date: one is never invented, and the item is not offered. */
  readonly date: string | undefined;
  /** Why it cannot be sent, besides a missing date. */
  readonly unfit?: string;
  /** A category that is never suggested: `mental health`. */
  readonly sensitive?: string;
  /** Ingredient names in small letters, or the concept of a test: what suggestions are made by. */
  readonly topic?: string;
  /** A reason that the chart itself gives for sending it: `the order names it as its reason`. */
  readonly called?: string;
  /** What the item says; worked out only when it is sent. */
  readonly facts: () => Readonly<Record<string, unknown>>;
}

/** A FHIR date or dateTime that names at least a day. */
export function fullDate(...dates: readonly (string | undefined)[]): string | undefined {
  return dates.find((date) => wholeDate(date) !== undefined);
}

/** The object without its undefined values and empty lists. */
export function stated(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}
