import type { VNode } from 'preact';
import { recordOf, roundsOf } from '../../../cases/case.ts';
import { Time } from '../../ui/time.tsx';
import { instantOf } from './case-timeline.ts';
import { questionWords as words } from './question-words.ts';
import { takesNotes } from './round-state.ts';
import type { CaseView } from './view.ts';
import { serviceName } from './words.ts';

/** Faxes from the payer, each of which may be a question. Their contents are shown only when a person opens them. */
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
