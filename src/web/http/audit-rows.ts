import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Chart } from '../../core/roles/chart.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Audit, AuditEntry } from '../../store/types.ts';

/** What a user of a launch did with its patient's data. */
export function byLaunch(launch: Launch, action: string, facts: NonNullable<AuditEntry['facts']> = {}): AuditEntry {
  return {
    site: launch.site.id,
    action,
    actor: launch.fhirUser ?? 'user',
    patient: `Patient/${launch.patient}`,
    launch: launch.id,
    facts,
  };
}

/**
 * Records that a person has chosen sensitive evidence to be sent, or sensitive lines of the answers sheet (`lines`), by
 * their number, never by what they are about. Before it leaves, so that what cannot be recorded is not sent.
 */
export async function auditSensitive(
  { audit }: { readonly audit?: Audit },
  launch: Launch,
  draft: { readonly chart: Chart; readonly case: { readonly id: string } },
  lines = 0,
): Promise<void> {
  const { candidates = [] } = draft.chart.choice('evidence') ?? {};
  const items = lines + candidates.filter(({ taken, sensitive }) => taken === true && sensitive !== undefined).length;
  if (items > 0) await audit?.record({ ...byLaunch(launch, 'sensitive_chosen', { items }), caseId: draft.case.id });
}

/** Records that who sends has confirmed the site's statement; nothing where the site has none. */
export async function auditAttested(
  { audit }: { readonly audit?: Audit },
  launch: Launch,
  caseId: string,
): Promise<void> {
  if (launch.site.attestation !== undefined) await audit?.record({ ...byLaunch(launch, 'attested'), caseId });
}

/**
 * Every answer to the owner of a launch that shows something: recorded before it leaves, so that what cannot be
 * recorded is not shown. An answer without content (a poll that found nothing new) and an error show nothing.
 */
export function auditPages(app: FastifyInstance, { audit }: { readonly audit?: Audit }): void {
  if (audit === undefined) return;
  app.addHook('onSend', async (request, reply, payload) => {
    const { visitOf } = request;
    const shows = reply.statusCode < 300 || reply.statusCode === 422;
    if (visitOf === undefined || !shows || payload === null || payload === undefined || payload === '') return payload;
    const isFile = !String(reply.getHeader('content-type')).startsWith('text/html');
    const ofFile = request.servesFile === undefined ? 'letter_downloaded' : 'document_viewed';
    const entry = byLaunch(visitOf, isFile ? ofFile : 'page_viewed', {
      page: request.routeOptions.url ?? '',
    });
    // Once: an error that follows from the recording is not recorded itself.
    request.visitOf = undefined;
    await audit.record({ ...entry, ...caseOf(request) });
    return payload;
  });
}

function caseOf({ params, caseId }: FastifyRequest): Pick<AuditEntry, 'caseId'> {
  if (caseId !== undefined) return { caseId };
  const named = typeof params === 'object' && params !== null && 'case' in params ? params.case : undefined;
  return typeof named === 'string' ? { caseId: named } : {};
}
