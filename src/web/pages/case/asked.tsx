import type { VNode } from 'preact';
import { questionsIn } from '../../../cases/question.ts';
import type { PriorAuthorization } from '../../../core/contract/prior-authorization.ts';
import { statusRule } from '../../../service/statuses.ts';
import { Time } from '../../ui/time.tsx';
import { instantOf } from './case-timeline.ts';
import { asked as words } from './words.ts';

interface AskedProps {
  readonly record: PriorAuthorization;
  /** When the open question was first seen. */
  readonly since: string | undefined;
  readonly service: string;
  /** The time zone of times from the service that state no zone. */
  readonly serviceZone: string;
  readonly zone: string;
}

/** The payer's questions and since when they are open. Renders nothing if the practice is not asked. */
export function Asked({ record, since, service, serviceZone, zone }: AskedProps): VNode | null {
  if (statusRule('prior-auth', record.status).shows !== 'asked') return null;
  const questions = questionsIn(record);
  return (
    <div class="asked">
      {questions.length === 0 && <p>{words.closed(service)}</p>}
      {questions.length > 0 && (
        <>
          <h3>{words.heading}</h3>
          <ul>
            {questions.toReversed().map(({ text, entry }) => (
              <li key={entry.id}>
                <q>{text}</q>{' '}
                <span class="quiet-text">
                  <Time at={instantOf(entry, serviceZone)} zone={zone} />
                </span>
              </li>
            ))}
          </ul>
          <p class="private">{words.private}</p>
        </>
      )}
      {since !== undefined && (
        <p class="quiet-text">
          {words.since} <Time at={since} zone={zone} />.
        </p>
      )}
    </div>
  );
}
