import type { BenefitHandler } from './benefit-handler.ts';
import { benefitStatuses, type StoredBenefit, toBenefitRecord } from './benefit-record.ts';
import { benefitRules } from './benefit-rules.ts';

/** The list of benefit verifications on the platform's first page; nothing if there are none. */
export function BenefitSection({ handler, listed }: { readonly handler: BenefitHandler; readonly listed: number }) {
  const list = handler.list(listed);
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="benefits" class="card">
      <h2 id="benefits">Benefit verifications</h2>
      <div class="scroll">
        <table>
          <caption>Newest first</caption>
          <thead>
            <tr>
              <th scope="col">Drug</th>
              <th scope="col">Status</th>
              <th scope="col">Actions</th>
              <th scope="col">Reference</th>
            </tr>
          </thead>
          <tbody>
            {list.map((stored) => (
              <tr key={stored.id}>
                <th scope="row">
                  <a href={benefitPath(stored)}>{drugText(stored)}</a>
                </th>
                <td>
                  <BenefitStatusMark stored={stored} />
                </td>
                <td>
                  <BenefitActions stored={stored} back="/" />
                </td>
                <td class="reference">{stored.id}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3>How the sandbox answers</h3>
      <p>Invented rules, applied by drug name. The first match wins.</p>
      <ol>
        {benefitRules.map(({ name, story }) => (
          <li key={name}>{story}</li>
        ))}
      </ol>
    </section>
  );
}

export function BenefitStatusMark({ stored }: { readonly stored: StoredBenefit }) {
  const [drug] = toBenefitRecord(stored).drugs as readonly { readonly coverage: string | null }[];
  const said = stored.status === 'completed' && drug?.coverage ? `: ${drug.coverage.replaceAll('_', ' ')}` : '';
  return (
    <strong class={`status ${stored.status}`}>
      {benefitStatuses[stored.status].label}
      {said}
    </strong>
  );
}

export function BenefitActions({ stored, back }: { readonly stored: StoredBenefit; readonly back: string }) {
  if (benefitStatuses[stored.status].terminal) return <span>Finished</span>;
  return (
    <form class="actions" method="post" action={`${benefitPath(stored)}/step`}>
      <input type="hidden" name="back" value={back} />
      <button type="submit">Let the plan answer</button>
      <button type="submit" class="secondary" formaction={`${benefitPath(stored)}/cancel`}>
        Cancel
      </button>
    </form>
  );
}

export function benefitPath({ id }: StoredBenefit): string {
  return `/benefit-verifications/${encodeURIComponent(id)}`;
}

/** Returns `Xeljanz 5 MG`, or the NDC of a coded drug. */
export function drugText({ request }: StoredBenefit): string {
  return request.drugs
    .map((drug) => ('name' in drug ? `${String(drug.name)} ${String(drug.dosage)}` : `NDC ${String(drug.ndc)}`))
    .join(', ');
}
