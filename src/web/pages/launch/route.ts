import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { asBridgeError, BridgeError } from '../../../core/errors.ts';
import type { Launch, Query } from '../../../ehr/smart/types.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { endSessions } from '../../http/end-sessions.ts';
import { limitedPerSite, siteOf } from '../../http/limits.ts';
import { allAncestors, ancestorsOf } from '../../http/security.ts';
import { checkForm, formToken, makeRoom, sessionOf, sessionsOf, setSession } from '../../http/session.ts';
import { Form, textOf } from '../../request/form.ts';
import { html } from '../../ui/page.tsx';
import { EndedPage } from '../sign-in/ended.tsx';
import { finishSignIn, noteStaff, registerSignIn } from '../sign-in/route.ts';
import { backTo } from './begin.ts';

/** Launches per minute from one client address at one site. A whole clinic may share one address. */
const perMinute = 300;

type LaunchRequest = FastifyRequest<{ Params: LaunchParams }>;
type CallbackRequest = FastifyRequest<{ Params: { site: string } }>;

/** Registers `/launch`, `/callback/:site`, and the routes that extend or end a session. */
export function registerLaunch(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const random = deps.random ?? randomBytes;
  const limited = limitedPerSite(deps.config, perMinute);
  app.get('/launch', limited, (request, reply) => startLaunch(deps, random, request, reply));
  app.get<{ Params: { site: string } }>('/callback/:site', limited, (request, reply) =>
    finishLaunch(deps, request, reply),
  );
  app.post<{ Params: LaunchParams }>('/app/:launch/alive', (request, reply) => keepAlive(deps, request, reply));
  registerSignIn(app, deps, { limited, random });
  app.post<{ Params: LaunchParams }>('/app/:launch/logout', (request, reply) => logout(deps, pulls, request, reply));
}

async function startLaunch(
  deps: Deps,
  random: (size: number) => Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = queryOf(request);
  request.frameAncestors = ancestorsOf(deps.config, siteOf(deps.config, request)?.id);
  const sessionId = random(32).toString('base64url');
  const { redirect, launch } = await deps.smart.startLaunch(query, sessionId);
  await makeRoom(deps.smart, request, reply);
  setSession(reply, launch, sessionId);
  return reply.redirect(redirect, 303);
}

async function finishLaunch(deps: Deps, request: CallbackRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { site } = request.params;
  request.frameAncestors = ancestorsOf(deps.config, site);
  const [query, sessionIds] = [queryOf(request), sessionsOf(request)];
  // A browser that blocks the bridge's cookies in a frame accepts them in a window.
  if (sessionIds.length === 0) request.ownWindow = await deps.smart.launchAddress(site, query);
  if (await deps.smart.isSignIn(site, query)) {
    const signedIn = await completed(deps, site, () => deps.smart.completeSignIn(site, query, sessionIds));
    return finishSignIn(deps, reply, signedIn);
  }
  const done = await completed(deps, site, () => deps.smart.completeLaunch(site, query, sessionIds));
  const { launch, sessionId, back } = done;
  await deps.audit?.record(byLaunch(launch, 'launched'));
  await noteStaff(deps, launch);
  setSession(reply, launch.id, sessionId);
  const place = back === undefined ? '' : `/${await backTo(deps, launch, back)}`;
  return reply.redirect(`${homeOf(launch.id)}${place}`, 303);
}

// Extends the session when a person confirms that they are still there.
async function keepAlive(deps: Deps, request: LaunchRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.frameAncestors = allAncestors(deps.config);
  const id = launchIdOf(request);
  const form = Form.safeParse(request.body ?? {});
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps, request, id, textOf(form.data, 'token'));
  await deps.smart.keepAlive(id, sessionOf(request, id));
  return reply.code(204).send();
}

async function logout(deps: Deps, pulls: Pulls, request: LaunchRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { launch } = await postedTo(deps, request);
  await endSessions(deps, pulls, launch, { request, reply });
  return sendPage(reply, html(EndedPage({ session: launch })));
}

/** Completes a sign-in that this browser began. A failure is recorded in the audit trail. */
async function completed<Ended>(deps: Deps, site: string, end: () => Promise<Ended>): Promise<Ended> {
  try {
    return await end();
  } catch (error) {
    const { code, facts } = asBridgeError(error);
    // A callback without a sign-in that the bridge began comes from a stranger and is not recorded.
    if (!ofStrangers.has(code) || facts.reason !== undefined)
      await deps.audit?.record({ site, action: 'launch_refused', actor: 'user', outcome: 'failure', facts: { code } });
    throw error;
  }
}

const ofStrangers: ReadonlySet<string> = new Set(['state_invalid', 'state_used', 'cookies_blocked']);

export interface LaunchParams {
  readonly launch: string;
}

export function homeOf(launchId: string): string {
  return `/app/${launchId}`;
}

/** A request within a launch, after the browser was verified as the owner of the launch. */
export interface Visit {
  readonly launch: Launch;
  /** `/app/<launch>` */
  readonly home: string;
  /** The token for the forms of the page. */
  readonly token: string;
}

/** Opens the launch that the URL path names, for the browser that owns it, and allows its EHR to frame the response. */
export async function visit(
  deps: Deps,
  request: LaunchRequest,
  options: { readonly touch?: boolean } = {},
): Promise<Visit> {
  // A page that asks for a new launch has no chart data and must be readable inside any EHR's frame.
  request.frameAncestors = allAncestors(deps.config);
  const id = launchIdOf(request);
  const launch = await deps.smart.open(id, sessionOf(request, id), options);
  request.frameAncestors = launch.site.frameAncestors;
  request.siteId = launch.site.id;
  request.visitOf = launch;
  request.looksByItself = options.touch === false;
  return { launch, home: homeOf(launch.id), token: formToken(deps.vault, launch.id) };
}

const LaunchId = z.string().regex(/^[\w-]{16,64}$/);

/** The launch id in the URL path. Throws launch_not_found for a malformed id. */
export function launchIdOf({ params }: LaunchRequest): string {
  const id = LaunchId.safeParse(params.launch);
  if (!id.success) throw new BridgeError('launch_not_found');
  return id.data;
}

/** Keeps the entries of a form whose session has ended; true if they were kept. */
export type Keep = (typed: { readonly launch: Launch; readonly form: Form }) => Promise<boolean>;

/**
 * Opens the launch for a submitted form. The token and the origin are checked before anything else in the form is read.
 * If the session has ended and this browser owned it, `keep` gets the form before relaunch_required is thrown.
 */
export async function postedTo(
  deps: Deps,
  request: LaunchRequest,
  keep: Keep = async () => false,
): Promise<Visit & { readonly form: Form }> {
  const form = Form.safeParse(request.body ?? {});
  const opened = await visit(deps, request).catch(async (error: unknown) => {
    const id = request.params.launch;
    const launch = isOver(error) ? await deps.smart.ended(id, sessionOf(request, id)) : undefined;
    if (launch === undefined || !form.success) throw error;
    checkForm(deps, request, launch.id, textOf(form.data, 'token'));
    throw await orKept(error, keep({ launch, form: form.data }));
  });
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps, request, opened.launch.id, textOf(form.data, 'token'));
  return { ...opened, form: form.data };
}

export function isOver(error: unknown): boolean {
  return error instanceof BridgeError && error.code === 'relaunch_required';
}

/** The error, with a note that the entries were kept if they were. */
export async function orKept(error: unknown, kept: Promise<boolean>): Promise<unknown> {
  if (!(error instanceof BridgeError) || !(await kept)) return error;
  return new BridgeError(error.code, error.facts, { cause: error, next: `What you entered is kept. ${error.next}` });
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

// Only the shape of the query is checked here; the reader of each parameter checks its type.
function queryOf(request: FastifyRequest): Query {
  return z.record(z.string(), z.unknown()).parse({ ...(request.query as object) });
}
