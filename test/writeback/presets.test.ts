import type { DocumentReference, Resource, Task } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { Site } from '../../src/config/config.ts';
import { withPreset } from '../../src/config/presets/fill.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { ChangeCondition } from '../../src/core/fhir/api.ts';
import { isAsked } from '../../src/writeback/channel-plan.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { taskOf } from '../../src/writeback/resources/task.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { fhirProblems } from '../support/fhir-validate.ts';
import { aCase, approval, aRequest, at, caseId } from './support.ts';

const letter = new TextEncoder().encode('%PDF-1.7 the payer’s letter');

function siteOf(preset: string): Site {
  return Site.parse(
    withPreset({
      preset,
      iss: 'https://ehr.example/fhir',
      client: { id: 'b', secretEnv: 'S' },
      service: { url: 'https://service.example', tokenEnv: 'T' },
    }),
  );
}

const approved = aCase(at('completed', approval));

describe('Epic', () => {
  const offers = {
    Task: ['read', 'search-type', 'update'],
    DocumentReference: ['create', 'read', 'search-type', 'update'],
  };

  test('takes the letters, and the ledger says why there is no Task', async () => {
    const api = fakeEhr({ offers });
    const request = aRequest(approved, { api, site: siteOf('epic'), letters: [letter] });
    const { rows } = await deliver(request);
    expect(api.all('DocumentReference')).toHaveLength(2);
    expect(rows.find(({ what }) => what === 'task')).toMatchObject({
      state: 'skipped',
      reason: 'Epic lets no app create a Task',
    });
    expect(outstanding(siteOf('epic'), { ...approved, writes: rows }, [letter])).toEqual([]);
  });

  test('is searched by patient, since its search by identifier may be a filter only', async () => {
    const api = fakeEhr({ offers });
    await deliver(aRequest(approved, { api, site: siteOf('epic') }));
    expect(api.calls.filter((call) => call.startsWith('search'))).toEqual([expect.not.stringContaining('identifier')]);
  });
});

test('MEDITECH takes a message; the payer’s letter stays on the case page, with the reason', async () => {
  const api = fakeEhr({ offers: { Communication: ['create', 'read', 'search-type'] } });
  const site = siteOf('meditech');
  const { rows } = await deliver(aRequest(approved, { api, site, letters: [letter] }));
  expect(rows.map(({ what, state, reason }) => [what, state, reason])).toEqual([
    ['communication', 'done', undefined],
    ['determination', 'skipped', 'MEDITECH lets no app create a DocumentReference; the letter is on the case page'],
    ['task', 'skipped', 'MEDITECH lets no app create a Task'],
  ]);
  expect(outstanding(site, { ...approved, writes: rows }, [letter])).toEqual([]);
});

describe('Canvas [G12]', () => {
  const offers = {
    Task: ['create', 'read', 'search-type', 'update'],
    DocumentReference: ['create', 'read', 'search-type'],
  };
  const canvas = siteOf('canvas');

  test('a Task has three statuses, and its description says what it keeps no element for', async () => {
    const api = fakeEhr({ offers, dropsIdentifiers: true });
    const request = aRequest(aCase(at('awaiting_outcome')), { api, site: canvas });
    const { rows } = await deliver(request);
    const [task] = api.all<Task>('Task');
    expect(task).toEqual({
      resourceType: 'Task',
      id: expect.any(String),
      meta: expect.anything(),
      status: 'requested',
      intent: 'unknown',
      description: `Prior authorization for adalimumab 40 MG prefilled syringe: Submitted to payer (${caseId})`,
      for: { reference: 'Patient/p1' },
      authoredOn: '2026-11-20T10:00:00.000Z',
      requester: { reference: 'Practitioner/d1' },
    });
    expect(fhirProblems(task)).toEqual([]);
    await deliver(aRequest({ ...approved, writes: rows }, { api, site: canvas }));
    expect(api.all<Task>('Task')).toMatchObject([{ id: task?.id, status: 'completed' }]);
    expect(api.all<Task>('Task')[0]?.description).toContain(': Approved (');
  });

  test('notes that others added are not sent once more', async () => {
    const api = fakeEhr({ offers, dropsIdentifiers: true });
    const { rows } = await deliver(aRequest(aCase(at('processing')), { api, site: canvas }));
    const [task] = api.all<Task>('Task');
    api.resources.set(`Task/${task?.id}`, { ...task, note: [{ text: 'called the plan' }] } as Task);
    const sent: Task[] = [];
    const update = api.update;
    Object.assign(api, {
      update: (resource: Task & { id: string }, options: ChangeCondition) => {
        sent.push(resource);
        return update(resource, options);
      },
    });
    await deliver(aRequest({ ...approved, writes: rows }, { api, site: canvas }));
    expect(sent.map(({ note }) => note)).toEqual([undefined]);
  });

  test('a document asks nobody to look at it where the request names no practitioner', async () => {
    const api = fakeEhr({ offers, dropsIdentifiers: true });
    const { prescriber: _, sentBy: __, ...nobody } = approved;
    await deliver(aRequest(nobody, { api, site: canvas }));
    const [document] = api.all<DocumentReference>('DocumentReference');
    const ends = document?.extension?.map(({ url }) => url.replace(/.*document-reference-/, ''));
    expect(ends).toEqual(['comment', 'clinical-date', 'review-mode', 'requires-signature']);
  });

  test('a document has the extensions that a create must have, one title, and ours as its comment', async () => {
    const api = fakeEhr({ offers, dropsIdentifiers: true });
    await deliver(aRequest(approved, { api, site: canvas, letters: [letter] }));
    const documents = api.all<DocumentReference>('DocumentReference');
    expect(documents).toHaveLength(2);
    for (const document of documents) {
      expect(fhirProblems(document)).toEqual([]);
      expect(document).toMatchObject({
        type: { coding: [{ system: 'http://loinc.org', code: '52034-6' }] },
        category: [{ coding: [{ code: 'patientadministrativedocument' }] }],
        description: 'Insurer Prior Authorization',
      });
      const ends = document.extension?.map(({ url }) => url.replace(/.*document-reference-/, ''));
      expect(ends).toEqual(['comment', 'clinical-date', 'review-mode', 'reviewer', 'requires-signature']);
    }
    expect(documents[0]?.extension?.[0]?.valueString).toMatch(/^Prior authorization: adalimumab.*Approved.*\(0b7c/s);
  });

  test('a document and a Task whose answer was lost are found again without an identifier', async () => {
    const api = fakeEhr({ offers, dropsIdentifiers: true });
    api.next.set('create DocumentReference', ['lost-after', 'lost-after']);
    api.next.set('create Task', ['lost-after']);
    const { rows } = await deliver(aRequest(approved, { api, site: canvas, letters: [letter] }));
    expect(rows.map(({ what, state }) => `${what} ${state}`).sort()).toEqual([
      'determination done',
      'document done',
      'task done',
    ]);
    expect([api.all('Task').length, api.all('DocumentReference').length]).toEqual([1, 2]);
  });

  test('a document that it keeps under another title and description is found again by its comment', async () => {
    const api = fakeEhr({ offers, dropsIdentifiers: true });
    const { create } = api;
    Object.assign(api, {
      create: (resource: Resource) =>
        create(resource.resourceType === 'DocumentReference' ? retitled(resource as DocumentReference) : resource),
    });
    api.next.set('create DocumentReference', ['lost-after', 'lost-after']);
    const { rows } = await deliver(aRequest(approved, { api, site: canvas }));
    expect(rows.find(({ what }) => what === 'document')).toMatchObject({ state: 'done' });
    expect(api.all('DocumentReference')).toHaveLength(1);
  });
});

test('Oracle Health: the author is the practitioner who signed in, and no one else authenticates [G11]', async () => {
  const api = fakeEhr({ dropsIdentifiers: true, searchParams: ['patient'] });
  const author = { fhirUser: 'Practitioner/d9', name: 'Dr. Nia Vale' };
  await deliver(aRequest(approved, { api, site: siteOf('oracle'), author }));
  const [document] = api.all<DocumentReference>('DocumentReference');
  expect(document?.author).toEqual([{ reference: 'Practitioner/d9', display: 'Dr. Nia Vale' }]);
  expect(document).not.toHaveProperty('authenticator');
  expect(document?.docStatus).toBe('final');
  expect(document?.context?.period?.end).toBe('2026-11-21T09:30:00.000Z');
  expect(document?.content[0]?.attachment.contentType).toBe('application/pdf');
});

test('what a site’s channels do not name is not asked for', () => {
  const asked = (preset: string) =>
    (['task', 'closing-task', 'document', 'determination', 'communication', 'double'] as const).filter((what) =>
      isAsked(what, siteOf(preset).writeback.channels),
    );
  expect(asked('epic')).toEqual(['document', 'determination', 'communication', 'double']);
  expect(asked('meditech')).toEqual(['communication', 'double']);
  expect(asked('athenahealth')).toEqual(['double']);
});

test('a letter that is larger than the EHR takes is named, and the rest is written', async () => {
  const api = fakeEhr();
  const refusal = new BridgeError('ehr_write_refused', { http: 413, resource: 'DocumentReference' });
  // Our summary comes first.
  api.next.set('create DocumentReference', ['ok', refusal]);
  const { rows } = await deliver(aRequest(approved, { api, site: siteOf('medplum'), letters: [letter] }));
  expect(rows.find(({ what }) => what === 'determination')).toMatchObject({
    state: 'skipped',
    reason:
      'The EHR refused to store the document or task (HTTP 413: larger than it takes); the letter is on the case page',
  });
  expect(rows.filter(({ state }) => state === 'done').map(({ what }) => what)).toEqual(['document', 'task']);
});

test('a resource that is not in its shape is named by its paths, never by its values [H07]', async () => {
  const wrong = aCase({ ...at('completed', approval), encounter: 'Encounter of Testa Sample' });
  const { rows } = await deliver(aRequest(wrong, { site: siteOf('medplum') }));
  expect(rows.map(({ what, state }) => `${what} ${state}`)).toEqual(['document failed', 'task failed']);
  expect(JSON.stringify(rows)).not.toContain('Testa');
  const failure = (() => {
    try {
      return taskOf(aRequest(wrong, { site: siteOf('medplum') }), []);
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toMatchObject({
    code: 'mapping_invalid',
    facts: { mapping: 'task', targets: ['encounter.reference'] },
  });
  expect(`${failure} ${JSON.stringify(failure)}`).not.toContain('Testa');
});

function retitled({ description: _, ...document }: DocumentReference): DocumentReference {
  const content = document.content.map((one) => ({ ...one, attachment: { ...one.attachment, title: 'Scan' } }));
  return { ...document, description: 'Scan', content };
}
