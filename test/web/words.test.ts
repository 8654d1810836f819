import { expect, test } from 'vitest';
import { nextStepText } from '../../src/web/pages/case/words.ts';
import { kindPages } from '../../src/web/request/kind-pages.ts';
import { summaryOf } from '../../src/web/request/section-summary.ts';

const prescription = kindPages['prior-auth'].sections.find(({ id }) => id === 'prescription')!;

test.each([
  [{ quantity: 30, unit: 'capsule', days: 30 }, '30 capsules for 30 days'],
  [{ quantity: 1, unit: 'patch', days: 1 }, '1 patch for 1 day'],
  [{ quantity: 4, unit: 'patch', days: 28 }, '4 patches for 28 days'],
  [{ quantity: 2, unit: 'pen box', days: 28 }, '2 pen box for 28 days'],
])(
  'a quantity is said as people say it, a unit off the list as it was written: %j',
  ({ quantity, unit, days }, said) => {
    const values = new Map<string, string | number>([
      ['prescription.quantity', quantity],
      ['prescription.dispense_unit', unit],
      ['prescription.days_supply', days],
    ]);
    expect(summaryOf(prescription, values)).toContain(said);
  },
);

test('what the service advises after a denial is a sentence; an unknown word stays', () => {
  expect(nextStepText('alternative', true)).toBe('choose another drug');
  expect(nextStepText('Appeal', true)).toBe('appeal the decision');
  expect(nextStepText('peer_to_peer', true)).toBe('peer to peer');
});
