import type { Entered } from '../../cases/case.ts';
import type { Gap, Provenance } from '../../core/mapping/result.ts';
import type { FieldSpec } from '../request/labels.ts';

/** One leaf of the request, as its field shows it. */
export interface FieldProps {
  readonly spec: FieldSpec;
  readonly value: string | number | boolean | undefined;
  /** What the chart alone gives. */
  readonly chartValue: string | number | boolean | undefined;
  readonly provenance: Provenance | undefined;
  readonly gaps: readonly Gap[];
  /** What the chart alone leaves to be chosen here, answered or not. */
  readonly choices: readonly Gap[];
  /** Who entered the value and when, where a person did. */
  readonly enteredBy?: Entered | undefined;
}
