import type { Element } from '../../../core/fhir/model/model.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a value stands, by the types of FHIR R4. */
export interface ElementPlace {
  /** The type that holds the element: `HumanName`, `Patient.contact`. */
  readonly holder: string;
  readonly element: Element;
  /** The object that holds it, as it came. */
  readonly parent: JsonObject;
  /** Where that object stands itself; absent for a resource. */
  readonly above: ElementPlace | undefined;
  /** `MedicationRequest/9` as it came. */
  readonly resource: string;
}
