import type { MappingKind } from '../src/core/contract/kinds.ts';

/**
 * FHIR elements that occur in charts but that neither a role nor a rule of a mapping reads, each with the reason;
 * `coverage` reports every other unread element. A key covers the element and everything below it.
 */

const code = 'its code, value or text is read; this only spells it';
const named = 'what the reference leads to is read; this only names it';
export const unreadReasons = 'the service has no field for it';
const namesIt = 'a reference may name the resource by it; the service has no field for it';
const whose = 'says whose it is, which counts before anything is chosen';

export const unread: Readonly<Record<string, string>> = {
  // owners, and references to other resources
  'Coverage.beneficiary': whose,
  'Coverage.subscriber': whose,
  'MedicationRequest.subject': whose,
  'Encounter.status': 'the order names its encounter, whatever its status',
  'MedicationRequest.dispenseRequest.performer.display': named,
  'MedicationRequest.encounter': named,
  'MedicationRequest.reasonReference': named,
  'MedicationRequest.requester': named,
  'PractitionerRole.organization': named,
  'PractitionerRole.practitioner': named,
  'MedicationRequest.dosageInstruction.doseAndRate': 'days are worked out from one dose that is a plain quantity',
  // other spellings of what is read
  'Coverage.identifier.system': code,
  'Coverage.relationship.coding.display': code,
  'Coverage.relationship.coding.system': code,
  'Coverage.relationship.text': code,
  'Coverage.identifier.type.coding.display': code,
  'Coverage.identifier.type.coding.system': code,
  'Coverage.identifier.type.text': code,
  'Medication.ingredient.itemCodeableConcept.coding.code': code,
  'Medication.ingredient.itemCodeableConcept.coding.system': code,
  'Medication.ingredient.strength.denominator.system': code,
  'Medication.ingredient.strength.numerator.system': code,
  'MedicationRequest.category': code,
  'Coverage.class.modifierExtension': 'any of them keeps the class from being used',
  'Medication.ingredient.modifierExtension': 'any of them keeps the order from being a candidate',
  'Medication.modifierExtension': 'any of them keeps the order from being a candidate',
  'MedicationRequest.dispenseRequest.initialFill.modifierExtension':
    'any of them keeps the order from being a candidate',
  'MedicationRequest.dosageInstruction.modifierExtension': 'any of them keeps the order from being a candidate',
  'MedicationRequest.modifierExtension': 'any of them keeps the order from being a candidate',
  'Organization.modifierExtension': 'any of them is told, whatever it says',
  'Practitioner.modifierExtension': 'any of them is told, whatever it says',
  'Organization.address': 'the practice’s address is used only where nothing closer has one',
  'Organization.telecom.system': code,
  'Patient.identifier.type': code,
  'Practitioner.identifier': code,
  'Practitioner.telecom': code,
  'PractitionerRole.telecom.system': code,
  'Practitioner.name.suffix': unreadReasons,
  'Practitioner.name.text': 'a name is never taken apart; where it has no parts a person is offered its words',
  'Patient.modifierExtension': 'any of them is asked, whatever it says',
  'MedicationRequest.medicationCodeableConcept.extension': 'says why there is no drug, which the gap says too',
  // the service has no field for these
  'Encounter.participant': unreadReasons,
  'Encounter.period': unreadReasons,
  'Location.name': unreadReasons,
  'MedicationRequest.identifier': namesIt,
  'MedicationRequest.note': 'a person is offered its words where the order has no directions',
  'MedicationRequest.performer': 'who gives the drug is not sent; the answers sheet says it',
  'Patient.communication': unreadReasons,
  'PractitionerRole.specialty': unreadReasons,
  // elements beyond those in vendors’ charts
  'Location.managingOrganization': unreadReasons,
  'Location.status': unreadReasons,
  'Medication.identifier': namesIt,
  'MedicationRequest.courseOfTherapyType': unreadReasons,
  'MedicationRequest.dosageInstruction.method': 'the directions say it',
  'MedicationRequest.dosageInstruction.route.coding.userSelected': code,
  'MedicationRequest.extension': unreadReasons,
  'MedicationRequest.recorder': 'the requester is the prescriber, whoever typed the order',
  'Patient.address.district': unreadReasons,
  'Patient.address.extension': unreadReasons,
  'Patient.address.id': code,
  'Patient.extension': 'race, sex, gender identity and the like are not asked for',
  'Patient.identifier._value': code,
  'Patient.identifier.id': code,
  'Patient.managingOrganization': unreadReasons,
  'Patient.maritalStatus': unreadReasons,
  'Patient.name.id': code,
  'Patient.name.prefix': unreadReasons,
  'Patient.name.suffix': unreadReasons,
  'Patient.telecom.id': code,
  'Practitioner.gender': unreadReasons,
  'Practitioner.name.prefix': unreadReasons,
  'Practitioner.qualification': unreadReasons,
  'PractitionerRole.code': unreadReasons,
  // reasons for missing values, and extensions that only a site's overlay reads
  'Patient.name._family': 'says only that a masked name has no value',
  'Patient.name._given': 'says only that a masked name has no value',
  'Coverage.extension': 'a site’s own; the overlay of that site reads it',
};

/** An enrollment has fewer fields, so it reads less of a chart. */
export const unreadByEnrollment: Readonly<Record<string, string>> = {
  ...unread,
  'Coverage.policyHolder': unreadReasons,
  'Location.address': unreadReasons,
  'Location.telecom': unreadReasons,
  'MedicationRequest.dispenseRequest': unreadReasons,
  'MedicationRequest.dosageInstruction.route': unreadReasons,
  'Patient.gender': unreadReasons,
  'Practitioner.address': unreadReasons,
  'Practitioner.name': unreadReasons,
};

/** A benefit verification has the name of the drug, but no codes. */
export const unreadByBenefits: Readonly<Record<string, string>> = {
  ...unread,
  'Medication.code.coding.code': unreadReasons,
  'MedicationRequest.medicationCodeableConcept.coding.userSelected': unreadReasons,
};

export const unreadBy = {
  'prior-auth': unread,
  enrollment: unreadByEnrollment,
  'benefit-verification': unreadByBenefits,
  // No reasons are kept here: the sheet reads only what payers ask about the drug.
  answers: {},
} satisfies Readonly<Record<MappingKind, Readonly<Record<string, string>>>>;
