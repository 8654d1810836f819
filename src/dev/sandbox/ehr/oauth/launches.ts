import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../../base/log.ts';

/**
 * The context of a launch, as the token response states it (SMART App Launch 2.2, "Launch context arrives with your
 * access_token").
 */
export interface TokenContext {
  /** Absent if a person signed in without a chart. */
  readonly patient?: string;
  readonly encounter?: string;
  /** Such as `{ reference: 'MedicationRequest/9' }`. Passed on unchanged. */
  readonly fhirContext?: readonly unknown[];
  /** What the user wants to do, such as `worklist`. */
  readonly intent?: string;
  readonly need_patient_banner: boolean;
  /** Id of the Practitioner who launches and becomes the signed-in user. */
  readonly practitioner: string;
}

/** Launch ids that the chart pages issue. An id is valid for ten minutes. */
export interface Launches {
  make(context: TokenContext): string;
  find(launch: string): TokenContext | undefined;
}

const lifetimeMs = 10 * 60_000;

export function createLaunches(clock: Clock): Launches {
  const known = new Map<string, { context: TokenContext; until: number }>();
  return {
    make(context) {
      const now = clock().getTime();
      for (const [id, { until }] of known) if (until < now) known.delete(id);
      const id = randomBytes(24).toString('base64url');
      known.set(id, { context, until: now + lifetimeMs });
      return id;
    },
    find(launch) {
      const found = known.get(launch);
      return found === undefined || found.until < clock().getTime() ? undefined : found.context;
    },
  };
}
