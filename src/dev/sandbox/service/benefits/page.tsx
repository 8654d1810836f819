import { platformPage } from '../pages.tsx';
import { benefitStatuses, type StoredBenefit, toBenefitRecord } from './benefit-record.ts';
import { ruleNamed } from './benefit-rules.ts';
import { BenefitActions, BenefitStatusMark, benefitPath, drugText } from './list.tsx';

/** The platform's page of one benefit verification: the request and the plan's answer. */
export function benefitPage(stored: StoredBenefit): Promise<string> {
  const { request } = stored;
  const path = benefitPath(stored);
  return platformPage(
    drugText(stored),
    <>
      <p class="crumb">
        <a href="/">All requests</a>
      </p>
      <h1>{drugText(stored)}</h1>
      <section
        hx-get={path}
        hx-select="#record"
        hx-target="#record"
        hx-swap="outerMorph"
        hx-trigger="every 2s"
        aria-label="Record"
        class="card"
      >
        <div id="record">
          <p>
            <BenefitStatusMark stored={stored} /> {benefitStatuses[stored.status].meaning}
          </p>
          <BenefitActions stored={stored} back={path} />
          <dl>
            {factsOf(stored).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <details>
            <summary>What is sent back as JSON</summary>
            <pre>{JSON.stringify(toBenefitRecord(stored), undefined, 2)}</pre>
          </details>
        </div>
      </section>
    </>,
  );

  function factsOf({ id, createdAt, rule }: StoredBenefit): readonly (readonly [string, string])[] {
    const { patient, provider, diagnoses = [], insurance_content: plan } = request;
    return [
      ['Reference', id],
      ['Received', `${createdAt} UTC`],
      ['Quantity', request.drugs.map(({ quantity }) => quantity).join(', ')],
      ['Diagnoses', diagnoses.map(({ code }) => code).join(', ') || 'None stated'],
      ['Patient', `${patient.first_name} ${patient.last_name}, born ${patient.date_of_birth}`],
      ['Prescriber', `${provider.first_name} ${provider.last_name}, NPI ${provider.npi}`],
      ['Payer', plan?.payer_name ?? 'Not stated'],
      ['Who pays for the plan', request.use_patient_plan_fund_source_check ? 'Asked' : 'Not asked'],
      ['Sandbox rule', ruleNamed(rule).story],
    ];
  }
}
