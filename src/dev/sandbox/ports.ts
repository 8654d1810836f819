import { createServer } from 'node:net';
import { BridgeError } from '../../core/errors.ts';

export interface Ports {
  readonly bridge: number;
  readonly ehr: number;
  readonly service: number;
  /** The port of the second site's EHR, if there is one. */
  readonly second?: number | undefined;
}

// EHR and bridge use different names of this machine, so that browsers treat them as two sites, as in a hospital.
export const ehrHost = '127.0.0.1';

/**
 * Finds free ports for all parts before any is started, since EHR and bridge need each other's URL. Throws port_busy.
 */
export async function reservePorts(first: number, { hasSecond }: { readonly hasSecond: boolean }): Promise<Ports> {
  const places = hasSecond ? [0, 1, 2, 3] : [0, 1, 2];
  const wanted = places.map((place) => (first === 0 ? 0 : first + place));
  const held = await Promise.allSettled(wanted.map(hold));
  const ports = held.map((one) => (one.status === 'fulfilled' ? one.value.port : 0));
  for (const one of held) if (one.status === 'fulfilled') await one.value.release();
  for (const one of held) if (one.status === 'rejected') throw one.reason;
  const [bridge = 0, ehr = 0, service = 0, second] = ports;
  return { bridge, ehr, service, second };
}

/** Checks that a port is free and returns it; for 0, returns any free port. */
export async function reservePort(wanted: number): Promise<number> {
  const { port, release } = await hold(wanted);
  await release();
  return port;
}

function hold(port: number): Promise<{ port: number; release: () => Promise<void> }> {
  // Connections are ended at once, because close() would wait for them.
  const server = createServer((visitor) => visitor.destroy());
  return new Promise((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      fail(
        new BridgeError(
          'port_busy',
          { port, reason: cause.code ?? 'unknown' },
          { cause, next: 'Stop the other process, or choose other ports with --port.' },
        ),
      ),
    );
    server.listen(port, ehrHost, () => {
      const address = server.address();
      const release = () => new Promise<void>((released) => server.close(() => released()));
      done({ port: typeof address === 'object' && address !== null ? address.port : port, release });
    });
  });
}
