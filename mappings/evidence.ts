import {
  type Concat,
  concat,
  each,
  type From,
  firstOf,
  from,
  type OpenRules,
  type Rules,
} from '../src/core/mapping/words/rules.ts';
import {
  derived,
  documentText,
  evidenceQuantity,
  interpretations,
  label,
  range,
  ratio,
  referenceRange,
  respelledSystem,
  resultLabel,
  resultText,
  status,
} from './evidence-values.ts';
import { days, text } from './value-transforms.ts';

/**
 * The content of each kind of evidence. `%evidence` has one node for each finding that is sent, under the name of its
 * kind (`%evidence.test`). `source` refers to the resource that the fields beside it were read from.
 */

const diagnosis = {
  source: from('source'),
  diagnosis: from('name'),
  codes: each('condition.code.coding.where(code.exists())', {
    system: firstOf(from(respelledSystem, '$this'), from('system')),
    code: from('code'),
    display: from('display'),
  }),
  onset: firstOf(
    from('condition.onset.ofType(dateTime)', 'condition.onset.ofType(Period).start'),
    from(text, 'condition.onset.ofType(string)'),
  ),
  recorded: from('condition.recordedDate'),
  status: from(status, 'condition.clinicalStatus'),
  verification: from(status, 'condition.verificationStatus'),
  severity: from(status, 'condition.severity'),
};

/**
 * One drug with its entries, oldest first. The drug's own fields are computed from all its entries; each entry is one
 * resource.
 */
const therapy = {
  drug: from('name'),
  start: from('start'),
  firstOrdered: from('firstOrdered'),
  stop: from('stop'),
  status: from('status'),
  stopReasons: each('stopReasons', from('$this')),
  remark: from(derived, 'remark'),
  daysWithoutSupply: each('daysWithoutSupply', {
    from: from(derived, 'from'),
    to: from(derived, 'to'),
    days: from(derived, 'days'),
  }),
  entries: each('entries', {
    kind: from('kind'),
    product: from('product'),
    status: from('order.status', 'statement.status', 'dispense.status'),
    ordered: from("order.where(intent != 'plan').authoredOn"),
    start: from(
      'order.dosageInstruction[0].timing.repeat.bounds.ofType(Period).start',
      'statement.effective.ofType(Period).start',
      'statement.effective.ofType(dateTime)',
    ),
    stop: from(
      'order.dosageInstruction[0].timing.repeat.bounds.ofType(Period).end',
      'statement.effective.ofType(Period).end',
    ),
    handedOver: from('dispense.whenHandedOver', 'dispense.whenPrepared'),
    reported: from('statement.dateAsserted', "order.where(intent = 'plan').authoredOn"),
    reasons: concat(
      each('order.statusReason', from(label, '$this')),
      each('statement.statusReason', from(label, '$this')),
    ),
    directions: from(
      text,
      'order.dosageInstruction[0].patientInstruction',
      'order.dosageInstruction[0].text',
      'statement.dosage[0].patientInstruction',
      'statement.dosage[0].text',
    ),
    quantity: from(evidenceQuantity, 'order.dispenseRequest.quantity', 'dispense.quantity'),
    daysSupply: from(days, 'order.dispenseRequest.expectedSupplyDuration', 'dispense.daysSupply'),
    source: from('source'),
  }),
};

/** An intolerance of the patient, with its reactions: `reactions: ['Rash (severe)']`. */
const allergy = {
  source: from('source'),
  substance: from('name'),
  type: from('allergy.type'),
  criticality: from('allergy.criticality'),
  verification: from(status, 'allergy.verificationStatus'),
  onset: from('allergy.onset.ofType(dateTime)'),
  reactions: each('reactions', from('$this')),
};

/** `holder` is the path of the Observation or component, with its dot. */
function value(holder: string): From<unknown> {
  const typed = (type: string) => `${holder}value.ofType(${type})`;
  return firstOf<unknown>(
    from(evidenceQuantity, typed('Quantity')),
    from(range, typed('Range')),
    from(ratio, typed('Ratio')),
    from(resultText, typed('string')),
    from(resultLabel, typed('CodeableConcept')),
    from(typed('boolean'), typed('integer'), typed('dateTime')),
  );
}

/** One test with its newest results, newest first. */
const test = {
  test: from('name'),
  results: each('results', {
    date: from(
      'observation.effective.ofType(dateTime)',
      'observation.effective.ofType(Period).end',
      'observation.effective.ofType(Period).start',
      'observation.effective.ofType(instant)',
    ),
    test: from(label, 'observation.code'),
    loinc: from('observation.code.coding.where(system = %loinc).code'),
    value: value('observation.'),
    components: each('components', { test: firstOf(from(label, 'code'), from("'unnamed'")), value: value('') }),
    interpretation: from(interpretations, 'observation.where(interpretation.exists())'),
    referenceRange: from(referenceRange, 'observation.referenceRange[0]'),
    status: from("observation.status.where($this != 'final')"),
    source: from('source'),
  }),
};

const note = {
  source: from('source'),
  kind: from('name'),
  date: from(
    'document.date',
    'document.context.period.start',
    'report.effective.ofType(dateTime)',
    'report.effective.ofType(Period).start',
    'report.issued',
  ),
  authors: concat(
    each('document.author.display', from(text, '$this')),
    each('report.performer.display', from(text, '$this')),
  ),
  conclusion: from(text, 'report.conclusion'),
  text: from(documentText, 'text'),
  shortened: from('shortened'),
  remark: from('remark'),
};

/**
 * The items of a request, in display order: diagnoses, therapies, allergies, tests, notes. `itemOf` adds the item's
 * other fields (title or type, date) to a content. Paths in `itemOf` start at the finding.
 *
 * @example evidence: evidence((content) => ({ title: from('title'), date_created: from(datetime, 'date'), content }))
 */
export function evidence<Item>(itemOf: (content: OpenRules) => Rules<Item>): Concat<Item> {
  return concat(...findings(itemOf), each('%evidence.note', itemOf(note)));
}

/** Like `evidence`, but a note that is a single PDF uses the rules of `pdf` and comes after the text notes. */
export function evidenceWithPdf<Item>(itemOf: (content: OpenRules) => Rules<Item>, pdf: Rules<Item>): Concat<Item> {
  return concat(
    ...findings(itemOf),
    each('%evidence.note.where(pdf.empty())', itemOf(note)),
    each('%evidence.note.where(pdf.exists())', pdf),
  );
}

function findings<Item>(itemOf: (content: OpenRules) => Rules<Item>) {
  return [
    each('%evidence.diagnosis', itemOf(diagnosis)),
    each('%evidence.therapy', itemOf(therapy)),
    each('%evidence.allergy', itemOf(allergy)),
    each('%evidence.test', itemOf(test)),
  ] as const;
}
