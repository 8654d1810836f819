import { asksProvider } from './merge.ts';
import { type Round, roundStanding } from './round.ts';

/**
 * How the rounds of an open case affect it: `asked`: somebody has to answer; `printed`: a reply has to be sent by hand;
 * `unsigned`: a reply waits for its signature; `unclear`: somebody has to check whether a reply arrived; `replying`: a
 * reply is being sent; `answered`: everything is answered, though the record may still ask the practice. Undefined if
 * the rounds add nothing to the status of the case.
 */
export function askedStanding(
  rounds: readonly Round[],
  status: string,
): 'asked' | 'printed' | 'unsigned' | 'unclear' | 'replying' | 'answered' | undefined {
  const standings = rounds.map(roundStanding);
  if (standings.includes('unclear')) return 'unclear';
  if (standings.includes('open')) return 'asked';
  if (standings.includes('printed')) return 'printed';
  if (standings.includes('unsigned')) return 'unsigned';
  if (standings.includes('sending')) return 'replying';
  const isAnswered = standings.includes('answered') || (standings.includes('ended') && status === asksProvider);
  return isAnswered ? 'answered' : undefined;
}

/**
 * `askedStanding` for the chart, which does not show work on replies: a question whose reply waits for a signature, or
 * has to be sent by hand, is still unanswered.
 */
export function askedForChart(
  rounds: readonly Round[],
  status: string,
): Exclude<ReturnType<typeof askedStanding>, 'printed' | 'unsigned'> {
  const standing = askedStanding(rounds, status);
  return standing === 'printed' || standing === 'unsigned' ? 'asked' : standing;
}

/** The earliest deadline among the unanswered rounds; undefined if no round states one. */
export function askedUntil(rounds: readonly Round[]): string | undefined {
  const waiting = rounds.filter((round) => ['open', 'unsigned', 'printed', 'unclear'].includes(roundStanding(round)));
  return waiting
    .flatMap(({ until }) => until ?? [])
    .filter((until) => !Number.isNaN(Date.parse(until)))
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))[0];
}
