import { expect, test } from 'vitest';
import { Site } from '../../src/config/config.ts';
import { withPreset } from '../../src/config/presets/fill.ts';
import { BridgeError } from '../../src/core/errors.ts';
import { isFailure } from '../../src/writeback/channel-plan.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import { type FakeEhrOptions, fakeEhr } from '../support/fake-ehr.ts';
import { testSite } from '../support/site.ts';
import { aCase, approval, aRequest, at } from './support.ts';

// Which rows of a delivery count as failures: `bridge_writeback_failures_total`.

const letter = new TextEncoder().encode('%PDF-1.7 the payer’s letter');
const approved = aCase(at('completed', approval));
const every = ['create', 'read', 'search-type', 'update'];

function presetSite(preset: string): Site {
  return Site.parse(
    withPreset({
      preset,
      iss: 'https://ehr.example/fhir',
      client: { id: 'b', secretEnv: 'S' },
      service: { url: 'https://service.example', tokenEnv: 'T' },
    }),
  );
}

async function failures(site: Site, options: FakeEhrOptions, refusal?: BridgeError): Promise<string[]> {
  const api = fakeEhr(options);
  if (refusal !== undefined) api.next.set('create DocumentReference', [refusal, refusal]);
  const { rows } = await deliver(aRequest(approved, { api, site, letters: [letter] }));
  return rows.filter(isFailure).map(({ what }) => what);
}

test.each([
  ['Epic takes no Task', presetSite('epic'), { Task: ['read'], DocumentReference: every }],
  ['MEDITECH takes a message only', presetSite('meditech'), { Communication: every }],
  ['athenahealth takes nothing', presetSite('athenahealth'), {}],
  ['an EHR without a preset offers documents only', testSite(), { DocumentReference: every }],
] as const)('what an EHR never takes is none: %s', async (_, site, offers) => {
  expect(await failures(site, { offers })).toEqual([]);
});

test('a scope that was not granted is one', async () => {
  const scopes = ['patient/DocumentReference.crus'];
  expect(await failures(testSite(), { offers: { Task: every, DocumentReference: every }, scopes })).toEqual(['task']);
});

test('a refusal of what the EHR offers is one, also where another channel carries the outcome', async () => {
  const site = testSite({ writeback: { channels: ['document', 'communication', 'worklist'] } });
  const refusal = new BridgeError('ehr_forbidden', { http: 403 });
  const offers = { DocumentReference: every, Communication: every };
  expect((await failures(site, { offers }, refusal)).sort()).toEqual(['determination', 'document']);
});
