import type { MappingInput, Root } from '../mapping/input.ts';

/** One decision about a role, shown to the user with its reasons. */
export interface Choice {
  readonly role: string;
  /** `Coverage/2`, or `Patient/1#name[0]` for a part; absent when none was chosen. */
  readonly chosen?: string;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/** One resource or part that could fill a role. */
export interface Candidate {
  readonly reference: string;
  readonly label: string;
  readonly fits: boolean;
  /** Why this one, or why not. */
  readonly reason: string;
  /** Evidence: its kind (`Prior Therapy`, `Lab Result`), for headings. */
  readonly group?: string;
  /** Evidence: what it says, beside the label. */
  readonly detail?: string;
  /** Evidence: worth sending for this drug; `reason` says why. Never true of what is sensitive or was not judged. */
  readonly suggested?: boolean;
  /** Evidence: a sensitive category (`mental health`). */
  readonly sensitive?: string;
  /** Evidence: why nobody can say that it is not sensitive (`not read`). */
  readonly unjudged?: string;
  /** Evidence: it goes with the request. */
  readonly taken?: true;
}

/** The resources chosen for one request, each with its reason; roles are filled when they are first asked for. */
export interface Chart extends MappingInput {
  root(role: string): Root;
  /** `Patient/123` and `MedicationRequest/9` as the source names them. */
  readonly patient: string;
  readonly order: string;
  /** Fills the role of this number in the table before somebody asks for it, as `root` would. */
  fillRole(place: number): void;
  /** Every decision that was to be made, in the order of the role table. */
  readonly choices: readonly Choice[];
  /** The decision about one role. */
  choice(role: string): Choice | undefined;
  /** Why what the request names for a role cannot be used; undefined where it can. */
  refusal(role: string): string | undefined;
  /** What the reader should know and no leaf shows: dropped foreign resources, truncated search. */
  readonly warnings: readonly string[];
}

/** What a person or the caller decided beforehand. */
export interface Answers {
  /** `Coverage/2` */
  readonly coverage?: string;
  /** ICD-10-CM codes, or `Condition/3` references, in order. */
  readonly diagnoses?: readonly string[];
  /** References of evidence items to send; absent as long as nobody has chosen, empty when a person wants none. */
  readonly evidence?: readonly string[];
}
