import type { MappingInput, Root } from '../mapping/input.ts';

/** One decision about a role, shown to the user with its reasons. */
export interface Choice {
  readonly role: string;
  /** `Coverage/2`, or `Patient/1#name[0]` for a part; absent when none was chosen. */
  readonly chosen?: string;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/** One resource or part that may fill a role. */
export interface Candidate {
  readonly reference: string;
  readonly label: string;
  readonly fits: boolean;
  /** Why it was chosen, or why not. */
  readonly reason: string;
  /** Evidence: its kind (`Prior Therapy`, `Lab Result`), for headings. */
  readonly group?: string;
  /** Evidence: its content, beside the label. */
  readonly detail?: string;
  /** Evidence: recommended for this drug; `reason` states why. Never true if it is sensitive or was not judged. */
  readonly suggested?: boolean;
  /** Evidence: a sensitive category (`mental health`). */
  readonly sensitive?: string;
  /** Evidence: why its sensitivity is unknown (`not read`). */
  readonly unjudged?: string;
  /** Evidence: it is sent with the request. */
  readonly taken?: true;
}

/** The resources chosen for one request, each with its reason; roles are filled on first use. */
export interface Chart extends MappingInput {
  root(role: string): Root;
  /** `Patient/123` and `MedicationRequest/9`, by their names in the source. */
  readonly patient: string;
  readonly order: string;
  /** Fills the role with this number in the table ahead of its first use, as `root` would. */
  fillRole(place: number): void;
  /** Every decision that was made, in the order of the role table. */
  readonly choices: readonly Choice[];
  /** The decision about one role. */
  choice(role: string): Choice | undefined;
  /** Why the resource that the request names for a role cannot be used; undefined if it can. */
  refusal(role: string): string | undefined;
  /** Facts that no leaf shows: dropped resources of other patients, a truncated search. */
  readonly warnings: readonly string[];
}

/** Decisions that a person or the caller made in advance. */
export interface Answers {
  /** `Coverage/2` */
  readonly coverage?: string;
  /** ICD-10-CM codes, or `Condition/3` references, in order. */
  readonly diagnoses?: readonly string[];
  /** References of evidence items to send; absent before anyone has chosen, empty when a person wants none. */
  readonly evidence?: readonly string[];
}
