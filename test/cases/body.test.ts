import { expect, test } from 'vitest';
import { requestBody } from '../../src/cases/body.ts';
import type { Editable } from '../../src/cases/case.ts';
import type { Submission } from '../../src/cases/requests.ts';
import { testSite } from '../support/site.ts';

// The last look before a request leaves.

const id = '11111111-2222-4333-8444-555555555555';

function fieldsOf(draft: object, submission: object): unknown {
  try {
    // Only what is looked at.
    requestBody({ id, ...draft } as Editable, testSite(), { attempt: 1, submission: submission as Submission });
    return undefined;
  } catch (error) {
    return (error as { facts: { fields?: unknown } }).facts.fields;
  }
}

const gap = (target: string, severity: string) => ({ target, severity, reason: 'missing' });
const gaps = [gap('prescription.quantity', 'blocks'), gap('patient.phone', 'warns'), gap('patient.mrn', 'blocks')];

test('what still blocks is named, and nothing leaves', () => {
  expect(fieldsOf({ kind: 'prior-auth' }, { gaps, body: {} })).toEqual(['prescription.quantity', 'patient.mrn']);
});

test('an enrollment needs the consent of the patient, and nothing else does', () => {
  expect(fieldsOf({ kind: 'enrollment' }, { gaps: [], body: {} })).toEqual(['consent']);
  const consent = { by: 'patient', at: '2026-11-20' };
  expect(fieldsOf({ kind: 'enrollment', consent }, { gaps: [], body: {} })).not.toContain('consent');
  expect(fieldsOf({ kind: 'prior-auth' }, { gaps: [], body: {} })).not.toContain('consent');
});
