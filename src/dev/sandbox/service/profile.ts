/** The profile of a caller: the interface document, or the current service. */
export const profiles = ['documented', 'current'] as const;
export type Profile = (typeof profiles)[number];

/** The field of PATCH that ends an outreach in this sandbox: the service's own name for it is not public. */
export const endField = 'complete_provider_outreach';
