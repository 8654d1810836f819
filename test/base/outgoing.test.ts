import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { createOutgoing } from '../../src/base/outgoing.ts';
import { send } from '../../src/ehr/smart/http.ts';
import { createServiceClient } from '../../src/service/client.ts';
import { body } from '../cases/clinic.ts';
import { eventually } from '../support/eventually.ts';

/** A server that takes requests and answers none. */
async function silent(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request) => void asked.push(`${request.method} ${request.url}`));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: { readonly code: string }) => error.code,
  );

test('a request that had left when the process ends may have arrived; one that had not left has not', async () => {
  const { url, asked } = await silent();
  const outgoing = createOutgoing();
  const client = createServiceClient({ url, token: () => 't', clock: () => new Date(), log: silentLog, ...outgoing });
  const underWay = codeOf(client.createPriorAuthorization(body));
  const reading = codeOf(client.getPriorAuthorization('pa_1'));
  await eventually(() => expect(asked).toHaveLength(2));
  outgoing.giveUp();
  expect(await underWay).toBe('service_unclear');
  expect(await reading).toBe('service_unreachable');
  expect(await codeOf(client.createPriorAuthorization(body))).toBe('service_unreachable');
  expect(asked).toHaveLength(2);
});

test('the same for a write to the EHR', async () => {
  const { url, asked } = await silent();
  const { fetch, giveUp } = createOutgoing();
  const post = () =>
    send(fetch, url, { method: 'POST', headers: {}, body: '{}' }, { timeoutMs: 60_000, bytes: 1000 }).catch(
      ({ name, sent }: { readonly name: string; readonly sent: boolean }) => ({ name, sent }),
    );
  const underWay = post();
  await eventually(() => expect(asked).toHaveLength(1));
  giveUp();
  expect(await underWay).toEqual({ name: 'NoAnswer', sent: true });
  expect(await post()).toEqual({ name: 'NoAnswer', sent: false });
});
