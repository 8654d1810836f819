import { describe, expect, test } from 'vitest';
import { BenefitVerification } from '../../src/core/contract/benefit-verification.ts';
import { withoutNulls } from '../../src/core/contract/open-contract.ts';
import { benefitErrors, benefitFacts, benefitOutcome, dollars } from '../../src/service/benefits.ts';
import { statusWords } from '../../src/service/status-words.ts';
import { statusRule } from '../../src/service/statuses.ts';

const covered = {
  name: 'Xeljanz',
  coverage: 'covered',
  coverage_detail_code: 'insurer_reported_value',
  prior_authorization_required: 'yes',
  has_active_prior_auth: false,
};

function recordWith(changes: Readonly<Record<string, unknown>>, drug: Readonly<Record<string, unknown>> = {}) {
  const record = {
    id: 'bv_1',
    status: 'completed',
    patient_coverage_status: 'covered',
    drugs: [{ ...covered, ...drug }],
    ...changes,
  };
  return BenefitVerification.parse(withoutNulls(record));
}

describe('what a plan says of a drug', () => {
  test.each([
    [{ prior_authorization_required: 'no' }, 'covered', 'Covered: no prior authorization needed', true],
    [{}, 'covered', 'Covered: prior authorization required', undefined],
    [{ has_active_prior_auth: true }, 'covered', 'Covered: the required prior authorization is active', true],
    [
      { coverage_detail_code: 'quantity_limit_pa_required' },
      'covered',
      'Covered: prior authorization required for this quantity',
      undefined,
    ],
    [{ coverage: 'not_covered' }, 'not_covered', 'Not covered', undefined],
    [
      { coverage: 'not_covered', determination_details: { is_explicit_plan_exclusion: true } },
      'not_covered',
      'Not covered: the plan excludes this drug',
      undefined,
    ],
    [
      { coverage: 'not_covered', determination_details: { is_prior_auth_acting_as_exception_request: true } },
      'not_covered',
      'Covered only with an exception',
      undefined,
    ],
    [
      { coverage: 'not_covered', coverage_detail_code: 'diagnoses_not_covered' },
      'not_covered',
      'Not covered for these diagnoses',
      undefined,
    ],
  ])('%j is %s: %s', (drug, kind, label, isGood) => {
    expect(benefitOutcome(recordWith({}, drug))).toMatchObject({ kind, label });
    expect(benefitOutcome(recordWith({}, drug))?.isGood).toBe(isGood);
  });

  test.each([
    ['an unknown coverage', { coverage: 'covered_in_part' }],
    ['no coverage', { coverage: null }],
    ['an unknown detail of a coverage', { coverage_detail_code: 'covered_on_tuesdays' }],
    ['a detail that contradicts', { coverage_detail_code: 'diagnoses_not_covered' }],
    ['an unknown word for whether a prior authorization is needed', { prior_authorization_required: 'perhaps' }],
    ['none', { prior_authorization_required: null }],
    ['one that does not apply', { prior_authorization_required: 'not_applicable' }],
  ])('%s is for a person, and never said to be covered', (_, drug) => {
    const outcome = benefitOutcome(recordWith({}, drug));
    expect(outcome).toMatchObject({ kind: 'needs_person' });
    expect(outcome?.label).not.toMatch(/^Covered/);
    expect(outcome?.isGood).toBeUndefined();
  });

  test('of several drugs the answer that asks most is the answer of all', () => {
    const drugs = [
      { ...covered, prior_authorization_required: 'no' },
      { ...covered, coverage: 'not_covered' },
    ];
    expect(benefitOutcome(recordWith({ drugs }))).toMatchObject({ kind: 'not_covered' });
    expect(benefitOutcome(recordWith({ drugs: [] }))).toMatchObject({ kind: 'needs_person' });
  });
});

test.each([
  ['coverage_expired', 'not_covered', 'Coverage has ended'],
  ['coverage_not_started', 'not_covered', 'Coverage has not started yet'],
  ['patient_not_found', 'not_covered', 'Member not found by the plan'],
  ['patient_not_covered_unspecified', 'not_covered', 'The patient is not covered'],
  ['human_unable_to_answer', 'needs_person', 'Needs your review: what the plan covers is unclear'],
  ['missing_from_transcript', 'needs_person', 'Needs your review: what the plan covers is unclear'],
  ['unknown', 'needs_person', 'Needs your review: what the plan covers is unclear'],
  ['covered_somehow', 'needs_person', 'Needs your review: what the plan covers is unclear'],
  [undefined, 'needs_person', 'Needs your review: what the plan covers is unclear'],
])('a patient who is %s: %s, whatever is said of the drug', (patient_coverage_status, kind, label) => {
  expect(benefitOutcome(recordWith({ patient_coverage_status }, { prior_authorization_required: 'no' }))).toMatchObject(
    {
      kind,
      label,
    },
  );
});

describe('a verification that failed', () => {
  test.each(Object.entries(benefitErrors))('says what to do about %s', (code, next) => {
    const error = { title: code, code, message: 'As it was.' };
    expect(benefitOutcome(recordWith({ status: 'failed', error }))).toEqual({
      kind: 'needs_person',
      label: `Benefits not verified: ${code}`,
      next,
      result: code,
      detail: 'As it was.',
      detailCode: code,
    });
  });

  test('keeps a code that nobody knows, and never shows what the record says of coverage', () => {
    const error = { code: 'Carrier Pigeon Lost', detail_code: 'storm', detail_message: 'It rained.' };
    expect(benefitOutcome(recordWith({ status: 'failed', error }))).toEqual({
      kind: 'needs_person',
      label: 'Benefits not verified: Carrier Pigeon Lost',
      next: 'Open the service or call the plan.',
      result: 'Carrier Pigeon Lost',
      detail: 'It rained.',
      detailCode: 'storm',
    });
  });

  test('without an error says only that it failed', () => {
    expect(benefitOutcome(recordWith({ status: 'failed' }))).toEqual({
      kind: 'needs_person',
      label: 'Benefits not verified',
      next: 'Open the service or call the plan.',
    });
  });
});

test.each(['pending', 'cancelled', 'escalated'])('%s says nothing of what the plan covers', (status) => {
  expect(benefitOutcome(recordWith({ status }))).toBeUndefined();
  expect(benefitFacts(recordWith({ status }))).toEqual([]);
});

test('a status that nobody knows is not finished and is shown as one, by its own word', () => {
  expect(statusRule('benefit-verification', 'awaiting_moon')).toMatchObject({ terminal: false, shows: 'none' });
  expect(statusWords('benefit-verification', 'awaiting_moon').label).toBe('Unknown status: “awaiting moon”');
  expect(statusRule('benefit-verification', 'toString')).toMatchObject({ terminal: false });
});

describe('the lines of an answer', () => {
  test('stand as the record has them, amounts in dollars', () => {
    const record = recordWith(
      { pharmacy_benefit_manager_name: 'Evergreen Rx', patient_plan_fund_source: 'government' },
      {
        copay_options: [
          { amount_cents: 3500, supply_duration_days: 30 },
          { amount_cents: 9005, supply_duration_days: 90 },
        ],
        determination_details: { is_on_formulary: true, is_explicit_plan_exclusion: false },
      },
    );
    expect(benefitFacts(record)).toEqual([
      ['Patient’s coverage', 'Covered'],
      ['Coverage', 'Covered'],
      ['Prior authorization', 'Required'],
      ['Active prior authorization', 'No'],
      ['Copay', '$35.00 for 30 days, $90.05 for 90 days'],
      ['On the formulary', 'Yes'],
      ['Pharmacy benefit manager', 'Evergreen Rx'],
      ['Plan paid by', 'Government'],
    ]);
  });

  test('show a word that nobody knows as it came', () => {
    expect(benefitFacts(recordWith({ patient_plan_fund_source: 'lottery' }))).toContainEqual([
      'Plan paid by',
      '“lottery” (not known to this app)',
    ]);
  });

  test.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [100, '$1.00'],
    [123_456, '$1234.56'],
    [12.5, '12.5 cents'],
    [-100, '-100 cents'],
  ])('write %s cents as %s', (cents, text) => {
    expect(dollars(cents)).toBe(text);
  });
});

test('reading keeps what is not known, and one odd field hides nothing', () => {
  const record = recordWith({ drugs: [{ ...covered, coverage: 7, moon_phase: 'full' }], carrier: { pigeons: 2 } });
  expect(record).toMatchObject({ carrier: { pigeons: 2 }, drugs: [{ name: 'Xeljanz', moon_phase: 'full' }] });
  expect(benefitOutcome(record)).toMatchObject({ kind: 'needs_person' });
});
