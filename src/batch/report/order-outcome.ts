import type { MappingResult } from '../../core/mapping/result.ts';
import type { Chart } from '../../core/roles/chart.ts';

/** The position of something in the input. `line` counts from 1; `path` is inside the JSON: `entry[3].resource`. */
export interface InputPlace {
  readonly file: string;
  readonly line?: number;
  readonly path?: string;
}

/** `export/a.ndjson, line 3, entry[2].resource` */
export function placeWords({ file, line, path }: InputPlace): string {
  return [file, ...(line === undefined ? [] : [`line ${line}`]), ...(path === undefined ? [] : [path])].join(', ');
}

export function duplicateReason({ order, ...place }: InputPlace & { readonly order: string }): string {
  return `the same request as ${order} (${placeWords(place)})`;
}

/** The outcome of one medication order of the input. Only `result`, `content` and `chart` have values of the chart. */
export type OrderOutcome = {
  readonly place: InputPlace;
  /** `MedicationRequest/9` and `Patient/1`, as in the input; the patient is absent if the order refers to none. */
  readonly order: string;
  readonly patient?: string;
} & (
  | {
      readonly state: 'ready' | 'incomplete';
      readonly result: MappingResult<unknown>;
      /** JSON of the request's body or of the draft. */
      readonly content: string;
      /** Equal for requests with the same content. */
      readonly digest: string;
      readonly chart: Chart;
    }
  | { readonly state: 'duplicate' | 'not_eligible' | 'left_out' | 'cannot_map'; readonly reason: string }
);
export type OrderState = OrderOutcome['state'];

export interface FileOutcome {
  readonly file: string;
  /**
   * `ignored`: not meant to be FHIR (a table, a text); `unreadable`: nothing could be read; `partly`: some lines or
   * entries could not be read.
   */
  readonly state: 'read' | 'partly' | 'unreadable' | 'ignored';
  readonly resources: Readonly<Record<string, number>>;
  readonly orders: Readonly<Partial<Record<OrderState, number>>>;
  readonly problems: readonly InputProblem[];
  /** Resources that were read but not used, because the input repeats them with different content. */
  readonly conflicts: readonly InputProblem[];
  readonly note: string;
}

export interface InputProblem {
  readonly line?: number;
  readonly path?: string;
  readonly reason: string;
}
