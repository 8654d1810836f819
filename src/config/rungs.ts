/** What may be written into a chart, the best first. */
export const rungs = ['task+document', 'document', 'communication', 'worklist'] as const;
export type Rung = (typeof rungs)[number];
