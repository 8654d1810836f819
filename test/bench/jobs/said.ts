import type { JobLimits } from '../../../src/config/config.ts';

/** What the processes of `jobs.ts` are told, and what they say once they are ready: one line of JSON. */

export interface FakesOptions {
  /** Address of the bridge, where webhooks go. */
  readonly bridge: string;
  readonly sites: readonly string[];
  /** At each site. */
  readonly patients: number;
}

export interface FakesSaid {
  readonly service: {
    readonly url: string;
    readonly sites: readonly { readonly id: string; readonly token: string; readonly webhook: { secret: string } }[];
  };
  readonly ehrs: { readonly site: string; readonly url: string; readonly iss: string }[];
}

export interface BareOptions {
  readonly url: string;
  readonly schema: string;
  readonly limits: JobLimits;
}

/** The nth order of a site, each of a patient of its own. */
export function requestOf(nth: number): { readonly patient: string; readonly order: string } {
  return { patient: `Patient/patient-${nth}`, order: `MedicationRequest/order-${nth}` };
}

/** Who sends all of them. */
export const sender = 'Practitioner/d1';
