import type { VNode } from 'preact';
import type { BenefitVerification } from '../../../core/contract/benefit-verification.ts';
import { benefitFacts } from '../../../service/benefits.ts';
import type { OutcomeView } from '../../../service/outcome-words.ts';
import { benefits as words } from './words.ts';

interface BenefitsProps {
  readonly outcome: OutcomeView;
  readonly record: BenefitVerification;
}

/** The plan's answer, line by line as the service returned it, with a note on its limits. */
export function Benefits({ outcome, record }: BenefitsProps): VNode {
  const facts = benefitFacts(record);
  const reason = outcome.detail === undefined ? [] : [[words.reason, outcome.detail] as const];
  return (
    <>
      {facts.length + reason.length > 0 && (
        <dl class="facts reason-facts">
          {[...reason, ...facts].map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {facts.length > 0 && <p class="quiet-text">{words.isNoPromise}</p>}
    </>
  );
}
