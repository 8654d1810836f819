/**
 * The candidate that was probably meant, as the end of a sentence; empty if none is near.
 *
 * @example nearest('familly', ['family', 'given']) // '; did you mean family?'
 */
export function nearest(name: string, candidates: readonly string[], prefix = ''): string {
  const near = candidates.find(
    (candidate) => distance(name.toLowerCase(), candidate.toLowerCase()) <= (name.length > 4 ? 2 : 1),
  );
  return near === undefined ? '' : `; did you mean ${prefix}${near}?`;
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1);
      next.push(Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
