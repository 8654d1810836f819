import type { MappingResult } from '../../core/mapping/result.ts';
import type { Chart } from '../../core/roles/chart.ts';

/** Where something stood in the input. `line` counts from 1; `path` is inside the JSON: `entry[3].resource`. */
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

/** What became of one medication order of the input. Only `result`, `content` and `chart` hold values of the chart. */
export type OrderOutcome = {
  readonly place: InputPlace;
  /**
   * `MedicationRequest/9` and `Patient/1`, as the input names them; the patient is absent when the order names none.
   */
  readonly order: string;
  readonly patient?: string;
} & (
  | {
      readonly state: 'ready' | 'incomplete';
      readonly result: MappingResult<unknown>;
      /** JSON of the request's body or of the draft. */
      readonly content: string;
      /** Equal for requests that say the same. */
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
   * entries could not.
   */
  readonly state: 'read' | 'partly' | 'unreadable' | 'ignored';
  readonly resources: Readonly<Record<string, number>>;
  readonly orders: Readonly<Partial<Record<OrderState, number>>>;
  readonly problems: readonly InputProblem[];
  /** What was read but not used: it stands twice with different content. */
  readonly conflicts: readonly InputProblem[];
  readonly note: string;
}

export interface InputProblem {
  readonly line?: number;
  readonly path?: string;
  readonly reason: string;
}
