/** How input is read. */
export interface Reading {
  /** Whether what nobody reads may be malformed; else it is seen that it is JSON. */
  readonly isFast: boolean;
  /** Types that nobody reads. */
  readonly unread: ReadonlySet<string>;
}
