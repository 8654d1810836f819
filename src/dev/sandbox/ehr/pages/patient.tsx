import type { Coverage, MedicationRequest, Patient } from '@medplum/fhirtypes';
import type { ComponentChildren } from 'preact';
import type { EhrStore } from '../fhir/ehr-store.ts';
import { canStart, codesText, localDayText, medicationText, type PatientChart, shownConcept } from './chart.ts';
import { EhrBanner, EhrTable, Pill } from './layout.tsx';
import { Outcomes } from './outcomes.tsx';

export function PatientPage({ chart, store, now }: { chart: PatientChart; store: EhrStore; now: Date }) {
  const [address] = chart.patient.address ?? [];
  const email = chart.patient.telecom?.find((telecom) => telecom.system === 'email')?.value;
  return (
    <>
      <EhrBanner patient={chart.patient} now={now} />
      <main id="main" class="chart">
        <nav class="open-app" aria-label="Prior authorization app">
          <LaunchButton patient={chart.patient} label="All orders" intent="orders" />
          <LaunchButton patient={chart.patient} label="Worklist" intent="worklist" />
        </nav>
        <EhrTable
          id="medications"
          title="Medications"
          columns={['Medication', 'Directions', 'Quantity', 'Prescriber', 'Ordered', 'Status', 'Prior authorization']}
          rows={chart.orders.map((order) => orderRow(order, store))}
        />
        <div aria-live="polite">
          <Outcomes chart={chart} />
        </div>
        <EhrTable
          id="coverages"
          title="Coverages"
          columns={['Payer', 'Type', 'Member ID', 'RxBIN', 'RxPCN', 'RxGRP', 'Group and plan', 'Period', 'Status']}
          rows={chart.coverages.map((coverage) => coverageRow(coverage, now))}
        />
        <div class="pair">
          <EhrTable
            id="problems"
            title="Problems"
            columns={['Problem', 'Codes', 'Since', 'Status']}
            rows={chart.problems.map((problem) => [
              <strong key="text">{shownConcept(problem.code)}</strong>,
              codesText(problem.code),
              localDayText(problem.onsetDateTime),
              <Pill key="status" value={shownConcept(problem.clinicalStatus)} />,
            ])}
          />
          <EhrTable
            id="allergies"
            title="Allergies"
            columns={['Substance', 'Reaction', 'Recorded']}
            rows={chart.allergies.map((allergy) => [
              <strong key="text">{shownConcept(allergy.code)}</strong>,
              allergy.reaction?.flatMap((reaction) => reaction.manifestation.map(shownConcept)).join(', '),
              localDayText(allergy.recordedDate),
            ])}
          />
        </div>
        <EhrTable
          id="demographics"
          title="Demographics"
          columns={['Address', 'Phone', 'Email', 'Language']}
          rows={[
            [
              address === undefined
                ? ''
                : [...(address.line ?? []), `${address.city}, ${address.state} ${address.postalCode}`].join(', '),
              chart.patient.telecom?.find((telecom) => telecom.system === 'phone')?.value,
              email,
              chart.patient.communication?.map((communication) => shownConcept(communication.language)).join(', '),
            ],
          ]}
        />
      </main>
    </>
  );
}

// The button's purpose is passed on as `intent`.
function LaunchButton({ patient, label, intent }: { patient: Patient; label: string; intent: string }) {
  return (
    <form method="post" action={`/patients/${patient.id}/launch?intent=${intent}`}>
      <button type="submit" class="secondary outline" aria-label={`${label} in the prior authorization app`}>
        {label}
      </button>
    </form>
  );
}

function orderRow(order: MedicationRequest, store: EhrStore): ComponentChildren[] {
  const name = medicationText(store, order);
  const quantity = order.dispenseRequest?.quantity;
  const days = order.dispenseRequest?.expectedSupplyDuration?.value;
  const patient = order.subject.reference?.split('/')[1];
  return [
    <>
      <strong>{name}</strong>
      <small>{codesText(order.medicationCodeableConcept)}</small>
    </>,
    [...(order.dosageInstruction ?? [])]
      .sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
      .map((dosage) => dosage.text)
      .join('; '),
    quantity === undefined
      ? ''
      : `${quantity.value} ${quantity.unit ?? ''}${days === undefined ? '' : ` for ${days} days`}`,
    order.reportedBoolean === true ? 'Reported by the patient' : order.requester?.display,
    localDayText(order.authoredOn),
    <Pill key="status" value={order.status} tone={order.status === 'active' ? 'good' : undefined} />,
    canStart(order) ? (
      <form key="start" method="post" action={`/patients/${patient}/launch?order=${order.id}`} class="start">
        <button type="submit" aria-label={`Start prior authorization for ${name}`}>
          Start prior authorization
        </button>
        <a
          href={`/patients/${patient}/frame/${order.id}`}
          aria-label={`In a frame: start prior authorization for ${name}`}
        >
          In a frame
        </a>
      </form>
    ) : (
      ''
    ),
  ];
}

function coverageRow(coverage: Coverage, now: Date): ComponentChildren[] {
  const classOf = (code: string) =>
    coverage.class?.find((entry) => entry.type.coding?.some((coding) => coding.code === code));
  const ended = coverage.period?.end !== undefined && coverage.period.end < now.toISOString().slice(0, 10);
  return [
    <strong key="payer">{coverage.payor[0]?.display ?? coverage.payor[0]?.reference}</strong>,
    shownConcept(coverage.type),
    coverage.subscriberId ?? coverage.identifier?.[0]?.value,
    classOf('rxbin')?.value,
    classOf('rxpcn')?.value,
    classOf('rxgroup')?.value,
    [classOf('group'), classOf('plan')].flatMap((entry) => entry?.name ?? entry?.value ?? []).join(' · '),
    `${localDayText(coverage.period?.start)} to ` +
      `${coverage.period?.end === undefined ? 'further notice' : localDayText(coverage.period.end)}`,
    <Pill key="status" value={ended ? 'ended' : coverage.status} tone={ended ? 'bad' : 'good'} />,
  ];
}
