import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeUnused } from '../../../src/web/http/closing.ts';

// A bridge that ends waits for answers that it owes, never for a connection over which nobody asks anything.

let app: FastifyInstance;
let port: number;
/** Ends the one answer that is under way. */
let answer: () => void;

beforeEach(async () => {
  nock.restore(); // it holds every connection back until something is written
  app = fastify({ forceCloseConnections: 'idle' });
  closeUnused(app);
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app.get('/late', async () => {
    await asked;
    return 'answered';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(() => {
  nock.activate();
  app.server.closeAllConnections();
  return app.close();
});

describe('closing', () => {
  test('a connection that a browser opened ahead and never used is closed at once', async () => {
    const accepted = once(app.server, 'connection');
    const ahead = connect({ host: '127.0.0.1', port }).resume();
    await accepted;
    const ended = once(ahead, 'close');
    await app.close();
    await ended;
  });

  test('an answer under way is given, and its connection closed when it has ended, kept alive or not', async () => {
    const reply = new Promise<string>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: '/late', headers: { connection: 'keep-alive' } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      }).on('error', reject);
    });
    await once(app.server, 'request');
    const closed = app.close();
    answer();
    expect(await reply).toBe('answered');
    await closed;
  });
});
