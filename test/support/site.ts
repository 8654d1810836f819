import { Site } from '../../src/config/config.ts';

/** An invented site; `changes` go over the top level of its sites-file form. */
export function testSite(changes: Readonly<Record<string, unknown>> = {}): Site {
  return Site.parse({
    id: 'valley',
    name: 'Valley Clinic',
    iss: 'https://ehr.example/fhir',
    client: { auth: 'public', id: 'bridge' },
    service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' },
    ...changes,
  });
}
