import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, recordOf, roundsOf } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import { BridgeError } from '../../../core/errors.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { refusalOf } from '../../http/rights.ts';
import type { LaunchParams, Visit } from '../launch/route.ts';
import { appealDeadlineOf } from './appeal.ts';
import { caseFilesOf } from './case-files.ts';
import { placeOf } from './case-place.ts';
import { followOf } from './follow-links.tsx';
import type { CaseView } from './view.ts';

export interface CaseParams extends LaunchParams {
  readonly case: string;
}
export type RoundParams = CaseParams & { readonly round: string };
export type CaseRequest = FastifyRequest<{ Params: CaseParams }>;

/** What the handlers of case pages need besides the HTTP request. */
export interface CaseDeps {
  readonly deps: Deps;
  readonly pulls: Pulls;
}

export const casePath = '/app/:launch/cases/:case';

/**
 * The case that the URL path names. Throws case_not_found for a case of another patient or site, so that its existence
 * is not revealed.
 */
export async function caseOf({ deps }: CaseDeps, { launch }: Visit, request: CaseRequest): Promise<Case> {
  const id = z.uuid().safeParse(request.params.case);
  if (!id.success) throw new BridgeError('case_not_found');
  const one = await deps.cases.get(id.data, { site: launch.site.id, patient: `Patient/${launch.patient}` });
  request.caseId = one.id;
  return one;
}

export function roundOf(one: Case, params: RoundParams): Round {
  const round = roundsOf(one).find(({ number }) => String(number) === params.round);
  if (round === undefined) throw new BridgeError('not_found', { what: 'the question' });
  return round;
}

export async function viewOf(page: CaseDeps, opened: Visit, one: Case): Promise<CaseView> {
  const { deps } = page;
  const record = recordOf(one);
  const here = `${opened.home}/cases/${one.id}`;
  const keeps = roundsOf(one).length > 0 && refusalOf(opened.launch) === undefined;
  const files = await caseFilesOf(deps, one);
  return {
    ...opened,
    case: one,
    seen: deps.cases.seen(one),
    here,
    documents: {
      ...(files.includes('letter.pdf') ? { summary: `${here}/letter.pdf` } : {}),
      ...(files.includes('payer-letter.pdf') ? { payerLetter: `${here}/payer-letter.pdf` } : {}),
    },
    effort: refusalOf(opened.launch) === undefined ? await deps.effort?.of(one.id) : undefined,
    appeal: appealDeadlineOf(one, opened.launch.site),
    platform: safeAddress(record?.url),
    today: todayAtSite(deps, opened),
    follow: await followOf(deps, one, (other) => `${opened.home}/${placeOf(other)}`),
    started: one.state === 'ended' ? await startedOf(page, opened, one) : undefined,
    kept: keeps ? new Set(await deps.cases.keptRounds(one.id)) : undefined,
  };
}

/**
 * The URL of an open request for the same order, else of the request that replaced this request; undefined without
 * either.
 */
export async function startedOf(
  { deps }: CaseDeps,
  { launch, home }: Pick<Visit, 'launch' | 'home'>,
  { kind, order, followed }: Case,
): Promise<string | undefined> {
  const cases = await deps.cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
  const live = cases.find((other) => other.kind === kind && other.order === order && other.state !== 'ended');
  const newer = live ?? cases.find(({ id }) => id === followed?.case);
  return newer === undefined ? undefined : `${home}/${placeOf(newer)}`;
}

export function todayAtSite({ clock }: Deps, { launch }: Pick<Visit, 'launch'>): string {
  return dayIn(clock().getTime(), launch.site.timeZone);
}

/** The URL if a browser may open it: https, or http on this machine. */
function safeAddress(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (url === null) return undefined;
  const isLocal = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || isLocal ? url.href : undefined;
}
