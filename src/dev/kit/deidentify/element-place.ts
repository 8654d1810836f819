import type { Element } from '../../../core/fhir/model/model.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The place of a value, by the types of FHIR R4. */
export interface ElementPlace {
  /** The type that has the element: `HumanName`, `Patient.contact`. */
  readonly holder: string;
  readonly element: Element;
  /** The object that contains it, in its original form. */
  readonly parent: JsonObject;
  /** The place of that object itself; absent for a resource. */
  readonly above: ElementPlace | undefined;
  /** `MedicationRequest/9`, the original reference. */
  readonly resource: string;
}
