import { CreatePriorAuthRequest } from '../src/core/contract/documented.ts';
import { systems } from '../src/core/fhir/codes/systems.ts';
import { defineMapping } from '../src/core/mapping/words/define.ts';
import { firstOf, following, from, offering, omit } from '../src/core/mapping/words/rules.ts';
import { drugCode } from './drug-codes.ts';
import { evidence } from './evidence.ts';
import { countedIn } from './quantity-unit-change.ts';
import { advisePriorAuth } from './request-warnings.ts';
import { roles } from './roles.ts';
import {
  address,
  cards,
  diagnoses,
  directions,
  dispensed,
  drugName,
  insuranceContent,
  ndc,
  patient,
  provider,
  rxnorm,
  strength,
} from './shared-rules.ts';
import { dispenseUnit, doseForm, doseFormWords, route, routeWords } from './tables.ts';
import { listedUnit } from './uncertain-values.ts';
import { datetimeValue, days, text } from './value-transforms.ts';

type EvidenceEntry = NonNullable<CreatePriorAuthRequest['evidence']>[number];

const drugLeaves = {
  name: 'prescription.drug_name',
  strength: 'prescription.strength',
  form: 'prescription.dose_form',
};

/**
 * CreatePriorAuthRequest (service interface, 4.1) from the chart.
 *
 * @example const { orders } = mapChart(bundle, { mapping: priorAuth, roles, now: new Date() });
 */
export const priorAuth = defineMapping(
  'prior-auth',
  CreatePriorAuthRequest,
  {
    is_training_data: omit('set by the site’s configuration when the request is sent'),
    diagnoses,
    evidence: evidence<EvidenceEntry>((content) => ({
      title: from(text, 'title'),
      date_created: from(datetimeValue, 'date'),
      content,
    })),
    patient: patient(),
    insurance: cards,
    insurance_content: insuranceContent(),
    prescription: {
      drug_name: drugName,
      strength,
      dose_form: firstOf(from(doseForm, '%medication.form'), from(doseFormWords, '%drug.form')),
      // an unreadable route in the dose instruction must not be replaced by the form's route
      route_of_administration: firstOf(
        from(route, '%route.concept'),
        from(routeWords, 'iif(%route.concept.exists(), {}, %route.form)'),
      ),
      quantity: following(countedIn('prescription.dispense_unit', dispenseUnit), dispensed),
      // a stated duration that cannot be read is not replaced by a computed one
      days_supply: offering(
        from(
          days,
          '%supply.expectedSupplyDuration',
          '%supply.duration',
          'iif((%supply.expectedSupplyDuration | %supply.duration).exists(), {}, %daysSupply)',
        ),
        {
          expression: '%order.dispenseRequest.expectedSupplyDuration | %order.dispenseRequest.initialFill.duration',
          transform: days,
          what: 'the order states it for another quantity',
        },
      ),
      directions,
      dispense_unit: offering(
        from(dispenseUnit, '%supplyUnit.quantity'),
        {
          expression: '%supplyUnit.where(quantity.empty()).unit',
          transform: listedUnit,
          what: 'what the dose or the dose form is counted in',
        },
        {
          expression: '%order.dispenseRequest.initialFill.quantity',
          transform: dispenseUnit,
          what: 'the unit of the first fill',
        },
      ),
      prescription_date: from(datetimeValue, '%order.authoredOn'),
      // if one system has several codes, none is sent, and this is reported
      extra: {
        rxnorm: following(drugCode(systems.rxnorm, drugLeaves), rxnorm),
        ndc: following(drugCode(systems.ndc, drugLeaves), ndc),
        submission_id: from('%submission.id'),
      },
    },
    provider: provider(),
    pharmacy: {
      name: from(text, '%pharmacy.name'),
      address: address('%pharmacyAddress', '%pharmacyCountry'),
    },
    priority: omit('sent only when a person chooses it'),
    mock_result: omit('only for the service’s sandbox'),
  },
  // A required leaf without a value blocks sending. For the other leaves, request-warnings.ts warns if an empty one
  // costs time (phone, days supply, date, fax, RxBIN, RxPCN); the rest may be empty without a warning.
  { advise: advisePriorAuth, roles },
);
