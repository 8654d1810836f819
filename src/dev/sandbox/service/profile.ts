/** A caller's profile: the interface document, or the service as it is now. */
export const profiles = ['documented', 'current'] as const;
export type Profile = (typeof profiles)[number];

/** The field of PATCH that ends an outreach in this sandbox. The service's own name for it is not public. */
export const endField = 'complete_provider_outreach';
