/** What the files that are printed with a reply must not exceed, each and together. */
export const enclosedLimits = { bytes: 15_000_000, pages: 200 } as const;

/** Points of a page that stay free of enclosed pages: a line above, the patient and the page number below. */
export const enclosedFrame = { side: 36, top: 62, bottom: 60 } as const;

/** How a page is held when it is read. */
export type PageLayout = 'portrait' | 'landscape';
