import { systems } from '../src/fhir/systems.ts';
import { defineMapping } from '../src/mapping/words/define.ts';
import { each, firstOf, following, from, omit } from '../src/mapping/words/rules.ts';
import { CreatePriorAuthRequest } from '../src/service/contract.ts';
import { advisePriorAuth } from './advice.ts';
import { drugCode } from './drug-codes.ts';
import { evidence } from './evidence.ts';
import {
  address,
  directions,
  drugName,
  givenName,
  memberNumber,
  ndc,
  payerName,
  recordNumber,
  rxnorm,
  strength,
} from './parts.ts';
import { roles } from './roles.ts';
import { dispenseUnit, doseForm, doseFormWords, gender, route, routeWords } from './tables.ts';
import { base64, datetime, days, email, familyName, fullDate, icd10, npi, phone, quantity, text } from './values.ts';

type EvidenceEntry = NonNullable<CreatePriorAuthRequest['evidence']>[number];

const drugLeaves = {
  name: 'prescription.drug_name',
  strength: 'prescription.strength',
  form: 'prescription.dose_form',
};

/** CreatePriorAuthRequest (service interface, 4.1) from the chart. */
export const priorAuth = defineMapping(
  'prior-auth',
  CreatePriorAuthRequest,
  {
    is_training_data: omit('set by the site’s configuration when the request is sent'),
    diagnoses: each('%diagnosis', {
      code: from(
        icd10,
        'coding.where(system = %icd10).code',
        "coding.where(system = 'urn:oid:2.16.840.1.113883.6.90').code",
      ),
    }),
    evidence: evidence<EvidenceEntry>((content) => ({
      title: from(text, 'title'),
      date_created: from(datetime, 'date'),
      content,
    })),
    patient: {
      first_name: givenName('%name'),
      last_name: from(familyName, '%name.family'),
      internal_id: recordNumber,
      date_of_birth: from(fullDate, '%patient.birthDate'),
      email: from(email, "%contact.where(system = 'email').value"),
      phone: from(phone, "%contact.where(system = 'phone').value"),
      // without one `not_specified` is sent, and nothing asks
      gender: from(gender, '%patient.gender', "'unknown'"),
      address: address('%address', '%addressCountry'),
    },
    insurance: each('%card', {
      file_content: from(base64, 'data'),
    }),
    insurance_content: {
      client_name: from(text, '%coverage.policyHolder.resolve().ofType(Organization).name'),
      group_number: from(text, '%group.value'),
      member_name: omit('FHIR Coverage names no member; the patient’s name is sent under patient'),
      member_number: memberNumber,
      payer_name: payerName,
      plan_name: from(text, '%plan.name', '%plan.value'),
      rx_bin: from(text, '%rxBin.value'),
      rx_group: from(text, '%rxGroup.value'),
      rx_pcn: from(text, '%rxPcn.value'),
    },
    prescription: {
      drug_name: drugName,
      strength,
      dose_form: firstOf(from(doseForm, '%medication.form'), from(doseFormWords, '%drug.form')),
      // what the dose instruction states and nobody can read is no reason to take the form's route
      route_of_administration: firstOf(
        from(route, '%route.concept'),
        from(routeWords, 'iif(%route.concept.exists(), {}, %route.form)'),
      ),
      quantity: from(quantity, '%supply.quantity.where(comparator.empty()).value'),
      // a stated duration that cannot be read is not replaced by one that is worked out
      days_supply: from(
        days,
        '%supply.expectedSupplyDuration',
        '%supply.duration',
        'iif((%supply.expectedSupplyDuration | %supply.duration).exists(), {}, %daysSupply)',
      ),
      directions,
      dispense_unit: from(dispenseUnit, '%supplyUnit.quantity'),
      prescription_date: from(datetime, '%order.authoredOn'),
      // of several codes of one system none is sent, and that is told
      extra: {
        rxnorm: following(drugCode(systems.rxnorm, drugLeaves), rxnorm),
        ndc: following(drugCode(systems.ndc, drugLeaves), ndc),
        submission_id: from('%submission.id'),
      },
    },
    provider: {
      first_name: givenName('%prescriberName'),
      last_name: from(familyName, '%prescriberName.family'),
      npi: from(npi, '%prescriberNpi.value'),
      internal_id: from(text, '%prescriber.id'),
      phone: from(phone, "%prescriberContact.where(system = 'phone').value"),
      fax: from(phone, "%prescriberContact.where(system = 'fax').value", '%site.fax'),
      address: address('%prescriberAddress', '%prescriberCountry'),
    },
    pharmacy: {
      name: from(text, '%pharmacy.name'),
      address: address('%pharmacyAddress', '%pharmacyCountry'),
    },
    priority: omit('sent only when a person chooses it'),
    mock_result: omit('only for the service’s sandbox'),
  },
  // A required leaf without a value blocks. Of the others advice.ts warns where an empty one costs time (phone, days
  // supply, date, fax, RxBIN, RxPCN); the rest may be empty without a word.
  { advise: advisePriorAuth, roles },
);
