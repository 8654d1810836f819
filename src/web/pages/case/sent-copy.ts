import { createHash } from 'node:crypto';
import { type Case, type CaseKind, isSent } from '../../../cases/case.ts';
import { contractsOf } from '../../../core/contract/kinds.ts';

/** The request as it was sent, byte for byte, and the hash that identifies it. */
export interface SentCopy {
  /** The JSON that the service received. */
  readonly text: string;
  /** SHA-256 of `text`, in hexadecimal. */
  readonly hash: string;
}

/** The copy of the current request, else of the last request that was sent; undefined before the first. */
export function sentCopyOf(one: Case): SentCopy | undefined {
  const body = isSent(one) ? one.body : one.requests.at(-1)?.body;
  if (body === undefined) return undefined;
  const text = JSON.stringify(asItLeft(one.kind, body));
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}

// The client parses a body before sending, which puts its fields in the order of the contract. The first contract that
// accepts the body identifies its profile. A body that no contract accepts any more stays as it was stored.
function asItLeft(kind: CaseKind, body: unknown): unknown {
  const parsed = contractsOf[kind].map((schema) => schema.safeParse(body)).find(({ success }) => success);
  return parsed?.success === true ? parsed.data : body;
}
