import { describe, expect, test } from 'vitest';
import { coverageOf, formatCoverage } from '../../src/mapping/coverage.ts';
import { overlay } from '../../src/mapping/define.ts';
import { from } from '../../src/mapping/rules.ts';
import { patient, sample, sampleInput } from './sample.ts';

const one = { input: sampleInput() };

describe('coverage', () => {
  const coverage = coverageOf(sample, [one]);

  test('names the sources that no fixture uses', () => {
    expect(coverage.idleSources).toEqual([
      { to: 'patient.last_name', expression: '%patient.name.text', rule: 'sample' },
      { to: 'patient.address.country', expression: '%patient.address.country', rule: 'sample' },
      { to: 'quantity', expression: '%order.dispenseRequest.initialFill.quantity.value', rule: 'sample' },
      { to: 'pharmacy.country', expression: '%order.dispenseRequest.performer.resolve().address.country', rule: 'sample' },
    ]);
  });

  test('names the fields that no fixture produces, but not what is omitted with a reason', () => {
    expect(coverage.unproduced).toEqual([]);
    expect(coverageOf(sample, [{ input: sampleInput({ organization: null, patient: { ...patient, telecom: [] } }) }]).unproduced).toEqual([
      'pharmacy.name',
      'pharmacy.country',
      'phone',
    ]);
  });

  test('names the elements that nothing reads, once per part, and leaves out those with a stated reason', () => {
    const more = { ...patient, maritalStatus: { text: 'married' }, contact: [{ name: { text: 'Ada' }, gender: 'female' }] };
    const cases = [{ input: sampleInput({ patient: more }) }, one];
    expect(coverageOf(sample, cases).unread).toEqual([
      { element: 'Patient.contact', fixtures: 1 },
      { element: 'Patient.maritalStatus', fixtures: 1 },
    ]);
    expect(coverageOf(sample, cases, ['Patient.contact']).unread).toEqual([{ element: 'Patient.maritalStatus', fixtures: 1 }]);
  });

  test('names enum values that no fixture produces', () => {
    expect(coverage.unusedEnums).toEqual([{ to: 'patient.gender', values: ['male', 'female'] }]);
  });

  test('names overlay rules that change nothing', () => {
    const idle = overlay(sample, 'sample@idle', { patient: { birth_date: from('%patient.birthDate') }, phone: from('%patient.telecom.value') });
    expect(coverageOf(idle, [one]).idleOverlays).toEqual([{ to: 'patient.birth_date', rule: 'sample@idle' }]);
  });

  test('runs on charts as they are: nothing in them changes', () => {
    const before = JSON.stringify(one.input.roots);
    coverageOf(sample, [one]);
    expect(JSON.stringify(one.input.roots)).toBe(before);
  });

  test('prints as text with a closing line', () => {
    const text = formatCoverage('sample', coverage);
    expect(text.split('\n')[0]).toBe('sample: 1 fixtures');
    expect(text).toContain('Sources that no fixture uses:\n  patient.last_name  %patient.name.text  (sample)\n');
    expect(text.endsWith('\n4 dead rules, 0 unproduced fields, 0 unread elements\n')).toBe(true);
  });
});
