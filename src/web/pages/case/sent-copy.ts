import { createHash } from 'node:crypto';
import { type Case, type CaseKind, isSent } from '../../../cases/case.ts';
import { contractsOf } from '../../../core/contract/kinds.ts';

/** The request as it left, byte for byte, and the mark that tells it from any other. */
export interface SentCopy {
  /** JSON, as the service got it. */
  readonly text: string;
  /** SHA-256 of `text`, in hexadecimal. */
  readonly hash: string;
}

/** The copy of the request that counts, else of the last that left; undefined before the first. */
export function sentCopyOf(one: Case): SentCopy | undefined {
  const body = isSent(one) ? one.body : one.requests.at(-1)?.body;
  if (body === undefined) return undefined;
  const text = JSON.stringify(asItLeft(one.kind, body));
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}

// The client parses a body before it leaves, which puts its fields in the contract's order. A body tells its profile by
// the contract that takes it; what another version sent and none takes stays as it was stored.
function asItLeft(kind: CaseKind, body: unknown): unknown {
  const parsed = contractsOf[kind].map((schema) => schema.safeParse(body)).find(({ success }) => success);
  return parsed?.success === true ? parsed.data : body;
}
