import { afterEach, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import { EhrSays } from '../../../src/core/fhir/ehr-says.ts';
import { openScene, type Scene } from '../support.ts';

let scene: Scene;
afterEach(() => scene.app.close());

test.each(['registration_refused', 'ehr_denied', 'client_refused', 'token_failed'] as const)(
  '[E7] the page of a refused sign-in has the words of the EHR for IT support, and the log has none: %s',
  async (code) => {
    scene = await openScene('story-complete');
    const cause = new EhrSays(['<b>patient/Task.crus</b> is not enabled']);
    scene.smart.completeLaunch = () => Promise.reject(new BridgeError(code, { error: 'invalid_scope' }, { cause }));
    const { body } = await scene.get('/callback/valley?state=s&error=invalid_scope');
    expect(body).toContain('The EHR says: “&lt;b>patient/Task.crus&lt;/b> is not enabled”');
    expect(body.indexOf('The EHR says')).toBeGreaterThan(body.indexOf('For IT support'));
    expect(JSON.stringify(scene.log)).not.toContain('is not enabled');
  },
);

test('[E7] what to check stands on a line each, for IT support and in the log', async () => {
  scene = await openScene('story-complete');
  const check = ['the redirect address is the one of this site', 'iss is the address to the letter'];
  scene.smart.completeLaunch = () => Promise.reject(new BridgeError('registration_refused', { site: 'valley', check }));
  const { body } = await scene.get('/callback/valley?state=s&error=invalid_request');
  expect(body).toContain(`<ul>${check.map((each) => `<li>${each}</li>`).join('')}</ul>`);
  expect(scene.log.lines.find((line) => line.startsWith('request failed'))).toContain(
    `"check":["${check.join('","')}"]`,
  );
});
