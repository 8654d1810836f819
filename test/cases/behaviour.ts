import type { DocumentReference, Task } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Case, Open } from '../../src/cases/case.ts';
import { job } from '../../src/cases/jobs.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, removeCases, sqlOf } from '../store/backends.ts';
import { eventually } from '../support/eventually.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { fakeService } from '../support/fake-service.ts';
import { testSite } from '../support/site.ts';
import { aClinic, aRequest, aSentCase, aSubmission, body, busy, type Clinic, working } from './clinic.ts';

const denied = {
  status: 'completed',
  outcome: { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy_criteria_not_met' },
};
const by = { fhirUser: 'Practitioner/d1' };
// The workers of one clinic also take up what other tests left in the store.
const tasksOf = ({ ehr }: Clinic, { patient }: Pick<Case, 'patient'>) =>
  ehr.all<Task>('Task').filter((task) => task.for?.reference === patient);
const event = (id: string, more: object = {}) => ({
  event_type: 'prior_authorization.status_change',
  data: { id, ...more },
});

/** What the cases do, on whatever database it is. */
export function describeCases(name: string, openBackend: () => Promise<Backend>): void {
  describe(name, () => {
    let backend: Backend;
    let store: Store;
    beforeAll(async () => {
      backend = await openBackend();
      store = await backend.open({ queues });
    });
    afterEach(() => removeCases(store, backend));
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    describe('drafts', () => {
      test('one draft per site, patient, order and kind, found again with its edits', async () => {
        const { cases } = aClinic(store);
        const request = aRequest();
        const draft = await cases.openDraft(request);
        await cases.saveDraft(draft.id, { edits: { 'prescription.quantity': 3 }, answers: { coverage: 'Coverage/2' } });
        expect(await cases.openDraft({ ...request, launch: 'another' })).toMatchObject({
          id: draft.id,
          edits: { 'prescription.quantity': 3 },
          answers: { coverage: 'Coverage/2' },
        });
        const others = await Promise.all([
          cases.openDraft({ ...request, kind: 'enrollment' }),
          cases.openDraft({ ...request, site: 'hill' }),
          cases.openDraft({ ...request, patient: 'Patient/other' }),
        ]);
        expect(new Set([draft.id, ...others.map((other) => other.id)]).size).toBe(4);
      });

      test('two windows that open the same order at once get the same draft', async () => {
        const { cases } = aClinic(store);
        const request = aRequest();
        const drafts = await Promise.all([1, 2, 3, 4].map(() => cases.openDraft(request)));
        expect(new Set(drafts.map((draft) => draft.id)).size).toBe(1);
      });

      test('a case of another patient or site is not found [C02]', async () => {
        const { cases } = aClinic(store);
        const draft = await cases.openDraft(aRequest({ patient: '123' }));
        expect(await cases.get(draft.id, { site: 'valley', patient: '123' })).toMatchObject({ patient: 'Patient/123' });
        await expect(cases.get(draft.id, { site: 'hill', patient: '123' })).rejects.toMatchObject({
          code: 'case_not_found',
        });
        await expect(cases.get(draft.id, { site: 'valley', patient: '124' })).rejects.toMatchObject({
          code: 'case_not_found',
        });
        expect(await cases.forPatient('hill', '123')).toEqual([]);
        expect(await cases.forPatient('valley', '123')).toHaveLength(1);
      });
    });

    describe('sending', () => {
      test('the intent is stored before the request leaves, with our submission id in it', async () => {
        const clinic = aClinic(store);
        const { cases, service } = clinic;
        const draft = await cases.openDraft(aRequest());
        const create = service.createPriorAuthorization;
        service.createPriorAuthorization = async (body) => {
          expect(await cases.get(draft.id)).toMatchObject({
            state: 'sending',
            body: { prescription: { extra: { submission_id: draft.id } } },
          });
          return await create(body);
        };
        const sent = await cases.send(draft.id, aSubmission(clinic, draft));
        expect(sent).toMatchObject({
          state: 'open',
          status: 'processing',
          serviceId: service.id(1),
          sentBy: { fhirUser: 'Practitioner/d1' },
        });
        expect(sent.history.map((entry) => entry.what)).toEqual(['Draft opened', 'Sent', 'Accepted by the service']);
      });

      test('a double click sends once', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        const submission = aSubmission(clinic, draft);
        const results = await Promise.allSettled([
          clinic.cases.send(draft.id, submission),
          clinic.cases.send(draft.id, submission),
          clinic.cases.send(draft.id, submission),
        ]);
        expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
        expect(results.filter((result) => result.status === 'rejected').map((result) => result.reason.code)).toEqual([
          'case_already_sent',
          'case_already_sent',
        ]);
        expect(clinic.service.creates).toHaveLength(1);
        await expect(clinic.cases.saveDraft(draft.id, { edits: {} })).rejects.toMatchObject({
          code: 'case_already_sent',
        });
        expect(await clinic.cases.openDraft(aRequest({ patient: draft.patient, order: draft.order }))).toMatchObject({
          id: draft.id,
          state: 'open',
        });
      });

      test('a page of another chart is refused, and nothing leaves [C05]', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        const expectedPatient = clinic.cases.patientMark('valley', 'Patient/somebody-else');
        await expect(
          clinic.cases.send(draft.id, aSubmission(clinic, draft, { expectedPatient })),
        ).rejects.toMatchObject({ code: 'case_changed' });
        expect(clinic.service.creates).toEqual([]);
        expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'draft' });
      });

      test('a blocking gap, a body against the contract, no consent: not ready, named, nothing leaves', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        const gap = { target: 'provider.npi', severity: 'blocks', reason: 'missing', message: '', looks: [] } as const;
        await expect(clinic.cases.send(draft.id, aSubmission(clinic, draft, { gaps: [gap] }))).rejects.toMatchObject({
          code: 'case_not_ready',
          facts: { fields: ['provider.npi'] },
        });
        await expect(clinic.cases.send(draft.id, aSubmission(clinic, draft, { body: {} }))).rejects.toMatchObject({
          code: 'case_not_ready',
        });
        const enrollment = await clinic.cases.openDraft(aRequest({ kind: 'enrollment' }));
        await expect(clinic.cases.send(enrollment.id, aSubmission(clinic, enrollment))).rejects.toMatchObject({
          code: 'case_not_ready',
          facts: { fields: ['consent'] },
        });
        expect(clinic.service.creates.length + clinic.service.enrollments.length).toBe(0);
      });

      test('service down: a draft again with the problem, and it can be sent', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push(new BridgeError('service_unreachable'));
        expect(await clinic.cases.send(draft.id, aSubmission(clinic, draft))).toMatchObject({
          state: 'draft',
          problem: { code: 'service_unreachable' },
        });
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect(sent.state).toBe('open');
        expect(sent).not.toHaveProperty('problem');
      });

      test('refused: says which fields, keeps the edits, can be corrected and sent', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        await clinic.cases.saveDraft(draft.id, { edits: { 'provider.fax': '555-0100' } });
        clinic.service.next.create.push(new BridgeError('service_refused', { fields: ['insurance_content.rx_bin'] }));
        const refused = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect(refused).toMatchObject({
          state: 'refused',
          problem: { code: 'service_refused', fields: ['insurance_content.rx_bin'] },
          edits: { 'provider.fax': '555-0100' },
        });
        expect(await clinic.cases.send(draft.id, aSubmission(clinic, draft))).toMatchObject({ state: 'open' });
      });

      test('an enrollment ends with its confirmation and has its Task', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest({ kind: 'enrollment' }));
        await clinic.cases.saveDraft(draft.id, {
          consent: {
            by: 'the patient',
            on: '2026-11-20',
            how: 'signed form',
            recordedBy: { fhirUser: 'Practitioner/d1' },
          },
        });
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect(sent).toMatchObject({ state: 'ended', serviceId: expect.stringMatching(/^enr_/) });
        expect(clinic.service.enrollments[0]).toMatchObject({ metadata: { enrollment_id: draft.id } });
        await clinic.cases.retryWriteback(draft.id, 'bridge');
        expect(clinic.ehr.all<Task>('Task')).toMatchObject([
          { status: 'completed', businessStatus: { text: 'Submitted to the support program' } },
        ]);
      });
    });

    describe('a lost answer', () => {
      test('is unknown, is never sent again, and a webhook with our submission id settles it', async () => {
        const clinic = aClinic(store);
        const { cases, service } = clinic;
        const draft = await cases.openDraft(aRequest());
        service.next.create.push('lost-after');
        expect(await cases.send(draft.id, aSubmission(clinic, draft))).toMatchObject({
          state: 'unknown',
          problem: { code: 'service_unclear' },
        });
        await expect(cases.send(draft.id, aSubmission(clinic, draft))).rejects.toMatchObject({
          code: 'case_already_sent',
        });
        expect(service.creates).toHaveLength(1);

        await working(clinic, async () => {
          expect(await cases.receiveWebhook('valley', event(service.id(1)))).toBe('accepted');
          await eventually(async () =>
            expect(await cases.get(draft.id)).toMatchObject({ state: 'open', serviceId: service.id(1) }),
          );
        });
        expect(await cases.get(draft.id)).not.toHaveProperty('problem');
      });

      test('a person says that it did not arrive: a draft again', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push('lost-before');
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect(await clinic.cases.markNotArrived(draft.id, by)).toMatchObject({ state: 'draft' });
        expect(await clinic.cases.send(draft.id, aSubmission(clinic, draft))).toMatchObject({ state: 'open' });
        await expect(clinic.cases.markNotArrived(draft.id, by)).rejects.toMatchObject({ code: 'case_already_sent' });
      });

      test('a person names the record: it must exist and carry our submission id', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push('lost-after');
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        clinic.service.records.set('pa_9', {
          id: 'pa_9',
          status: 'completed',
          prescription: { extra: { submission_id: 'another' } },
        });
        const named = (serviceId: string) => clinic.cases.markArrived(draft.id, { serviceId, by });
        await expect(named('pa_9')).rejects.toMatchObject({ code: 'service_id_wrong' });
        await expect(named('pa_mistyped')).rejects.toMatchObject({ code: 'service_id_wrong' });
        clinic.service.next.read.push(new BridgeError('service_unreachable'));
        await expect(named(clinic.service.id(1))).rejects.toMatchObject({ code: 'service_unreachable' });
        expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'unknown' });
        expect(await clinic.cases.markArrived(draft.id, { serviceId: clinic.service.id(1), by })).toMatchObject({
          state: 'open',
          serviceId: clinic.service.id(1),
        });
      });
    });

    describe('a request that was said not to have arrived, and did', () => {
      /** Its answer was lost, a person said that it did not arrive; the first record is at the service. */
      async function takenBack(clinic: Clinic) {
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push('lost-after');
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        return await clinic.cases.markNotArrived(draft.id, by);
      }
      /** The same, sent again and followed. */
      async function sentTwice(clinic: Clinic) {
        const draft = await takenBack(clinic);
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        return { id: sent.id, first: clinic.service.id(1), second: clinic.service.id(2) };
      }
      /** Lets the workers do what the webhook asks for. */
      async function told(clinic: Clinic, serviceId: string, until: (current: Case) => void, id: string) {
        expect(
          await clinic.cases.receiveWebhook(
            'valley',
            event(serviceId, { status: clinic.service.records.get(serviceId)?.status }),
          ),
        ).toBe('accepted');
        await working(clinic, async () => {
          await eventually(async () => until(await clinic.cases.get(id)));
        });
        return await clinic.cases.get(id);
      }
      const second = (id: string) => ({
        code: 'service_second_request',
        text:
          `A second request of ours exists at the service (${id}). Cancel one of them; this app follows the ` +
          'other.',
      });

      test('a draft: a late webhook takes it back as it had left, and nothing is sent twice', async () => {
        const clinic = aClinic(store);
        const { id, title } = await takenBack(clinic);
        await clinic.cases.saveDraft(id, {
          edits: { 'prescription.drug_name': 'etanercept' },
          title: 'etanercept',
          coverage: 'Coverage/other',
        });
        const found = await told(clinic, clinic.service.id(1), (current) => expect(current.state).toBe('open'), id);
        expect(found).toMatchObject({
          serviceId: clinic.service.id(1),
          status: 'processing',
          sentAt: expect.any(String),
          sentBy: { fhirUser: 'Practitioner/d1' },
          title,
          body: { prescription: { drug_name: 'adalimumab' } },
        });
        expect(found).not.toHaveProperty('coverage');
        expect(found).not.toHaveProperty('problem');
        expect(found.history.map((entry) => entry.what)).toContain('Found at the service');
        await expect(clinic.cases.send(id, aSubmission(clinic, found))).rejects.toMatchObject({
          code: 'case_already_sent',
        });
        expect(clinic.service.creates).toHaveLength(1);
        await clinic.cases.retryWriteback(id, 'bridge');
        expect(tasksOf(clinic, found).map((task) => task.status)).toEqual(['received']);
      });

      test('refused when it was sent again: the first is followed to its outcome, with the body it had', async () => {
        const clinic = aClinic(store);
        const draft = await takenBack(clinic);
        clinic.service.next.create.push(new BridgeError('service_refused', { fields: ['insurance_content.rx_bin'] }));
        const changed = { ...body, prescription: { ...body.prescription, drug_name: 'etanercept' } };
        expect(await clinic.cases.send(draft.id, aSubmission(clinic, draft, { body: changed }))).toMatchObject({
          state: 'refused',
        });
        clinic.service.move(clinic.service.id(1), denied);
        const found = await told(
          clinic,
          clinic.service.id(1),
          (current) => expect(current.state).toBe('ended'),
          draft.id,
        );
        expect(found).toMatchObject({
          status: 'completed',
          record: { outcome: { result: 'Denied' } },
          body: { prescription: { drug_name: 'adalimumab' } },
        });
        expect(found).not.toHaveProperty('problem');
      });

      test('a draft whose first request was cancelled in the platform goes on as a draft', async () => {
        const clinic = aClinic(store);
        const draft = await takenBack(clinic);
        clinic.service.move(clinic.service.id(1), { status: 'cancelled' });
        const what = `The request had arrived (${clinic.service.id(1)}) and was canceled there`;
        const found = await told(
          clinic,
          clinic.service.id(1),
          (current) => expect(current.history.at(-1)?.what).toBe(what),
          draft.id,
        );
        expect(found).toMatchObject({ state: 'draft' });
        expect(await clinic.cases.send(draft.id, aSubmission(clinic, draft))).toMatchObject({
          state: 'open',
          serviceId: clinic.service.id(2),
        });
      });

      test('sent again: the case follows the second, and tells of the first until that is cancelled', async () => {
        const clinic = aClinic(store);
        const { id, first, second: followed } = await sentTwice(clinic);
        const found = await told(clinic, first, (current) => expect(current.problem).toMatchObject(second(first)), id);
        expect(found).toMatchObject({ state: 'open', serviceId: followed });
        expect(found.history.map((entry) => entry.what)).toContain(
          `A second request of ours exists at the service (${first}): Received`,
        );
        const lines = clinic.logged.filter((line) => line.message === 'a second request of ours exists at the service');
        expect(lines).toEqual([
          {
            level: 'warn',
            facts: { case: id, code: 'service_second_request' },
            message: 'a second request of ours exists at the service',
          },
        ]);

        // Reading the followed record leaves the problem and its time, and asks after the other.
        clinic.service.move(followed, { status: 'awaiting_outcome' });
        expect(await clinic.cases.refresh(id)).toMatchObject({
          status: 'awaiting_outcome',
          problem: { ...second(first), at: found.problem?.at },
        });
        clinic.service.move(first, { status: 'cancelled' });
        const settled = await clinic.cases.refresh(id);
        expect(settled).toMatchObject({ state: 'open', serviceId: followed });
        expect(settled).not.toHaveProperty('problem');
        expect(settled.history.at(-1)?.what).toBe(
          `A second request of ours exists at the service (${first}): Canceled`,
        );
      });

      test('sent again, and the second is cancelled here: the first is followed to its outcome', async () => {
        const clinic = aClinic(store);
        const { id, first, second: followed } = await sentTwice(clinic);
        await told(clinic, first, (current) => expect(current.problem).toMatchObject(second(first)), id);
        const cancelled = await clinic.cases.cancel(id, { reason: 'Sent twice', by });
        expect(cancelled).toMatchObject({ state: 'open', serviceId: first });
        expect(cancelled).not.toHaveProperty('problem');
        expect(cancelled).not.toHaveProperty('cancellation');
        expect(cancelled.history.map((entry) => entry.what)).toContain(
          `Canceled (${followed}); the other request (${first}) is followed from here on`,
        );
        clinic.service.move(first, denied);
        expect(await clinic.cases.refresh(id)).toMatchObject({
          state: 'ended',
          status: 'completed',
          record: { outcome: { result: 'Denied' } },
        });
        await clinic.cases.retryWriteback(id, 'bridge');
        expect(tasksOf(clinic, cancelled)).toMatchObject([
          { status: 'completed', businessStatus: { text: 'Denied: step therapy criteria not met' } },
        ]);
      });

      test('sent again and finished: the first one that still runs is told of on the finished case', async () => {
        const clinic = aClinic(store);
        const { id, first, second: followed } = await sentTwice(clinic);
        clinic.service.move(followed, denied);
        await clinic.cases.refresh(id);
        const found = await told(clinic, first, (current) => expect(current.problem).toMatchObject(second(first)), id);
        expect(found).toMatchObject({ state: 'ended', status: 'completed', serviceId: followed });
      });

      test('an early outcome of the further record is not told', async () => {
        const clinic = aClinic(store);
        const { id, first } = await sentTwice(clinic);
        clinic.service.move(first, { ...denied, status: 'validating_outcome' });
        const found = await told(clinic, first, (current) => expect(current.problem).toMatchObject(second(first)), id);
        expect(JSON.stringify(found)).not.toMatch(/Denied|Step/);
      });

      test('after a month a stranger’s event costs no request any more', async () => {
        const clinic = aClinic(store);
        await takenBack(clinic);
        const now = clinic.clock().getTime();
        clinic.clock = () => new Date(now + 31 * 24 * 3_600_000);
        expect(await clinic.cases.receiveWebhook('valley', event('pa_of_nobody'))).toBe('ignored');
      });
    });

    describe('the Task of a request that may not have arrived', () => {
      test('says so, ends when it did not arrive, and goes on when it is sent again', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push('lost-before');
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        const tasks = async (text: string) => {
          await working(clinic, async () => {
            await eventually(() =>
              expect(tasksOf(clinic, draft).map((task) => task.businessStatus?.text)).toEqual([text]),
            );
          });
          return tasksOf(clinic, draft).map((task) => task.status);
        };
        expect(await tasks('Sent; not known whether it arrived')).toEqual(['requested']);
        await clinic.cases.markNotArrived(draft.id, by);
        expect(await tasks('Did not arrive at the service')).toEqual(['cancelled']);
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect(await tasks('Processing')).toEqual(['received']);
      });

      test('a Task that could not be written meanwhile is not waited for when it did not arrive', async () => {
        const clinic = aClinic(store);
        clinic.access = () => ({ waiting: 'next-launch' });
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push('lost-before');
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect((await clinic.cases.retryWriteback(draft.id, 'bridge')).writes).toMatchObject([
          { what: 'task', state: 'waiting' },
        ]);
        expect((await clinic.cases.markNotArrived(draft.id, by)).writes).toEqual([]);
        expect(await clinic.cases.flushWaiting({ id: 'l2', site: 'valley', patient: draft.patient })).toBe(0);
      });
    });

    describe('tracking', () => {
      test('validating_outcome stores and shows nothing about the outcome, whatever is recorded [F08]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, {
          ...denied,
          status: 'validating_outcome',
          denial_reason_analysis: { explanation: 'early words' },
          early_result: 'Denied',
          activity_log: [
            {
              id: 'f1',
              created_at: '2026-11-21T09:00:00',
              type: 'received_fax',
              details: { url: 'https://service.example/early.pdf' },
            },
          ],
        } as never);
        const read = await clinic.cases.refresh(sent.id);
        expect(read).toMatchObject({ state: 'open', status: 'validating_outcome' });
        expect(JSON.stringify(read)).not.toMatch(/Denied|Step|early/);
        await clinic.cases.retryWriteback(sent.id, 'bridge');
        expect(JSON.stringify([...clinic.ehr.resources.values()])).not.toMatch(/Denied|Step|early/);
        expect(clinic.ehr.all('DocumentReference')).toEqual([]);
        await expect(clinic.cases.letter(sent.id)).rejects.toMatchObject({ code: 'case_not_ready' });
      });

      test('completed ends it: outcome kept, letter and Task in the chart, payer’s fax beside it', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.file = Buffer.from('%PDF-1.4 the payer says no');
        clinic.service.move(sent.serviceId, {
          ...denied,
          activity_log: [
            {
              id: 'f1',
              created_at: '2026-11-21T09:00:00',
              type: 'received_fax',
              details: { url: 'https://service.example/f1.pdf' },
            },
          ],
        });
        expect(await clinic.cases.refresh(sent.id)).toMatchObject({
          state: 'ended',
          status: 'completed',
          record: { outcome: { result: 'Denied' } },
        });
        await working(clinic, () =>
          eventually(async () =>
            expect((await clinic.cases.get(sent.id)).writes.map((row) => [row.what, row.state]).toSorted()).toEqual([
              ['determination', 'done'],
              ['document', 'done'],
              ['task', 'done'],
            ]),
          ),
        );
        expect(clinic.ehr.all<DocumentReference>('DocumentReference')).toHaveLength(2);
        // The link of the fax expires; it is in no resource.
        expect(JSON.stringify([...clinic.ehr.resources.values()])).not.toContain('f1.pdf');
        expect(
          Buffer.from(await clinic.cases.letter(sent.id))
            .subarray(0, 5)
            .toString(),
        ).toBe('%PDF-');
      });

      test('the payer’s own letter is kept as it came, and is not to be had before there is an outcome', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        const letter = '%PDF-1.4 the payer says no';
        clinic.service.file = Buffer.from(letter);
        const fax = {
          activity_log: [
            {
              id: 'f1',
              created_at: '2026-11-21T09:00:00',
              type: 'received_fax',
              details: { url: 'https://service.example/f1.pdf' },
            },
          ],
        };
        clinic.service.move(sent.serviceId, { ...denied, ...fax, status: 'validating_outcome' });
        await clinic.cases.refresh(sent.id);
        await expect(clinic.cases.payerLetter(sent.id)).rejects.toMatchObject({ code: 'case_not_ready' });
        const others = { id: 'f0', created_at: '2026-11-20T09:00:00', type: 'sent_fax' };
        const log = [{ ...others, details: { url: 'https://service.example/f0.pdf' } }, ...fax.activity_log];
        clinic.service.move(sent.serviceId, { ...denied, activity_log: log });
        await clinic.cases.refresh(sent.id);
        await working(clinic, () =>
          eventually(async () => expect(await clinic.cases.payerLetter(sent.id)).toBeDefined()),
        );
        expect(new Set(clinic.service.downloads)).toEqual(new Set(['https://service.example/f1.pdf']));
        const kept = await clinic.cases.payerLetter(sent.id);
        expect(kept?.contentType).toBe('application/pdf');
        expect(Buffer.from(kept?.bytes ?? []).toString()).toBe(letter);

        const without = await aSentCase(clinic);
        clinic.service.move(without.serviceId, denied);
        await clinic.cases.refresh(without.id);
        expect(await clinic.cases.payerLetter(without.id)).toBeUndefined();
      });

      test('a fax that cannot be fetched does not hold the outcome up [F11]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, {
          ...denied,
          activity_log: [
            {
              id: 'f1',
              created_at: '2026-11-21T09:00:00',
              type: 'received_fax',
              details: { url: 'https://service.example/f1.pdf' },
            },
          ],
        });
        await clinic.cases.refresh(sent.id);
        expect(
          (await clinic.cases.retryWriteback(sent.id, 'bridge')).writes.map((row) => [row.what, row.state]),
        ).toEqual([
          ['document', 'done'],
          ['task', 'done'],
        ]);
      });

      test('a finished case does not go back, and says what the service reports [F09]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        await clinic.cases.refresh(sent.id);
        clinic.service.move(sent.serviceId, { status: 'awaiting_outcome' });
        await clinic.cases.refresh(sent.id);
        const again = await clinic.cases.refresh(sent.id);
        expect(again).toMatchObject({ state: 'ended', status: 'completed', record: { outcome: { result: 'Denied' } } });
        expect(again.history.filter((entry) => entry.what.includes('awaiting_outcome'))).toHaveLength(1);
      });

      test('an unknown status is kept, shown and followed [F12]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, { status: 'awaiting_the_moon' });
        expect(await clinic.cases.refresh(sent.id)).toMatchObject({ state: 'open', status: 'awaiting_the_moon' });
      });

      test('a record of somebody else is not believed', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, { ...denied, patient: { internal_id: 'MRN-OTHER' } });
        await expect(clinic.cases.refresh(sent.id)).rejects.toMatchObject({
          code: 'service_contract',
          facts: { mismatch: 'patient.internal_id' },
        });
        expect(await clinic.cases.get(sent.id)).toMatchObject({ state: 'open', status: 'processing' });
      });

      test('the poller reads, backs off, says what is wrong, and stops at the end', async () => {
        const clinic = aClinic(store, { pollSeconds: 0.3 });
        const sent = await aSentCase(clinic);
        clinic.service.next.read.push(new BridgeError('service_unreachable'));
        await working(clinic, async () => {
          await eventually(async () =>
            expect(await clinic.cases.get(sent.id)).toMatchObject({ problem: { code: 'service_unreachable' } }),
          );
          clinic.service.move(sent.serviceId, denied);
          await eventually(async () =>
            expect((await clinic.cases.get(sent.id)).writes.map((row) => row.state)).toEqual(['done', 'done']),
          );
        });
        expect(await clinic.cases.get(sent.id)).toMatchObject({ state: 'ended' });
        expect(tasksOf(clinic, sent)).toMatchObject([{ status: 'completed' }]);
      });
    });

    describe('webhooks', () => {
      test('the same event has one effect, however often and in parallel it comes [F04]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        const one = event(sent.serviceId, { status: 'awaiting_outcome' });
        const answers = await Promise.all([1, 2, 3].map(() => clinic.cases.receiveWebhook('valley', one)));
        expect(answers.sort()).toEqual(['accepted', 'duplicate', 'duplicate']);
        expect(await clinic.cases.receiveWebhook('valley', event(sent.serviceId, { status: 'completed' }))).toBe(
          'accepted',
        );
        const by = event(sent.serviceId, { status: 'failed' });
        expect([
          await clinic.cases.receiveWebhook('valley', by, { id: 'msg_1', isSigned: true }),
          await clinic.cases.receiveWebhook('valley', by, { id: 'msg_1', isSigned: true }),
        ]).toEqual(['accepted', 'duplicate']);
      });

      test('an id of nobody here, another site’s, or no id: ignored without a request [F07]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        expect(await clinic.cases.receiveWebhook('hill', event('pa_unheard_of'))).toBe('ignored');
        expect(await clinic.cases.receiveWebhook('hill', event(sent.serviceId))).toBe('ignored');
        expect(
          await clinic.cases.receiveWebhook('valley', {
            event_type: 'benefit_verification.status_change',
            data: { id: sent.serviceId },
          }),
        ).toBe('ignored');
        expect(await clinic.cases.receiveWebhook('valley', { event_type: 'prior_authorization.status_change' })).toBe(
          'ignored',
        );
        expect(clinic.service.reads).toEqual([]);
      });

      test('of a request whose answer is stored while it is looked for: it is not lost', async () => {
        const site = testSite({ id: 'meanwhile', service: busy });
        const stored = Promise.withResolvers<void>();
        const answered = Promise.withResolvers<void>();
        const late: Store = {
          ...store,
          cases: {
            ...store.cases,
            async byServiceId(...named) {
              const found = await store.cases.byServiceId(...named);
              answered.resolve();
              await stored.promise;
              return found;
            },
          },
        };
        const clinic = aClinic(late, { sites: [site] });
        clinic.service.next.create.push({ until: answered.promise });
        const draft = await clinic.cases.openDraft(aRequest({ site: site.id }));
        const sending = clinic.cases.send(draft.id, aSubmission(clinic, draft)).finally(stored.resolve);
        await eventually(() => expect(clinic.service.creates).toHaveLength(1));
        expect(await clinic.cases.receiveWebhook(site.id, event(clinic.service.id(1)))).toBe('accepted');
        expect(await sending).toMatchObject({ state: 'open' });
      });

      test('of a record that is read while the answer is stored: it is read again', async () => {
        const site = testSite({ id: 'at-once', service: busy });
        const clinic = aClinic(store, { sites: [site], pollSeconds: 3600 });
        const { service, cases } = clinic;
        const answered = Promise.withResolvers<void>();
        const stored = Promise.withResolvers<void>();
        service.next.create.push({ until: answered.promise });
        const { getPriorAuthorization: read } = service;
        service.getPriorAuthorization = async (id) => {
          const record = await read(id);
          answered.resolve();
          await stored.promise;
          return record;
        };
        const draft = await cases.openDraft(aRequest({ site: site.id }));
        const sending = cases.send(draft.id, aSubmission(clinic, draft)).finally(stored.resolve);
        await eventually(() => expect(service.creates).toHaveLength(1));
        service.move(service.id(1), denied);
        expect(await cases.receiveWebhook(site.id, event(service.id(1)))).toBe('accepted');
        await working(clinic, async () => {
          await eventually(async () =>
            expect(await cases.get(draft.id)).toMatchObject({
              state: 'ended',
              record: { outcome: { result: 'Denied' } },
            }),
          );
        });
        expect(await sending).toMatchObject({ state: 'open' });
      });

      test('it says approved, the record says denied: the record counts, and the operator is told [F10]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        await clinic.cases.receiveWebhook(
          'valley',
          event(sent.serviceId, { status: 'completed', outcome: { result: 'Approved' } }),
        );
        await working(clinic, async () => {
          await eventually(() =>
            expect(clinic.logged).toContainEqual(
              expect.objectContaining({ level: 'warn', message: expect.stringContaining('another outcome') }),
            ),
          );
        });
        expect(await clinic.cases.get(sent.id)).toMatchObject({ record: { outcome: { result: 'Denied' } } });
      });
    });

    describe('cancelling', () => {
      test('the reason goes to the service, and its record ends the case', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        expect(await clinic.cases.cancel(sent.id, { reason: 'Therapy changed', by })).toMatchObject({
          state: 'ended',
          status: 'cancelled',
          cancellation: 'Therapy changed',
        });
        expect(clinic.service.cancels).toEqual(['Therapy changed']);
        await clinic.cases.retryWriteback(sent.id, 'bridge');
        expect(clinic.ehr.all<Task>('Task')).toMatchObject([
          { status: 'cancelled', statusReason: { text: 'Therapy changed' } },
        ]);
        await expect(clinic.cases.cancel(sent.id, { reason: 'again', by })).rejects.toMatchObject({
          code: 'case_not_cancellable',
        });
      });

      test('it finished a moment before: not cancellable, and the outcome is there', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        clinic.service.next.cancel.push(new BridgeError('service_refused', { service_status: 'completed' }));
        await expect(clinic.cases.cancel(sent.id, { reason: 'late', by })).rejects.toMatchObject({
          code: 'case_not_cancellable',
        });
        expect(await clinic.cases.get(sent.id)).toMatchObject({ state: 'ended', status: 'completed' });
      });

      test('a draft has nothing to cancel', async () => {
        const { cases } = aClinic(store);
        const draft = await cases.openDraft(aRequest());
        await expect(cases.cancel(draft.id, { reason: 'x', by })).rejects.toMatchObject({
          code: 'case_not_cancellable',
        });
      });
    });

    describe('write-back', () => {
      test('without a token it waits, and the patient’s next launch delivers with its own [G18, G19]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        await clinic.cases.refresh(sent.id);
        clinic.access = (launch) => (launch === 'l2' ? { api: clinic.ehr, by: 'session' } : { waiting: 'next-launch' });
        const waiting = await clinic.cases.retryWriteback(sent.id, 'bridge');
        expect(waiting.writes.map((row) => [row.what, row.state, row.reason])).toEqual([
          ['document', 'waiting', 'next launch'],
          ['task', 'waiting', 'next launch'],
        ]);
        expect(await clinic.cases.flushWaiting({ id: 'l2', site: 'valley', patient: 'somebody-else' })).toBe(0);

        await working(clinic, async () => {
          expect(
            await clinic.cases.flushWaiting({
              id: 'l2',
              site: 'valley',
              patient: sent.patient,
              fhirUser: 'Practitioner/d2',
            }),
          ).toBe(1);
          await eventually(async () =>
            expect((await clinic.cases.get(sent.id)).writes.map((row) => row.state)).toEqual(['done', 'done']),
          );
        });
        expect(clinic.asked).toContainEqual({ patient: sent.patient, launch: 'l2' });
        expect(clinic.ehr.all<DocumentReference>('DocumentReference')[0]?.author).toEqual([
          { reference: 'Practitioner/d2' },
        ]);
      });

      test('the person who tries again is the author by name', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        await clinic.cases.refresh(sent.id);
        await clinic.cases.retryWriteback(sent.id, { fhirUser: 'Practitioner/d2', name: 'Riley Okafor, MA' }, 'l2');
        expect(clinic.ehr.all<DocumentReference>('DocumentReference')[0]?.author).toEqual([
          { reference: 'Practitioner/d2', display: 'Riley Okafor, MA' },
        ]);
      });

      test('a refusal is kept with its reason until a person tries again', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.ehr.next.set('create Task', [new BridgeError('ehr_write_refused', { http: 422 })]);
        const failed = await clinic.cases.retryWriteback(sent.id, 'bridge');
        expect(failed.writes).toMatchObject([
          { what: 'task', state: 'failed', reason: 'The EHR refused to store the document or task (HTTP 422)' },
        ]);
        const done = await clinic.cases.retryWriteback(sent.id, by);
        expect(done.writes).toMatchObject([{ what: 'task', state: 'done', reference: 'Task/1' }]);
      });

      test('a letter that a person finds wrong: marked, and the Task follows by itself [G16]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        await clinic.cases.refresh(sent.id);
        await clinic.cases.retryWriteback(sent.id, 'bridge');
        const [letter] = clinic.ehr.all<DocumentReference>('DocumentReference');
        const reference = `DocumentReference/${letter?.id}`;
        const outputs = () => clinic.ehr.all<Task>('Task')[0]?.output?.map(({ type }) => type.text);
        expect(outputs()).toContain('Letter');

        const twice = [1, 2].map(() => clinic.cases.retractLetter(sent.id, { reference, by, launch: 'l2' }));
        const [retracted] = await Promise.all(twice);
        expect(retracted).toMatchObject({ unwritten: true });
        expect(retracted?.writes).toContainEqual(expect.objectContaining({ what: 'document', state: 'retracted' }));
        const said = (await clinic.cases.get(sent.id)).history.filter(({ what }) => what.endsWith('reported as wrong'));
        expect(said).toMatchObject([{ what: 'A letter in the chart was reported as wrong', by }]);
        expect(clinic.ehr.live('DocumentReference')).toEqual([]);
        await working(clinic, () => eventually(() => expect(outputs()).not.toContain('Letter')));
        expect(clinic.asked).toContainEqual({ patient: sent.patient, launch: 'l2' });
        expect(clinic.ehr.all('DocumentReference')).toHaveLength(1);
      });

      test('what is no letter of the case in the chart is not said to be wrong, nor kept', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        await clinic.cases.retryWriteback(sent.id, 'bridge');
        for (const reference of ['Task/1', 'DocumentReference/999', 'any text of a stranger'])
          await expect(clinic.cases.retractLetter(sent.id, { reference, by })).rejects.toMatchObject({
            code: 'bad_request',
          });
        const { history } = await clinic.cases.get(sent.id);
        expect(history.filter(({ what }) => what === 'A letter in the chart was reported as wrong')).toEqual([]);
      });

      test('an EHR that is down is tried again by itself', async () => {
        const clinic = aClinic(store, { pollSeconds: 0.3 });
        const sent = await aSentCase(clinic);
        clinic.access = () => ({
          api: { ...clinic.ehr, capabilities: async () => Promise.reject(new BridgeError('ehr_unreachable')) },
          by: 'refresh',
        });
        expect((await clinic.cases.retryWriteback(sent.id, 'bridge')).writes).toMatchObject([
          { state: 'planned', reason: 'The EHR cannot be reached' },
        ]);
        clinic.access = () => ({ api: clinic.ehr, by: 'refresh' });
        await working(clinic, async () => {
          await eventually(async () =>
            expect((await clinic.cases.get(sent.id)).writes).toMatchObject([{ state: 'done' }]),
          );
        });
      });

      test('an outcome that comes during a delivery is still to be written when that ends [S13]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        const during = {
          ...clinic.ehr,
          create: async (...args: Parameters<typeof clinic.ehr.create>) => {
            clinic.service.move(sent.serviceId, denied);
            await clinic.cases.refresh(sent.id);
            return await clinic.ehr.create(...args);
          },
        };
        clinic.access = () => ({ api: during, by: 'refresh' });
        const delivered = await clinic.cases.retryWriteback(sent.id, by);
        expect(delivered).toMatchObject({ state: 'ended', unwritten: true });
        clinic.access = () => ({ api: clinic.ehr, by: 'refresh' });
        expect(await clinic.cases.retryWriteback(sent.id, by)).toMatchObject({ unwritten: false });
      });

      test('stopping waits for a delivery under way [H09]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        let started = false;
        const slow = {
          ...clinic.ehr,
          create: async (...args: Parameters<typeof clinic.ehr.create>) => {
            started = true;
            await new Promise((resolve) => setTimeout(resolve, 300));
            return await clinic.ehr.create(...args);
          },
        };
        clinic.access = () => ({ api: slow, by: 'system' });
        await working(clinic, async () => {
          await eventually(() => expect(started).toBe(true));
        });
        expect((await clinic.cases.get(sent.id)).writes).toMatchObject([{ state: 'done', token: 'system' }]);
      });

      test('the same case delivered twice at once leaves one Task', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        await Promise.all([
          clinic.cases.retryWriteback(sent.id, 'bridge'),
          clinic.cases.retryWriteback(sent.id, 'bridge'),
        ]);
        expect(clinic.ehr.all('Task')).toHaveLength(1);
      });
    });

    describe('requests of one case', () => {
      /** The time of the request's answer is over. */
      const settle = async (clinic: Clinic, id: string, attempt: number) => {
        await store.enqueue([job('settle', 'valley', { case: id, attempt })]);
        await working(
          clinic,
          () => eventually(async () => expect((await clinic.cases.get(id)).state).not.toBe('sending')),
          { restarted: false },
        );
      };

      test('have numbers: the second goes under an id of its own, and both are known', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push(new BridgeError('service_refused'));
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        expect(sent.requests.map(({ attempt, state }) => [attempt, state])).toEqual([
          [1, 'refused'],
          [2, 'accepted'],
        ]);
        expect(clinic.service.creates.map(({ prescription }) => prescription.extra?.submission_id)).toEqual([
          `${draft.id}/2`,
        ]);
        expect(await clinic.cases.refresh(draft.id)).toMatchObject({ state: 'open', serviceId: clinic.service.id(1) });
      });

      test('an answer after a person said that it did not arrive: it is taken back as it had left [S4]', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        const late = Promise.withResolvers<void>();
        clinic.service.next.create.push({ until: late.promise });
        const sending = clinic.cases.send(draft.id, aSubmission(clinic, draft));
        await eventually(async () => expect((await clinic.cases.get(draft.id)).state).toBe('sending'));
        await settle(clinic, draft.id, 1);
        await clinic.cases.markNotArrived(draft.id, by);
        late.resolve();
        expect(await sending).toMatchObject({ state: 'draft' });
        await working(clinic, () =>
          eventually(async () =>
            expect(await clinic.cases.get(draft.id)).toMatchObject({
              state: 'open',
              attempt: 1,
              serviceId: clinic.service.id(1),
            }),
          ),
        );
        expect(clinic.service.creates).toHaveLength(1);
      });

      test('an answer of the first after the second was sent: both ids are on the case [S4]', async () => {
        const clinic = aClinic(store);
        const draft = await clinic.cases.openDraft(aRequest());
        const late = Promise.withResolvers<void>();
        clinic.service.next.create.push({ until: late.promise });
        const sending = clinic.cases.send(draft.id, aSubmission(clinic, draft));
        await eventually(async () => expect((await clinic.cases.get(draft.id)).state).toBe('sending'));
        await settle(clinic, draft.id, 1);
        await clinic.cases.markNotArrived(draft.id, by);
        const second = Promise.withResolvers<void>();
        clinic.service.next.create.push({ until: second.promise });
        const again = clinic.cases.send(draft.id, aSubmission(clinic, draft));
        await eventually(async () => expect((await clinic.cases.get(draft.id)).state).toBe('sending'));
        await store.enqueue([job('settle', 'valley', { case: draft.id, attempt: 1 })]);
        late.resolve();
        await sending;
        const waiting = async () => await store.boss.findJobs('settle', { key: `${draft.id}|1`, queued: true });
        await working(clinic, () => eventually(async () => expect(await waiting()).toEqual([])), { restarted: false });
        expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'sending', attempt: 2 });
        second.resolve();
        expect(await again).toMatchObject({ state: 'open', serviceId: clinic.service.id(2) });
        await working(clinic, () =>
          eventually(async () =>
            expect(await clinic.cases.get(draft.id)).toMatchObject({
              state: 'open',
              serviceId: clinic.service.id(2),
              others: [clinic.service.id(1)],
              problem: { code: 'service_second_request' },
            }),
          ),
        );
        expect(clinic.service.creates).toHaveLength(2);
      });
    });

    describe('a request for a drug that is under way already', () => {
      test('is asked about, with the other case; seen, it goes beside it', async () => {
        const clinic = aClinic(store);
        const first = await aSentCase(clinic);
        const order = `${first.order}-again`;
        const draft = await clinic.cases.openDraft(aRequest({ patient: first.patient, order }));
        expect((await clinic.cases.duplicates(draft.id, body)).map(({ id }) => id)).toEqual([first.id]);
        await expect(clinic.cases.send(draft.id, aSubmission(clinic, draft))).rejects.toMatchObject({
          code: 'case_duplicate',
          facts: { case: draft.id, other: first.id },
        });
        expect(clinic.service.creates).toHaveLength(1);
        expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'draft' });
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft, { duplicatesSeen: [first.id] }));
        expect(sent.state).toBe('open');
        expect(sent.history.map(({ what }) => what)).toContain('Sent, beside another request for the same drug');
      });

      test('by code where there is one; another prescriber, drug or patient is another request', async () => {
        const clinic = aClinic(store);
        const coded = (rxnorm: string, drug_name: string) => ({
          ...body,
          prescription: { ...body.prescription, drug_name, extra: { rxnorm } },
        });
        const first = await clinic.cases.openDraft(aRequest());
        await clinic.cases.send(first.id, aSubmission(clinic, first, { body: coded('1', 'adalimumab') }));
        const others = async (sent: object, patient = first.patient) => {
          const draft = await clinic.cases.openDraft(aRequest({ patient }));
          return (await clinic.cases.duplicates(draft.id, sent)).length;
        };
        expect(await others(coded('1', 'Humira'))).toBe(1);
        expect(await others(coded('2', 'adalimumab'))).toBe(0);
        expect(await others({ ...coded('1', 'x'), provider: { ...body.provider, npi: '1245319599' } })).toBe(0);
        expect(await others(coded('1', 'adalimumab'), 'Patient/somebody-else')).toBe(0);
      });

      test('once with a code and once without is the same by its name, whichever came first', async () => {
        const clinic = aClinic(store);
        const named = (drug_name: string, more: object = {}) => ({
          ...body,
          prescription: { ...body.prescription, drug_name, ...more },
        });
        const coded = named('Adalimumab', { extra: { rxnorm: '1' } });
        const beside = async (first: typeof coded, second: typeof coded) => {
          const sent = await clinic.cases.openDraft(aRequest());
          await clinic.cases.send(sent.id, aSubmission(clinic, sent, { body: first }));
          const draft = await clinic.cases.openDraft(aRequest({ patient: sent.patient }));
          return (await clinic.cases.duplicates(draft.id, second)).length;
        };
        expect(await beside(coded, named('adalimumab'))).toBe(1);
        expect(await beside(named('adalimumab'), coded)).toBe(1);
        expect(await beside(named('etanercept'), coded)).toBe(0);
        expect(await beside(coded, named(''))).toBe(0);
      });

      test('that has finished is none', async () => {
        const clinic = aClinic(store);
        const first = await aSentCase(clinic);
        clinic.service.move(first.serviceId, denied);
        await clinic.cases.refresh(first.id);
        const draft = await clinic.cases.openDraft(aRequest({ patient: first.patient }));
        expect(await clinic.cases.duplicates(draft.id, body)).toEqual([]);
      });
    });

    test('an order whose request has ended leads to it; a new one only when asked for [S18]', async () => {
      const clinic = aClinic(store);
      const request = aRequest();
      const first = await clinic.cases.openDraft(request);
      const sent = await clinic.cases.send(first.id, aSubmission(clinic, first));
      clinic.service.move(clinic.service.id(1), denied);
      const [opened] = await Promise.all([clinic.cases.openDraft(request), clinic.cases.refresh(sent.id)]);
      expect(opened.id).toBe(first.id);
      expect(await clinic.cases.openDraft(request)).toMatchObject({ id: first.id, state: 'ended' });
      const anew = await clinic.cases.openDraft({ ...request, anew: true });
      expect(anew).toMatchObject({ state: 'draft', attempt: 0 });
      expect((await clinic.cases.openDraft({ ...request, anew: true })).id).toBe(anew.id);
    });

    describe('a reading that finds nothing new', () => {
      test('changes no version, no part and no event, though every link in it is new [S9]', async () => {
        const clinic = aClinic(store);
        const sent = await aSentCase(clinic);
        const log = (link: string) => ({
          activity_log: [{ id: 'f0', created_at: '2026-11-21T09:00:00', type: 'sent_fax', details: { url: link } }],
        });
        clinic.service.move(sent.serviceId, { status: 'awaiting_outcome', ...log('https://service.example/a') });
        const before = await clinic.cases.refresh(sent.id);
        const parts = await store.cases.find(sent.id);
        clinic.service.move(sent.serviceId, log('https://service.example/b'));
        const after = await clinic.cases.refresh(sent.id);
        expect([after.version, after.events.length]).toEqual([before.version, before.events.length]);
        expect((await store.cases.find(sent.id))?.record?.hash).toBe(parts?.record?.hash);
        expect(after.state === 'open' && before.state === 'open' && after.readAt !== before.readAt).toBe(true);
      });

      test('is told to the page by its version alone: for its owner, and nobody else [S9, C02]', async () => {
        const { cases } = aClinic(store);
        const draft = await cases.openDraft(aRequest());
        const owner = { site: draft.site, patient: draft.patient };
        const seen = cases.seen(draft);
        expect(await cases.isSeen(draft.id, owner, seen)).toBe(true);
        expect(await cases.isSeen(draft.id, { ...owner, patient: 'Patient/other' }, seen)).toBe(false);
        await cases.saveDraft(draft.id, { edits: { 'provider.fax': '555-0100' } });
        expect(await cases.isSeen(draft.id, owner, seen)).toBe(false);
      });
    });

    describe('the payer’s letter', () => {
      const letter = Buffer.from('%PDF-1.4 the payer says no');
      const fax = {
        activity_log: [
          {
            id: 'f1',
            created_at: '2026-11-21T09:00:00',
            type: 'received_fax',
            details: { url: 'https://service.example/f1.pdf' },
          },
        ],
      };
      const inChart = (clinic: Clinic, id: string) =>
        working(clinic, () =>
          eventually(async () => {
            const now = await clinic.cases.get(id);
            expect(now.writes).toContainEqual(expect.objectContaining({ what: 'determination', state: 'done' }));
            expect(now.unwritten).toBe(false);
          }),
        );

      test('that cannot be fetched at first is fetched and written later; the page asks on [S17, S13]', async () => {
        const clinic = aClinic(store, { pollSeconds: 0.3 });
        const sent = await aSentCase(clinic);
        clinic.service.file = letter;
        const away = new BridgeError('service_file_refused', { reason: 'status' });
        clinic.service.next.download.push(away, away, away);
        clinic.service.move(sent.serviceId, { ...denied, ...fax });
        const ended = await clinic.cases.refresh(sent.id);
        expect(ended).toMatchObject({ state: 'ended', unwritten: true });
        await inChart(clinic, sent.id);
        const { history } = await clinic.cases.get(sent.id);
        expect(history.map(({ what }) => what)).toEqual(
          expect.arrayContaining([
            'The payer’s letter could not be fetched yet; this app keeps trying',
            'The payer’s letter was fetched',
          ]),
        );
        const documents = clinic.ehr.all<DocumentReference>('DocumentReference');
        expect(documents.filter(({ subject }) => subject?.reference === sent.patient)).toHaveLength(2);
      });

      test('that never comes is given up after its time; a person lets it be fetched once more', async () => {
        const clinic = aClinic(store, { pollSeconds: 0.3, letterDays: 0.000001 });
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, { ...denied, ...fax });
        await clinic.cases.refresh(sent.id);
        const givenUp = async () => {
          const now = await clinic.cases.get(sent.id);
          expect(now.unwritten).toBe(false);
          expect(now.writes.map(({ what }) => what).sort()).toEqual(['document', 'task']);
          return now.events.map(({ type }) => type).filter((type) => type.startsWith('letter_'));
        };
        await working(clinic, () =>
          eventually(async () => expect(await givenUp()).toEqual(['letter_missing', 'letter_given_up'])),
        );
        const asked = await clinic.cases.fetchLetter(sent.id, by);
        expect(asked.events.map(({ type }) => type).slice(-2)).toEqual(['letter_asked', 'letter_given_up']);
        await working(clinic, () => eventually(givenUp));
        clinic.service.file = letter;
        expect((await clinic.cases.fetchLetter(sent.id, by)).events.at(-1)).toMatchObject({ type: 'letter_kept' });
        await inChart(clinic, sent.id);
        await expect(clinic.cases.fetchLetter(sent.id, by)).rejects.toMatchObject({ code: 'case_not_ready' });
      }, 60_000);

      test('of a lost request that a person found when it had finished is fetched and written [S17]', async () => {
        const clinic = aClinic(store, { pollSeconds: 0.3 });
        const draft = await clinic.cases.openDraft(aRequest());
        clinic.service.next.create.push('lost-after');
        await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        clinic.service.file = letter;
        clinic.service.move(clinic.service.id(1), { ...denied, ...fax });
        expect(await clinic.cases.markArrived(draft.id, { serviceId: clinic.service.id(1), by })).toMatchObject({
          state: 'ended',
        });
        await inChart(clinic, draft.id);
      });

      test('that comes with a webhook after the end is fetched and written too [S17]', async () => {
        const clinic = aClinic(store, { pollSeconds: 0.3 });
        const sent = await aSentCase(clinic);
        clinic.service.move(sent.serviceId, denied);
        await clinic.cases.refresh(sent.id);
        clinic.service.file = letter;
        clinic.service.move(sent.serviceId, fax);
        await clinic.cases.receiveWebhook('valley', event(sent.serviceId, { status: 'completed' }));
        await inChart(clinic, sent.id);
      });
    });

    test('an outcome is written at once though the retry of an earlier write waits [S3]', async () => {
      const clinic = aClinic(store);
      const sent = await aSentCase(clinic);
      clinic.access = () => ({
        api: { ...clinic.ehr, capabilities: async () => Promise.reject(new BridgeError('ehr_unreachable')) },
        by: 'refresh',
      });
      await working(clinic, () =>
        eventually(async () =>
          expect((await clinic.cases.get(sent.id)).writes).toMatchObject([{ reason: expect.any(String) }]),
        ),
      );
      clinic.access = () => ({ api: clinic.ehr, by: 'refresh' });
      clinic.service.move(sent.serviceId, denied);
      await clinic.cases.refresh(sent.id);
      await working(clinic, () =>
        eventually(async () =>
          expect((await clinic.cases.get(sent.id)).writes.map(({ state }) => state)).toEqual(['done', 'done']),
        ),
      );
    });

    describe('starting', () => {
      test('a site that left the file is named once; its cases go on when it is back [S30]', async () => {
        const ehr = fakeEhr();
        const service = fakeService();
        const lake = testSite({ id: 'lake', service: busy });
        const sent = await aSentCase(aClinic(store, { ehr, service, sites: [lake], pollSeconds: 0.3 }), {
          site: 'lake',
        });
        const without = aClinic(store, { ehr, service, sites: [testSite({ service: busy })] });
        await without.work.prepare();
        await without.work.prepare();
        await working(without, async () => {});
        const said = without.logged.filter(({ facts }) => facts.site === 'lake');
        expect(said).toEqual([
          {
            level: 'error',
            facts: { site: 'lake', count: 1, code: 'site_gone' },
            message: 'a site with open cases is not in the sites file',
          },
        ]);
        service.move(sent.serviceId, denied);
        const back = aClinic(store, { ehr, service, sites: [lake], pollSeconds: 0.3 });
        await working(back, () => eventually(async () => expect((await back.cases.get(sent.id)).state).toBe('ended')));
      });

      test.each(['sending', 'open'])(
        'a case in `%s` that cannot be read stops no start, and keeps no other back [S10]',
        async (state) => {
          const clinic = aClinic(store, { pollSeconds: 0.3 });
          const broken = await aSentCase(clinic);
          const sent = await aSentCase(clinic);
          const table = (name: string) => `"${backend.schema}".${name}`;
          await sqlOf(store)(`update ${table('cases')} set state = $2 where id = $1`, [broken.id, state]);
          await sqlOf(store)(
            `update ${table('parts')} set sealed = 'v1.damaged' where case_id = $1 and part = 'head'`,
            [broken.id],
          );
          // What was queued for them is lost: the start has to look for both.
          for (const { name } of queues) await store.boss.deleteQueuedJobs(name);
          clinic.service.move(sent.serviceId, denied);
          await working(clinic, () =>
            eventually(async () => expect((await clinic.cases.get(sent.id)).state).toBe('ended')),
          );
          await expect(clinic.cases.get(broken.id)).rejects.toMatchObject({ code: 'store_unavailable' });
        },
      );
    });

    describe('many sites', () => {
      test('a site whose service does not answer keeps no other waiting [S8]', async () => {
        const held = Promise.withResolvers<void>();
        const slow = fakeService();
        const read = slow.getPriorAuthorization;
        const asked: string[] = [];
        slow.getPriorAuthorization = async (id) => {
          asked.push(id);
          await held.promise;
          return await read(id);
        };
        const quick = fakeService();
        const sites = [testSite({ id: 'slow', service: busy }), testSite({ id: 'quick', service: busy })];
        const clinic = aClinic(store, {
          sites,
          services: ({ id }) => (id === 'slow' ? slow : quick),
          pollSeconds: 0.3,
        });
        const waiting: Open[] = [];
        for (let nth = 0; nth < 12; nth += 1) waiting.push(await aSentCase(clinic, { site: 'slow' }));
        const sent = await aSentCase(clinic, { site: 'quick' });
        quick.move(sent.serviceId, denied);
        await working(clinic, async () => {
          for (const { serviceId } of waiting) await clinic.cases.receiveWebhook('slow', event(serviceId));
          await eventually(() => expect(asked.length).toBeGreaterThan(3));
          await clinic.cases.receiveWebhook('quick', event(sent.serviceId, { status: 'completed' }));
          // Nothing of the slow site has ended yet.
          await eventually(async () => expect((await clinic.cases.get(sent.id)).state).toBe('ended'));
          // Looks and polls of the slow site: at most four of a kind at a time.
          expect(asked.length).toBeLessThanOrEqual(8);
          held.resolve();
        });
      });
    });

    test('counts and lists', async () => {
      const { cases } = aClinic(store);
      await cases.openDraft(aRequest({ site: 'hill' }));
      expect(await cases.counts()).toContainEqual({
        site: 'hill',
        state: 'draft',
        count: expect.any(Number),
        oldestSeconds: expect.any(Number),
      });
      expect(
        (await cases.list({ site: 'hill', states: ['draft'] })).every(
          (each) => each.site === 'hill' && each.state === 'draft',
        ),
      ).toBe(true);
    });
  });
}
