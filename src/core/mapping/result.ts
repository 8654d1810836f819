import type { Refusal } from '../fhir/references/refusals.ts';
import type { DeepPartial } from './words/rules.ts';

/** The place of a value in the chart. `path` is a FHIRPath with every index, e.g. `Patient.name[1].given[0]`. */
export interface Source {
  /** `Patient/123`, or `Medication/m1 in MedicationRequest/9` for a contained resource. */
  readonly resource: string;
  /** `meta.versionId` when the resource had one. */
  readonly version?: string;
  readonly path: string;
}

/**
 * The origin of one leaf of a body. `chart`: read from a resource; `derived`: read and changed in meaning (a date made
 * a datetime, a dose made days); `site`: from the site's configuration; `constant`: written in the mapping; `entered`:
 * typed or chosen by a person; `proposed`: read from the chart but not final until a person confirms it.
 */
export interface Provenance {
  /** Path into the body: `prescription.quantity`, `diagnoses[0].code`. */
  readonly target: string;
  readonly kind: 'chart' | 'derived' | 'site' | 'constant' | 'entered' | 'proposed';
  /** The mapping or overlay that contains the rule: `prior-auth`, `prior-auth@valley`. */
  readonly rule: string;
  readonly expression?: string;
  readonly transform?: string;
  readonly source?: Source;
  /** The number of further values that the same expression found and that were not used. */
  readonly others?: number;
  /** The reason for a constant, a derivation or a choice, for the reader. */
  readonly note?: string;
  /** For `entered`: the chart's value, if it had one. */
  readonly replaces?: unknown;
  /** The kind of the replaced value, where that is not `chart`. */
  readonly replacedKind?: Exclude<Provenance['kind'], 'chart' | 'entered'>;
}

/** One step of a lookup (`Look`): a part of the expression, and the number of items after it. */
export interface Step {
  readonly step: string;
  readonly items: number;
}

/** How far one expression got: `Coverage (2) > class (3) > where(...) (0)`. */
export interface Look {
  readonly expression: string;
  readonly steps: readonly Step[];
  /** Values that were found and are not sent, with the reasons. */
  readonly refused?: readonly RefusedValue[];
}

/** A value of the chart that is not sent. */
export interface RefusedValue {
  readonly why: Refusal;
  /** A few words by which a person recognizes the value; absent if it has none. Patient data. */
  readonly value?: string;
  readonly source?: Source;
  /** The words of the role table's clause that refused the value: `it ended on 2026-01-31`. Patient data. */
  readonly words?: string;
}

/** Whether a gap `blocks` sending or only `warns`. */
export type Severity = 'blocks' | 'warns';

/**
 * One leaf (or part) of the body that is missing, invalid or open. Message and looks of a run's gaps are computed when
 * they are read. The type is a class so that the compiler rejects `{ ...gap }`, which would lose them; a plain object
 * is a Gap too.
 */
export abstract class Gap {
  abstract readonly target: string;
  abstract readonly severity: Severity;
  /**
   * `missing`: nothing found; `invalid`: found, refused by the contract; `uncertain`: found, but without a certain row
   * or parse; `choice`: a person must choose; `unconfirmed`: a proposal that a person must confirm; `advice`: present,
   * and a person should check it.
   */
  abstract get reason(): 'missing' | 'invalid' | 'uncertain' | 'choice' | 'unconfirmed' | 'advice';
  abstract get message(): string;
  /** Why the chart's value is not sent, if the gap is due to a value that is not sent. */
  abstract readonly why?: Refusal | undefined;
  abstract get looks(): readonly Look[];
  abstract readonly options?: readonly Option[] | undefined;
}

/** One option for a person. */
export interface Option {
  /** The value of the edit or answer when this option is chosen. */
  readonly value: string;
  readonly label: string;
  readonly reason?: string;
}

/**
 * The result of a mapping. Missing data in the chart never throws. Gaps of a complete result only warn. The provenance
 * is computed when it is first read.
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
 * The values that a person entered, by target path; `null` clears the chart's value. Arrays are addressed by index:
 * `diagnoses[0].code`.
 */
export type Edits = Readonly<Record<string, unknown>>;
