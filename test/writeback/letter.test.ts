import { expect, test } from 'vitest';
import { letterOf, letterText, renderLetter } from '../../src/writeback/letter.ts';
import { anItem, approval, at, caseId, denial } from './desk.ts';

const created = new Date('2026-11-21T10:00:00Z');

test('a denial tells result, reasons, next steps, numbers and who stands behind it', () => {
  const text = letterText(letterOf(anItem({ ...at('completed', denial), endedAt: '2026-11-21T09:30:00.000Z' })));
  expect(text.split('\n')).toEqual([
    'Prior authorization outcome: Denied: step therapy criteria not met',
    '',
    'Patient: Testa Sample',
    'Date of birth: 1980-02-03',
    'Medical record number: MRN-1',
    'Medication: adalimumab 40 MG prefilled syringe',
    'Result: Denied',
    'Reason: Step Therapy Criteria Not Met',
    'Reason code: step_therapy_criteria_not_met',
    'Sent: 2026-11-20 (UTC)',
    'Finished: 2026-11-21 (UTC)',
    'Reference at the service: pa_1',
    'Order in the chart: MedicationRequest/m1',
    `Bridge case: ${caseId}`,
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
    'Written by prior-auth-bridge on behalf of Dr. Deva Loper from the record of the prior authorization service. It was not reviewed by a clinician.',
  ]);
});

test('an approval tells until when', () => {
  expect(letterOf(anItem(at('completed', approval))).facts).toContainEqual(['Authorized until', '2027-11-20']);
});

test.each(['processing', 'awaiting_outcome', 'validating_outcome', 'not_submitted', 'cancelled', 'tomorrow'])('at %s there is no letter', (status) => {
  expect(() => letterOf(anItem(at(status, denial)))).toThrow(expect.objectContaining({ code: 'case_not_ready' }));
});

test('the PDF carries names outside Latin-1 and is the same bytes for the same content', async () => {
  const letter = letterOf(anItem({ ...at('completed', denial), banner: { name: 'Łucja Žáková Δημου' } }));
  const [first, second] = await Promise.all([renderLetter(letter, created), renderLetter(letter, created)]);
  expect(Buffer.from(first).subarray(0, 5).toString()).toBe('%PDF-');
  expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
  expect(Buffer.from(first).toString('latin1')).toContain('/MarkInfo');
});

test('a long letter goes on over pages', async () => {
  const explanation = 'The plan asks for more. '.repeat(400);
  const pdf = await renderLetter(letterOf(anItem(at('completed', { ...denial, denial_reason_analysis: { explanation } }))), created);
  expect(
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type \/Page\b/g)?.length,
  ).toBeGreaterThan(1);
});
