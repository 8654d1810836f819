import { BridgeError } from '../core/errors.ts';
import { exchange, type Wire } from './http.ts';

/** A file from the service, with the type detected from its bytes. */
export interface Download {
  readonly bytes: Uint8Array;
  readonly contentType: DownloadType;
}

export type DownloadType = 'application/pdf' | 'image/png' | 'image/jpeg' | 'image/tiff';

/**
 * Fetches a signed link of a record (activity log, 2.6), without the bearer token, since the link itself grants access.
 * Only https (or http on this machine), only the given origins, no redirects, at most `maxBytes`, and only documents
 * and images. Throws `service_file_refused` with the fact `reason`, or `service_unreachable`.
 */
export async function downloadFile(
  url: string,
  allowed: { readonly origins: readonly string[]; readonly maxBytes: number },
  wire: Wire,
): Promise<Download> {
  checkAddress(url, allowed.origins);
  const result = await exchange(
    {
      operation: 'download',
      url,
      method: 'GET',
      headers: async () => ({ accept: 'application/pdf, image/*' }),
      maxBytes: allowed.maxBytes,
    },
    wire,
  );
  if (result.kind === 'not-sent')
    throw new BridgeError(
      'service_unreachable',
      { operation: 'download', reason: result.reason },
      { next: 'The bridge tries again by itself.' },
    );
  if (result.kind === 'lost') throw refused(result.reason);
  if (result.http >= 300 && result.http < 400) throw refused('redirect');
  if (result.http !== 200) throw refused('status', result.http);
  const declared = (result.headers.get('content-type') ?? 'application/octet-stream')
    .split(';')[0]
    ?.trim()
    .toLowerCase();
  const contentType = typeOf(result.bytes);
  if (
    contentType === undefined ||
    (declared !== contentType && declared !== 'application/octet-stream' && declared !== 'binary/octet-stream')
  )
    throw refused('content-type');
  return { bytes: result.bytes, contentType };
}

function checkAddress(address: string, origins: readonly string[]): void {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') throw refused('address');
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) throw refused('not-https');
  if (!origins.includes(url.origin)) throw refused('foreign-origin');
}

function typeOf(bytes: Uint8Array): DownloadType | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return signatures.find(([prefix]) => start.startsWith(prefix))?.[1];
}

const signatures: readonly (readonly [string, DownloadType])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
];

function refused(reason: string, http?: number): BridgeError {
  return new BridgeError('service_file_refused', {
    operation: 'download',
    reason,
    ...(http === undefined ? {} : { http }),
  });
}
