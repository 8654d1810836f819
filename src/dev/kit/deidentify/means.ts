import type { ElementPlace } from './element-place.ts';
import type { Renamed } from './rename-references.ts';
import type { StandIns } from './stand-ins.ts';

/** What the rules replace with and decide by. */
export interface Means {
  readonly standIns: StandIns;
  readonly renamed: Renamed;
  readonly shiftDays: number;
  /** Words of people's names in this chart. */
  readonly names: ReadonlySet<string>;
  /** Words of the displays that stay: a drug's text may have them too. */
  readonly displayWords: ReadonlySet<string>;
  /** Words of the names of drugs that are known. */
  readonly drugWords: ReadonlySet<string>;
  /** Texts that the mapping's own expressions name. */
  readonly named: ReadonlySet<string>;
  /** Directions that a person has read. */
  readonly keptSigs: ReadonlySet<string>;
  /** `MedicationRequest/9`: whose directions those are. */
  readonly order: string | undefined;
}

/** What becomes of a text at its place. */
export type TextRule = (text: string, place: ElementPlace, means: Means) => string;
