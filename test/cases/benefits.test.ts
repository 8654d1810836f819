import type { DocumentReference, Task } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Case } from '../../src/cases/case.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistStanding } from '../../src/cases/worklist-entry.ts';
import type { BenefitVerification } from '../../src/core/contract/benefit-verification.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, postgres, postgresBackend, removeCases } from '../store/backends.ts';
import { eventually } from '../support/eventually.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { testSite } from '../support/site.ts';
import { aClinic, aRequest, aSubmission, benefits, busy, type Clinic, working } from './clinic.ts';

const drug = { name: 'adalimumab', dosage: '40 mg', quantity: 2 };
const covered: Partial<BenefitVerification> = {
  status: 'completed',
  patient_coverage_status: 'covered',
  drugs: [{ ...drug, coverage: 'covered', prior_authorization_required: 'yes' }],
};
const kind = 'benefit-verification';

describeBenefits('on the embedded store', pgliteBackend);
if ('missing' in postgres) test.skip(`benefit verifications on PostgreSQL: ${postgres.missing}`, () => {});
else describeBenefits(`on ${postgres.title}`, postgresBackend);

function describeBenefits(name: string, openBackend: () => Promise<Backend>): void {
  describe(`a benefit verification ${name}`, () => {
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

    const clinicOf = (profile: 'documented' | 'current' = 'current') =>
      aClinic(store, { sites: [testSite({ service: { ...busy, profile } })] });

    async function sent(clinic: Clinic): Promise<Case & { readonly serviceId: string }> {
      const draft = await clinic.cases.openDraft(aRequest({ kind }));
      const one = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
      if (one.state !== 'open') throw new Error(`not sent: ${one.state}`);
      return one;
    }

    const writtenTo = ({ ehr }: Clinic) => [
      ...ehr.all<Task>('Task'),
      ...ehr.all<DocumentReference>('DocumentReference'),
    ];
    const told = (id: string, type = 'benefit_verification.status_change') => ({ event_type: type, data: { id } });

    test('is sent as it is and followed from pending', async () => {
      const clinic = clinicOf();
      expect(await sent(clinic)).toMatchObject({ kind, state: 'open', status: 'pending' });
      expect(clinic.service.verifications).toEqual([benefits]);
    });

    test('is refused before anything leaves where the site’s service has the profile documented', async () => {
      const clinic = clinicOf('documented');
      const draft = await clinic.cases.openDraft(aRequest({ kind }));
      await expect(clinic.cases.send(draft.id, aSubmission(clinic, draft))).rejects.toMatchObject({
        code: 'benefits_not_offered',
      });
      expect(clinic.service.verifications).toEqual([]);
      expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'draft' });
    });

    test.each(['benefit_verification.status_change', 'Benefit Verification Updated'])(
      'ends by the record that the event %s leads to, whatever the event says',
      async (type) => {
        const clinic = clinicOf();
        const one = await sent(clinic);
        clinic.service.moveBenefits(one.serviceId, covered);
        const event = {
          event_type: type,
          data: { id: one.serviceId, status: 'completed', drugs: [{ coverage: 'no' }] },
        };
        await working(clinic, async () => {
          expect(await clinic.cases.receiveWebhook('valley', event)).toBe('accepted');
          await eventually(async () => expect(await clinic.cases.get(one.id)).toMatchObject({ state: 'ended' }));
        });
        const ended = await clinic.cases.get(one.id);
        expect(worklistStanding(ended)).toEqual({
          part: 'needs',
          waits: 'covered',
          says: 'Covered: prior authorization required',
        });
      },
    );

    test('keeps nothing of what the plan says before the end', async () => {
      const clinic = clinicOf();
      const one = await sent(clinic);
      clinic.service.moveBenefits(one.serviceId, { ...covered, status: 'pending', status_description: 'EARLY-WORD' });
      const read = await clinic.cases.refresh(one.id);
      expect(JSON.stringify('record' in read ? read.record : {})).not.toMatch(/EARLY-WORD|covered/);
      expect(read).toMatchObject({ state: 'open', status: 'pending', record: { drugs: [drug] } });
    });

    test.each(['escalated', 'covered', 'approved'])(
      'with the status %s, which nobody knows, goes on',
      async (status) => {
        const clinic = clinicOf();
        const one = await sent(clinic);
        clinic.service.moveBenefits(one.serviceId, { ...covered, status });
        const read = await clinic.cases.refresh(one.id);
        expect(read).toMatchObject({ state: 'open', status });
        const says = `Unknown status: “${status}”`;
        expect(worklistStanding(read)).toEqual({ part: 'payer', waits: 'unknown_status', says });
      },
    );

    test('has a Task and a summary in the chart at its end', async () => {
      const clinic = clinicOf();
      const one = await sent(clinic);
      clinic.service.moveBenefits(one.serviceId, covered);
      await clinic.cases.refresh(one.id);
      await clinic.cases.retryWriteback(one.id, 'bridge');
      await clinic.cases.retryWriteback(one.id, 'bridge');
      expect(clinic.ehr.all<Task>('Task')).toMatchObject([
        {
          status: 'completed',
          code: { text: 'Benefit verification' },
          businessStatus: { text: 'Covered: prior authorization required' },
          identifier: [{}, { system: 'https://bridge.example/fhir/ns/benefit-verification', value: one.serviceId }],
        },
      ]);
      const [document, ...others] = clinic.ehr.all<DocumentReference>('DocumentReference');
      expect(others).toEqual([]);
      expect(document?.type?.text).toBe('Benefit verification summary');
      expect(document?.content[0]?.attachment.title).toMatch(
        /^Benefits summary: adalimumab, covered: prior authorization required \d/,
      );
      expect(writtenTo(clinic).map(fhirProblems)).toEqual([[], []]);
    });

    test('is cancelled, with the reason in the Task', async () => {
      const clinic = clinicOf();
      const one = await sent(clinic);
      const cancelled = await clinic.cases.cancel(one.id, { reason: 'Sent by mistake', by: { name: 'Ann' } });
      expect(cancelled).toMatchObject({ state: 'ended', status: 'cancelled' });
      await clinic.cases.retryWriteback(one.id, 'bridge');
      expect(clinic.ehr.all<Task>('Task')).toMatchObject([
        { status: 'cancelled', statusReason: { text: 'Sent by mistake' } },
      ]);
      expect(writtenTo(clinic).flatMap(fhirProblems)).toEqual([]);
    });

    test('that has ended is not cancelled', async () => {
      const clinic = clinicOf();
      const one = await sent(clinic);
      clinic.service.moveBenefits(one.serviceId, covered);
      clinic.service.next.cancel.push(new BridgeError('service_refused'));
      await expect(
        clinic.cases.cancel(one.id, { reason: 'Sent by mistake', by: { name: 'Ann' } }),
      ).rejects.toMatchObject({ code: 'case_not_cancellable' });
    });

    describe('whose answer was lost', () => {
      async function lost(clinic: Clinic): Promise<Case> {
        const draft = await clinic.cases.openDraft(aRequest({ kind }));
        clinic.service.next.create.push('lost-after');
        return await clinic.cases.send(draft.id, aSubmission(clinic, draft));
      }
      const idOf = ({ service }: Clinic) => [...service.benefits.keys()].at(-1) ?? '';

      test('is settled by a webhook of a record that says what was asked', async () => {
        const clinic = clinicOf();
        const one = await lost(clinic);
        expect(one.state).toBe('unknown');
        await working(clinic, async () => {
          expect(await clinic.cases.receiveWebhook('valley', told(idOf(clinic)))).toBe('accepted');
          await eventually(async () =>
            expect(await clinic.cases.get(one.id)).toMatchObject({ state: 'open', serviceId: idOf(clinic) }),
          );
        });
        expect(clinic.service.verifications).toHaveLength(1);
      });

      test('is not settled by a record of another drug, patient or prescriber', async () => {
        const clinic = clinicOf();
        const one = await lost(clinic);
        const id = idOf(clinic);
        const others: Partial<BenefitVerification>[] = [
          { drugs: [{ ...drug, dosage: '80 mg' }] },
          { drugs: [drug], patient: { internal_id: 'MRN-OTHER' } },
          { patient: benefits.patient, provider: { npi: '1679576722' } },
        ];
        for (const other of others) {
          clinic.service.moveBenefits(id, other);
          await expect(clinic.cases.markArrived(one.id, { serviceId: id, by: { name: 'Ann' } })).rejects.toMatchObject({
            code: 'service_id_wrong',
          });
        }
        expect(await clinic.cases.get(one.id)).toMatchObject({ state: 'unknown' });
      });

      test('is left to a person where two requests could be meant', async () => {
        const clinic = clinicOf();
        const [one, other] = [await lost(clinic), await lost(clinic)];
        await working(clinic, async () => {
          await clinic.cases.receiveWebhook('valley', told(idOf(clinic)));
          await eventually(() => expect(clinic.service.reads).toContain(idOf(clinic)));
        });
        expect([await clinic.cases.get(one.id), await clinic.cases.get(other.id)]).toMatchObject([
          { state: 'unknown' },
          { state: 'unknown' },
        ]);
        await clinic.cases.markArrived(one.id, { serviceId: idOf(clinic), by: { name: 'Ann' } });
        await expect(
          clinic.cases.markArrived(other.id, { serviceId: idOf(clinic), by: { name: 'Ann' } }),
        ).rejects.toMatchObject({ code: 'service_id_wrong' });
      });

      test('may be sent again once a person says that it did not arrive; what arrived after all is told', async () => {
        const clinic = clinicOf();
        const one = await lost(clinic);
        const first = idOf(clinic);
        await clinic.cases.markNotArrived(one.id, { name: 'Ann' });
        const again = await clinic.cases.send(one.id, aSubmission(clinic, await clinic.cases.get(one.id)));
        expect(again).toMatchObject({ state: 'open', attempt: 2 });
        await working(clinic, async () => {
          await clinic.cases.receiveWebhook('valley', told(first));
          await eventually(async () =>
            expect(await clinic.cases.get(one.id)).toMatchObject({
              others: [first],
              problem: { code: 'service_second_request' },
            }),
          );
        });
      });
    });

    test('an event of the other kind for its id is ignored', async () => {
      const clinic = clinicOf();
      const one = await sent(clinic);
      const event = told(one.serviceId, 'prior_authorization.status_change');
      expect(await clinic.cases.receiveWebhook('valley', event)).toBe('ignored');
    });

    test('stands beside a prior authorization of the same order', async () => {
      const clinic = clinicOf();
      const request = aRequest();
      const priorAuth = await clinic.cases.openDraft(request);
      const verification = await clinic.cases.openDraft({ ...request, kind });
      expect(verification.id).not.toBe(priorAuth.id);
      expect(await clinic.cases.openDraft({ ...request, kind })).toMatchObject({ id: verification.id });
    });
  });
}
