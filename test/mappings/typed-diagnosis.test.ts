import { expect, test } from 'vitest';
import { chartFor, select, subject } from '../core/evidence/support.ts';

// Whether a diagnosis was typed or stands in the chart is told where it goes along.

const problem = {
  resourceType: 'Condition',
  id: 'c1',
  subject,
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'L40.50' }] },
} as const;

test.each([
  ['typed', ['E66.9'], { note: 'entered by a person', kind: 'entered' }],
  ['a problem of the chart', ['Condition/c1'], { note: 'chosen by a person', kind: undefined }],
  ['typed as a problem of the chart has it', ['L40.50'], { note: 'chosen by a person', kind: undefined }],
  ['a problem and another that was typed', ['Condition/c1', 'E66.9'], { note: 'entered by a person', kind: 'entered' }],
])('a diagnosis that is %s', (_, diagnoses, told) => {
  const root = select([...chartFor('adalimumab'), problem], { answers: { diagnoses } }).root('diagnosis');
  expect({ note: root.note, kind: root.kind }).toEqual(told);
  expect(root.nodes).toHaveLength(diagnoses.length);
});
