import type { VNode } from 'preact';
import { type Case, recordOf, roundsOf } from '../../../cases/case.ts';
import { isUnanswered, type Round, roundStanding } from '../../../cases/rounds/round.ts';
import { refusalOf } from '../../http/rights.ts';
import { Time } from '../../ui/time.tsx';
import { instantOf } from './case-timeline.ts';
import { questionWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';
import { serviceName } from './words.ts';

/** true while a question of the payer waits for somebody here. */
export function isWaiting(one: Case): boolean {
  return one.state === 'open' && roundsOf(one).some(isUnanswered);
}

/** The question whose reply is the next thing to do on the page; undefined where none is. */
export function leadingRound(one: Case): Round | undefined {
  if (one.state !== 'open') return undefined;
  const standings: readonly string[] = ['unsigned', 'printed'];
  return roundsOf(one).find((round) => {
    const standing = roundStanding(round);
    return standings.includes(standing) || (standing === 'open' && round.asked.length > 0);
  });
}

/** true of a question that the service asks without a message: it is answered there, or on paper. */
export function isAnsweredThere({ case: one, platform }: Pick<CaseView, 'case' | 'platform'>, round: Round): boolean {
  return one.state === 'open' && platform !== undefined && roundStanding(round) === 'open' && round.asked.length === 0;
}

/** true where people note questions here themselves: the service tells none of its own. */
export function takesNotes({ case: one, launch }: Pick<CaseView, 'case' | 'launch'>): boolean {
  const { profile } = launch.site.service;
  return (
    profile === 'documented' && one.kind === 'prior-auth' && one.state === 'open' && refusalOf(launch) === undefined
  );
}

/** Faxes that came from the payer, each of which may be a question; nothing of what they say is shown before. */
export function FaxOffers({ view }: { readonly view: CaseView }): VNode | null {
  const { case: one, launch } = view;
  if (!takesNotes(view)) return null;
  const known = new Set(roundsOf(one).flatMap(({ asked }) => asked.map(({ id }) => id)));
  const faxes = (recordOf(one)?.activity_log ?? []).filter(({ id, type }) => type === 'received_fax' && !known.has(id));
  if (faxes.length === 0) return null;
  return (
    <section class="card fax-offers" aria-labelledby="faxes">
      <h2 id="faxes">{words.faxCame}</h2>
      <p>{words.faxHelp(serviceName(launch.site))}</p>
      {faxes.map((fax) => (
        <form key={fax.id} method="post" action={view.here} class="actions">
          <input type="hidden" name="token" value={view.token} />
          <input type="hidden" name="fax" value={fax.id} />
          <Time at={instantOf(fax, launch.site.service.timeZone)} zone={launch.site.timeZone} />
          <button type="submit" name="action" value="open-fax" class="secondary">
            {words.faxOpen}
          </button>
        </form>
      ))}
    </section>
  );
}
