/** A request that replaces one that has ended: a new attempt after a denial, or a renewal. */
export interface FollowedBy {
  /** The newer case. */
  readonly case: string;
  /** When it was sent. */
  readonly at: string;
}
