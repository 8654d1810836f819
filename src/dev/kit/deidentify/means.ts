import type { ElementPlace } from './element-place.ts';
import type { Renamed } from './rename-references.ts';
import type { StandIns } from './stand-ins.ts';

export interface Means {
  readonly standIns: StandIns;
  readonly renamed: Renamed;
  readonly shiftDays: number;
  /** Words of people's names in this chart. */
  readonly names: ReadonlySet<string>;
  /** Words of the displays that are kept. They are kept in a drug's text too. */
  readonly displayWords: ReadonlySet<string>;
  /** Words of known drug names. */
  readonly drugWords: ReadonlySet<string>;
  /** Texts in the mapping's expressions. */
  readonly named: ReadonlySet<string>;
  readonly keptSigs: ReadonlySet<string>;
  /** The order whose directions a person has reviewed, such as `MedicationRequest/9`. */
  readonly order: string | undefined;
}

/** Returns the replacement of a text at its place. */
export type TextRule = (text: string, place: ElementPlace, means: Means) => string;
