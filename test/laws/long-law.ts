/** How far a long run goes: about so many charts, the same ones for the same seed. */
export interface Extent {
  readonly count: number;
  readonly seed: number;
}

/** One violation: what is broken, in words that violations of one kind share, and the chart that shows it. */
export interface Broken {
  readonly kind: string;
  readonly example: string;
}

/** What a long run found. */
export interface Finding {
  readonly charts: number;
  readonly broken: readonly Broken[];
}

/** A law that `npm run proof -- laws` holds over generated charts; the suite holds a fixed sample of it. */
export interface LongLaw {
  /** Charts of a run that states no number. */
  readonly usual: number;
  readonly run: (extent: Extent) => Promise<Finding>;
}
