import type { TimingRepeat } from 'fhir/r4.js';
import { anything, type Change, change, type Draft } from '../draft.ts';

const days = 'prescription.days_supply';

/**
 * The days are not stated, so that they can only follow from the timing; what it says may contradict the directions, so
 * it may be asked.
 */
function timing(name: string, about: string, apply: (repeat: TimingRepeat, draft: Draft) => void): Change {
  return change(name, about, 'open', 'supply timing dose', (draft) => {
    if (draft.supply.expectedSupplyDuration === undefined || draft.order.dosageInstruction?.length !== 1)
      return undefined;
    delete draft.supply.expectedSupplyDuration;
    draft.dosage.timing ??= {};
    draft.dosage.timing.repeat ??= {};
    apply(draft.dosage.timing.repeat, draft);
    return { sent: { [days]: anything }, warned: [days] };
  });
}

const once: TimingRepeat = { frequency: 1, period: 1, periodUnit: 'd' };

/** Days supply that may be derived only from a timing that is wholly understood. */
export const timingChanges: readonly Change[] = [
  timing('a dose in the morning and one in the evening', 'V6', (repeat) => {
    Object.assign(repeat, once, { when: ['MORN', 'EVE'] });
  }),
  timing('two hours of the day', 'V6', (repeat) => {
    Object.assign(repeat, once, { timeOfDay: ['08:00:00', '20:00:00'] });
  }),
  timing('the code for twice daily beside once daily', 'V6', (repeat, { dosage }) => {
    Object.assign(repeat, once);
    put(dosage, 'BID');
  }),
  timing('bounds beside the code for once daily', 'V6', (repeat, { dosage }) => {
    for (const key of Object.keys(repeat)) Reflect.deleteProperty(repeat, key);
    repeat.boundsDuration = { value: 5, unit: 'days', code: 'd' };
    put(dosage, 'QD');
  }),
  timing('as needed', 'V6', (repeat, { dosage }) => {
    Object.assign(repeat, once);
    dosage.asNeededBoolean = true;
  }),
  timing('as needed only in the text', 'V6', (repeat, { dosage }) => {
    Object.assign(repeat, once);
    dosage.text = 'Take 1 tablet by mouth daily as needed';
    delete dosage.patientInstruction;
  }),
  timing('one to two only in the text', 'V6', (repeat, { dosage }) => {
    Object.assign(repeat, once);
    dosage.text = 'Take 1 to 2 tablets by mouth daily';
    delete dosage.patientInstruction;
  }),
  timing('two twice daily only in the text', 'V6', (repeat, { dosage }) => {
    Object.assign(repeat, once);
    dosage.text = 'Take 2 tablets by mouth twice daily';
    delete dosage.patientInstruction;
  }),
  timing('a range of times', 'V6', (repeat) => {
    Object.assign(repeat, once, { frequencyMax: 3 });
  }),
  timing('a range of periods', 'V6', (repeat) => {
    Object.assign(repeat, { ...once, period: 4, periodUnit: 'h', periodMax: 6 });
  }),
  timing('days of the week', 'V6', (repeat) => {
    Object.assign(repeat, once, { dayOfWeek: ['mon', 'thu'] });
  }),
  timing('a count of doses', 'V6', (repeat) => {
    Object.assign(repeat, once, { count: 10 });
  }),
  timing('an end of the treatment', 'V6', (repeat) => {
    Object.assign(repeat, once, { boundsPeriod: { start: '2026-11-12', end: '2026-11-19' } });
  }),
  timing('a dose that is a range', 'V6', (_repeat, { dosage }) => {
    dosage.doseAndRate = [{ doseRange: { low: { value: 1, unit: 'tablet' }, high: { value: 2, unit: 'tablet' } } }];
  }),
  timing('a dose with a comparator', 'V6', (_repeat, { dosage }) => {
    const quantity = dosage.doseAndRate?.[0]?.doseQuantity;
    if (quantity !== undefined) quantity.comparator = '<=';
  }),
  timing('a unit of a period that is none', 'V6', (repeat) => {
    Object.assign(repeat, { frequency: 1, period: 1, periodUnit: 'days' });
  }),
];

function put(dosage: Draft['dosage'], code: string): void {
  dosage.timing = {
    ...dosage.timing,
    code: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation', code }] },
  };
}
