export interface Code {
  /** The code with its dot: `M05.79`. */
  readonly code: string;
  /** The long description, as in the file. */
  readonly title: string;
  /** false for a category, which is a heading over codes and never selectable. */
  readonly billable: boolean;
}
