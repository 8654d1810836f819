import { asksProvider } from './merge.ts';
import { type Round, roundStanding } from './round.ts';

/**
 * What the rounds of an open case mean for it: `asked`: somebody has to answer; `unsigned`: a reply waits for its
 * signature; `unclear`: somebody has to look whether
 * a reply arrived; `replying`: a reply is on its way; `answered`: all is answered, though the record may still say that
 * the practice is asked. undefined where its status says all.
 */
export function askedStanding(
  rounds: readonly Round[],
  status: string,
): 'asked' | 'unsigned' | 'unclear' | 'replying' | 'answered' | undefined {
  const standings = rounds.map(roundStanding);
  if (standings.includes('unclear')) return 'unclear';
  if (standings.includes('open') || standings.includes('printed')) return 'asked';
  if (standings.includes('unsigned')) return 'unsigned';
  if (standings.includes('sending')) return 'replying';
  const isAnswered = standings.includes('answered') || (standings.includes('ended') && status === asksProvider);
  return isAnswered ? 'answered' : undefined;
}

/** The same for the chart, which knows nothing of signatures: a reply that waits for one has not answered. */
export function askedForChart(
  rounds: readonly Round[],
  status: string,
): Exclude<ReturnType<typeof askedStanding>, 'unsigned'> {
  const standing = askedStanding(rounds, status);
  return standing === 'unsigned' ? 'asked' : standing;
}

/** Until when the first of the rounds waits that nobody has answered; undefined where none states it. */
export function askedUntil(rounds: readonly Round[]): string | undefined {
  const waiting = rounds.filter((round) => ['open', 'unsigned', 'printed', 'unclear'].includes(roundStanding(round)));
  return waiting
    .flatMap(({ until }) => until ?? [])
    .filter((until) => !Number.isNaN(Date.parse(until)))
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))[0];
}
