import { expect, test } from 'vitest';
import { launchContext } from '../../../src/ehr/smart/callback.ts';

const api = { base: 'https://ehr.valley.example/fhir', scopes: ['patient/Task.crus'] } as unknown as Parameters<
  typeof launchContext
>[2];
const contextOf = (more: object) =>
  launchContext(
    { access_token: 't', token_type: 'Bearer', expires_in: 300, patient: 'p1', ...more } as Parameters<
      typeof launchContext
    >[0],
    { fhirUser: 'Practitioner/d1', userName: 'Dr. Deva Loper' },
    api,
  );

test('one Task of the launch is as good as two, and none is not named', async () => {
  const one = { reference: 'Task/t1' };
  const other = { reference: 'Task/t2' };
  expect((await contextOf({ fhirContext: [one] })).tasks).toEqual([one]);
  expect((await contextOf({ fhirContext: [one, other] })).tasks).toEqual([one, other]);
  expect(await contextOf({})).not.toHaveProperty('tasks');
});

test('what the answer does not say is not said; the banner is shown unless it is clearly not wanted', async () => {
  expect(await contextOf({})).toEqual({
    patient: 'p1',
    fhirUser: 'Practitioner/d1',
    userName: 'Dr. Deva Loper',
    orders: [],
    needPatientBanner: true,
    scopes: ['patient/Task.crus'],
  });
  expect(await contextOf({ encounter: 'e1', intent: 'prior-auth', need_patient_banner: false })).toMatchObject({
    encounter: 'e1',
    intent: 'prior-auth',
    needPatientBanner: false,
  });
  expect(await contextOf({ intent: 'x'.repeat(101), need_patient_banner: 'no' })).toMatchObject({
    needPatientBanner: true,
  });
  expect(await contextOf({ intent: 'x'.repeat(101) })).not.toHaveProperty('intent');
});
