/** What is made of each order that was mapped. */
export interface Layout {
  /** Where files go; none are written without it. */
  readonly folder?: string;
  /** One file an order, or a line each in a few files. */
  readonly format: 'files' | 'ndjson';
  /** Whether it is also written where each value came from. */
  readonly sources: boolean;
  /** Whether each order is printed, with everything that is known of it. */
  readonly printed: boolean;
}

/** Whether anything says of an order what was chosen for it. */
export function tellsChoices({ folder, sources, printed }: Layout): boolean {
  return printed || (sources && folder !== undefined);
}

export const lineFiles = ['requests', 'drafts', 'sources'] as const;
export type LineFile = (typeof lineFiles)[number];
