import type { MedicationRequest } from 'fhir/r4.js';
import { type Change, change, put } from '../draft.ts';

/** The order is no candidate, or not wholly understood. */
function refused(name: string, about: string, rest: object): Change {
  return change(name, about, 'asks', 'orderStatus', ({ order }) => {
    Object.assign(order, rest);
    return {};
  });
}

/** An element of another form than FHIR R4 gives it; `touches` as in a change, or the element alone. */
function misshapen(
  name: string,
  verdict: Change['verdict'],
  [holder, key]: readonly ['order' | 'supply' | 'patient' | 'coverage' | 'practitioner' | 'drug', string],
  value: unknown,
  touches = key,
): Change {
  return change(name, 'R3', verdict, touches, (draft) => {
    put(draft[holder], key, value);
    return {};
  });
}

const unknown = [{ url: 'http://example.org/not-what-it-seems', valueBoolean: true }];

/** What the order itself says, and elements of another form than FHIR gives them. */
export const orderChanges: readonly Change[] = [
  refused('a stopped order', 'D14', { status: 'stopped' }),
  refused('a draft', 'S33', { status: 'draft' }),
  refused('an order on hold', 'D14', { status: 'on-hold' }),
  refused('an order entered in error', 'D14', { status: 'entered-in-error' }),
  refused('a plan', 'D14', { intent: 'plan' }),
  refused('a proposal', 'D14', { intent: 'proposal' }),
  refused('an instance of an order', 'V15', { intent: 'instance-order' }),
  refused('an order not to give', 'D14', { doNotPerform: true }),
  refused('a reported order', 'D14', { reportedBoolean: true }),
  refused('an unknown modifier extension', 'V15', { modifierExtension: unknown }),
  refused('a status of another form', 'R3', { status: ['active'] }),
  refused('an intent of another form', 'R3', { intent: { code: 'order' } }),
  refused('a doNotPerform of another form', 'R3', { doNotPerform: 'true' }),
  change('prescribed in the future', 'V15', 'open', 'authoredOn', ({ order }) => {
    order.authoredOn = '2031-01-01';
    return { told: /future|date/i };
  }),
  change('prescribed on a day alone', 'D', 'agrees', 'authoredOn', ({ order }) => {
    order.authoredOn = '2026-11-10';
    return { sent: { 'prescription.prescription_date': '2026-11-10T00:00:00.000000' } };
  }),
  change('prescribed in a month', 'D', 'agrees', 'authoredOn', ({ order }) => {
    order.authoredOn = '2026-11';
    return { sent: { 'prescription.prescription_date': undefined }, warned: ['prescription.prescription_date'] };
  }),
  change('a note that nobody asks for', 'D', 'agrees', 'note', ({ order }) => {
    order.note = [{ text: 'Patient prefers mornings' }];
    return {};
  }),
  change('an unknown modifier extension of the dose', 'V15', 'open', 'dosageModifier', ({ dosage }) => {
    put(dosage, 'modifierExtension', unknown);
    return {};
  }),
  change('an unknown modifier extension of the patient', 'V15', 'open', 'patientModifier', ({ patient }) => {
    put(patient, 'modifierExtension', unknown);
    return {};
  }),
  change('an older version of the order beside', 'D', 'agrees', 'versions', ({ entries, order }) => {
    const older: MedicationRequest = {
      ...structuredClone(order),
      meta: { versionId: '1', lastUpdated: '2020-01-01T00:00:00Z' },
    };
    order.meta = { versionId: '2', lastUpdated: '2026-11-12T00:00:00Z' };
    older.dosageInstruction = [{ text: 'CANARY of an older version' }];
    entries.unshift({ resource: older });
    return {};
  }),
  misshapen('a note that is a word', 'agrees', ['order', 'note'], 'x'),
  misshapen('a reference of the encounter that is a number', 'open', ['order', 'encounter'], 7, 'reason'),
  misshapen(
    'instructions that are no list',
    'open',
    ['order', 'dosageInstruction'],
    { text: 'Take 1' },
    'dose timing route supply',
  ),
  misshapen(
    'a dispense request that is a list',
    'open',
    ['order', 'dispenseRequest'],
    [{ quantity: { value: 1 } }],
    'supply timing refills',
  ),
  misshapen(
    'a quantity that is a text',
    'open',
    ['supply', 'quantity'],
    { value: '60', unit: 'tablet' },
    'supply timing',
  ),
  misshapen('names that are no list', 'open', ['patient', 'name'], { family: 'One' }),
  misshapen('names that hold nothing', 'open', ['patient', 'name'], [null]),
  misshapen('a contact that is a word', 'open', ['patient', 'telecom'], 'x'),
  misshapen(
    'a use of an address that is a list',
    'open',
    ['patient', 'address'],
    [{ use: ['old'], line: ['1 Old Road'], city: 'X', state: 'IL', postalCode: '62701' }],
  ),
  misshapen('languages that are a number', 'agrees', ['patient', 'communication'], 7, 'extras'),
  misshapen('a link of another form', 'agrees', ['patient', 'link'], 'x'),
  misshapen('an active of another form', 'open', ['patient', 'active'], 'yes'),
  misshapen('a deceased of another form', 'open', ['patient', 'deceasedBoolean'], 'yes', 'deceased'),
  misshapen('a security label that is nothing', 'agrees', ['patient', 'meta'], { security: [null] }),
  misshapen('classes that are no list', 'open', ['coverage', 'class'], { value: '1' }),
  misshapen('a class that is nothing', 'open', ['coverage', 'class'], [null]),
  misshapen('a period of another form', 'open', ['coverage', 'period'], '2026', 'period coverages class'),
  misshapen('a coverage status of another form', 'open', ['coverage', 'status'], ['active'], 'coverages class'),
  misshapen('a name of the prescriber that is a word', 'open', ['practitioner', 'name'], 'Osei', 'prescriberName'),
  misshapen('codings that hold a number', 'open', ['drug', 'coding'], [7], 'drug route'),
];
