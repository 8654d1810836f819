import type { Located } from './document.ts';
import type { Place } from './outcome.ts';

/** Where one resource stands and what it takes to group it. */
export interface Slot {
  readonly type: string;
  /** Tells it from every other resource of the pool. */
  readonly key: string;
  /** `MedicationRequest/9`; its fullUrl when it has no id. */
  readonly name: string;
  readonly base: string | undefined;
  readonly place: Place;
  readonly load: () => Located;
}

/** A slot with what grouping asks of its resource. */
export interface Entry extends Slot {
  readonly about: string | undefined;
  readonly bound: boolean;
  readonly version: string | undefined;
  readonly updated: string | undefined;
  readonly identifiers: readonly string[];
  readonly practitioner: string | undefined;
}
