import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mappingKinds } from '../../core/contract/kinds.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Deps } from '../../web/http/deps.ts';
import { checkForm, formToken } from '../../web/http/session.ts';
import { isTooLarge } from '../../web/http/too-large.ts';
import { sendPage } from '../../web/pages/launch/route.ts';
import { html } from '../../web/ui/page.tsx';
import { type PlaygroundAnswer, playgroundAnswer } from './answer.ts';
import { PlaygroundPage } from './page.tsx';
import { type PlaygroundQuestion, questionOfForm, questionOfQuery } from './question.ts';

/** Bytes of the largest form: a bundle and a few other fields. */
export const playgroundLimit = 5 * 1024 * 1024;

// Form tokens are bound to a launch. The playground has no launch, so its form tokens are bound to this name.
const formName = 'playground';

/** Serves `/playground` if the configuration enables it. Nothing that is sent to it is stored or logged. */
export async function registerPlayground(app: FastifyInstance, deps: Deps): Promise<void> {
  const mappings = Object.fromEntries(mappingKinds.map((kind) => [kind, Object.keys(deps.mappings[kind])]));
  const show = (reply: FastifyReply, answer: PlaygroundAnswer, status = answer.problem === undefined ? 200 : 422) =>
    sendPage(
      reply,
      html(PlaygroundPage({ view: { answer, mappings, token: formToken(deps.vault, formName) } })),
      status,
    );

  // A scope of its own, so that no other page accepts forms of this type or size.
  await app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit: playgroundLimit },
      (request: FastifyRequest, body: Buffer) => readForm(request.headers['content-type'] ?? '', body),
    );
    scope.setErrorHandler(async (thrown, _request, reply) => {
      if (!isTooLarge(thrown)) throw thrown;
      return show(reply, { ...(await playgroundAnswer(deps, { ...nothingAsked, shown: '' })), problem: tooLarge }, 413);
    });
    scope.get('/playground', async (request, reply) =>
      show(reply, await playgroundAnswer(deps, questionOfQuery(request.query))),
    );
    scope.post('/playground', { bodyLimit: playgroundLimit }, async (request, reply) => {
      const form = request.body;
      if (!(form instanceof FormData)) throw new BridgeError('bad_request');
      checkForm(deps, request, formName, form.get('token'));
      return show(reply, await playgroundAnswer(deps, await questionOfForm(form)));
    });
    done();
  });
}

const tooLarge =
  'That is more than the playground takes: 5 MB. Leave out what the order does not need, or use the command ' +
  'prior-auth-bridge explain.';
const nothingAsked: PlaygroundQuestion = { chart: '', text: '', mapping: '', order: '', day: '' };

async function readForm(contentType: string, body: Buffer): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch {
    // The parser's message may quote the form, so it is left out.
    throw new BridgeError('bad_request', { reason: 'the form cannot be read' });
  }
}
