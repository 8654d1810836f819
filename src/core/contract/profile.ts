/** The profile of a service: its interface document, or its behavior today. */
export const profiles = ['documented', 'current'] as const;
export type Profile = (typeof profiles)[number];

/** How the profile `current` identifies the drug: by name, or by NDC. */
export const prescriptionForms = ['named', 'coded'] as const;
export type PrescriptionForm = (typeof prescriptionForms)[number];
