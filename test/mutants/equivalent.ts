/**
 * Changes that no test can notice, because what the bridge does stays the same: each by its file and by its lines
 * before and after, as `npm run mutants` prints them.
 */
export const equivalent: readonly {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly because: string;
}[] = [];
