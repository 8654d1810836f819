import { CreateCodedPriorAuthRequest } from '../src/core/contract/current.ts';
import { systems } from '../src/core/fhir/codes/systems.ts';
import { extendMapping } from '../src/core/mapping/words/define.ts';
import { following, from, omit } from '../src/core/mapping/words/rules.ts';
import { drugCode } from './drug-codes.ts';
import { priorAuthCurrent, wholeDispensed } from './prior-auth-current.ts';
import { countedIn } from './quantity-unit-change.ts';
import { adviseCurrentPriorAuth } from './request-warnings.ts';
import { drugName, ndc, rxnorm, strength } from './shared-rules.ts';
import { quantityUnit } from './tables.ts';

const drugLeaves = { name: 'prescription.extra.drug_name', strength: 'prescription.extra.strength' };

/**
 * The request of the profile `current` that identifies the drug by its NDC. The drug's name and strength go into
 * `extra`: their sources still have to agree, and the NDC is dropped when a person changes them.
 *
 * @example const result = runMapping(priorAuthCoded, chart);
 */
export const priorAuthCoded = extendMapping(
  priorAuthCurrent,
  'prior-auth-coded',
  CreateCodedPriorAuthRequest,
  {
    prescription: {
      ndc: following(drugCode(systems.ndc, drugLeaves), ndc),
      quantity: following(countedIn('prescription.quantity_unit_of_measure', quantityUnit), wholeDispensed),
      quantity_unit_of_measure: from(quantityUnit, '%supplyUnit.quantity'),
      extra: {
        drug_name: drugName,
        strength,
        rxnorm: following(drugCode(systems.rxnorm, drugLeaves), rxnorm),
        ndc: omit('it is the NDC of the prescription'),
      },
    },
  },
  { advise: adviseCurrentPriorAuth },
);
