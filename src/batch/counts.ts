/** Counts for one file that are not counts of resources. */
export function noCounts() {
  return {
    skipped: 0,
    /** Entries that report the deletion of a resource. */
    deletions: 0,
    /** OperationOutcomes without an error. */
    messages: 0,
    /** Deletion files that a manifest lists. */
    deletionFiles: 0,
  };
}

export function increase(counts: Record<string, number>, name: string, by: number): void {
  counts[name] = (counts[name] ?? 0) + by;
}
