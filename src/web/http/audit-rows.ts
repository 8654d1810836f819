import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Case } from '../../cases/case.ts';
import type { Chart } from '../../core/roles/chart.ts';
import type { Launch, StaffSession } from '../../ehr/smart/types.ts';
import type { Audit, AuditEntry } from '../../store/types.ts';

/** An audit row for access to the patient's data by the user of a launch. */
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
 * Records that a person chose to send sensitive evidence, or sensitive lines of the answers sheet (`lines`): how many,
 * never what about. The audit row is written before the request is sent; if it cannot be written, nothing is sent.
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

/** Records that the sender confirmed the site's attestation. Does nothing if the site has none. */
export async function auditAttested(
  { audit }: { readonly audit?: Audit },
  launch: Launch,
  caseId: string,
): Promise<void> {
  if (launch.site.attestation !== undefined) await audit?.record({ ...byLaunch(launch, 'attested'), caseId });
}

export async function recordByStaff(
  { audit }: { readonly audit?: Audit },
  { site, fhirUser, id }: StaffSession,
  { one, ...entry }: Pick<AuditEntry, 'action' | 'facts' | 'outcome'> & { readonly one: Pick<Case, 'patient' | 'id'> },
): Promise<void> {
  const who = { site: site.id, actor: fhirUser, launch: id };
  await audit?.record({ ...who, patient: one.patient, caseId: one.id, ...entry });
}

/**
 * Records every response that shows patient data to the owner of a launch. The audit row is written first; if it cannot
 * be written, nothing is shown. Errors, and responses without content such as polls without news, show no data.
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
    // Cleared so that the error page after a failed recording is not recorded.
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
