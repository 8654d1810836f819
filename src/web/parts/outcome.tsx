import type { VNode } from 'preact';
import type { z } from 'zod';
import { dayText } from '../../fhir/time/day-text.ts';
import type { DenialReasonAnalysis } from '../../service/contract.ts';
import type { OutcomeView } from '../../service/status.ts';

interface Letter {
  readonly label: string;
  readonly address: string;
}

interface OutcomeProps {
  readonly outcome: OutcomeView;
  readonly analysis: z.infer<typeof DenialReasonAnalysis> | undefined;
  /** Whether the payer decided; otherwise the service said why nothing was sent to it. */
  readonly isPayers: boolean;
  /** Letters to download; none when none is written for this end. */
  readonly letters: readonly Letter[];
}

/** The final outcome: result, the payer's words, dates, the analysis of a denial, and the letters. */
export function OutcomeCard({ outcome, analysis, isPayers, letters }: OutcomeProps): VNode {
  const facts: (readonly [string, string | undefined])[] = [
    ['Result', outcome.result],
    [isPayers ? 'In the payer’s words' : 'In the service’s words', outcome.detail],
    ['Code', outcome.detailCode],
    ['Valid from', outcome.authorizationStart === undefined ? undefined : dayText(outcome.authorizationStart)],
    [
      'Valid until',
      outcome.authorizationExpiration === undefined ? undefined : dayText(outcome.authorizationExpiration),
    ],
  ];
  return (
    <section class="card outcome" aria-labelledby="outcome">
      <h2 id="outcome">Outcome</h2>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {analysis !== undefined && <Analysis analysis={analysis} />}
      {letters.map(({ label, address }) => (
        <p key={address}>
          <a href={address} download>
            {label}
          </a>
        </p>
      ))}
    </section>
  );
}

function Analysis({ analysis }: { readonly analysis: NonNullable<OutcomeProps['analysis']> }): VNode {
  return (
    <div class="analysis">
      <h3>Why, and what can be done</h3>
      {(analysis.categories?.length ?? 0) > 0 && (
        <p class="hint">{analysis.categories?.map((category) => category.replaceAll('_', ' ')).join(', ')}</p>
      )}
      {analysis.explanation !== undefined && <p>{analysis.explanation}</p>}
      {analysis.next_steps !== undefined && (
        <p>
          <strong>Next:</strong> {analysis.next_steps}
        </p>
      )}
      {analysis.next_steps_explanation !== undefined && <p>{analysis.next_steps_explanation}</p>}
    </div>
  );
}
