import type { z } from 'zod';
import type { Profile } from '../profile.ts';
import type { CreateBody } from '../requests.ts';
import { CurrentCancelBody, currentCreateBody } from './current.ts';
import { DocumentedCancelBody, DocumentedCreateBody } from './documented.ts';

/** Returns the schema of create bodies in this profile. */
export function createBody(profile: Profile, body: unknown): z.ZodType<CreateBody> {
  return profile === 'current' ? currentCreateBody(body) : DocumentedCreateBody;
}

export function cancelBody(profile: Profile): z.ZodType<{ cancellation_reason?: string | undefined }> {
  return profile === 'current' ? CurrentCancelBody : DocumentedCancelBody;
}
