import type { MappingResult } from '../../core/mapping/result.ts';
import type { Chart } from '../../core/roles/chart.ts';

/** A place in the input. `line` counts from 1. `path` is inside the JSON, such as `entry[3].resource`. */
export interface InputPlace {
  readonly file: string;
  readonly line?: number;
  readonly path?: string;
}

/** Example: `export/a.ndjson, line 3, entry[2].resource`. */
export function placeWords({ file, line, path }: InputPlace): string {
  return [file, ...(line === undefined ? [] : [`line ${line}`]), ...(path === undefined ? [] : [path])].join(', ');
}

export function duplicateReason({ order, ...place }: InputPlace & { readonly order: string }): string {
  return `the same request as ${order} (${placeWords(place)})`;
}

/** The outcome of one medication order. Only `result`, `content` and `chart` have values of the chart. */
export type OrderOutcome = {
  readonly place: InputPlace;
  /** `MedicationRequest/9` and `Patient/1`, as in the input. Without a reference to a patient, `patient` is absent. */
  readonly order: string;
  readonly patient?: string;
} & (
  | {
      readonly state: 'ready' | 'incomplete';
      readonly result: MappingResult<unknown>;
      /** JSON of the request's body or of the draft. */
      readonly content: string;
      /** The same for requests with the same content. */
      readonly digest: string;
      readonly chart: Chart;
    }
  | { readonly state: 'duplicate' | 'not_eligible' | 'left_out' | 'cannot_map'; readonly reason: string }
);
export type OrderState = OrderOutcome['state'];

export interface FileOutcome {
  readonly file: string;
  /**
   * `ignored`: not FHIR and not meant to be (a table, a text). `unreadable`: nothing could be read. `partly`: some
   * lines or entries could not be read.
   */
  readonly state: 'read' | 'partly' | 'unreadable' | 'ignored';
  readonly resources: Readonly<Record<string, number>>;
  readonly orders: Readonly<Partial<Record<OrderState, number>>>;
  readonly problems: readonly InputProblem[];
  /** Resources that are not used because the input repeats them with other content. */
  readonly conflicts: readonly InputProblem[];
  readonly note: string;
}

export interface InputProblem {
  readonly line?: number;
  readonly path?: string;
  readonly reason: string;
}
