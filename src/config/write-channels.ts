/** The channels for writing to a chart, the best first. */
export const writeChannels = ['task+document', 'document', 'communication', 'worklist'] as const;
export type WriteChannel = (typeof writeChannels)[number];
