import type { ProductId } from '../../src/dev/sandbox/ehr/products.ts';

/** What a whole request leaves in the chart of each EHR, and what the case page says of what is not there. */
export const writtenAt: Readonly<Record<ProductId, { readonly written: readonly string[]; readonly says: RegExp }>> = {
  epic: {
    written: ['DocumentReference', 'DocumentReference'],
    says: /Task in the chart.*not possible in this EHR/s,
  },
  oracle: {
    written: ['DocumentReference', 'DocumentReference', 'Provenance', 'Provenance'],
    says: /Task in the chart.*not possible in this EHR/s,
  },
  athenahealth: { written: [], says: /athenahealth lets no app save this to the chart/ },
  eclinicalworks: { written: [], says: /eClinicalWorks lets no app save this to the chart/ },
  nextgen: { written: [], says: /NextGen lets no app save this to the chart/ },
  meditech: { written: ['Communication'], says: /Message in the chart.*in the chart/s },
  canvas: { written: ['DocumentReference', 'DocumentReference', 'Task'], says: /Task in the chart.*in the chart/s },
  medplum: {
    written: ['DocumentReference', 'DocumentReference', 'Provenance', 'Provenance', 'Provenance', 'Task'],
    says: /Task in the chart.*in the chart/s,
  },
};
