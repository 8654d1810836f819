// A mapping of one's own: which patients a nurse calls today about an order that waits.
import {
  byTable,
  defineMapping,
  defineRoles,
  ended,
  from,
  given,
  leave,
  oneOf,
  pick,
  type Table,
  uses,
} from 'prior-auth-bridge';
import { phone, text } from 'prior-auth-bridge/mappings';
import { z } from 'zod';

const days = ['today', 'this week'] as const;

const Call = z.strictObject({
  patient: z.string(),
  phone: z.string().optional(),
  drug: z.string(),
  day: z.enum(days),
});

// Which resources a call is made of. A phone number that is no longer in use is none, and of two that are equally good
// neither is dialed.
export const callRoles = defineRoles(
  'call-roles',
  {
    patient: given('Patient'),
    order: given('MedicationRequest', {
      unless: [oneOf('status', ['active', 'on-hold'], 'it is {status|without a status}')],
      refused: { severity: 'blocks', reason: 'invalid', message: 'This order cannot be called about: {reason}.' },
      label: ['medication.text'],
    }),
    phone: pick(['ContactPoint'], ['%patient.telecom'], {
      unless: [oneOf('system', ['phone'], 'it is no phone'), ended('period', 'it ended on {period.end}')],
      prefer: [uses('mobile', 'home')],
      same: ['value'],
      tie: leave('The patient has several phone numbers of the same standing; none is dialed.'),
    }),
  },
  { isSensitive: () => false, tellsSensitive: () => false },
);

// Which day the priority of an order means. What has no row is a gap that a person fills.
const dayTable: Table<(typeof days)[number]> = {
  name: 'day of the call',
  list: days,
  rows: { today: ['stat', 'asap', 'urgent'], 'this week': ['routine'] },
};
const day = byTable('day of the call', dayTable, (value) => (typeof value === 'string' ? [value] : []));

export const call = defineMapping(
  'call',
  Call,
  {
    patient: from(text, '%patient.name.family'),
    phone: from(phone, '%phone.value'),
    drug: from(text, '%order.medication.text'),
    day: from(day, '%order.priority'),
  },
  { roles: callRoles },
);
