import type { Entered } from '../../cases/case.ts';
import type { Gap, Provenance } from '../../core/mapping/result.ts';
import type { FieldSpec } from '../request/labels.ts';
import type { Likely } from '../request/likely.ts';

/** One leaf of the request, as its field needs it. */
export interface FieldProps {
  readonly spec: FieldSpec;
  readonly value: string | number | boolean | undefined;
  /** The value that the chart alone gives. */
  readonly chartValue: string | number | boolean | undefined;
  readonly provenance: Provenance | undefined;
  readonly gaps: readonly Gap[];
  /** The choices that the chart leaves open for this leaf, even if a person has answered them. */
  readonly choices: readonly Gap[];
  /** Likely answers, which match the rest of the request. */
  readonly likely?: readonly Likely[];
  readonly enteredBy?: Entered | undefined;
}
