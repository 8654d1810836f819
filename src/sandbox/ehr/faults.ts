/** What the EHR shall do wrong; set at any time on the handle. */
export interface EhrFaults {
  /** Answer every FHIR and sign-in request with 503. */
  down: boolean;
  /** Refuse `POST /Task` with this status; 405 also takes it out of the CapabilityStatement. */
  refuseTaskCreate: 403 | 405 | 422 | undefined;
  refuseDocumentCreate: 403 | 405 | 422 | undefined;
  /** Answer a create with 201, a Location and no body. */
  emptyCreated: boolean;
  /** CapabilityStatement without Task, and 404 for it. */
  hideTask: boolean;
  /** A token answer without the patient that is open. */
  hidePatient: boolean;
}

export function noFaults(): EhrFaults {
  return {
    down: false,
    refuseTaskCreate: undefined,
    refuseDocumentCreate: undefined,
    emptyCreated: false,
    hideTask: false,
    hidePatient: false,
  };
}
