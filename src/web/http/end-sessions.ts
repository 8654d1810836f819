import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Pulls } from './chart-reading.ts';
import type { Deps } from './deps.ts';
import { clearSession, launchesIn, mostCleared, sessionOf } from './session.ts';

type Session = Pick<Launch, 'id' | 'site' | 'fhirUser'>;

/**
 * Ends every session that this person has in this browser, with or without a chart, so that one button is enough to
 * leave a shared computer. If the EHR did not identify the user, only the session of the page ends, because the user's
 * other sessions cannot be found.
 */
export async function endSessions(
  { smart }: Pick<Deps, 'smart'>,
  pulls: Pulls,
  session: Session,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  for (const id of await theirs({ smart }, session, request)) {
    pulls.drop(id);
    await smart.logout({ id, site: session.site });
    clearSession(reply, id);
  }
}

async function theirs(
  { smart }: Pick<Deps, 'smart'>,
  { id: own, site, fhirUser }: Session,
  request: FastifyRequest,
): Promise<ReadonlySet<string>> {
  const found = new Set([own]);
  if (fhirUser === undefined) return found;
  for (const id of await smart.own(launchesIn(request, mostCleared))) {
    const other = await smart.staff(id, sessionOf(request, id)).catch(() => undefined);
    if (other?.site.id === site.id && other.fhirUser === fhirUser) found.add(id);
  }
  return found;
}
