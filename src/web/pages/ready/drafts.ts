import type { FastifyRequest } from 'fastify';
import { isEditable, isSent, type ListedCase, type ListedSent } from '../../../cases/case.ts';
import { asBridgeError } from '../../../core/errors.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import type { Launch, StaffSession } from '../../../ehr/smart/types.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { refusalOf } from '../../http/rights.ts';
import { formToken, launchesIn, sessionOf } from '../../http/session.ts';
import { digestOf } from '../../request/draft.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { noteShown } from '../../request/note-shown.ts';
import { openDraft } from '../../request/open-draft.ts';
import { gapsOutsideBody, isReady } from '../../request/outside-body.ts';
import { goingAnswersOf, withPayerAnswers } from '../../request/payer-answers.ts';
import { reviewPlace } from '../case/case-place.ts';
import { type ConfirmView, confirmViewOf } from '../confirm/view.ts';
import { homeOf } from '../launch/route.ts';
import { ready as words } from './words.ts';

/** The drafts in the charts that a person has open in this browser. */
export interface OpenDrafts {
  readonly charts: readonly Launch[];
  /** Drafts that may be sent unchanged. */
  readonly ready: readonly ConfirmView[];
  readonly others: readonly Other[];
  /** Requests that were sent today from the open charts. The reader may still expect them on this page. */
  readonly sent: readonly ListedSent[];
}

interface Other {
  readonly one: ListedCase;
  readonly review: string;
  /** Why the draft cannot be sent here, as a sentence. */
  readonly why: string;
}

const mostCharts = 10;
const mostOfChart = 10;

/** Reads the charts that are open. A draft whose review page was never opened is left out. */
export async function openDrafts(
  deps: Deps,
  pulls: Pulls,
  request: FastifyRequest,
  staff: StaffSession,
): Promise<OpenDrafts> {
  const charts = await chartsOf(deps, request, staff);
  const found = (await Promise.all(charts.map((launch) => draftsOf(deps, pulls, launch)))).flat();
  return {
    charts,
    ready: found.filter((one) => 'draft' in one),
    others: found.filter((one) => 'why' in one),
    sent: found.filter((one) => 'sentAt' in one),
  };
}

type Found = ConfirmView | Other | ListedSent;

async function draftsOf(deps: Deps, pulls: Pulls, launch: Launch): Promise<Found[]> {
  const { id, site, patient } = launch;
  const cases = await deps.cases.forPatient(site.id, `Patient/${patient}`);
  const today = dayIn(deps.clock().getTime(), site.timeZone);
  const sent = cases.filter(isSent).filter(({ sentAt }) => dayIn(Date.parse(sentAt), site.timeZone) === today);
  const drafts: Found[] = [];
  for (const one of cases.filter(wasOpened).slice(0, mostOfChart)) {
    const found = wasReady(one) ? await readyOf(deps, pulls, launch, one) : words.needs(one.needed ?? 0);
    if (typeof found === 'object') drafts.push(found);
    else if (found !== undefined) drafts.push({ one, review: `${homeOf(id)}/${reviewPlace(one)}`, why: found });
  }
  return [...drafts, ...sent.slice(0, mostOfChart)];
}

function wasOpened(one: ListedCase): boolean {
  return isEditable(one) && one.needed !== undefined;
}

/** true if the draft had no open points when its page was last viewed. */
export function wasReady(one: ListedCase): boolean {
  return isEditable(one) && one.needed === 0;
}

/** For each patient, one open launch of this browser in which this user may send. */
async function chartsOf({ smart }: Deps, request: FastifyRequest, { site, fhirUser }: StaffSession): Promise<Launch[]> {
  const byPatient = new Map<string, Launch>();
  for (const id of await smart.own(launchesIn(request))) {
    // Sign-ins without a chart cannot be opened as a launch and are skipped.
    const launch = await smart.open(id, sessionOf(request, id)).catch(() => undefined);
    const isSame = launch?.site.id === site.id && launch.fhirUser === fhirUser;
    if (isSame && refusalOf(launch) === undefined && !byPatient.has(launch.patient))
      byPatient.set(launch.patient, launch);
  }
  return [...byPatient.values()].slice(0, mostCharts);
}

/**
 * The view of the draft's confirmation page, or why the draft cannot be sent here. Undefined if it was sent already.
 */
async function readyOf(
  deps: Deps,
  pulls: Pulls,
  launch: Launch,
  { id, order, kind }: ListedCase,
): Promise<ConfirmView | string | undefined> {
  const names = { launch, order: order.replace('MedicationRequest/', ''), kind };
  const draft = await openDraft(deps, pulls, names).catch((thrown: unknown) => {
    const { code, facts } = asBridgeError(thrown);
    deps.log.warn({ case: id, code }, 'a ready draft could not be opened');
    return code === 'order_not_candidate' ? words.unusable(String(facts.reason)) : words.why.closed;
  });
  if (typeof draft === 'string') return draft;
  if ('sent' in draft) return undefined;
  if (draft.rulesChange !== undefined) return words.why.rules;
  const going = goingAnswersOf(deps, launch, draft);
  const result = withPayerAnswers(draft, going);
  if (result.status !== 'complete' || !isReady(draft)) return words.why.incomplete;
  const { sections } = kindPages[kind];
  const open = gapsOutsideBody(draft, deps.clock());
  const shown = await noteShown(deps, draft, { sections, open, digest: digestOf(result) });
  const home = homeOf(launch.id);
  const opened = { launch, home, token: formToken(deps.vault, launch.id) };
  const review = `${home}/${reviewPlace(shown.case)}`;
  const sent = { result, body: result.body, review, going };
  const view = await confirmViewOf({ deps, pulls, kind }, opened, shown, sent);
  if (view.duplicates.length > 0) return words.why.duplicate;
  return view.signing.mayGo || view.signing.is === 'signs' ? view : words.why.unsigned;
}
