/** A request that takes the place of one that has ended: a new try after a denial, or a renewal. */
export interface FollowedBy {
  /** The newer case. */
  readonly case: string;
  /** When it was sent. */
  readonly at: string;
}
