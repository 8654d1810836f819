import type { DocumentReference, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { deliver } from '../../src/writeback/deliver.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { aCase, approval, aRequest, at, bridgeUrl, caseId, denial } from './support.ts';

describe('what is written', () => {
  test('the Task of a request under way says where it is, and nothing about an outcome', async () => {
    const request = aRequest(aCase(at('validating_outcome', denial)));
    await deliver(request);
    const [task] = request.api.all<Task>('Task');
    expect(task).toEqual({
      resourceType: 'Task',
      id: '1',
      meta: { versionId: '1' },
      identifier: [
        { system: `${bridgeUrl}/fhir/ns/case`, value: caseId },
        { system: `${bridgeUrl}/fhir/ns/prior-authorization`, value: 'pa_1' },
      ],
      basedOn: [{ reference: 'MedicationRequest/m1' }],
      status: 'in-progress',
      businessStatus: {
        coding: [{ system: `${bridgeUrl}/fhir/ns/status`, code: 'validating_outcome' }],
        text: 'Outcome being validated',
      },
      intent: 'order',
      code: {
        coding: [
          { system: 'http://hl7.org/fhir/CodeSystem/task-code', code: 'fulfill', display: 'Fulfill the focal request' },
        ],
        text: 'Prior authorization',
      },
      description: 'Prior authorization for adalimumab 40 MG prefilled syringe',
      focus: { reference: 'MedicationRequest/m1' },
      for: { reference: 'Patient/p1' },
      encounter: { reference: 'Encounter/e1' },
      authoredOn: '2026-11-20T10:00:00.000Z',
      lastModified: '2026-11-21T09:30:00.000Z',
      requester: { reference: 'Practitioner/d1', display: 'Dr. Deva Loper' },
      owner: { display: 'Prior authorization service, through prior-auth-bridge' },
      insurance: [{ reference: 'Coverage/c1' }],
    });
    expect(request.api.all('DocumentReference')).toEqual([]);
    expect(JSON.stringify([...request.api.resources.values()])).not.toMatch(/step|denied/i);
  });

  test('the Task says what was approved otherwise than ordered', async () => {
    const request = aRequest({ ...aCase(at('completed', approval)), approvedOtherwise: ['quantity 15 (ordered 30)'] });
    await deliver(request);
    expect(request.api.all<Task>('Task')[0]?.output).toContainEqual({
      type: { text: 'Approved, not as ordered' },
      valueString: 'quantity 15 (ordered 30)',
    });
  });

  test('a finished request leaves the letter and a Task that points to it', async () => {
    const request = aRequest(aCase(at('completed', approval)));
    await deliver(request);
    const [letter] = request.api.all<DocumentReference>('DocumentReference');
    const [task] = request.api.all<Task>('Task');
    expect(task?.status).toBe('completed');
    expect(task?.businessStatus?.text).toBe('Approved');
    expect(task?.output).toEqual([
      { type: { text: 'Outcome' }, valueCodeableConcept: { text: 'Approved' } },
      { type: { text: 'Reason code' }, valueString: 'approval' },
      { type: { text: 'Authorized from' }, valueDate: '2026-11-21' },
      { type: { text: 'Authorized until' }, valueDate: '2027-11-20' },
      {
        type: { text: 'Next step' },
        valueString: 'The pharmacy can fill it.',
      },
      { type: { text: 'Letter' }, valueReference: { reference: `DocumentReference/${letter?.id}` } },
      { type: { text: 'Renewal can be sent from' }, valueDate: '2027-10-21' },
    ]);
    expect(letter).toMatchObject({
      status: 'current',
      docStatus: 'final',
      type: { coding: [{ system: 'http://loinc.org', code: '51851-4', display: 'Administrative note' }] },
      subject: { reference: 'Patient/p1' },
      author: [{ reference: 'Practitioner/d1', display: 'Dr. Deva Loper' }],
      context: {
        encounter: [{ reference: 'Encounter/e1' }],
        related: [{ reference: 'MedicationRequest/m1' }],
        period: { end: '2026-11-21T09:30:00.000Z' },
      },
    });
    const attachment = letter?.content[0]?.attachment;
    const bytes = Buffer.from(attachment?.data ?? '', 'base64');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(attachment?.size).toBe(bytes.length);
    expect(letter?.description).toContain('on behalf of Dr. Deva Loper');
  });

  const ends = [
    ['processing', {}, 'received'],
    ['awaiting_review', {}, 'on-hold'],
    ['awaiting_outcome', {}, 'in-progress'],
    ['awaiting_provider_response', {}, 'on-hold'],
    ['validating_outcome', denial, 'in-progress'],
    ['completed', approval, 'completed'],
    ['completed', denial, 'completed'],
    ['completed', { outcome: { result: 'Something New' } }, 'completed'],
    ['failed', {}, 'failed'],
    [
      'not_submitted',
      {
        outcome: {
          result: 'Not Submitted',
          detail: 'Government plan',
          detail_code: 'eligibility_check_government_plan',
        },
      },
      'rejected',
    ],
    ['cancelled', {}, 'cancelled'],
    ['a_status_of_tomorrow', {}, 'in-progress'],
  ] as const;
  test.each(ends)('every resource at %s is valid FHIR R4 (%#)', async (status, more, taskStatus) => {
    const request = aRequest(aCase(at(status, more)), { letters: [Buffer.from('%PDF-1.4 a letter')] });
    await deliver(request);
    expect(request.api.all<Task>('Task').map((task) => task.status)).toEqual([taskStatus]);
    for (const resource of request.api.resources.values())
      expect(fhirProblems(resource), resource.resourceType).toEqual([]);
  });

  test('the Task of a request that may not have arrived, and of one that did not, is valid FHIR R4', async () => {
    const { serviceId: _, ...lost } = aCase({ state: 'unknown' });
    const request = aRequest(lost);
    await deliver(request);
    const [task] = request.api.all<Task>('Task');
    expect(task?.status).toBe('requested');
    expect(fhirProblems(task)).toEqual([]);
    const { sentAt: __, ...draft } = lost;
    const ended = aRequest(
      {
        ...draft,
        state: 'draft',
        notArrived: { left: { sentAt: '2026-11-20T10:00:00.000Z' } },
        writes: request.ledger(),
      },
      { api: request.api },
    );
    await deliver(ended);
    const [cancelled] = request.api.all<Task>('Task');
    expect(cancelled?.status).toBe('cancelled');
    expect(fhirProblems(cancelled)).toEqual([]);
  });

  test('the Task of a cancelled request states the reason that the person gave', async () => {
    const request = aRequest(aCase({ ...at('cancelled', {}), cancellation: 'Therapy changed' }));
    await deliver(request);
    expect(request.api.all<Task>('Task')).toMatchObject([
      { status: 'cancelled', statusReason: { text: 'Therapy changed' } },
    ]);
  });

  test('a reason for cancelling says nothing of a request that was decided after all', async () => {
    const request = aRequest(aCase({ ...at('completed', approval), cancellation: 'Therapy changed' }));
    await deliver(request);
    expect(JSON.stringify(request.api.all<Task>('Task'))).not.toContain('Therapy changed');
  });

  test('an enrollment without encounter, coverage, prescriber or service id is valid too', async () => {
    const { encounter: _, coverage: __, prescriber: ___, serviceId: ____, ...rest } = aCase({ kind: 'enrollment' });
    const request = aRequest(rest);
    await deliver(request);
    const [task] = request.api.all<Task>('Task');
    expect(task).toMatchObject({
      status: 'completed',
      businessStatus: { text: 'Submitted to the support program' },
      code: { text: 'Patient enrollment' },
    });
    expect(fhirProblems(task)).toEqual([]);
  });

  test('a message is valid FHIR R4 where only messages are taken', async () => {
    const site = {
      ...aRequest(aCase()).site,
      writeback: { ...aRequest(aCase()).site.writeback, channels: ['communication' as const] },
    };
    const request = aRequest(aCase(at('completed', denial)), { site });
    await deliver(request);
    const [message] = request.api.all('Communication');
    expect(fhirProblems(message)).toEqual([]);
    expect(JSON.stringify(message)).toContain('A trial of another drug is required.');
  });

  test('the validators notice a wrong resource', () => {
    expect(fhirProblems({ resourceType: 'Task', status: 'done', intent: 'order', note: [] }).length).toBeGreaterThan(1);
    expect(
      fhirProblems({
        resourceType: 'Task',
        status: 'received',
        intent: 'order',
        output: [{ type: { text: 'x' }, valueString: 'a', valueDate: '2026-01-01' }],
      }),
    ).not.toEqual([]);
  });
});
