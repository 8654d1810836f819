import type { VNode } from 'preact';
import type { Case } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import type { Site } from '../../../config/config.ts';
import { askedText } from '../../request/reply-answers.ts';
import { shownOf } from './question-text.tsx';
import { questionWords as words } from './question-words.ts';
import { serviceName } from './words.ts';

interface SaidProps {
  readonly one: Case;
  readonly round: Round;
  readonly site: Site;
}

/**
 * The text of a question without its credentials, for pages without an open chart; or the reason why it is not shown.
 */
export function QuestionSaid({ one, round, site }: SaidProps): VNode {
  const text = askedText(one, round, words.hidden);
  const shown = shownOf({ case: one }, round);
  const files = [...new Set(shown.flatMap((asking) => asking.files.map(({ name }) => name)))];
  const service = serviceName(site);
  return (
    <>
      {text !== '' &&
        text.split('\n').map((line, index) => (
          <p key={index} class="said">
            {line}
          </p>
        ))}
      {files.length > 0 && (
        <p>
          {words.files}: {files.join(', ')}
        </p>
      )}
      {shown.length < round.asked.length && <p class="notice">{words.held(service)}</p>}
      {text === '' && files.length === 0 && shown.length === round.asked.length && <p>{words.noText(service)}</p>}
    </>
  );
}
