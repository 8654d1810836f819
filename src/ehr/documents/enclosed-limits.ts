/** Limits for each file that is printed with a reply, and for all of them together. */
export const enclosedLimits = { bytes: 15_000_000, pages: 200 } as const;

/**
 * Margins, in points, of enclosed pages: they leave room for a line above, and for the patient and the page number
 * below.
 */
export const enclosedFrame = { side: 36, top: 62, bottom: 60 } as const;

export type PageLayout = 'portrait' | 'landscape';
