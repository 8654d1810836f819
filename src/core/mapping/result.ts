import type { Refusal } from '../fhir/references/refusals.ts';
import type { DeepPartial } from './words/rules.ts';

/**
 * Where in the chart a value stood. `path` is a FHIRPath with every index written out, e.g. `Patient.name[1].given[0]`.
 */
export interface Source {
  /** `Patient/123`, or `Medication/m1 in MedicationRequest/9` for a contained resource. */
  readonly resource: string;
  /** `meta.versionId` when the resource had one. */
  readonly version?: string;
  readonly path: string;
}

/**
 * Where one leaf of a body came from. `chart`: read from a resource; `derived`: read and changed in meaning (a date
 * made a datetime, a dose made days); `site`: from the site's configuration; `constant`: written in the mapping;
 * `entered`: typed or chosen by a person; `proposed`: read from the chart but not final until a person says so.
 */
export interface Provenance {
  /** Path into the body: `prescription.quantity`, `diagnoses[0].code`. */
  readonly target: string;
  readonly kind: 'chart' | 'derived' | 'site' | 'constant' | 'entered' | 'proposed';
  /** The mapping or overlay that holds the rule: `prior-auth`, `prior-auth@valley`. */
  readonly rule: string;
  readonly expression?: string;
  readonly transform?: string;
  readonly source?: Source;
  /** Further values that the same expression found and that were not used. */
  readonly others?: number;
  /** A reason for the reader: of a constant, of a derivation, of a choice. */
  readonly note?: string;
  /** For `entered`: the value the chart had, when it had one. */
  readonly replaces?: unknown;
}

/** One step of a look: the expression's part and how many items it left. */
export interface Step {
  readonly step: string;
  readonly items: number;
}

/** How far one expression got: `Coverage (2) > class (3) > where(...) (0)`. */
export interface Look {
  readonly expression: string;
  readonly steps: readonly Step[];
  /** What was found and is not sent, with why. */
  readonly refused?: readonly RefusedValue[];
}

/** A value of the chart that is not sent. */
export interface RefusedValue {
  readonly why: Refusal;
  /** In a few words, as a person recognizes it; absent where there are none. Patient data. */
  readonly value?: string;
  readonly source?: Source;
  /** What a clause of the role table says of it: `it ended on Jan 31, 2026`. Patient data. */
  readonly words?: string;
}

/** `blocks` sending, or only `warns`. */
export type Severity = 'blocks' | 'warns';

/**
 * One leaf (or part) of the body that is missing, invalid or open. Message and looks of a run's gaps are made when they
 * are read. A class in the types, so that the compiler refuses `{ ...gap }`, which would lose them; a plain object is a
 * Gap too.
 */
export abstract class Gap {
  abstract readonly target: string;
  abstract readonly severity: Severity;
  /**
   * `missing`: nothing found; `invalid`: found, refused by the contract; `uncertain`: found, but no certain row or
   * parse; `choice`: a person must choose; `unconfirmed`: a proposal that a person must confirm; `advice`: present and
   * worth a look.
   */
  abstract get reason(): 'missing' | 'invalid' | 'uncertain' | 'choice' | 'unconfirmed' | 'advice';
  abstract get message(): string;
  /** Why what the chart has is not sent, where it has something and that is the reason. */
  abstract readonly why?: Refusal | undefined;
  abstract get looks(): readonly Look[];
  /** What a person can choose from. */
  abstract readonly options?: readonly Option[] | undefined;
}

/** One thing that a person can choose. */
export interface Option {
  /** What an edit or answer carries when this is chosen. */
  readonly value: string;
  readonly label: string;
  readonly reason?: string;
}

/**
 * The result of a mapping: a value, never a thrown error for what the chart lacks. Gaps of a complete result only warn.
 * The provenance is made when it is first read.
 */
export type MappingResult<T> =
  | {
      readonly status: 'complete';
      readonly body: T;
      readonly provenance: readonly Provenance[];
      readonly gaps: readonly Gap[];
    }
  | {
      readonly status: 'incomplete';
      readonly draft: DeepPartial<T>;
      readonly provenance: readonly Provenance[];
      readonly gaps: readonly Gap[];
    };

/**
 * What a person entered, by target path; `null` clears the chart's value. Arrays are addressed by index:
 * `diagnoses[0].code`.
 */
export type Edits = Readonly<Record<string, unknown>>;
