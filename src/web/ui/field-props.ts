import type { Entered } from '../../cases/case.ts';
import type { Gap, Provenance } from '../../core/mapping/result.ts';
import type { FieldSpec } from '../request/labels.ts';
import type { Likely } from '../request/likely.ts';

/** One leaf of the request, for its field. */
export interface FieldProps {
  readonly spec: FieldSpec;
  readonly value: string | number | boolean | undefined;
  /** The chart's own value. */
  readonly chartValue: string | number | boolean | undefined;
  readonly provenance: Provenance | undefined;
  readonly gaps: readonly Gap[];
  /** The choice that the chart leaves open here, answered or not. */
  readonly choices: readonly Gap[];
  /** Answers of the field's list that match the rest of the request. */
  readonly likely?: readonly Likely[];
  /** The author and time of an entered value. */
  readonly enteredBy?: Entered | undefined;
}
