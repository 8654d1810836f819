import type { Gap, Provenance } from '../mapping/result.ts';
import type { Actor, Banner, Entries, MappedBy, Problem } from './case.ts';

/** The sealed parts of a case as the store keeps them. */

/** Small, and read with every case. */
export interface Head {
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly launch: string;
  readonly banner: Banner;
  readonly title: string;
  /** Names of users by the actor that events hold: `Practitioner/12`. */
  readonly users: Readonly<Record<string, string>>;
  readonly cancellation?: string;
  readonly others?: readonly string[];
  readonly problem?: Problem;
  /** Of the request that counts. */
  readonly sentBy?: Actor;
}

/** One request as it left, with what is needed to take the case back to it. */
export interface SubmissionContent {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  readonly mappedBy?: MappedBy;
  readonly by: Actor;
  readonly launch: string;
  readonly title: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly encounter?: string;
  /** What was entered. */
  readonly draft: Entries;
}
