import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, type Editable, type Open, roundsOf } from '../../src/cases/case.ts';
import { roundSeen, roundStanding } from '../../src/cases/rounds/round.ts';
import { fingerprintOf } from '../../src/cases/signature.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { AuditRow, Store } from '../../src/store/types.ts';
import { currentBody } from '../service/sample.ts';
import { type Backend, sqlOf } from '../store/backends.ts';
import { testSite } from '../support/site.ts';
import { aClinic, aDraft, aSubmission, body, busy, type Clinic, enrollment } from './clinic.ts';

// A nurse hands over, a prescriber signs, the nurse sends.

const nurse = { fhirUser: 'Practitioner/n1', name: 'Noor Haddad, RN' };
const prescriber = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const partner = { fhirUser: 'Practitioner/d2', name: 'Dr. Sam Ito' };
const signature = { signers: [partner.fhirUser] };
const strict = testSite({ service: busy, signature });
const digest = fingerprintOf(body);

const shown = { title: 'adalimumab', lines: [], warnings: [], body, provenance: [], enteredBy: {} };
const ask = ({ cases }: Clinic, { id, site, patient }: Pick<Case, 'id' | 'site' | 'patient'>, more: object = {}) => {
  const expectedPatient = cases.patientMark(site, patient);
  return cases.askSignature(id, { shown, by: nurse, prescriber: prescriber.fhirUser, expectedPatient, ...more });
};
const send = (clinic: Clinic, draft: Editable, more: object = {}) =>
  clinic.cases.send(draft.id, aSubmission(clinic, draft, { by: nurse, ...more }));
const says = ({ events }: Case) => events.map(({ type }) => type).filter((type) => type.startsWith('sign'));
const code = (name: string) => expect.objectContaining({ code: name });

/** Signatures on whatever database it is. */
export function describeSignatures(title: string, openBackend: () => Promise<Backend>): void {
  describe(title, () => {
    let backend: Backend;
    let store: Store;
    const waits = async ({ id }: Pick<Case, 'id'>) => (await store.worklist.find(id))?.waits;
    beforeAll(async () => {
      backend = await openBackend();
      store = await backend.open({ queues, worklist: worklistRules });
    });
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    test('is handed over, signed and sent; who and when stands in case, history and audit', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      expect(await waits(draft)).toBe('draft');
      await ask(clinic, draft);
      expect(await waits(draft)).toBe('signature');
      const signed = await clinic.cases.sign(draft.id, { digest }, prescriber);
      expect(await waits(draft)).toBe('signed');
      expect(signed.signature).toMatchObject({ state: 'signed', digest, askedBy: nurse, settledBy: prescriber });
      const sent = await send(clinic, draft);
      expect(sent.state).toBe('open');
      expect(sent.signature).toMatchObject({ settledBy: prescriber, settledAt: signed.signature?.settledAt });
      expect(sent.history.filter(({ what }) => /[Ss]ign/.test(what))).toMatchObject([
        { what: 'Handed over for signature', by: nurse },
        { what: 'Signed', by: prescriber },
      ]);
      const rows: AuditRow[] = [];
      for await (const row of store.audit.rows({ patient: draft.patient, site: draft.site })) rows.push(row);
      expect(rows.filter(({ action }) => action.startsWith('sign'))).toMatchObject([
        { action: 'sign_asked', actor: nurse.fhirUser },
        { action: 'signed', actor: prescriber.fhirUser },
      ]);
    });

    test('nothing leaves a site that requires it: not unsigned, not handed over, not returned', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await expect(send(clinic, draft)).rejects.toThrow(code('signature_required'));
      await ask(clinic, draft);
      await expect(send(clinic, draft)).rejects.toThrow(code('signature_required'));
      await clinic.cases.returnUnsigned(draft.id, { digest }, { note: 'Quantity is 4.', by: prescriber });
      await expect(send(clinic, draft)).rejects.toThrow(code('signature_required'));
      expect(clinic.service.creates).toHaveLength(0);
      expect((await clinic.cases.get(draft.id)).state).toBe('draft');
    });

    test('what is sent must be what was signed: another body needs a signature of its own', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft);
      await clinic.cases.sign(draft.id, { digest }, prescriber);
      const other = { ...body, prescription: { ...body.prescription, quantity: 4 } };
      await expect(send(clinic, draft, { body: other })).rejects.toThrow(code('signature_required'));
      expect((await send(clinic, draft)).state).toBe('open');
    });

    test('the prescriber and whom the site names can sign; of a restricted chart the prescriber alone', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft);
      for (const stranger of [nurse, { name: 'Somebody unnamed' }, { fhirUser: 'Practitioner/d3' }])
        await expect(clinic.cases.sign(draft.id, { digest }, stranger)).rejects.toThrow(code('sign_refused'));
      expect((await clinic.cases.sign(draft.id, { digest }, partner)).signature?.settledBy).toMatchObject(partner);
      const closed = await aDraft(clinic, { restricted: true });
      await ask(clinic, closed);
      await expect(clinic.cases.sign(closed.id, { digest }, partner)).rejects.toThrow(code('sign_refused'));
      expect(says(await clinic.cases.sign(closed.id, { digest }, prescriber))).toEqual(['sign_asked', 'signed']);
    });

    test('an edit after it was handed over, or signed, is a change until the page shows that it is none', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft);
      await clinic.cases.saveDraft(draft.id, { edits: { 'prescription.quantity': 4 } });
      expect(await waits(draft)).toBe('sign_again');
      await expect(clinic.cases.sign(draft.id, { digest }, prescriber)).rejects.toThrow(code('signature_changed'));
      await clinic.cases.saveDraft(draft.id, { edits: {}, digest });
      expect(await waits(draft)).toBe('signature');
      await clinic.cases.sign(draft.id, { digest }, prescriber);
      await clinic.cases.saveDraft(draft.id, { needed: 0, payer: 'Aetna' });
      expect(await waits(draft)).toBe('signed');
      await clinic.cases.saveDraft(draft.id, { answers: { evidence: ['DocumentReference/1'] } });
      expect(await waits(draft)).toBe('sign_again');
    });

    test('a page of another chart hands nothing over', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const [draft, other] = [await aDraft(clinic), await aDraft(clinic)];
      const expectedPatient = clinic.cases.patientMark(other.site, other.patient);
      await expect(ask(clinic, draft, { expectedPatient })).rejects.toThrow(code('case_changed'));
      expect(await waits(draft)).toBe('draft');
    });

    test('what is signed today can be sent tomorrow: the day on which answers were put together does not count', () => {
      const answers = (day: string, said: string) => ({
        ...body,
        evidence: [{ title: 'Answers', date_created: `${day}T00:00:00.000000`, content: { said } }],
        questionnaires: [{ questions: [{ question: 'Which dose?', answer: said }], date_created: day }],
      });
      const signed = fingerprintOf(answers('2026-11-27', '40 mg'));
      expect(fingerprintOf(answers('2026-11-28', '40 mg'))).toBe(signed);
      expect(fingerprintOf(answers('2026-11-27', '80 mg'))).not.toBe(signed);
      const document = (day: string) => ({ ...body, evidence: [{ title: 'A1c', date_created: day, content: {} }] });
      expect(fingerprintOf(document('2026-11-28'))).not.toBe(fingerprintOf(document('2026-11-27')));
    });

    test('a double click signs once, and so do two people at once', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await Promise.all([ask(clinic, draft), ask(clinic, draft)]);
      await Promise.all([prescriber, prescriber, partner].map((by) => clinic.cases.sign(draft.id, { digest }, by)));
      expect(says(await clinic.cases.get(draft.id))).toEqual(['sign_asked', 'signed']);
    });

    test('an old tab signs nothing: the draft was handed over anew, or a colleague returned it', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft);
      const other = { ...body, prescription: { ...body.prescription, quantity: 4 } };
      await ask(clinic, draft, { shown: { ...shown, body: other } });
      await expect(clinic.cases.sign(draft.id, { digest }, prescriber)).rejects.toThrow(code('signature_changed'));
      const now = { digest: fingerprintOf(other) };
      await clinic.cases.returnUnsigned(draft.id, now, { note: 'Not this dose.', by: partner });
      await expect(clinic.cases.sign(draft.id, now, prescriber)).rejects.toThrow(code('signature_changed'));
      expect((await clinic.cases.get(draft.id)).signature).toMatchObject({ state: 'returned', note: 'Not this dose.' });
    });

    test('it is returned with a note that colleagues read, also after it was signed; not without one', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft);
      await clinic.cases.sign(draft.id, { digest }, prescriber);
      const back = (note: string) => clinic.cases.returnUnsigned(draft.id, { digest }, { note, by: prescriber });
      await expect(back('  ')).rejects.toThrow(code('bad_request'));
      expect((await back('Add the A1c.')).notes).toMatchObject([{ by: prescriber, text: 'Add the A1c.' }]);
      expect(await waits(draft)).toBe('sign_returned');
      await ask(clinic, draft);
      expect(await waits(draft)).toBe('signature');
    });

    test('the prescriber who sends signs with that, once; nobody else can', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic, { prescriber: prescriber.fhirUser });
      await expect(send(clinic, draft, { signs: true })).rejects.toThrow(code('sign_refused'));
      await expect(send(clinic, draft, { by: prescriber })).rejects.toThrow(code('signature_required'));
      const sent = await send(clinic, draft, { by: prescriber, signs: true });
      expect(sent.signature).toMatchObject({ state: 'signed', settledBy: prescriber });
      expect(says(sent)).toEqual(['signed']);
    });

    test('a request that the service refused goes again under the same signature, unless it is changed', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft);
      await clinic.cases.sign(draft.id, { digest }, prescriber);
      clinic.service.next.create.push(new BridgeError('service_refused'));
      const refused = await send(clinic, draft);
      expect(refused.state).toBe('refused');
      expect(await waits(draft)).toBe('refused');
      expect((await send(clinic, draft)).state).toBe('open');
    });

    test('a site without it has none, and one that only offers it sends without', async () => {
      const [plain, offering] = [
        testSite({ service: busy }),
        testSite({ service: busy, signature: { required: false } }),
      ];
      const without = aClinic(store, { sites: [plain] });
      const draft = await aDraft(without);
      await expect(ask(without, draft)).rejects.toThrow(code('not_found'));
      const clinic = aClinic(store, { sites: [offering] });
      const offered = await aDraft(clinic);
      await ask(clinic, offered);
      expect((await send(clinic, offered)).state).toBe('open');
      expect((await clinic.cases.get(offered.id)).signature?.state).toBe('asked');
    });

    test('an enrollment needs it as well', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic, { kind: 'enrollment' });
      const consent = { by: 'the patient', on: '2026-11-20', how: 'On paper', recordedBy: nurse };
      await clinic.cases.saveDraft(draft.id, { consent });
      await expect(send(clinic, draft)).rejects.toThrow(code('signature_required'));
      await ask(clinic, draft, { shown: { ...shown, body: enrollment } });
      await clinic.cases.sign(draft.id, { digest: fingerprintOf(enrollment) }, prescriber);
      expect((await send(clinic, draft)).state).toBe('ended');
    });

    test('a benefit verification needs none', async () => {
      const site = testSite({ service: { ...busy, profile: 'current' }, signature });
      const clinic = aClinic(store, { sites: [site] });
      const draft = await aDraft(clinic, { kind: 'benefit-verification' });
      expect((await send(clinic, draft)).state).toBe('open');
    });

    test('what was handed over is kept sealed with the case, and nothing of it stands in clear', async () => {
      const clinic = aClinic(store, { sites: [strict] });
      const draft = await aDraft(clinic);
      await ask(clinic, draft, { shown: { ...shown, title: 'SIGN-CANARY' } });
      await clinic.cases.returnUnsigned(draft.id, { digest }, { note: 'NOTE-CANARY', by: prescriber });
      expect(await clinic.cases.shownToSign(draft.id, digest)).toMatchObject({ title: 'SIGN-CANARY', body });
      const tables = await sqlOf(store)(
        `select tablename as name from pg_tables where schemaname = '${backend.schema}'`,
      );
      for (const { name } of tables) {
        const rows = JSON.stringify(await sqlOf(store)(`select * from "${backend.schema}"."${String(name)}"`));
        expect(rows, String(name)).not.toMatch(/SIGN-CANARY|NOTE-CANARY/);
      }
    });

    describe('a reply to the payer', () => {
      const current = testSite({ service: { ...busy, profile: 'current', outreachEndField: 'all_done' }, signature });

      async function asked(clinic: Clinic): Promise<Open> {
        const draft = await aDraft(clinic, { prescriber: prescriber.fhirUser });
        const signs = { by: prescriber, signs: true, body: currentBody() };
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft, signs));
        if (sent.state !== 'open') throw new Error(`not sent: ${sent.state}`);
        await clinic.cases.openRound(sent.id, { by: nurse, text: 'What is the dose?' });
        return sent;
      }
      const roundOf = async ({ cases }: Clinic, { id }: Case) => roundsOf(await cases.get(id))[0]!;
      async function reply(clinic: Clinic, one: Case, more: object = {}) {
        const seen = roundSeen(await roundOf(clinic, one));
        const request = { round: 1, seen, text: '40 mg.', documents: [], completes: true, by: nurse, ...more };
        await clinic.cases.reply(one.id, request);
        return (await roundOf(clinic, one)).replies.at(-1)!;
      }

      test('waits for its signature, then leaves as it was', async () => {
        const clinic = aClinic(store, { sites: [current] });
        const one = await asked(clinic);
        const { key, state } = await reply(clinic, one);
        expect([state, await waits(one)]).toEqual(['unsigned', 'reply_signature']);
        await expect(clinic.cases.sign(one.id, { reply: key }, nurse)).rejects.toThrow(code('sign_refused'));
        await Promise.all([1, 2].map(() => clinic.cases.sign(one.id, { reply: key }, prescriber)));
        const round = await roundOf(clinic, one);
        expect(round.replies).toMatchObject([{ key, state: 'queued', by: nurse, signedBy: prescriber }]);
        expect(says(await clinic.cases.get(one.id))).toEqual(['signed', 'sign_asked', 'signed']);
      });

      test('that another one replaced, or that was returned, is not signed any more', async () => {
        const clinic = aClinic(store, { sites: [current] });
        const one = await asked(clinic);
        const first = await reply(clinic, one);
        const second = await reply(clinic, one, { text: '80 mg.' });
        expect((await roundOf(clinic, one)).replies.map(({ text }) => text)).toEqual(['80 mg.']);
        const sign = (key: string) => clinic.cases.sign(one.id, { reply: key }, prescriber);
        await expect(sign(first.key)).rejects.toThrow(code('signature_changed'));
        await clinic.cases.returnUnsigned(one.id, { reply: second.key }, { note: '40 mg!', by: prescriber });
        await expect(sign(second.key)).rejects.toThrow(code('signature_changed'));
        const round = await roundOf(clinic, one);
        expect([roundStanding(round), round.replies[0]?.note]).toEqual(['open', '40 mg!']);
        expect((await reply(clinic, one, { text: '80 mg.' })).state).toBe('unsigned');
      });

      test('of the prescriber is signed with that', async () => {
        const clinic = aClinic(store, { sites: [current] });
        const one = await asked(clinic);
        await expect(reply(clinic, one, { signs: true })).rejects.toThrow(code('sign_refused'));
        const { state, signedBy } = await reply(clinic, one, { by: prescriber, signs: true });
        expect([state, signedBy]).toEqual(['queued', prescriber]);
      });

      test('that is sent by hand is printed once it is signed', async () => {
        const clinic = aClinic(store, { sites: [strict] });
        const draft = await aDraft(clinic, { prescriber: prescriber.fhirUser });
        const sent = await send(clinic, draft, { by: prescriber, signs: true });
        await clinic.cases.openRound(sent.id, { by: nurse, text: 'What is the dose?' });
        const { key } = await reply(clinic, sent);
        await clinic.cases.sign(sent.id, { reply: key }, partner);
        expect((await roundOf(clinic, sent)).replies).toMatchObject([{ state: 'printed', signedBy: partner }]);
      });
    });
  });
}
