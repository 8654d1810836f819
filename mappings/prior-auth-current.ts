import { CreatePriorAuthRequest } from '../src/core/contract/current.ts';
import { extendMapping } from '../src/core/mapping/words/define.ts';
import { from, offering, omit } from '../src/core/mapping/words/rules.ts';
import { evidenceWithPdf } from './evidence.ts';
import { priorAuth } from './prior-auth.ts';
import { adviseCurrentPriorAuth } from './request-warnings.ts';
import { otherQuantities } from './shared-rules.ts';
import { base64Value, datetimeValue, identifier, text, wholeQuantity } from './value-transforms.ts';

type EvidenceEntry = NonNullable<CreatePriorAuthRequest['evidence']>[number];

const heading = { title: from(text, 'title'), date_created: from(datetimeValue, 'date') };

const byPerson = 'sent only when a person enters it';

export const wholeDispensed = offering(
  from(wholeQuantity, '%supply.quantity.where(comparator.empty()).value'),
  ...otherQuantities(wholeQuantity),
);

/**
 * CreatePriorAuthRequest of the profile `current`: only the differences from the interface document's request. What its
 * contract requires blocks sending when missing: quantity as a whole number, days supply, prescription date, form and
 * route of the closed lists, and at least part of the prescriber's address.
 *
 * @example const result = runMapping(priorAuthCurrent, chart);
 */
export const priorAuthCurrent = extendMapping(
  priorAuth,
  'prior-auth-current',
  CreatePriorAuthRequest,
  {
    evidence: evidenceWithPdf<EvidenceEntry>(
      (content) => ({ ...heading, content, asset: omit('it goes as content') }),
      { ...heading, content: omit('the PDF goes as it is'), asset: { file_content: from(base64Value, 'pdf') } },
    ),
    // Not `internal_id`: its fallback is the FHIR id, which is not a record number.
    patient: { mrn: from(identifier, '%recordNumber.value') },
    prescription: {
      quantity: wholeDispensed,
      expected_length_of_therapy: omit(byPerson),
    },
    questionnaires: omit('the chart’s answers to questionnaires are not read'),
    visit_notes: omit('notes go as evidence, each with its source'),
    resubmission_info: omit(byPerson),
    appeal_details: omit(byPerson),
    ndp_submission: omit('the order is sent, no message of a prescription'),
    trigger_benefit_verification: omit('a benefit verification is a request of its own'),
  },
  { advise: adviseCurrentPriorAuth },
);
