import type { FastifyReply } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import type { SavedView, ViewTable } from '../../../store/types.ts';
import { textOf } from '../../request/form.ts';
import { type ListRequest, postedByStaff, type StaffVisit, type WorklistDeps } from './worklist-access.ts';
import { ListFilter, type ListShown, mostViews, nameLength, queryText } from './worklist-asked.ts';

/** Saves the current view under a name for this person, or removes a view that they saved. */
export async function changeViews(
  { deps }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { form, ...visit } = await postedByStaff(deps, request);
  if (deps.views === undefined) throw new BridgeError('not_found');
  const filter = ListFilter.parse({ ...form });
  const view = 'remove' in form ? await remove() : await save(deps.views, visit, textOf(form, 'name'), filter);
  return reply.redirect(`${visit.home}/worklist${queryText(filter, {})}&view=${view}`, 303);

  async function remove(): Promise<NonNullable<ListShown['view']>> {
    await deps.views?.remove(visit.staff.site.id, visit.staff.fhirUser, textOf(form, 'remove'));
    return 'removed';
  }
}

async function save(
  views: ViewTable,
  { staff }: StaffVisit,
  typed: string,
  filter: ListFilter,
): Promise<NonNullable<ListShown['view']>> {
  const name = typed.trim().replace(/\s+/g, ' ').slice(0, nameLength);
  if (name === '') return 'unnamed';
  const query = Object.fromEntries(new URLSearchParams(queryText(filter, {})));
  return (await views.save(staff.site.id, staff.fhirUser, { name, filter: query }, mostViews)) ? 'saved' : 'full';
}

/** The views that this person saved. Parameters that this version does not know are ignored when a view opens. */
export async function viewsOf(
  { deps }: Pick<WorklistDeps, 'deps'>,
  { staff }: StaffVisit,
): Promise<readonly SavedView[]> {
  return (await deps.views?.of(staff.site.id, staff.fhirUser)) ?? [];
}
