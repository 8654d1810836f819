import type { VNode } from 'preact';
import { approvedDifferences } from '../../../cases/approved.ts';
import { type Case, isEditable, lacksOrder, outcomeOf, recordOf, roundsOf } from '../../../cases/case.ts';
import { approvedNote } from '../../../cases/letter-terms.ts';
import { askedUntil } from '../../../cases/rounds/case-asked.ts';
import { maySign } from '../../../cases/signature.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { refusalOf } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { ToneIcon } from '../../ui/icon.tsx';
import { LackBadge } from '../../ui/lack-badge.tsx';
import { standingOf } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { appealDeadlineOf, renewalOf } from '../case/appeal.ts';
import { Asked } from '../case/asked.tsx';
import { Benefits } from '../case/benefits-block.tsx';
import { stepsOf } from '../case/case-steps.ts';
import { takesAppeals } from '../case/denial-way.ts';
import { FollowLinks } from '../case/follow-links.tsx';
import { OutcomeFacts } from '../case/outcome-facts.tsx';
import { Steps } from '../case/steps.tsx';
import { denial, inSiteWords, orderClosed, serviceName } from '../case/words.ts';
import { refused } from '../launch/words.ts';
import { SignatureStanding } from '../sign/standing.tsx';
import { sign as signWords } from '../sign/words.ts';
import { waitsToSign, lineWords as words } from './words.ts';
import type { WorklistCaseView } from './worklist-case-view.ts';

interface StandingProps {
  readonly view: WorklistCaseView;
  readonly one: Case;
  /** The URL that opens the chart. */
  readonly chart: string;
}

/** The status of a request, with the same text as its case page: the reason, the deadline, and the next step. */
export function LineStanding({ view, one, chart }: StandingProps): VNode {
  const { staff, row, today } = view;
  const { site } = staff;
  const isClosed = lacksOrder(one) && row.part !== 'needs';
  const { label, meaning, tone } = isClosed ? { ...orderClosed, tone: 'off' as const } : standingOf(one, today);
  const isForOthers = tone === 'act' && refusalOf(staff) !== undefined && !lacksOrder(one);
  return (
    <section class={`card standing tone-${tone}`} aria-labelledby="standing">
      <div class={`headline tone-${tone}`}>
        <ToneIcon tone={tone} />
        <h2 id="standing">{inSiteWords(label, site)}</h2>
        <p>{isForOthers ? words.forOthers : inSiteWords(meaning, site)}</p>
        <Facts view={view} one={one} />
        {isEditable(one) && !lacksOrder(one) && one.signature !== undefined && (
          <SignatureStanding
            signature={one.signature}
            zone={site.timeZone}
            prescriber={one.prescriberName}
            isNamed={!isForOthers}
          />
        )}
        {waitsToSign(row) && <ToSign view={view} one={one} />}
        {row.unwritten && <LackBadge lacks={row.line.value().lacks} />}
        {view.follow !== undefined && <FollowLinks follow={view.follow} zone={site.timeZone} />}
        <NextAct view={view} one={one} chart={chart} />
      </div>
      <Steps steps={stepsOf(one)} zone={site.timeZone} />
    </section>
  );
}

/** The link to sign the request, for users who may sign; a sentence for others. */
function ToSign({ view: { staff, home }, one }: Pick<StandingProps, 'view' | 'one'>): VNode {
  const signs = maySign(staff.site, one, userOf(staff));
  return (
    <p class="actions">
      <a class={signs ? 'button go' : 'button quiet-button'} href={`${home}/sign/${one.id}`}>
        {signs ? signWords.toSign : signWords.see}
      </a>
    </p>
  );
}

function Facts({ view: { staff, today, acts }, one }: Pick<StandingProps, 'view' | 'one'>): VNode {
  const { site } = staff;
  const record = recordOf(one);
  const outcome = one.state === 'ended' ? outcomeOf(one) : undefined;
  const until = one.state === 'open' ? askedUntil(roundsOf(one)) : undefined;
  return (
    <>
      {until !== undefined && (
        <p>
          {words.answerBy}{' '}
          {/^\d{4}-\d{2}-\d{2}$/.test(until) ? dayText(until) : <Time at={until} zone={site.timeZone} />}
        </p>
      )}
      {record !== undefined && outcome !== undefined && (
        <OutcomeFacts
          outcome={outcome}
          record={record}
          service={serviceName(site)}
          appeal={appealDeadlineOf(one, site)}
          takesAppeals={takesAppeals(site)}
          renewal={renewalOf(one, site)}
          approved={approvedDifferences(one)}
          letter={approvedNote(one.events)}
          letterIn={acts.sees ? 'here' : 'chart'}
          today={today}
        />
      )}
      {one.kind === 'benefit-verification' && one.state === 'ended' && outcome !== undefined && (
        <Benefits outcome={outcome} record={one.record} />
      )}
      {acts.sees && record !== undefined && one.state === 'open' && roundsOf(one).length === 0 && (
        <Asked
          record={record}
          since={one.changedAt}
          service={serviceName(site)}
          serviceZone={site.service.timeZone}
          zone={site.timeZone}
        />
      )}
    </>
  );
}

function Close({ view: { home, token }, one }: Pick<StandingProps, 'view' | 'one'>): VNode {
  return (
    <form method="post" action={`${home}/worklist/${one.id}`} class="actions">
      <input type="hidden" name="token" value={token} />
      <button type="submit" name="action" value="done" class="go">
        {words.done}
      </button>
    </form>
  );
}

function NextAct({ view, one, chart }: StandingProps): VNode | null {
  if (lacksOrder(one)) return view.row.part === 'needs' && view.acts.assigns ? <Close view={view} one={one} /> : null;
  const { row, staff } = view;
  const refusal = refusalOf(staff);
  // What waits for a signature has its link above; nobody else has to do anything.
  const isFirst = refusal === undefined && !waitsToSign(row);
  const next = row.part === 'needs' ? row.next : undefined;
  const { name, birthDate, mrn } = one.banner;
  const { none } = words.compare;
  // The person selects the patient in the EHR, so name, birth date and number are shown for comparison.
  const facts = [
    [words.compare.name, name],
    [words.compare.born, birthDate === undefined ? none : dayText(birthDate)],
    [words.compare.mrn, mrn ?? none],
  ] as const;
  return (
    <>
      {refusal !== undefined && <p>{refused[refusal]}</p>}
      <p class="actions">
        {next !== undefined && (
          <a class={isFirst ? 'button go' : 'button'} href={`${view.home}/worklist/${next}`}>
            {denial.openStarted}
          </a>
        )}
        <a class={isFirst && next === undefined ? 'button go' : 'button quiet-button'} href={chart}>
          {words.next[refusal === undefined && next === undefined ? nextOf(one, row) : 'other']}
        </a>
      </p>
      <p class="no-print">{words.pick}</p>
      <dl class="facts compare no-print">
        {facts.map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function nextOf({ followed }: Case, { waits }: WorklistCaseView['row']): keyof typeof words.next {
  const next = Object.hasOwn(nextByWaits, waits) ? nextByWaits[waits] : undefined;
  return followed === undefined ? (next ?? 'other') : 'other';
}

const nextByWaits: Readonly<Record<string, keyof typeof words.next>> = {
  draft: 'draft',
  send_again: 'draft',
  signed: 'signed',
  sign_returned: 'handOver',
  sign_again: 'handOver',
  refused: 'refused',
  unclear: 'unclear',
  payer_asks: 'asked',
  reply_printed: 'printed',
  reply_unclear: 'unclear',
  denied: 'denied',
  renew: 'renew',
};
