// A mapping case: the result of one order beside what was worked out for it by hand.
import { type CaseExpectation, compareCase, mapChart } from 'prior-auth-bridge';
import bundle from './bundle.json' with { type: 'json' };
import { call, callRoles } from './own-mapping.ts';

const expectation: CaseExpectation = {
  body: {
    patient: 'Example',
    phone: '555-010-0102',
    drug: 'adalimumab 40 mg/0.4 mL auto-injector',
    day: 'today',
  },
  gaps: [],
  sources: {
    phone: { kind: 'chart', resource: 'Patient/p1', path: 'Patient.telecom[1].value' },
  },
};

const { orders } = mapChart(bundle, {
  mapping: call,
  roles: callRoles,
  now: new Date('2026-11-21T15:00:00Z'),
  order: 'MedicationRequest/m1',
});
for (const { order, result } of orders) {
  const differences = result === undefined ? [] : compareCase(result, expectation);
  console.log(order, differences.length === 0 ? 'is as expected' : differences);
}
