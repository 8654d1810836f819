import { z } from 'zod';
import type { Profile } from './profile.ts';

/** A request that the sandbox refused, without its content. */
export interface RefusedRequest {
  readonly at: string;
  /** Absent if the token was unknown. */
  readonly site?: string;
  readonly profile?: Profile;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** `prescription.quantity: expected int`, or the code of a rule of the service. */
  readonly reasons: readonly string[];
}

/** The last refusals of this process, newest first. */
export interface RefusedRequests {
  add(refusal: RefusedRequest): void;
  list(): readonly RefusedRequest[];
}

const kept = 100;

export function keepRefusals(): RefusedRequests {
  const refusals: RefusedRequest[] = [];
  return {
    add(refusal) {
      refusals.unshift(refusal);
      refusals.splice(kept);
    },
    list: () => refusals,
  };
}

const Answer = z.union([
  z.object({ error: z.object({ code: z.string(), title: z.string() }) }),
  z.object({ detail: z.string() }),
  z.object({ detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })) }),
]);

/** Returns the reasons in any of the three forms of error bodies. */
export function reasonsIn(payload: unknown): string[] {
  const answer = Answer.safeParse(jsonOf(payload));
  if (!answer.success) return [];
  if ('error' in answer.data) return [`${answer.data.error.title} (${answer.data.error.code})`];
  const { detail } = answer.data;
  return typeof detail === 'string' ? [detail] : detail.map(({ loc, msg }) => `${placeOf(loc)}: ${msg}`);
}

function jsonOf(payload: unknown): unknown {
  try {
    return typeof payload === 'string' ? JSON.parse(payload) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns `diagnoses[0].code` for `['body', 'diagnoses', 0, 'code']`. */
function placeOf([, ...path]: readonly (string | number)[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return place === '' ? 'the body' : place.replace(/^\./, '');
}
