import type { Knowledge } from '../src/evidence/knowledge.ts';
import type { Mapping } from '../src/mapping/words/define.ts';
import type { Role } from '../src/roles/chart.ts';
import type { CreateEnrollmentRequest, CreatePriorAuthRequest } from '../src/service/contract.ts';
import { enrollment } from './enrollment.ts';
import { knowledge } from './knowledge/index.ts';
import { priorAuth } from './prior-auth.ts';
import { valleyPriorAuth } from './sites/valley.ts';

/** Every mapping and overlay to a service request, by the name that the sites file and the command line use. A new site adds its line here. */
export interface Registry {
  readonly 'prior-auth': Readonly<Record<string, Mapping<CreatePriorAuthRequest>>>;
  readonly enrollment: Readonly<Record<string, Mapping<CreateEnrollmentRequest>>>;
  /** The tables that evidence and proposals are judged by. */
  readonly knowledge: Knowledge;
}

export const mappings: Registry = {
  'prior-auth': { 'prior-auth': priorAuth, 'prior-auth@valley': valleyPriorAuth },
  enrollment: { enrollment },
  knowledge,
};

/** The FHIR types that a role's nodes have; for roles of our own, their keys. What checks paths at build time reads this. */
export const roleTypes: Readonly<Record<Role, readonly string[]>> = {
  patient: ['Patient'],
  name: ['HumanName'],
  address: ['Address'],
  contact: ['ContactPoint'],
  order: ['MedicationRequest'],
  medication: ['Medication'],
  drug: ['CodeableConcept'],
  dose: ['Dosage'],
  sig: ['Dosage'],
  regimen: ['integer'],
  prescriber: ['Practitioner'],
  prescriberName: ['HumanName'],
  prescriberNpi: ['Identifier'],
  prescriberAddress: ['Address'],
  prescriberContact: ['ContactPoint'],
  prescriberRole: ['PractitionerRole'],
  practice: ['Location', 'Organization'],
  encounter: ['Encounter'],
  coverage: ['Coverage'],
  payer: ['Organization'],
  card: ['Attachment', 'Binary'],
  diagnosis: ['CodeableConcept'],
  pharmacy: ['Organization', 'Location'],
  evidence: ['diagnosis', 'therapy', 'allergy', 'test', 'note'],
  site: ['country', 'mrnSystem', 'fax', 'programId'],
  submission: ['id'],
};
