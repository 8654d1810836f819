import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Site } from '../../../config/config.ts';
import { BridgeError } from '../../../core/errors.ts';
import { isStaff } from '../../../ehr/smart/launch.ts';
import type { Identity, StaffSession } from '../../../ehr/smart/types.ts';
import type { Deps } from '../../http/deps.ts';
import { launchesIn, makeRoom, sessionOf, setSession } from '../../http/session.ts';
import { html } from '../../ui/page.tsx';
import { SignInPage } from './page.tsx';

const SignIn = z.object({
  site: z.string().max(40),
  to: z.enum(['worklist', 'chart']).catch('worklist'),
  case: z.uuid().optional().catch(undefined),
});

/**
 * `/` redirects to the worklist. `/sign-in` starts a standalone launch: for the worklist, or for a chart that the
 * person selects in the EHR.
 */
export function registerSignIn(
  app: FastifyInstance,
  deps: Deps,
  { limited, random }: { readonly limited: object; readonly random: (size: number) => Buffer },
): void {
  if (deps.worklist === undefined) return;

  app.get('/', limited, (request, reply) => showSignIn(deps, request, reply));
  app.get('/sign-in', limited, (request, reply) => startSignIn(deps, random, request, reply));
}

async function showSignIn(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  for (const id of await deps.smart.own(launchesIn(request))) {
    const staff = await deps.smart.staff(id, sessionOf(request, id)).catch(() => undefined);
    if (staff !== undefined && hasWorklist(staff.site)) return reply.redirect(`/app/${staff.id}/worklist`, 303);
  }
  const sites = deps.config.sites.filter((site) => site.enabled && hasWorklist(site));
  return reply.type('text/html; charset=utf-8').send(html(SignInPage({ sites })));
}

async function startSignIn(
  deps: Deps,
  random: (size: number) => Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const asked = SignIn.safeParse(request.query);
  if (!asked.success) throw new BridgeError('bad_request', { fields: ['site'] });
  const { site, to, case: back } = asked.data;
  const sessionId = random(32).toString('base64url');
  const wanted = { site, to, ...(back === undefined ? {} : { back }) };
  const { redirect, launch } = await deps.smart.startSignIn(wanted, sessionId);
  await makeRoom(deps.smart, request, reply);
  setSession(reply, launch, sessionId);
  return reply.redirect(redirect, 303);
}

function hasWorklist({ worklist }: Site): boolean {
  return worklist.sees !== 'nobody';
}

/** Completes a sign-in without a chart. */
export async function finishSignIn(
  deps: Deps,
  reply: FastifyReply,
  { staff, sessionId }: { readonly staff: StaffSession; readonly sessionId: string },
): Promise<FastifyReply> {
  const entry = { site: staff.site.id, action: 'signed_in', actor: staff.fhirUser, launch: staff.id };
  await deps.audit?.record(entry);
  await noteStaff(deps, staff);
  setSession(reply, staff.id, sessionId);
  return reply.redirect(`/app/${staff.id}/worklist`, 303);
}

/** Stores a member of staff, so that colleagues can assign requests to them. */
export async function noteStaff(
  { worklist }: Pick<Deps, 'worklist'>,
  { site, fhirUser, userName }: Identity & { readonly site: Site },
): Promise<void> {
  if (fhirUser === undefined || !isStaff(fhirUser)) return;
  await worklist?.signedIn(site.id, { fhirUser, ...(userName === undefined ? {} : { name: userName }) });
}
