/** Counts for one file, besides those of its resources. */
export function noCounts() {
  return {
    /** Lines of JSON without a FHIR resource. */
    skipped: 0,
    /** Entries that report the deletion of a resource. */
    deletions: 0,
    /** OperationOutcomes that report no error. */
    messages: 0,
    /** Deletion files that a manifest lists. */
    deletionFiles: 0,
  };
}

export function increase(counts: Record<string, number>, name: string, by: number): void {
  counts[name] = (counts[name] ?? 0) + by;
}
