import type { ElementPlace } from './element-place.ts';
import type { Renamed } from './rename-references.ts';
import type { StandIns } from './stand-ins.ts';

/** The data with which the rules replace and decide. */
export interface Means {
  readonly standIns: StandIns;
  readonly renamed: Renamed;
  readonly shiftDays: number;
  /** Words of people's names in this chart. */
  readonly names: ReadonlySet<string>;
  /** Words of the displays that stay: a drug's text may include them too. */
  readonly displayWords: ReadonlySet<string>;
  /** Words of known drug names. */
  readonly drugWords: ReadonlySet<string>;
  /** Texts in the mapping's own expressions. */
  readonly named: ReadonlySet<string>;
  /** Directions that a person has reviewed. */
  readonly keptSigs: ReadonlySet<string>;
  /** `MedicationRequest/9`: the order with those directions. */
  readonly order: string | undefined;
}

/** Returns the replacement of a text at its place. */
export type TextRule = (text: string, place: ElementPlace, means: Means) => string;
