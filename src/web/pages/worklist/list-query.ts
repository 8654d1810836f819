import { dayAfter } from '../../../core/fhir/time/calendar-days.ts';
import { todayAt } from '../../../core/fhir/time/today.ts';
import type { RenewalTerms, WorklistQuery } from '../../../store/types.ts';
import type { Deps } from '../../http/deps.ts';
import { seesOwnOnly } from '../../http/rights.ts';
import { renewalTerms } from './renewal-terms.ts';
import { type StaffVisit, signedFor, viewerOf } from './worklist-access.ts';
import type { ListFilter } from './worklist-asked.ts';

const pageRows = 25;

export function queryOf(deps: Deps, visit: StaffVisit, asked: ListFilter, search: string): WorklistQuery {
  const { site, fhirUser } = visit.staff;
  const { ending, unwritten } = asked;
  const toSign = asked.sign === undefined ? undefined : signedFor(visit.staff);
  // A search covers every part of the worklist.
  const isWhole = search !== '' || unwritten !== undefined || ending !== undefined || toSign !== undefined;
  return {
    site: site.id,
    viewer: viewerOf(visit.staff),
    limit: pageRows,
    renewals: renewalsOf(deps, visit),
    signs: signedFor(visit.staff),
    // Signers of the practice see everything that waits for a signature, whoever the prescriber is.
    own: toSign === undefined && seesOwnOnly(visit.staff),
    ...(toSign === undefined ? {} : { toSign }),
    ...(isWhole ? {} : { part: asked.part }),
    ...(search === '' ? {} : { search }),
    ...(asked.holder === undefined ? {} : { holder: asked.holder === 'nobody' ? null : asked.holder }),
    ...(asked.mine === undefined ? {} : { holder: fhirUser }),
    ...(ending === undefined ? {} : { ending: soonOf(deps, visit) }),
    ...(unwritten === undefined ? {} : { unwritten: true }),
    ...(asked.after === undefined ? {} : { after: asked.after }),
  };
}

export function renewalsOf({ clock }: Deps, { staff: { site } }: StaffVisit): RenewalTerms {
  return renewalTerms(site, todayAt(clock(), site.timeZone).day);
}

export function soonOf(deps: Deps, { staff: { site } }: StaffVisit): { readonly from: string; readonly to: string } {
  const { day } = todayAt(deps.clock(), site.timeZone);
  return { from: day, to: dayAfter(day, site.worklist.endsSoonDays) };
}
