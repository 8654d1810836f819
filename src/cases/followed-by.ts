/** A request that replaces a request that has ended: a new attempt after a denial, or a renewal. */
export interface FollowedBy {
  /** Id of the newer case. */
  readonly case: string;
  /** When the newer case was sent. */
  readonly at: string;
}
