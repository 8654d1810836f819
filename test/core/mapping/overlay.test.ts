import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import {
  describeMapping,
  describeOverlays,
  formatDescription,
  formatOverlay,
} from '../../../src/core/mapping/review/describe-mapping.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { overlay } from '../../../src/core/mapping/words/define.ts';
import { constant, from, omit, within } from '../../../src/core/mapping/words/rules.ts';
import { patient, sample, sampleInput } from './sample.ts';

const vendor = overlay(sample, 'sample@vendor', {
  patient: { last_name: from('%patient.name.family') },
  diagnoses: within({ code: from('coding.code') }),
});
const site = overlay(vendor, 'sample@vendor@site', {
  patient: { address: { city: constant('Hilltop', 'there is one clinic') } },
  pharmacy: omit('the site names its pharmacies by fax'),
  extra: { clinic: from('%site.country') },
});

describe('an overlay', () => {
  test('replaces single rules at any depth and says so in the provenance', () => {
    const result = runMapping(site, sampleInput());
    expect(result).toMatchObject({
      status: 'complete',
      body: {
        patient: { last_name: 'Birke', address: { city: 'Hilltop', country: 'US' } },
        extra: { rxnorm: '1', clinic: 'US' },
      },
    });
    expect(result.status === 'complete' && result.body.pharmacy).toBeUndefined();
    const rules = Object.fromEntries(result.provenance.map((entry) => [entry.target, entry.rule]));
    expect(rules).toMatchObject({
      'patient.last_name': 'sample@vendor',
      'patient.birth_date': 'sample',
      'patient.address.city': 'sample@vendor@site',
      'diagnoses[0].code': 'sample@vendor',
      'extra.clinic': 'sample@vendor@site',
      'extra.rxnorm': 'sample',
    });
  });

  test('leaves its base as it was', () => {
    expect(runMapping(sample, sampleInput({ patient: { ...patient, address: [{ city: 'Lakeside' }] } }))).toMatchObject(
      {
        body: { patient: { address: { city: 'Lakeside' } }, pharmacy: { name: 'Corner Pharmacy' } },
      },
    );
  });

  test('keeps the advice and the schema of its base', () => {
    expect(runMapping(site, sampleInput({ patient: { ...patient, telecom: [] } })).gaps).toMatchObject([
      { target: 'phone', severity: 'warns' },
    ]);
  });

  test('is shown as changes against what it is laid over', () => {
    expect(describeOverlays(site).map(({ name, changes }) => [name, changes.map((change) => change.to)])).toEqual([
      ['sample@vendor', ['patient.last_name', 'diagnoses[].code']],
      ['sample@vendor@site', ['patient.address.city', 'pharmacy.name', 'pharmacy.country', 'pharmacy', 'extra.clinic']],
    ]);
  });

  test('prints its changes as Markdown', () => {
    const [first] = describeOverlays(vendor);
    expect(formatOverlay('sample@vendor', first?.changes ?? [])).toBe(
      [
        '# sample@vendor',
        '',
        '| To                  | Before                                    | After                  |',
        '| ------------------- | ----------------------------------------- | ---------------------- |',
        '| `patient.last_name` | `%name.family`, else `%patient.name.text` | `%patient.name.family` |',
        '| `diagnoses[].code`  | `coding.where(system = %icd10).code`      | `coding.code`          |',
        '',
      ].join('\n'),
    );
  });

  test('cannot reach into the items of what is no list', () => {
    // biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses must also be refused at start
    expect(() => overlay(sample, 'wrong', { patient: within({}) } as any)).toThrow(BridgeError);
  });
});

describe('describe', () => {
  test('prints a mapping as a list of what is read from where', () => {
    expect(formatDescription('sample', describeMapping(sample))).toBe(
      [
        '# sample',
        '',
        '- `patient.last_name`',
        '  - From: `%name.family`, else `%patient.name.text`',
        '- `patient.birth_date`',
        '  - From: `%patient.birthDate`',
        '- `patient.gender`',
        '  - From: `%patient.gender` by gender',
        '- `patient.address.city`',
        '  - From: `%patient.address.city`',
        '- `patient.address.country`',
        '  - From: `%patient.address.country`, else `%site.country`',
        '- `quantity`',
        '  - From: `%order.dispenseRequest.quantity.value` by number, else ' +
          '`%order.dispenseRequest.initialFill.quantity.value` by number',
        '- `diagnoses[]`',
        '  - From: `%diagnosis`',
        '  - Notes: one for each',
        '- `diagnoses[].code`',
        '  - From: `coding.where(system = %icd10).code`',
        '- `diagnoses[].rank`',
        '  - From: not sent',
        '  - Notes: the order of the list says it',
        '- `pharmacy.name`',
        '  - From: `%order.dispenseRequest.performer.resolve().name`',
        '- `pharmacy.country`',
        '  - From: `%order.dispenseRequest.performer.resolve().address.country`, else `%site.country`',
        '- `extra.rxnorm`',
        '  - From: `%order.medication.ofType(CodeableConcept).coding.where(system = %rxnorm).code`',
        '- `extra.channel`',
        '  - From: `"bridge"`',
        '  - Notes: tells who sends',
        '- `is_test`',
        '  - From: not sent',
        '  - Notes: only for the sandbox',
        '- `phone`',
        "  - From: `%patient.telecom.where(system = 'phone').value`",
        '',
      ].join('\n'),
    );
  });

  test('names the rule of every row when overlays take part, and keeps a bar of FHIRPath inside its cell', () => {
    const union = overlay(sample, 'sample@union', {
      phone: from('%patient.telecom.value | %patient.contact.telecom.value'),
    });
    expect(formatDescription('union', describeMapping(union))).toContain(
      '- `phone`\n  - From: `%patient.telecom.value | %patient.contact.telecom.value`\n  - Rule: sample@union\n',
    );
  });
});
