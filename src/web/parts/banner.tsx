import type { VNode } from 'preact';
import type { Case } from '../../cases/case.ts';
import { type Fact, Facts } from './facts.tsx';

/** Who the page is about; on every page of a launch. */
export function PatientBanner({ banner }: { readonly banner: Case['banner'] }): VNode {
  const facts: Fact[] = [
    ['Born', banner.birthDate === undefined ? 'not in the chart' : dayText(banner.birthDate)],
    ['Sex', banner.sex ?? 'not in the chart'],
    ['MRN', banner.mrn ?? 'not in the chart'],
  ];
  return (
    <section class="patient" aria-label="Patient banner">
      <p class="patient-name">{banner.name}</p>
      <Facts rows={facts} />
    </section>
  );
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `1980-02-03` as `Feb 3, 1980`: no reader takes day for month. A partial date stays as it is. */
export function dayText(date: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(date);
  if (parts === null) return date;
  return `${months[Number(parts[2]) - 1] ?? parts[2]} ${Number(parts[3])}, ${parts[1]}`;
}
