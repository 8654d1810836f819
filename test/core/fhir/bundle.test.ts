import type { MedicationRequest, Patient } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { readBundle } from '../../../src/core/fhir/bundle.ts';

const patient: Patient = { resourceType: 'Patient', id: 'p1', identifier: [{ system: 'urn:mrn', value: '77 ' }] };
const order = {
  resourceType: 'MedicationRequest',
  id: 'r1',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
} satisfies MedicationRequest;

describe('readBundle', () => {
  test('takes the resources of a Bundle with their fullUrl and names the entries it cannot use', () => {
    const read = readBundle({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        { fullUrl: 'urn:uuid:1', resource: patient },
        { resource: { id: 'x' } },
        {},
        { resource: { resourceType: 'OperationOutcome' } },
        'text',
      ],
    });
    expect(read.entries).toEqual([{ fullUrl: 'urn:uuid:1', resource: patient, path: 'entry[0].resource' }]);
    expect(read.issues).toEqual([
      { path: 'entry[1].resource', message: 'not a FHIR resource: no resourceType' },
      { path: 'entry[2].resource', message: 'no resource' },
      { path: 'entry[3].resource', message: 'an OperationOutcome instead of data' },
      { path: 'entry[4].resource', message: 'no resource' },
    ]);
  });

  test('takes nested Bundles, Parameters, a single resource and a list of resources', () => {
    const nested = {
      resourceType: 'Bundle',
      type: 'batch-response',
      entry: [
        { response: { status: '200' }, resource: { resourceType: 'Bundle', entry: [{ resource: order }] } },
        { response: { status: '204' } },
      ],
    };
    expect(readBundle(nested)).toEqual({
      entries: [{ resource: order, path: 'entry[0].resource.entry[0].resource' }],
      issues: [],
      deletions: [],
      messages: 0,
    });
    expect(
      readBundle({
        resourceType: 'Parameters',
        parameter: [
          { name: 'order', resource: order },
          { name: 'count', valueInteger: 1 },
        ],
      }),
    ).toEqual({
      entries: [{ resource: order, path: 'parameter[0].resource' }],
      issues: [],
      deletions: [],
      messages: 0,
    });
    expect(readBundle(patient).entries).toEqual([{ resource: patient, path: '' }]);
    expect(readBundle([patient, 7])).toEqual({
      entries: [{ resource: patient, path: '[0]' }],
      issues: [{ path: '[1]', message: 'not a FHIR resource: no resourceType' }],
      deletions: [],
      messages: 0,
    });
  });

  test('says that there is no resource at all', () => {
    const none = { entries: [], deletions: [], messages: 0 };
    expect(readBundle(null)).toEqual({ ...none, issues: [{ path: '', message: 'no resource' }] });
    expect(readBundle({ resourceType: 'Bundle', entry: {} })).toEqual({
      ...none,
      issues: [{ path: 'entry', message: 'entry is not a list' }],
    });
  });

  test('passes over what a search says about itself, and names an OperationOutcome in place of data', () => {
    const outcome = { resourceType: 'OperationOutcome' };
    const page = {
      resourceType: 'Bundle',
      type: 'searchset',
      entry: [{ resource: patient }, { search: { mode: 'outcome' }, resource: outcome }, { resource: outcome }],
    };
    expect(readBundle(page).issues).toEqual([
      { path: 'entry[2].resource', message: 'an OperationOutcome instead of data' },
    ]);
  });

  test('what is nested without end is an issue, not an exception', () => {
    let lists: unknown = patient;
    let bundles: unknown = patient;
    for (let depth = 0; depth < 100_000; depth += 1) {
      lists = [lists];
      bundles = { resourceType: 'Bundle', entry: [{ resource: bundles }] };
    }
    for (const endless of [lists, bundles]) {
      const { entries, issues } = readBundle(endless);
      expect(entries).toEqual([]);
      expect(issues.map(({ message }) => message)).toEqual(['it is nested too deep']);
    }
  });
});
