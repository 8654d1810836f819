import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentReference } from '@medplum/fhirtypes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { Clock } from '../../../../base/log.ts';
import { asBridgeError, BridgeError } from '../../../../core/errors.ts';
import { registerFaults } from '../../control/faults.ts';
import { type Asset, sharedAssets } from '../../control/look.ts';
import { ehrPresets } from '../../control/presets.ts';
import type { EhrSwitches } from '../ehr-switches.ts';
import type { EhrStore } from '../fhir/ehr-store.ts';
import type { TokenContext } from '../oauth/launches.ts';
import type { Story } from '../stories.ts';
import { sandboxRoot } from '../story-bundle.ts';
import { type EhrUser, userById } from '../users.ts';
import { anyPractitioner, chartOf, contextOf, fullName, storedPatient } from './chart.ts';
import { ehrPage } from './layout.tsx';
import {
  type EhrLink,
  EhrSignInPage,
  FramePage,
  IndexPage,
  type ListedPatient,
  MessagePage,
  UsersPage,
} from './lists.tsx';
import { Outcomes, outcomesVersion } from './outcomes.tsx';
import { PatientPage } from './patient.tsx';

export interface PageOptions {
  readonly store: EhrStore;
  readonly stories: readonly Story[];
  /** Links to other parts of the sandbox, for the first page. */
  readonly links: readonly EhrLink[];
  readonly launch: (context: TokenContext) => { readonly address: string };
  readonly launchId: (context: TokenContext) => string;
  readonly switches: EhrSwitches;
  /** The origin of the app, such as `http://localhost:8080`. */
  readonly launchOrigin: string;
  readonly clock: Clock;
}

const assets: Readonly<Record<string, Asset>> = {
  ...sharedAssets(),
  'ehr.css': {
    type: 'text/css; charset=utf-8',
    content: readFileSync(join(sandboxRoot(), 'src/dev/sandbox/ehr/assets/ehr.css')),
  },
};

/** The chart pages of the sandbox EHR: plain HTML without inline script or style, usable without JavaScript. */
export function pageRoutes(options: PageOptions): (app: FastifyInstance) => Promise<void> {
  const { store, clock, switches } = options;
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(pageHeaders(options.launchOrigin));
    });
    await registerFaults(app, { switches, page: faultsPage, presets: ehrPresets, examplePath: '/fhir/Task' });
    app.setErrorHandler((thrown, _request, reply) => {
      const error = asBridgeError(thrown);
      const message =
        error.code === 'not_found' ? (
          <MessagePage title="There is no such page" text="Choose a patient from the list." />
        ) : (
          <MessagePage title="Something went wrong" text={error.next} />
        );
      return html(reply.code(error.status), ehrPage('Not found', message));
    });
    app.setNotFoundHandler(() => {
      throw new BridgeError('not_found');
    });
    app.get('/', async (request, reply) =>
      html(
        reply,
        ehrPage('Patients', <IndexPage patients={listed(options)} links={options.links} />, signedIn(request)),
      ),
    );
    app.get('/users', async (request, reply) =>
      html(reply, ehrPage('Sign in', <UsersPage user={signedIn(request)} />, signedIn(request))),
    );
    app.post<{ Params: { id: string } }>('/users/:id', async (request, reply) => {
      checkOwn(request);
      const { id } = userById(request.params.id);
      return reply.header('set-cookie', `${userCookie}=${id}; Path=/; HttpOnly; SameSite=Lax`).redirect('/', 303);
    });
    app.get('/sign-in', async (request, reply) => {
      const query = searchOf(request.url);
      const picks = (query.get('scope') ?? '').split(' ').includes('launch/patient');
      return html(
        reply,
        ehrPage(
          'Sign in',
          <EhrSignInPage patients={picks ? listed(options) : undefined} user={signedIn(request)} query={query} />,
        ),
      );
    });
    app.get<{ Params: { patient: string } }>('/sign-in/:patient', async (request, reply) => {
      const { patient } = request.params;
      const query = searchOf(request.url);
      const user = userById(query.get('user') ?? signedIn(request).id);
      query.delete('user');
      const { practitioner = anyPractitioner(store) } = user;
      const context = patient === 'none' ? { practitioner } : contextOf(store, { patient, user, banner: true });
      query.set('launch', options.launchId({ need_patient_banner: true, ...context }));
      return reply.redirect(`/oauth/auth?${query}`, 303);
    });
    app.get<{ Params: { id: string } }>('/patients/:id', async (request, reply) => {
      const chart = chartOf(store, request.params.id);
      return html(
        reply,
        ehrPage(
          fullName(chart.patient.name?.[0]),
          <PatientPage chart={chart} store={store} now={clock()} />,
          signedIn(request),
        ),
      );
    });
    app.get<{ Params: { id: string }; Querystring: { seen?: string } }>(
      '/patients/:id/outcomes',
      async (request, reply) => {
        const chart = chartOf(store, request.params.id);
        // htmx leaves the page unchanged on 204, so only changes interrupt a screen reader.
        if (request.query.seen === outcomesVersion(chart)) return reply.code(204).send();
        return html(reply, render(<Outcomes chart={chart} />));
      },
    );
    app.post<{ Params: { id: string } }>('/patients/:id/launch', async (request, reply) => {
      checkOwn(request);
      const query = searchOf(request.url);
      const given = (name: string) => query.get(name) ?? undefined;
      const [order, task, intent] = [given('order'), given('task'), given('intent')];
      const patient = request.params.id;
      const context = contextOf(store, { patient, order, task, intent, user: signedIn(request), banner: true });
      return reply.redirect(options.launch(context).address, 303);
    });
    app.get<{ Params: { id: string; order: string } }>('/patients/:id/frame/:order', async (request, reply) => {
      const { id: patient, order: named } = request.params;
      const { address } = options.launch(
        contextOf(store, { patient, order: named, user: signedIn(request), banner: false }),
      );
      const order = store.peek(`MedicationRequest/${named}`);
      if (order?.resourceType !== 'MedicationRequest') throw new BridgeError('not_found');
      return html(
        reply,
        ehrPage(
          'Prior authorization',
          <FramePage
            patient={storedPatient(store, patient)}
            order={order}
            store={store}
            address={address}
            now={clock()}
          />,
          signedIn(request),
        ),
      );
    });
    app.get<{ Params: { id: string } }>('/documents/:id/attachment', async (request, reply) =>
      attachment(reply, store, request.params.id),
    );
    app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
      const asset = assets[request.params.name];
      if (asset === undefined) throw new BridgeError('not_found');
      return reply.type(asset.type).header('cache-control', 'max-age=3600').send(asset.content);
    });
  };
}

function faultsPage(title: string, content: ComponentChildren): string {
  return ehrPage(title, <main id="main">{content}</main>);
}

const userCookie = 'sandbox-user';

function signedIn({ headers }: FastifyRequest): EhrUser {
  return userById(new RegExp(`(?:^|; )${userCookie}=(\\w+)`).exec(headers.cookie ?? '')?.[1]);
}

function checkOwn({ headers }: FastifyRequest): void {
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site']?.toString()))
    throw new BridgeError('forgery');
}

function searchOf(url: string): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

/** The patients of the stories in order, then patients that were added later. */
function listed(options: PageOptions): ListedPatient[] {
  const patients = options.store.all().flatMap((resource) => (resource.resourceType === 'Patient' ? [resource] : []));
  const ofStories = options.stories.flatMap((story) => {
    const patient = patients.find((candidate) => candidate.id === story.patient);
    return patient === undefined ? [] : [{ patient, sentence: story.sentence }];
  });
  const others = patients.filter((patient) => !options.stories.some((story) => story.patient === patient.id));
  return [...ofStories, ...others.map((patient) => ({ patient, sentence: undefined }))];
}

/** Sends the first attachment of a document: its own bytes, or those of the Binary that it refers to. */
function attachment(reply: FastifyReply, store: EhrStore, id: string): FastifyReply {
  const document = store.peek(`DocumentReference/${id}`);
  const found = document?.resourceType === 'DocumentReference' ? bytesOf(store, document) : undefined;
  if (found === undefined) throw new BridgeError('not_found');
  const shown = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain'].includes(found.contentType);
  return reply
    .type(
      shown
        ? found.contentType === 'text/plain'
          ? 'text/plain; charset=utf-8'
          : found.contentType
        : 'application/octet-stream',
    )
    .header('content-disposition', shown ? 'inline' : 'attachment')
    .send(found.bytes);
}

function bytesOf(store: EhrStore, document: DocumentReference): { contentType: string; bytes: Buffer } | undefined {
  const content = document.content[0]?.attachment;
  const contentType = content?.contentType?.split(';')[0] ?? 'application/octet-stream';
  if (content?.data !== undefined) return { contentType, bytes: Buffer.from(content.data, 'base64') };
  const binary = store.peek(/(Binary\/[A-Za-z0-9.-]+)$/.exec(content?.url ?? '')?.[1] ?? '');
  return binary?.resourceType === 'Binary'
    ? { contentType: binary.contentType, bytes: Buffer.from(binary.data ?? '', 'base64') }
    : undefined;
}

// The form is redirected to the bridge, and browsers check form-action at each redirect. The frame signs in on this
// origin.
function pageHeaders(launchOrigin: string): Record<string, string> {
  return {
    'content-security-policy':
      `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; ` +
      `frame-src 'self' ${launchOrigin}; form-action 'self' ${launchOrigin}; base-uri 'none'; frame-ancestors ` +
      `'self'`,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

function html(reply: FastifyReply, body: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(body);
}
