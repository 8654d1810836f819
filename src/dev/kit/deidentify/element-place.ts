import type { Element } from '../../../core/fhir/model/model.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The place of a value, in terms of FHIR R4's types. */
export interface ElementPlace {
  /** The type that defines the element: `HumanName`, `Patient.contact`. */
  readonly holder: string;
  readonly element: Element;
  /** The original object that contains the element. */
  readonly parent: JsonObject;
  /** The place of `parent`; absent if `parent` is the resource. */
  readonly above: ElementPlace | undefined;
  /** The original reference of the resource, such as `MedicationRequest/9`. */
  readonly resource: string;
}
