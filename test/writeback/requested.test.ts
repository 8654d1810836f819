import { expect, test } from 'vitest';
import { requestedOf } from '../../src/writeback/resources/requested.ts';
import { codedBody, currentBody, priorAuthBody } from '../service/sample.ts';

const coded = (extra: object, more: object = {}) => {
  const body = codedBody();
  return { ...body, prescription: { ...body.prescription, ...more, extra } };
};

test.each([
  ['documented', priorAuthBody(), 'Oxaprozin 40 mg/0.4 mL, 2 pack, 28 days supply'],
  ['current', currentBody(), 'Oxaprozin 40 mg/0.4 mL, 2, 28 days supply'],
  [
    'current, the drug by its NDC',
    coded({ drug_name: 'Humira', strength: '40 MG/0.4 ML' }),
    'Humira 40 MG/0.4 ML, 2, 28 days supply',
  ],
  [
    'coded, with neither quantity nor days',
    coded({}, { quantity: undefined, days_supply: undefined }),
    'NDC 00074-0554-02',
  ],
  ['current, the drug by its NDC alone', coded({}), 'NDC 00074-0554-02, 2, 28 days supply'],
])('the summary in the chart says what was asked for: %s', (_, body, prescription) => {
  expect(requestedOf({ body })).toMatchObject({ prescription, prescriber: 'Ada Muster', payer: 'Invented Health' });
});

test('a record that names the drug by its NDC alone leaves the words to what was sent', () => {
  const body = coded({ drug_name: 'Humira', strength: '40 MG/0.4 ML' });
  const record = { id: 'pa_1', status: 'completed', prescription: { quantity: 2 } };
  expect(requestedOf({ record, body }).prescription).toBe('Humira 40 MG/0.4 ML, 2, 28 days supply');
});
