import { getDocumentProxy } from 'unpdf';
import { describe, expect, test, vi } from 'vitest';
import type { BenefitVerification } from '../../src/core/contract/benefit-verification.ts';
import { letterVersion } from '../../src/writeback/case-facts.ts';
import { letterOf, letterText, renderLetter } from '../../src/writeback/resources/letter.ts';
import { drawFact, newPdf } from '../../src/writeback/resources/pdf.ts';
import { aCase, approval, at, caseId, denial } from './support.ts';

const created = new Date('2026-11-21T10:00:00Z');

test('a denial tells result, reasons, next steps, numbers and who stands behind it', () => {
  const text = letterText(letterOf(aCase({ ...at('completed', denial), endedAt: '2026-11-21T09:30:00.000Z' })));
  expect(text.split('\n')).toEqual([
    'Prior authorization outcome: Denied: step therapy criteria not met',
    '',
    'Patient: Testa Sample',
    'Date of birth: Feb 3, 1980',
    'Medical record number: MRN-1',
    'Medication: adalimumab 40 MG prefilled syringe',
    'Result: Denied',
    'Reason: Step Therapy Criteria Not Met',
    'Sent: Nov 20, 2026 (UTC)',
    'Finished: Nov 21, 2026 (UTC)',
    'Reference at the service: pa_1',
    'Order in the chart: MedicationRequest/m1',
    '',
    'Next step',
    'Read the payer’s reasons; appeal, send a new request with what was missing, or choose another drug.',
    '',
    'Why it was denied',
    'step therapy',
    'A trial of another drug is required.',
    '',
    'What the service suggests',
    'Appeal',
    'Attach the history.',
    '',
    'Written by prior-auth-bridge on behalf of Dr. Deva Loper from the record of the prior authorization ' +
      'service. It was not reviewed by a clinician.',
    `For IT support: case ${caseId}, reason code step_therapy_criteria_not_met.`,
  ]);
});

const prescription = {
  drug_name: 'Humira',
  strength: '40 mg/0.4 mL',
  quantity: 2,
  dispense_unit: 'prefilled_syringe',
  days_supply: 28,
};

test('an approval tells which request was approved and until when', () => {
  const facts = letterOf(aCase(at('completed', { ...approval, prescription }))).facts;
  expect(facts).toContainEqual(['Approved request', 'Humira 40 mg/0.4 mL, 2 prefilled syringe, 28 days supply']);
  expect(facts).toContainEqual(['Authorized from', 'Nov 21, 2026']);
  expect(facts).toContainEqual(['Authorized until', 'Nov 20, 2027']);
});

describe('the next step of an approval', () => {
  const approvedOtherwise = ['quantity 15 (ordered 30)', 'days of supply 28'];
  const approved = aCase(at('completed', { ...approval, prescription }));
  const nextOf = (facts: typeof approved) =>
    letterOf(facts).sections.find(({ heading }) => heading === 'Next step')?.paragraphs[1];

  test('is to compare it with the order where the record says nothing else', () => {
    expect(nextOf(approved)).toBe(
      'Compare quantity, days of supply and strength with the order: the payer’s own letter counts.',
    );
  });

  test('names what was approved otherwise than ordered', () => {
    expect(nextOf({ ...approved, approvedOtherwise })).toBe(
      'Approved, not as ordered: quantity 15 (ordered 30); days of supply 28. The payer’s own letter counts.',
    );
  });

  test('belongs to another version of the letter', () => {
    const [as, otherwise] = [approved, { ...approved, approvedOtherwise }].map(letterVersion);
    expect(otherwise).not.toBe(as);
    expect(letterVersion({ ...approved, approvedOtherwise: ['quantity 20 (ordered 30)'] })).not.toBe(otherwise);
  });
});

test('a denial tells what was requested, and approves nothing', () => {
  const facts = letterOf(aCase(at('completed', { ...denial, prescription }))).facts;
  expect(facts).toContainEqual(['Requested', 'Humira 40 mg/0.4 mL, 2 prefilled syringe, 28 days supply']);
  expect(facts.map(([label]) => label)).not.toContain('Approved request');
});

test('a date that is no calendar date is told as the service wrote it', () => {
  const outcome = { ...approval.outcome, authorization_expiration: 'end of plan year' };
  expect(letterOf(aCase(at('completed', { outcome }))).facts).toContainEqual(['Authorized until', 'end of plan year']);
});

describe('prescriber, payer and plan', () => {
  const said = (facts: Parameters<typeof aCase>[0]) =>
    letterOf(aCase(facts)).facts.filter(([label]) =>
      ['Prescriber', 'Payer', 'Plan', 'Approved request'].includes(label),
    );
  const sent = {
    provider: { first_name: 'Ines', last_name: 'Quill', npi: '1234567893' },
    prescription: { drug_name: 'Humira', strength: '40 mg', quantity: 2 },
    insurance_content: { payer_name: 'Sample Health', plan_name: 'Silver', member_number: 'M-1' },
  };

  test('come from the record', () => {
    const record = {
      ...approval,
      provider: { first_name: 'Deva', last_name: 'Loper' },
      insurance: [
        {
          scanned_content: { payer_name: 'As scanned' },
          discrete_content: { payer_name: 'Northern Rx', plan_name: 'Gold PPO' },
        },
      ],
    };
    expect(said({ ...at('completed', record), body: sent })).toEqual([
      ['Prescriber', 'Deva Loper'],
      ['Payer', 'Northern Rx'],
      ['Plan', 'Gold PPO'],
      ['Approved request', 'Humira 40 mg, 2'],
    ]);
  });

  test('come from what was sent where the record is silent', () => {
    expect(
      said({
        ...at('completed', {
          ...approval,
          insurance: [{ scanned_content: { payer_name: 'As scanned' }, discrete_content: {} }],
        }),
        body: sent,
      }),
    ).toEqual([
      ['Prescriber', 'Ines Quill'],
      ['Payer', 'Sample Health'],
      ['Plan', 'Silver'],
      ['Approved request', 'Humira 40 mg, 2'],
    ]);
  });

  test('come from the card where nothing else says them; payer and plan are never of two insurances', () => {
    const insurance = [
      { scanned_content: { payer_name: 'As scanned' }, discrete_content: {} },
      { scanned_content: { plan_name: 'Of another card' } },
    ];
    expect(said(at('completed', { ...approval, insurance }))).toEqual([['Payer', 'As scanned']]);
  });

  test('are left out where nobody says them', () => {
    expect(said(at('completed', approval))).toEqual([]);
    expect(said({ ...at('completed', approval), body: 'no object' })).toEqual([]);
  });
});

test('as a PDF, its parts stand apart: the facts from the headline, each section from what is before it', async () => {
  const bytes = await renderLetter(letterOf(aCase(at('completed', denial))), created);
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
  const { items } = await page.getTextContent();
  // from the bottom of the page, in points
  const heights = new Map(items.flatMap((item) => ('str' in item ? [[item.str, Number(item.transform[5])]] : [])));
  const between = (above: string, below: string) => (heights.get(above) ?? 0) - (heights.get(below) ?? 0);
  const beginning = (start: string) => [...heights.keys()].find((text) => text.startsWith(start)) ?? '';
  const [headline, patient, born] = ['Denied:', 'Patient', 'Date of birth'].map(beginning) as [string, string, string];
  const line = between(patient, born);
  expect(line).toBeGreaterThan(10);
  expect(between(headline, patient)).toBeGreaterThan(1.5 * line);
  expect(between(beginning('Order in the chart'), 'Next step')).toBeGreaterThan(1.5 * line);
});

test.each(['processing', 'awaiting_outcome', 'validating_outcome', 'not_submitted', 'cancelled', 'tomorrow'])(
  'at %s there is no letter',
  (status) => {
    expect(() => letterOf(aCase(at(status, denial)))).toThrow(expect.objectContaining({ code: 'case_not_ready' }));
  },
);

test('the PDF carries names outside Latin-1 and is the same bytes for the same content', async () => {
  const letter = letterOf(aCase({ ...at('completed', denial), banner: { name: 'Łucja Žáková Δημου' } }));
  const [first, second] = await Promise.all([renderLetter(letter, created), renderLetter(letter, created)]);
  expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-');
  expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  expect(Buffer.from(first).toString('latin1')).toContain('/MarkInfo');
});

test('a label ends before its value begins, however long it is', async () => {
  const { pdf, done } = newPdf('A letter', created);
  const drawn = vi.spyOn(pdf, 'text');
  drawFact(pdf, 'The number by which the payer knows this request', 'A-1');
  pdf.end();
  await done;
  const [label, value] = drawn.mock.calls as unknown as [string, number, number, { width: number }][];
  expect((label?.[1] ?? 0) + (label?.[3].width ?? 0)).toBeLessThan(value?.[1] ?? 0);
});

test.each([
  ['an ordinary letter stands on one page', 1, 1],
  ['a letter of eight thousand characters goes on over two more', 340, 3],
])('%s', async (_, times, pages) => {
  const explanation = 'The plan asks for more. '.repeat(times);
  const pdf = await renderLetter(
    letterOf(aCase(at('completed', { ...denial, denial_reason_analysis: { explanation } }))),
    created,
  );
  const drawn = Buffer.from(pdf).toString('latin1');
  expect(drawn.match(/\/Type \/Page\b/g)).toHaveLength(pages);
});

test('a benefit verification tells what the plan said, and that it promises nothing', () => {
  const record: BenefitVerification = {
    id: 'bv_1',
    status: 'completed',
    patient_coverage_status: 'covered',
    provider: { first_name: 'Deva', last_name: 'Loper' },
    drugs: [
      {
        name: 'Humira',
        dosage: '40 mg/0.4 mL',
        quantity: 2,
        coverage: 'covered',
        prior_authorization_required: 'yes',
        copay_options: [{ amount_cents: 3500, supply_duration_days: 30 }],
      },
    ],
  };
  const facts = aCase({ ...at('completed'), kind: 'benefit-verification', serviceId: 'bv_1', record });
  expect(letterText(letterOf(facts)).split('\n')).toEqual([
    'Benefit verification: Covered: prior authorization required',
    '',
    'Patient: Testa Sample',
    'Date of birth: Feb 3, 1980',
    'Medical record number: MRN-1',
    'Medication: adalimumab 40 MG prefilled syringe',
    'Prescriber: Deva Loper',
    'Asked for: Humira 40 mg/0.4 mL, 2',
    'Patient’s coverage: Covered',
    'Coverage: Covered',
    'Prior authorization: Required',
    'Copay: $35.00 for 30 days',
    'Sent: Nov 20, 2026 (UTC)',
    'Reference at the service: bv_1',
    'Order in the chart: MedicationRequest/m1',
    '',
    'Next step',
    'Start the prior authorization.',
    '',
    'What this is',
    'What the plan said when it was asked. It is no decision on a claim and no promise of payment.',
    '',
    'Written by prior-auth-bridge on behalf of Dr. Deva Loper from the record of the prior authorization ' +
      'service. It was not reviewed by a clinician.',
    `For IT support: case ${caseId}.`,
  ]);
});

test('a benefit verification that failed tells the reason and its code', () => {
  const record: BenefitVerification = {
    id: 'bv_1',
    status: 'failed',
    error: { code: 'Invalid Member ID', message: 'No such member.', detail_code: 'member_not_found' },
  };
  const facts = aCase({ ...at('failed'), kind: 'benefit-verification', serviceId: 'bv_1', record });
  const lines = letterText(letterOf(facts)).split('\n');
  expect(lines[0]).toBe('Benefit verification: Benefits not verified: Invalid Member ID');
  expect(lines.filter((line) => line.startsWith('Reason'))).toEqual(['Reason: No such member.']);
  expect(lines.at(-1)).toBe(`For IT support: case ${caseId}, reason code member_not_found.`);
});
