import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How often, while the app closes, it checks for connections whose answer has ended. */
const lookAgainMilliseconds = 100;

/**
 * Lets `app.close()` wait for answers only. Node counts a connection as busy until its first request is answered, and
 * browsers open connections ahead that they never use: those are closed at once. A connection whose answer ends while
 * the app closes is closed then, even if its client would keep it.
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
