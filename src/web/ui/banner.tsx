import type { VNode } from 'preact';
import type { Case } from '../../cases/case.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { FactList, type NamedFact } from './facts.tsx';

/** The patient banner of every page with an open chart, unless the EHR shows its own. */
export function PatientBanner({ banner }: { readonly banner: Case['banner'] }): VNode {
  const facts: NamedFact[] = [
    ['Born', banner.birthDate === undefined ? 'not in the chart' : dayText(banner.birthDate)],
    ['Sex', banner.sex ?? 'not in the chart'],
    ['MRN', banner.mrn ?? 'not in the chart'],
  ];
  return (
    <section class="patient" aria-label="Patient banner">
      <p class="patient-name">{banner.name}</p>
      <FactList rows={facts} />
    </section>
  );
}
