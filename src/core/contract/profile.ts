/** How a service is spoken to: as its interface document says, or as it is today. */
export const profiles = ['documented', 'current'] as const;
export type Profile = (typeof profiles)[number];

/** How the profile `current` names the drug: in words, or by its NDC. */
export const prescriptionForms = ['named', 'coded'] as const;
export type PrescriptionForm = (typeof prescriptionForms)[number];
