import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { errors } from '../../../../src/core/errors.ts';
import { type AnyCase, formOf, openScene, type Scene } from '../../support.ts';

const id = '11111111-2222-4333-8444-555555555555';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
});
afterEach(() => scene.app.close());

/** A sent case of this patient. */
function put(change: Partial<AnyCase> = {}): string {
  scene.cases.put({
    id,
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order: `MedicationRequest/${scene.order}`,
    state: 'open',
    status: 'awaiting_outcome',
    serviceId: 'pa_77',
    sentAt: '2026-11-21T14:00:00.000Z',
    record: { id: 'pa_77', status: 'awaiting_outcome', url: 'https://platform.example/pa_77' },
    ...change,
  });
  return `${scene.home}/cases/${id}`;
}

const denied = {
  id: 'pa_77',
  status: 'completed',
  outcome: { result: 'Denied', detail: 'Step therapy criteria not met', detail_code: 'step_therapy_criteria_not_met' },
  denial_reason_analysis: {
    categories: ['step_therapy'],
    explanation: 'Methotrexate was not tried.',
    next_steps: 'Send the dates of the trial.',
  },
};

async function act(path: string, fields: Record<string, string>) {
  const page = await scene.get(path);
  return scene.post(path, { token: formOf(page.body).token ?? '', ...fields });
}

describe('the case page', () => {
  test('says where the case stands, what that means, and links to the platform', async () => {
    const { body } = await scene.get(put());
    expect(body).toContain('<h2 id="standing">With the payer</h2>');
    expect(body).toContain('href="https://platform.example/pa_77"');
    expect(body).toContain('hx-trigger="every 3s"');
  });

  test.each(['javascript:alert(1)', 'http://platform.example/x', 'not an address'])(
    'does not link to %s',
    async (url) => {
      const { body } = await scene.get(put({ record: { id: 'pa_77', status: 'awaiting_review', url } }));
      expect(body).not.toMatch(/Open in the service|Review in the service/);
    },
  );

  test('shows nothing about an outcome while it is validated, whatever the record holds [F08]', async () => {
    const { body } = await scene.get(put({ record: { ...denied, status: 'validating_outcome' } }));
    expect(body).toContain('Checking the payer’s answer');
    expect(body).not.toMatch(/Denied|Step therapy|Methotrexate|letter\.pdf/);
  });

  test('shows a final denial with its analysis and the letter, and polls no more', async () => {
    const path = put({
      state: 'ended',
      status: 'completed',
      record: denied,
      writes: [
        { what: 'task', version: '1', state: 'done', reference: 'Task/7', attempts: 1, at: '2026-11-21T14:05:00.000Z' },
      ],
    });
    const { body } = await scene.get(path);
    expect(body).toContain('Denied: step therapy criteria not met');
    expect(body).toContain('Methotrexate was not tried.');
    expect(body).toContain(`href="${path}/letter.pdf"`);
    expect(body).toContain('Task/7');
    expect(body).not.toContain('hx-trigger');
    expect(body).not.toContain('Cancel this request');
  });

  test('what was never submitted has the service’s words and no letter: none is written for it', async () => {
    const outcome = {
      result: 'Not Submitted',
      detail: 'The patient is covered by a government plan',
      detail_code: 'eligibility_check_government_plan',
    };
    const { body } = await scene.get(
      put({ state: 'ended', status: 'not_submitted', record: { id: 'pa_77', status: 'not_submitted', outcome } }),
    );
    expect(body).toContain('<dt>Reason given by the service</dt><dd>The patient is covered by a government plan</dd>');
    expect(body).not.toMatch(/letter\.pdf|Payer’s reason/);
  });

  test('an unknown result is for a person to read, never an approval [F12]', async () => {
    const { body } = await scene.get(
      put({ state: 'ended', record: { id: 'pa_77', status: 'completed', outcome: { result: 'Approved-ish' } } }),
    );
    expect(body).toContain('Needs your review: the payer’s answer is unclear');
    expect(body).not.toContain('tone-good');
  });

  test('says what could not be written to the chart and why', async () => {
    const { body } = await scene.get(
      put({
        writes: [
          {
            what: 'task',
            version: '1',
            state: 'skipped',
            reason: 'the EHR offers no Task.create',
            attempts: 0,
            at: '2026-11-21T14:05:00.000Z',
          },
        ],
      }),
    );
    expect(body).toContain('the EHR offers no Task.create');
    expect(body).toContain('not possible in this EHR');
  });

  test('[E7] has the words of the EHR about a refused write for IT support', async () => {
    const refused = {
      what: 'task',
      version: '1',
      state: 'failed',
      attempts: 1,
      at: '2026-11-21T14:05:00.000Z',
    } as const;
    const says = 'Task.intent: <b>order</b> is not allowed';
    const { body } = await scene.get(put({ writes: [{ ...refused, reason: 'The EHR refused', says }] }));
    expect(body).toContain('The EHR says: “Task.intent: &lt;b>order&lt;/b> is not allowed”');
    expect(body.indexOf('The EHR says')).toBeGreaterThan(body.indexOf('For IT support'));
    expect(JSON.stringify(scene.log)).not.toContain('is not allowed');
  });

  describe('with a letter of the payer that never came', () => {
    const fax = [{ id: 'f1', created_at: '2026-10-20T09:00:00', type: 'received_fax' }];
    const noted = (type: string, at: string) => ({
      id: 1,
      at,
      type,
      actor: 'bridge',
      facts: { letter: 'f1', code: 'service_file_refused' },
    });
    const missing = noted('letter_missing', '2026-10-20T10:00:00.000Z');
    const givenUp = noted('letter_given_up', '2026-11-19T10:00:00.000Z');
    const withEvents = (...events: ReturnType<typeof noted>[]) =>
      put({ state: 'ended', record: { ...denied, activity_log: fax }, events });

    test('says that it is not in the chart, with the last answer, and lets it be fetched again', async () => {
      const path = withEvents(missing, givenUp);
      const { body } = await scene.get(path);
      expect(body).toContain('The payer’s letter is not in the chart');
      expect(body).toContain(errors.service_file_refused.title);
      expect(body).toMatch(/<button [^>]*value="fetch-letter"[^>]*>Fetch again</);
      expect((await scene.get(`${scene.home}/orders`)).body).toContain('Not saved to the chart');
      expect((await act(path, { action: 'fetch-letter' })).status).toBe(303);
      expect(scene.cases.letters).toEqual([id]);
    });

    test.each([
      ['it is still being fetched', [missing]],
      ['a person let it be fetched again', [missing, givenUp, noted('letter_asked', '2026-11-20T10:00:00.000Z')]],
      ['it came', [missing, givenUp, noted('letter_kept', '2026-11-20T10:00:00.000Z')]],
    ])('says nothing of the kind when %s', async (_when, events) => {
      const { body } = await scene.get(withEvents(...events));
      expect(body).not.toMatch(/letter is not in the chart|Fetch again/);
    });
  });

  test('asks a person when the answer of a request was lost, and offers no second sending', async () => {
    const { body } = await scene.get(
      put({
        state: 'unknown',
        problem: { code: 'service_unclear', text: 'The answer was lost.', at: '2026-11-21T14:00:00Z' },
      }),
    );
    expect(body).toContain('Did the request arrive?');
    expect(body).toMatch(/<input [^>]*name="serviceId"[^>]* required/);
    expect(body).toMatch(/<button [^>]*value="not-arrived"[^>]* formnovalidate/);
    expect(body).not.toMatch(/Review and send|Correct and send again/);
  });

  describe('names the person whom the case waits for', () => {
    const sentBy = { fhirUser: 'Practitioner/d1', name: 'Adwoa Osei-Brandt MD' };
    const waits = 'Waiting for <strong>Adwoa Osei-Brandt MD</strong>';
    const at = '2026-11-21T14:05:00.000Z';
    const failed = { what: 'task', version: '1', state: 'failed', attempts: 1, at } as const;
    const review = { id: 'pa_77', status: 'awaiting_review' };
    const unread = { id: 'pa_77', status: 'completed', outcome: { result: 'Perhaps' } };

    test.each<[string, Partial<AnyCase>]>([
      ['an answer that was lost', { state: 'unknown', sentBy }],
      ['a review in the platform', { sentBy, status: 'awaiting_review', record: review }],
      ['an outcome that nobody but a person can read', { state: 'ended', sentBy, status: 'completed', record: unread }],
      ['a write that failed', { sentBy, writes: [failed] }],
      [
        'a request that is to be sent again, as whoever had it last',
        { state: 'refused', history: [{ at: '2026-11-21T14:00:00.000Z', what: 'Sent', by: sentBy }] },
      ],
    ])('%s', async (_, change) => {
      expect((await scene.get(put(change))).body).toContain(waits);
    });

    test('and nobody while the payer has it', async () => {
      expect((await scene.get(put({ sentBy }))).body).not.toContain('Waiting for');
    });
  });

  test.each([
    ['prior-auth', 'Check the service for this request, then say whether it arrived. We will not resend until you do.'],
    [
      'enrollment',
      'Ask the support program whether it has the enrollment, then say whether it arrived. We will not resend until ' +
        'you do.',
    ],
  ] as const)(
    'says once what to do about a lost answer of a %s, and nothing that contradicts it',
    async (kind, what) => {
      const { title, next } = errors.service_unclear;
      const problem = { code: 'service_unclear', text: `${title} ${next}`, at: '2026-11-21T14:00:00Z' } as const;
      const { body } = await scene.get(put({ kind, state: 'unknown', problem }));
      expect(body).toContain(what);
      expect(body).not.toContain(next);
      expect(body).not.toContain('<h2>Problem</h2>');
    },
  );

  describe('a letter that a person finds wrong [G16]', () => {
    const at = '2026-11-21T14:05:00.000Z';
    const row = { version: '1', state: 'done', attempts: 1, at } as const;
    const written = {
      state: 'ended',
      status: 'completed',
      record: denied,
      writes: [
        { ...row, what: 'document', reference: 'DocumentReference/5' },
        { ...row, what: 'determination', reference: 'DocumentReference/6' },
        { ...row, what: 'task', reference: 'Task/7' },
      ],
    } as const satisfies Partial<AnyCase>;
    const asked = (path: string, reference: string) =>
      `${path}/wrong-letter?reference=${encodeURIComponent(reference)}`;

    test('each letter in the chart has a way to say so, the Task has none', async () => {
      const path = put(written);
      const { body } = await scene.get(path);
      expect(body).toContain(`href="${asked(path, 'DocumentReference/5')}"`);
      expect(body).toContain(`href="${asked(path, 'DocumentReference/6')}"`);
      expect(body).toContain('This document is wrong<span class="hidden">: Payer’s letter</span>');
      expect(body.match(/wrong-letter/g)).toHaveLength(2);
    });

    test('it is asked once more, with patient and letter named, and nothing is marked by looking', async () => {
      const path = put(written);
      const { body } = await scene.get(asked(path, 'DocumentReference/6'));
      expect(body).toContain('<h1>Is this letter wrong?</h1>');
      expect(body).toMatch(/Payer’s letter for [^<]*, saved to the chart <time[^>]*>Nov 21, 2026, /);
      expect(body).toMatch(/<button[^>]*value="retract"[^>]*>Mark as entered in error for [^<]+</);
      expect(scene.cases.all.get(id)?.writes).toEqual(written.writes);
    });

    test('confirmed, that letter alone is marked, by the person of this launch', async () => {
      const path = put(written);
      const page = await scene.get(asked(path, 'DocumentReference/6'));
      const reply = await scene.post(path, { ...formOf(page.body), action: 'retract' });
      expect(reply).toMatchObject({ status: 303, headers: { location: path } });
      const { writes = [], history } = scene.cases.all.get(id) ?? {};
      expect(writes.map(({ state }) => state)).toEqual(['done', 'retracted', 'done']);
      expect(history?.at(-1)).toMatchObject({
        what: 'A letter in the chart was reported as wrong',
        by: { fhirUser: expect.any(String) },
      });
      const after = (await scene.get(path)).body;
      expect(after).toContain('marked as entered in error');
      expect(after.match(/wrong-letter/g)).toHaveLength(1);
      // Nothing is left to write.
      expect(after).not.toContain('Save to the chart again');
    });

    test.each(['Task/7', 'DocumentReference/99', '', '"><script>'])(
      'the page for %s, which is no letter in the chart, is the case’s own',
      async (reference) => {
        const path = put(written);
        expect(await scene.get(asked(path, reference))).toMatchObject({ status: 303, headers: { location: path } });
      },
    );

    test('another patient’s case has no such page', async () => {
      const path = put({ ...written, patient: 'Patient/other' });
      expect((await scene.get(asked(path, 'DocumentReference/5'))).status).toBe(404);
    });
  });

  test('a case of another patient or site is not found', async () => {
    const path = put({ patient: 'Patient/other' });
    expect((await scene.get(path)).status).toBe(404);
    expect((await scene.get(`${path}/letter.pdf`)).status).toBe(404);
    expect((await scene.get(`${path}/status`)).status).toBe(404);
    put({ site: 'elsewhere' });
    expect((await scene.get(path)).status).toBe(404);
  });

  test('names every request of the case that is at the service', async () => {
    const { body } = await scene.get(put({ others: ['pa_78'], serviceId: 'pa_77' }));
    expect(body).toContain('<dt>Request ID</dt><dd>pa_77</dd>');
    expect(body).toContain('<dt>Further request</dt><dd>pa_78</dd>');
  });

  test('the history names persons, not the bridge', async () => {
    const at = '2026-11-21T14:05:00.000Z';
    const { body } = await scene.get(
      put({
        history: [
          { at, what: 'Draft opened', by: 'bridge' },
          { at, what: 'Sent', by: { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' } },
          { at, what: 'Refreshed', by: { fhirUser: 'Practitioner/prac-2' } },
          { at, what: 'Cancellation requested', by: {} },
        ],
      }),
    );
    const said = [...body.matchAll(/<p class="what">([^<]*)<\/p><p class="when">([\s\S]*?)<\/p>/g)].map(
      ([, what, when = '']) => [what, when.replaceAll(/<[^>]*>/g, '').replace(/^Nov 21, 2026, \d+:\d+ [AP]M \S+/, '')],
    );
    expect(said).toEqual([
      ['Cancellation requested', ' by a user whom the EHR did not name'],
      ['Refreshed', ' by Practitioner/prac-2'],
      ['Sent', ' by Riley Okafor, MA'],
      ['Draft opened', ''],
    ]);
  });

  test('all times are on one clock, also those of the service, which carry no zone', async () => {
    const activity_log = [{ id: 'a1', type: 'sent_fax', created_at: '2026-11-21T15:20:00.123456' }];
    const record = { id: 'pa_77', status: 'awaiting_outcome', activity_log };
    const times = async () => {
      const { body } = await scene.get(put({ record, changedAt: '2026-11-21T00:05:00.000Z' }));
      return [...body.matchAll(/<time dateTime="([^"]+)">([^<]+)</gi)].map(([, at, text]) => [at, text]);
    };
    const [site] = scene.smart.launch.site.id === 'valley' ? [scene.smart.launch.site] : [];
    const inZones = (timeZone: string, service: string) => {
      scene.smart.launch = {
        ...scene.smart.launch,
        site: { ...site!, timeZone, service: { ...site!.service, timeZone: service } },
      };
    };
    inZones('America/Chicago', 'UTC');
    expect(await times()).toContainEqual(['2026-11-21T15:20:00.000Z', 'Nov 21, 2026, 9:20 AM CST']);
    expect(await times()).toContainEqual(['2026-11-21T00:05:00.000Z', 'Nov 20, 2026, 6:05 PM CST']);
    inZones('America/Chicago', 'America/New_York');
    expect(await times()).toContainEqual(['2026-11-21T20:20:00.000Z', 'Nov 21, 2026, 2:20 PM CST']);
  });

  test('the letter comes as a file that no browser keeps', async () => {
    const reply = await scene.get(`${put({ state: 'ended', record: denied })}/letter.pdf`);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'no-store' });
  });

  test.each([
    ['letter.pdf', 'pa_77', 'prior-authorization-pa_77.pdf'],
    ['payer-letter.pdf', 'pa_77', 'payer-letter-pa_77.pdf'],
    ['letter.pdf', 'pa/7"7\r\nx', 'prior-authorization-pa_7_7__x.pdf'],
  ])(
    '%s of %s is a file named after the service’s id, and after nothing of the patient',
    async (name, serviceId, file) => {
      scene.cases.payersLetter = { bytes: new TextEncoder().encode('%PDF-1.4'), contentType: 'application/pdf' };
      const reply = await scene.get(
        `${put({ state: 'ended', serviceId, record: { ...denied, id: serviceId } })}/${name}`,
      );
      expect(reply.headers['content-disposition']).toBe(`attachment; filename="${file}"`);
    },
  );

  test('the payer’s own letter can be downloaded beside the bridge’s, when there is one', async () => {
    const path = put({ state: 'ended', status: 'completed', record: denied });
    expect((await scene.get(path)).body).not.toContain('payer-letter.pdf');
    expect((await scene.get(`${path}/payer-letter.pdf`)).status).toBe(404);
    scene.cases.payersLetter = {
      bytes: new TextEncoder().encode('%PDF-1.4 of the payer'),
      contentType: 'application/pdf',
    };
    expect((await scene.get(path)).body).toContain(
      `<a href="${path}/payer-letter.pdf" download>Open<span class="hidden"> Payer’s letter (PDF)</span></a>`,
    );
    const reply = await scene.get(`${path}/payer-letter.pdf`);
    expect([reply.body, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
      '%PDF-1.4 of the payer',
      'application/pdf',
      'no-store',
    ]);
  });

  test('the payer’s letter of a case of another patient, or before the outcome is final, is not offered', async () => {
    scene.cases.payersLetter = { bytes: new TextEncoder().encode('%PDF-1.4'), contentType: 'application/pdf' };
    expect((await scene.get(put({ record: { ...denied, status: 'validating_outcome' } }))).body).not.toContain(
      'payer-letter',
    );
    expect(
      (await scene.get(`${put({ patient: 'Patient/other', state: 'ended', record: denied })}/payer-letter.pdf`)).status,
    ).toBe(404);
  });

  test('what the service did comes newest first, as the history does', async () => {
    const activity_log = [
      { id: 'a1', type: 'sent_fax', created_at: '2026-11-20T15:20:00' },
      { id: 'a3', type: 'received_fax', created_at: '2026-11-21T09:00:00' },
      { id: 'a2', type: 'follow_up_call', created_at: '2026-11-20T16:00:00' },
    ];
    const { body } = await scene.get(put({ record: { id: 'pa_77', status: 'awaiting_outcome', activity_log } }));
    expect(body.match(/Fax sent to the payer|Call to the payer|Fax received from the payer/g)).toEqual([
      'Fax received from the payer',
      'Call to the payer',
      'Fax sent to the payer',
    ]);
  });
});

describe('what was sent', () => {
  const review = () => `${scene.home}/orders/${scene.order}`;

  /** Sends the story's order with these entries, as a person would, and gives the page of the case. */
  async function sendWith(entries: Record<string, string>): Promise<string> {
    await scene.post(review(), { ...formOf((await scene.get(review())).body, 'review'), ...entries, action: 'save' });
    const form = formOf((await scene.get(`${review()}/confirm`)).body);
    const reply = await scene.post(`${review()}/confirm`, { ...form, action: 'send' });
    return (await scene.get(String(reply.headers.location))).body;
  }

  /** The row of a label within the section, without markup. */
  function row(page: string, section: string, label: string): string {
    const part = page.slice(page.indexOf(`id="sent-${section}"`));
    return (new RegExp(`<dt>${label}</dt><dd>([\\s\\S]*?)</summary>`).exec(part)?.[1] ?? '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  }

  test('is shown in sections, each value with its source, folded away', async () => {
    const body = await sendWith({});
    expect(body).toMatch(/<details class="card sent" id="sent"><summary><h2>What was sent/);
    expect(row(body, 'patient', 'First name')).toMatch(/^\S+ From the patient record/);
    expect(row(body, 'diagnoses', 'Diagnosis 1')).toMatch(/^[A-Z]\d/);
    expect(body).not.toContain('The drug was changed by a person');
  });

  test('shows the insurance card that went with it', async () => {
    await scene.app.close();
    scene = await openScene('story-card-image');
    expect(await sendWith({})).toContain('This image of the insurance card went with the request.');
  });

  test('a value that a person entered is marked, with the value that the chart had', async () => {
    const before = formOf((await scene.get(review())).body, 'review')['f.prescription.directions']?.[0];
    const body = await sendWith({ 'f.prescription.directions': 'Once a month' });
    expect(row(body, 'prescription', 'Directions')).toContain(
      `Once a month Entered by a person, the chart had “${before}”`,
    );
    expect(body).not.toContain('The drug was changed by a person');
    expect(body).not.toContain('Entered by you');
  });

  test('another drug than the order’s is said at the top', async () => {
    const body = await sendWith({ 'f.prescription.drug_name': 'Testdrug' });
    expect(body).toMatch(/The drug was changed by a person: the order says <q>(?!Testdrug)[^<]+<\/q>, this request/);
    expect(body).toMatch(/, this request says <q>Testdrug [^<]+<\/q>/);
  });

  test('what a person cleared is named', async () => {
    const body = await sendWith({ 'f.patient.phone': '' });
    expect(row(body, 'patient', 'Phone')).toMatch(/^nothing Cleared by a person, the chart had “.+”/);
  });

  test('an enrollment shows its own fields and the consent', async () => {
    const { body } = await scene.get(
      put({
        kind: 'enrollment',
        state: 'ended',
        body: {
          programId: 'prog-1',
          prescription: { drug_name: 'Testdrug', dosage: '40 mg', directions: 'Once' },
          metadata: { enrollment_id: id },
        },
        provenance: [{ target: 'prescription.dosage', kind: 'entered', rule: 'enrollment', replaces: '20 mg' }],
        consent: {
          by: 'the patient',
          on: '2026-11-20',
          how: 'Signed form',
          recordedBy: { fhirUser: 'Practitioner/prac-1', name: 'Riley Okafor, MA' },
        },
      }),
    );
    expect(row(body, 'prescription', 'Dosage')).toContain('40 mg Entered by a person, the chart had “20 mg”');
    expect(body).toContain('the order says <q>Testdrug 20 mg</q>, this request says <q>Testdrug 40 mg</q>');
    expect(body).toContain('the patient, Nov 20, 2026, signed form; recorded by Riley Okafor, MA.');
    expect(body).toContain(`${id}<p class="hint">Added by this app</p>`);
    expect(body).toContain('Once<p class="hint">Source not recorded</p>');
  });

  test('has the fields in the order of the review page', async () => {
    const page = (await scene.get(review())).body;
    const body = await sendWith({});
    const prescription = body.slice(body.indexOf('id="sent-prescription"'), body.indexOf('id="sent-prescriber"'));
    const labels = [...prescription.matchAll(/<dl class="summary">|<div><dt>([^<]+)<\/dt><dd>(?!<)/g)].flatMap(
      ([, label]) => (label === undefined ? [] : [label]),
    );
    const asked = [
      'Drug',
      'Strength',
      'Dose form',
      'Route',
      'Quantity',
      'Dispense unit',
      'Days supply',
      'Date written',
      'Directions',
    ];
    expect(labels.filter((label) => asked.includes(label))).toEqual(asked);
    expect(asked.map((label) => page.indexOf(`>${label}<`))).toEqual(
      asked.map((label) => page.indexOf(`>${label}<`)).toSorted((one, other) => one - other),
    );
    expect(labels).toContain('Drug code (RxNorm)');
  });

  test('shows evidence by its title and day, with all that it says in words', async () => {
    const evidence = [
      {
        title: 'Prior therapy: methotrexate',
        date_created: '2022-10-01T00:00:00.000000',
        content: {
          drug: 'methotrexate',
          daysWithoutSupply: [{ from: '2026-04-01', days: 7 }],
          codes: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79', display: 'Rheumatoid arthritis' }],
          reactions: ['Rash', 'Nausea'],
          text: 'Not enough.\n<b>Ten</b> joints.',
        },
      },
    ];
    const { body } = await scene.get(
      put({
        body: { evidence },
        provenance: [{ target: 'evidence[0].title', kind: 'chart', rule: 'prior-auth', note: 'ticked by a person' }],
      }),
    );
    const part = body.slice(body.indexOf('id="sent-evidence"'));
    expect(part).toContain('<summary>Prior therapy: methotrexate, Oct 1, 2022</summary>');
    const said = part.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(said).toContain(
      'Drug methotrexate Days without supply From Apr 1, 2026 Days 7 Codes M05.79 Rheumatoid arthritis (ICD-10-CM) ' +
        'Reactions Rash, Nausea Text Not enough.',
    );
    expect(part).toContain('&lt;b>Ten');
    expect(said).toMatch(/From the [a-z ]+\(source of/);
    expect(body).not.toMatch(/Evidence 1|T00:00:00/);
  });

  test('long words such as addresses break where people would break them', async () => {
    const { body } = await scene.get(
      put({
        body: {
          patient: {
            email: 'marisol.tennyson@example.org',
            first_name: 'Mary.Ann',
            internal_id: 'urn.valley.example/chart_100234',
          },
        },
      }),
    );
    expect(body).toContain('marisol.tennyson@<wbr/>example.org');
    expect(body).toContain('urn.<wbr/>valley.<wbr/>example/<wbr/>chart_<wbr/>100234');
    expect(body).toContain('Mary.Ann');
  });

  test('a code that a person’s change left out says so in words', async () => {
    const body = await sendWith({ 'f.prescription.drug_name': 'Testdrug' });
    expect(row(body, 'prescription', 'Drug code \\(RxNorm\\)')).toMatch(
      /^nothing Left out, since a person changed drug, the chart had “\d+”/,
    );
  });

  test.each(['draft', 'refused'] as const)('is not shown while the request is %s', async (state) => {
    expect((await scene.get(put({ state, body: { priority: 1 } }))).body).not.toContain('What was sent');
  });
});

describe('polling', () => {
  test('gets nothing while nothing changed, and the new part as soon as something was written', async () => {
    const path = put();
    const address = (/hx-get="([^"]+)"/.exec((await scene.get(path)).body)?.[1] ?? '').replaceAll('&amp;', '&');
    expect((await scene.get(address)).status).toBe(204);
    put({
      writes: [
        { what: 'task', version: '1', state: 'done', reference: 'Task/7', attempts: 1, at: '2026-11-21T14:05:00.000Z' },
      ],
    });
    expect((await scene.get(address)).body).toContain('Task/7');
  });

  test('opens no case while the page shows what stands [S9]', async () => {
    const path = put();
    const address = (/hx-get="([^"]+)"/.exec((await scene.get(path)).body)?.[1] ?? '').replaceAll('&amp;', '&');
    const { get } = scene.cases;
    let opened = 0;
    scene.cases.get = async (...args) => {
      opened += 1;
      return await get(...args);
    };
    expect((await scene.get(address)).status).toBe(204);
    expect(opened).toBe(0);
    put({ changedAt: '2026-11-21T14:05:00.000Z' });
    expect((await scene.get(address)).status).toBe(200);
    expect(opened).toBe(1);
  });

  test('goes on after the end until everything is in the chart, and stops then [S13]', async () => {
    const path = put({ state: 'ended', record: denied, unwritten: true });
    expect((await scene.get(path)).body).toContain('hx-get=');
    put({ state: 'ended', record: denied, unwritten: false });
    expect((await scene.get(path)).body).not.toContain('hx-get=');
  });

  test('gets the new state to show and to read out, and leaves actions alone that stay the same', async () => {
    const path = put();
    const { status, body } = await scene.get(`${path}/status?seen=before&state=open`);
    expect(status).toBe(200);
    expect(body).toMatch(/^<div class="case" id="status" hx-get/);
    expect(body).toMatch(/id="announce" hx-swap-oob="innerHTML">With the payer\./);
    expect(body).not.toContain('id="actions"');
  });

  test('reloads the page when the session is over, so that no chart stays on the screen [C13]', async () => {
    const path = put();
    scene.smart.loggedOut = true;
    const reply = await scene.get(`${path}/status?seen=before&state=open`, { 'hx-request': 'true' });
    expect([reply.status, reply.headers['hx-refresh']]).toEqual([401, 'true']);
  });

  test('does not keep an idle session alive', async () => {
    const path = put();
    await scene.get(`${path}/status`);
    expect(scene.smart.touches.at(-1)).toBe(false);
    await scene.get(path);
    expect(scene.smart.touches.at(-1)).toBe(true);
  });

  test('gets the actions too when the case has ended', async () => {
    const path = put({ state: 'ended', record: denied });
    expect((await scene.get(`${path}/status?seen=before&state=open`)).body).toContain(
      'id="actions" hx-swap-oob="innerHTML"',
    );
  });
});

describe('actions', () => {
  const write = { what: 'task', version: '1', attempts: 1, at: '2026-11-21T14:05:00.000Z' } as const;

  test('writing again is offered only while something is not in the chart, and goes away by itself', async () => {
    const path = put({ writes: [{ ...write, state: 'failed' }] });
    const { body } = await scene.get(path);
    expect(body).toContain('Save to the chart again');
    put({ writes: [{ ...write, state: 'done' }] });
    expect((await scene.get(path)).body).not.toContain('Save to the chart again');
    const address = (/hx-get="([^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&');
    expect((await scene.get(address)).body).toContain('id="actions" hx-swap-oob="innerHTML"');
  });

  test('cancelling needs a reason', async () => {
    expect((await act(put(), { action: 'cancel', reason: '' })).status).toBe(400);
    expect(scene.cases.all.get(id)?.state).toBe('open');
  });

  test('cancelling with a reason ends the case and says who asked', async () => {
    const path = put();
    expect((await act(path, { action: 'cancel', reason: 'Sent by mistake' })).headers.location).toBe(path);
    const { body } = await scene.get(path);
    expect(body).toContain('Cancelled: Sent by mistake');
    expect(body).toContain('by Riley Okafor, MA');
  });

  test('a lost request that did not arrive is a draft again', async () => {
    const path = put({ state: 'unknown' });
    await act(path, { action: 'not-arrived' });
    expect(scene.cases.all.get(id)?.state).toBe('draft');
    expect((await scene.get(path)).body).toContain('Correct and send again');
  });

  test('an action that does not exist is refused', async () => {
    expect((await act(put(), { action: 'approve' })).status).toBe(400);
  });
});
