import { isUtf8 } from 'node:buffer';
import { traced } from '../../base/telemetry.ts';

/** One HTTP response, with its whole body. */
export interface EhrAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Seconds after which the server may be called again, if it says so. */
  readonly retryAfter?: number;
}

/** Why the rest of a response is not read. `busy`: the request can be repeated after other charts have been read. */
export type RefusedAnswer = 'too-large' | 'busy';

/** There was no usable response. `sent` is false only if the request certainly never left this machine. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(
    readonly reason: 'timeout' | 'connection' | RefusedAnswer,
    readonly sent: boolean,
    cause?: unknown,
  ) {
    super(`no answer: ${reason}`, { cause });
  }
}

// with these codes no connection was made, so the request cannot have arrived
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  // The code of outgoing.ts while the process is ending.
  'STOPPED',
]);

export interface Bounds {
  readonly timeoutMs: number;
  readonly bytes: number;
  /** Called for each part of a response, to limit several responses together. */
  readonly refuse?: (bytes: number) => RefusedAnswer | undefined;
}

/**
 * Sends one request without following redirects, and reads at most `bytes` of the decompressed answer within
 * `timeoutMs`. Throws only NoAnswer.
 */
export async function send(
  fetch: typeof globalThis.fetch,
  url: string,
  init: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  bounds: Bounds,
): Promise<EhrAnswer> {
  return await traced('ehr', { 'http.request.method': init.method, 'server.address': URL.parse(url)?.host ?? '' }, () =>
    exchange(fetch, url, init, bounds),
  );
}

async function exchange(
  fetch: typeof globalThis.fetch,
  url: string,
  init: Parameters<typeof send>[2],
  bounds: Bounds,
): Promise<EhrAnswer> {
  const signal = AbortSignal.timeout(bounds.timeoutMs);
  try {
    const response = await fetch(url, { ...init, headers: { ...init.headers }, redirect: 'manual', signal });
    return { status: response.status, headers: response.headers, text: await readText(response, bounds) };
  } catch (cause) {
    if (cause instanceof NoAnswer) throw cause;
    throw new NoAnswer(signal.aborted ? 'timeout' : 'connection', !neverSent.has(codeOf(cause)), cause);
  }
}

/** Returns the JSON value of a response; undefined if it is not JSON. */
export function jsonOf(answer: EhrAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    return undefined;
  }
}

async function readText(response: Response, { bytes, refuse = () => undefined }: Bounds): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // leaving the loop cancels the stream
    const refused = size > bytes ? 'too-large' : refuse(chunk.byteLength);
    if (refused !== undefined) throw new NoAnswer(refused, true);
    parts.push(chunk);
  }
  return decoded(Buffer.concat(parts), response.headers.get('content-type') ?? '');
}

/**
 * FHIR's JSON is UTF-8, but many servers declare another character set. Only text that is not UTF-8 is decoded with the
 * declared set. If that fails, characters become U+FFFD and the chart reports the resource.
 */
function decoded(bytes: Buffer, contentType: string): string {
  const named = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const stated = isUtf8(bytes) ? undefined : (utf16Of(bytes) ?? named);
  return tryDecode(bytes, stated ?? 'utf-8') ?? new TextDecoder().decode(bytes);
}

function utf16Of(bytes: Buffer): string | undefined {
  return { fffe: 'utf-16le', feff: 'utf-16be' }[bytes.toString('hex', 0, 2)];
}

function tryDecode(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function codeOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth += 1) {
    if ('code' in error && typeof error.code === 'string') return error.code;
  }
  return '';
}
