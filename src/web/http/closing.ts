import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The interval of the check for connections without a pending answer while the app closes. */
const lookAgainMilliseconds = 100;

/**
 * Makes `app.close()` wait for pending answers only. Node counts a connection as busy until its first request is
 * answered, but browsers also open connections that they never use; those are closed at once. Connections whose answer
 * ends while the app closes are closed too, even with keep-alive.
 */
export function closeUnused(app: FastifyInstance): void {
  const { server } = app;
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', async () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    const looking = setInterval(() => server.closeIdleConnections(), lookAgainMilliseconds);
    server.once('close', () => clearInterval(looking));
  });
}
