/** How a caller is spoken to: as the interface document says, or as the service is today. */
export const profiles = ['documented', 'current'] as const;
export type Profile = (typeof profiles)[number];
