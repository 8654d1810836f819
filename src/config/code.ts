/** One entry of a code file. */
export interface Code {
  /** With its dot: `M05.79`. */
  readonly code: string;
  /** The long description, as in the file. */
  readonly title: string;
  /** false for a category: a heading over codes, never an answer itself. */
  readonly billable: boolean;
}
