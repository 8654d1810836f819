import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import type { Launch, Query } from '../smart/index.ts';
import type { Deps } from './deps.ts';
import { Form, textOf } from './form.ts';
import { EndedPage } from './pages/ended.tsx';
import { html } from './parts/page.tsx';
import type { Pulls } from './pull.ts';
import { allAncestors, ancestorsOf } from './security.ts';
import { checkForm, formToken, sessionOf, setSession } from './session.ts';

/** At most this many launches per minute and address; a whole hospital may stand behind one. */
const perMinute = 300;

/** `/launch`, `/callback/:site` and the end of a session. */
export function registerLaunch(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const random = deps.random ?? randomBytes;
  const limited = { config: { rateLimit: { max: perMinute, timeWindow: 60_000 } } };

  app.get('/launch', limited, async (request, reply) => {
    const query = queryOf(request);
    request.frameAncestors = ancestorsOf(deps.config, deps.config.sites.find((site) => site.iss === query.iss)?.id);
    const sessionId = sessionOf(request) ?? random(32).toString('base64url');
    const { redirect } = await deps.smart.startLaunch(query, sessionId);
    setSession(reply, sessionId);
    return reply.redirect(redirect, 303);
  });

  app.get<{ Params: { site: string } }>('/callback/:site', limited, async (request, reply) => {
    request.frameAncestors = ancestorsOf(deps.config, request.params.site);
    const [query, browser] = [queryOf(request), sessionOf(request)];
    // A browser that keeps no cookie of ours in a frame keeps it in a window.
    if (browser === undefined) request.ownWindow = await deps.smart.launchAddress(request.params.site, query);
    const { launch, sessionId } = await deps.smart.completeLaunch(request.params.site, query, browser);
    setSession(reply, sessionId);
    return reply.redirect(homeOf(launch.id), 303);
  });

  app.post<{ Params: LaunchParams }>('/app/:launch/logout', async (request, reply) => {
    const { launch } = await postedTo(deps, request);
    pulls.drop(launch.id);
    await deps.smart.logout(launch);
    return sendPage(reply, html(EndedPage()));
  });
}

export interface LaunchParams {
  readonly launch: string;
}

export function homeOf(launchId: string): string {
  return `/app/${launchId}`;
}

/** A request inside a launch, after its owner was checked. */
export interface Visit {
  readonly launch: Launch;
  /** `/app/<launch>` */
  readonly home: string;
  /** For the forms of the page. */
  readonly token: string;
}

/** Opens the launch that the address names, for the browser that owns it, and lets its EHR frame the answer. */
export async function visit(
  deps: Deps,
  request: FastifyRequest<{ Params: LaunchParams }>,
  options: { readonly touch?: boolean } = {},
): Promise<Visit> {
  // A page that says "launch again" shows nothing of a chart, and must be readable inside the EHR's frame.
  request.frameAncestors = allAncestors(deps.config);
  const id = z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .safeParse(request.params.launch);
  if (!id.success) throw new BridgeError('launch_not_found');
  const launch = await deps.smart.open(id.data, sessionOf(request), options);
  request.frameAncestors = launch.site.frameAncestors;
  request.siteId = launch.site.id;
  return { launch, home: homeOf(launch.id), token: formToken(deps.config, launch.id) };
}

/** The same for a form: its token and origin are checked before anything else is read from it. */
export async function postedTo(
  deps: Deps,
  request: FastifyRequest<{ Params: LaunchParams }>,
): Promise<Visit & { readonly form: Form }> {
  const opened = await visit(deps, request);
  const form = Form.safeParse(request.body ?? {});
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps.config, request, opened.launch.id, textOf(form.data, 'token'));
  return { ...opened, form: form.data };
}

export function sendPage(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(page);
}

// Types inside are checked by whoever reads a parameter; here only that it is a record.
function queryOf(request: FastifyRequest): Query {
  return z.record(z.string(), z.unknown()).parse({ ...(request.query as object) });
}
