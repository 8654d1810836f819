import type { VNode } from 'preact';
import type { SentAnswers } from '../../../core/answers/sent-answers.ts';
import { payerWords as words } from '../payer-words.ts';

/** The answers in a request as two tables: the questions with their answers, and the trials. */
export function SentAnswersTables({ sent: { answers, trials } }: { readonly sent: SentAnswers }): VNode {
  return (
    <>
      {answers.length > 0 && (
        <dl class="lines sent-answers">
          {answers.map(({ cell, question, lines }) => (
            <div key={cell} class="line">
              <dt>{question}</dt>
              <dd>
                {lines.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {trials.length > 0 && (
        <div class="wide-table">
          <table class="plain stacks">
            <caption>{words.trials}</caption>
            <thead>
              <tr>
                <th scope="col">{words.trialDrug}</th>
                <th scope="col">{words.trialTaken}</th>
                <th scope="col">{words.trialEnded}</th>
              </tr>
            </thead>
            <tbody>
              {trials.map(({ drug, taken, ended }, index) => (
                // The index is the key, because two trials of one drug may have the same text.
                <tr key={index}>
                  <th scope="row" data-label={words.trialDrug}>
                    {drug}
                  </th>
                  <td data-label={words.trialTaken}>{taken}</td>
                  <td data-label={words.trialEnded}>{ended}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
