import { lookup as resolveName } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Site } from '../../config/config.ts';
import type { OutsideFile } from '../../core/fhir/api.ts';
import type { AnswerBytes, ChartBytes } from './chart-bytes.ts';
import type { RefusedAnswer } from './http.ts';
import type { Limits } from './types.ts';

/** IPv4 ranges that are private or reserved (IANA special-purpose registries). */
const closed = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(network, bits, 'ipv4');
/** The IPv6 range of the public internet. The subranges below it are reserved. */
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  closed.addSubnet(network, bits, 'ipv6');

/**
 * Reads a file that an EHR keeps outside its FHIR server, at a signed URL of a storage service. Only origins that the
 * site lists are used, over https and without a token. The host must resolve to a public address, which is checked when
 * the connection is made. For tests, http and loopback are allowed if the site lists that very origin.
 */
export async function readOutsideFile(
  site: Site,
  bounds: FileBounds,
  address: string,
  lookup: LookupFunction = publicOnly,
): Promise<OutsideFile> {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return { refused: 'address', origin: 'no address' };
  const { origin } = url;
  if (!site.attachmentOrigins.includes(origin)) return { refused: 'origin', origin };
  if (!isLoopback(url) && (url.protocol !== 'https:' || isClosed(bare(url.hostname))))
    return { refused: 'origin', origin };
  for (;;) {
    try {
      return await get(url, bounds, isLoopback(url) ? undefined : lookup);
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      if (code === 'EPRIVATE') return { refused: 'origin', origin };
      if (cause instanceof NotHeld && cause.refused === 'too-large') return { refused: 'too-large', origin };
      if (!(cause instanceof NotHeld && (await bounds.bytes.comesToRead()))) return { refused: 'no-answer', origin };
    }
  }
}

/** Limits for one file, and for all responses of its chart together. */
interface FileBounds {
  readonly limits: Pick<Limits, 'timeoutMs' | 'fileBytes'>;
  readonly bytes: ChartBytes;
}

class NotHeld extends Error {
  constructor(readonly refused: RefusedAnswer) {
    super(refused);
  }
}

function get(
  url: URL,
  { limits: { timeoutMs, fileBytes }, bytes }: FileBounds,
  lookup: LookupFunction | undefined,
): Promise<OutsideFile> {
  const { promise, resolve, reject } = Promise.withResolvers<OutsideFile>();
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = {
    headers: { accept: '*/*' },
    signal: AbortSignal.timeout(timeoutMs),
    // a new connection, since a pooled one may have been opened for another host name
    agent: false,
    ...(lookup === undefined ? {} : { lookup }),
  };
  const sent = send(url, options, (answer) => {
    const http = answer.statusCode ?? 0;
    if (http !== 200) {
      answer.destroy();
      resolve({ refused: 'status', origin: url.origin, http });
      return;
    }
    const held = bytes.answer({ isDocument: true });
    readAll(answer, fileBytes, held).then(
      (file) => resolve({ bytes: file, contentType: typeOf(answer) }),
      (cause: unknown) => {
        held.takeBack();
        reject(cause);
      },
    );
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

async function readAll(answer: IncomingMessage, limit: number, held: AnswerBytes): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    // leaving the loop ends the connection
    const refused = size > limit ? 'too-large' : held.refuse(part.length);
    if (refused !== undefined) throw new NotHeld(refused);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function typeOf({ headers }: IncomingMessage): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Works as dns.lookup does, but fails if any address of the name is not public. */
export const publicOnly: LookupFunction = (name, options, done) => {
  resolveName(name, { ...options, all: true }, (error, found) => {
    if (error !== null) done(error, []);
    else if (found.length === 0 || found.some(({ address }) => isClosed(address))) done(notPublic(), []);
    else if (options.all === true) done(null, found);
    else done(null, found[0]?.address ?? '', found[0]?.family);
  });
};

/** Whether an IP address is outside the public internet. False for names. */
export function isClosed(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return closed.check(address, 'ipv4');
  return family === 6 && (!open6.check(address, 'ipv6') || closed.check(address, 'ipv6'));
}

function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function notPublic(): NodeJS.ErrnoException {
  return Object.assign(new Error('the name leads to an address that is not public'), { code: 'EPRIVATE' });
}
