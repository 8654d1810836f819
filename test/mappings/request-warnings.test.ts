import { describe, expect, test } from 'vitest';
import { adviseBenefits, advisePriorAuth } from '../../mappings/request-warnings.ts';
import { priorAuthBody } from '../service/sample.ts';

describe('advice', () => {
  const targets = (body: Parameters<typeof advisePriorAuth>[0]) =>
    advisePriorAuth(body, { today: '2026-11-21', isEntered: () => false }).map(({ target }) => target);

  test('names what is worth a look and does not block', () => {
    expect(targets(priorAuthBody())).toEqual(['patient.phone', 'provider.fax', 'insurance_content.rx_pcn']);
  });

  test('a request of a member number alone: no payer is named; a picture of the card names it', () => {
    const insurance_content = { member_number: 'HL7742019', rx_bin: '012345', rx_pcn: 'A4' };
    const body = priorAuthBody('x', { insurance_content });
    expect(targets(body)).toContain('insurance_content.payer_name');
    expect(targets({ ...body, insurance: [{ file_content: 'AA==' }] })).not.toContain('insurance_content.payer_name');
    const named = { ...body, insurance_content: { ...insurance_content, payer_name: 'Bluestem Mutual' } };
    expect(targets(named)).not.toContain('insurance_content.payer_name');
  });

  test('a fractional quantity, an unspecified code', () => {
    const body = priorAuthBody('x', {
      insurance_content: { payer_name: 'Bluestem Mutual', member_number: '1', rx_bin: '012345', rx_pcn: 'A4' },
      provider: { first_name: 'Ada', last_name: 'Muster', npi: '1234567893', fax: '555-0100' },
      diagnoses: [{ code: 'M05.79' }, { code: 'M06.9' }],
    });
    expect(
      targets({
        ...body,
        patient: { ...body.patient, phone: '555-0101' },
        prescription: { ...body.prescription, quantity: 1.5 },
      }),
    ).toEqual(['prescription.quantity', 'diagnoses[1].code']);
  });

  test.each([
    ['dose_form', 'autoinjector pen'],
    ['route_of_administration', 'under the skin'],
    ['dispense_unit', 'zork'],
  ])('a %s that the service does not list is told, and may go', (key, word) => {
    const body = priorAuthBody();
    expect(targets({ ...body, prescription: { ...body.prescription, [key]: word } })).toContain(`prescription.${key}`);
  });

  test.each([
    ['tablet', 'capsule', true],
    ['tablet', 'milliliter', true],
    ['tablet', 'gram', true],
    ['cream', 'gram', false],
    ['injection', 'tablet', true],
    ['injection', 'milliliter', false],
    ['injection', 'vial', false],
    ['vaginal_tablet', 'tablet', false],
    ['kit', 'tablet', false],
    ['patch', 'patch', false],
    ['cream', 'film', true],
  ])('a %s dispensed in the unit %s contradicts: %s', (dose_form, dispense_unit, contradicts) => {
    const body = priorAuthBody();
    expect(
      targets({ ...body, prescription: { ...body.prescription, dose_form, dispense_unit } }).includes(
        'prescription.dispense_unit',
      ),
    ).toBe(contradicts);
  });

  test.each([
    ['injection', 'subconjunctival', 'Inject 120 mg under the skin once a month', true],
    ['injection', 'intramuscular', 'Inject 120 mg subcutaneously once a month', true],
    ['injection', 'intradermal', 'Inject 0.1 mL', false],
    ['injection', 'subcutaneous', 'Inject 120 mg under the skin. Do not inject into a vein.', false],
    ['injection', 'parenteral', 'Inject 120 mg under the skin', false],
    ['tablet', 'rectal', 'Take 1 tablet by mouth daily', true],
    ['tablet', 'sublingual', 'Dissolve 1 tablet under the tongue', false],
    ['tablet', 'vaginal', 'As directed', false],
    ['tablet', 'subcutaneous', 'As directed', true],
    ['capsule', 'inhalation', 'As directed', false],
    ['injection', 'nasal', 'As directed', true],
    ['injection', 'subconjunctival', 'As directed', false],
    ['cream', 'topical', 'Apply', false],
  ])('%s, %s with the directions “%s” contradicts: %s', (dose_form, route_of_administration, directions, isTold) => {
    const { prescription, ...body } = priorAuthBody();
    const told = targets({
      ...body,
      prescription: { ...prescription, dose_form, route_of_administration, directions },
    });
    expect(told.includes('prescription.route_of_administration')).toBe(isTold);
  });

  test('a draft is advised on whatever shape a person entered', () => {
    const diagnoses = { code: 'I10' } as unknown as { code: string }[];
    expect(targets({ ...priorAuthBody(), diagnoses })).toContain('patient.phone');
  });

  test('an empty draft is advised on too', () => {
    expect(targets({})).toContain('patient.phone');
  });
});

describe('a number that a person has entered and that nobody can dial blocks', () => {
  const body = {
    patient: { phone: '555-01', address: { country: 'USA' } },
    provider: { phone: '555-02', fax: '555-03', address: { country: 'USA' } },
  } as Parameters<typeof adviseBenefits>[0];
  const blockedIn = (advise: typeof adviseBenefits, entered: readonly string[], given = body) =>
    advise(given, { today: '2026-11-21', isEntered: (target) => entered.includes(target) })
      .filter(({ severity }) => severity === 'blocks')
      .map(({ target }) => target);
  const all = ['patient.phone', 'provider.phone', 'provider.fax'];

  test('before a benefit verification', () => {
    expect(blockedIn(adviseBenefits, all)).toEqual(all);
    expect(blockedIn(adviseBenefits, [])).toEqual([]);
    const abroad = { ...body, patient: { phone: '+44 20 7946 0018' } } as typeof body;
    expect(blockedIn(adviseBenefits, ['patient.phone'], abroad)).toEqual([]);
  });

  test.each(all)('before a prior authorization: %s', (target) => {
    expect(blockedIn(advisePriorAuth as typeof adviseBenefits, [target])).toEqual([target]);
  });
});

test('a benefit verification says what makes the plan harder to ask, and nothing where all of it is there', () => {
  const toldOf = (body: Parameters<typeof adviseBenefits>[0]) =>
    adviseBenefits(body, { today: '2026-11-21', isEntered: () => false })
      .map(({ target }) => target)
      .filter((target) => !/phone|fax/.test(target));
  expect(toldOf({})).toEqual(['diagnoses', 'insurance_content.rx_bin', 'insurance_content.payer_name']);
  const plan = { rx_bin: '012345', payer_name: 'Invented Health' };
  expect(toldOf({ diagnoses: [{ code: 'M06.9' }], insurance_content: plan })).toEqual([]);
});
