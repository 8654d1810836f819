import type { MappingInput, Root } from '../mapping/input.ts';

/** A decision about one role with its reasons, for the user. */
export interface Choice {
  readonly role: string;
  /** `Coverage/2`, or `Patient/1#name[0]` for a part. Absent when no candidate was chosen. */
  readonly chosen?: string;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/** One resource or part that may fill a role. */
export interface Candidate {
  readonly reference: string;
  readonly label: string;
  readonly fits: boolean;
  /** Why the candidate was chosen, or why not. */
  readonly reason: string;
  /** For evidence: its kind, such as `Prior Therapy` or `Lab Result`, for headings. */
  readonly group?: string;
  /** For evidence: the text after the label. */
  readonly detail?: string;
  /**
   * For evidence: suggested for this drug, with `reason` as the reason. Never true if the sensitive category is set or
   * unknown.
   */
  readonly suggested?: boolean;
  /** For evidence: a sensitive category, such as `mental health`. */
  readonly sensitive?: string;
  /** For evidence: why its sensitivity is unknown, such as `not read`. */
  readonly unjudged?: string;
  /** For evidence: it is sent with the request. */
  readonly taken?: true;
}

/** The resources chosen for one request, with reasons. Each role is filled on first use. */
export interface Chart extends MappingInput {
  root(role: string): Root;
  /** The references of patient and order in the chart's source, such as `Patient/123` and `MedicationRequest/9`. */
  readonly patient: string;
  readonly order: string;
  /** Fills a role before its first use, as `root` would. `place` is the role's number in the table. */
  fillRole(place: number): void;
  /** Every decision so far, in the order of the role table. */
  readonly choices: readonly Choice[];
  choice(role: string): Choice | undefined;
  /** Why the resource that the request names for a role cannot be used. Undefined if the resource can be used. */
  refusal(role: string): string | undefined;
  /** Problems that belong to no leaf: resources of other patients that were dropped, a search that was truncated. */
  readonly warnings: readonly string[];
}

/** Choices that a person or the caller made before the roles are filled. */
export interface Answers {
  /** A reference, such as `Coverage/2`. */
  readonly coverage?: string;
  /** ICD-10-CM codes or references such as `Condition/3`, in the order to send. */
  readonly diagnoses?: readonly string[];
  /** References of the evidence to send. Absent until a person has chosen, empty if the person chose none. */
  readonly evidence?: readonly string[];
}
