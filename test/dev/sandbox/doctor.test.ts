import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { run } from '../../../src/cli/program.ts';
import { type Sandbox, startSandbox } from '../../../src/dev/sandbox/index.ts';
import { putDatabase } from '../../support/embedded.ts';
import { tempFolder } from '../../support/temp.ts';

const folder = tempFolder('sandbox-doctor');
let sandbox: Sandbox;

beforeAll(async () => {
  await putDatabase(join(folder.path, 'bridge'));
  sandbox = await startSandbox({
    dataDir: folder.path,
    port: 0,
    speed: 0,
    clock: () => new Date(),
    log: silentLog,
  });
});
afterEach(() => sandbox.ehr.switches.clear());
afterAll(async () => {
  await sandbox?.close();
  folder.remove();
});

interface Line {
  readonly level: string;
  readonly text: string;
}

/** The command with the environment of the running bridge, at the present. */
async function doctor(...argv: string[]) {
  const secrets = JSON.parse(readFileSync(join(folder.path, 'secrets.json'), 'utf8'));
  const sites = join(folder.path, 'sites.json');
  const system = {
    id: 'prior-auth-bridge-system',
    scopes: 'system/*.rs system/Task.crus system/DocumentReference.crus',
  };
  const site = {
    id: 'valley',
    name: 'Sandbox',
    iss: sandbox.ehr.fhirBase,
    client: { auth: 'private_key_jwt', id: 'prior-auth-bridge' },
    origins: [sandbox.ehr.url],
    service: { url: sandbox.service.url, tokenEnv: 'SERVICE_TOKEN', webhookSecretEnvs: ['WEBHOOK_SECRET'] },
    writeback: { tokens: ['system', 'refresh', 'next-launch'], system },
  };
  writeFileSync(sites, JSON.stringify({ sites: [site] }));
  const env = {
    BRIDGE_SITES: sites,
    BRIDGE_URL: sandbox.url,
    BRIDGE_KEYS: secrets.bridgeKey,
    BRIDGE_JWKS: JSON.stringify(secrets.jwks),
    SERVICE_TOKEN: secrets.serviceToken,
    WEBHOOK_SECRET: secrets.webhookSecret,
  };
  const [out, err]: string[][] = [[], []];
  const code = await run(['doctor', 'valley', '--json', ...argv], {
    stdout: { write: (text) => out?.push(text) },
    stderr: { write: (text) => err?.push(text) },
    stdin: (async function* () {})(),
    env,
    clock: () => new Date(),
    stopped: () => Promise.resolve('SIGTERM'),
  });
  const told = [...(out ?? []), ...(err ?? [])].join('');
  const report = JSON.parse((out ?? []).join(''));
  const lines: Line[] = report.sections.flatMap(({ findings }: { findings: Line[] }) => findings);
  return { code, report, told, lines, secrets };
}

test('the running sandbox is in order: client, Backend Services, service, key set, webhook and clocks', async () => {
  const { code, lines, report } = await doctor();
  expect(lines.filter(({ level }) => level === 'problem' || level === 'no-answer')).toEqual([]);
  expect(report.result).toBe('ready');
  expect(lines.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'The EHR knows the client prior-auth-bridge (private_key_jwt): of a made-up sign-in it refused the code alone.',
      'The EHR gave prior-auth-bridge-system a token by Backend Services.',
      'The service takes the token in SERVICE_TOKEN.',
      'The bridge at BRIDGE_URL publishes the keys of BRIDGE_JWKS (2).',
      'The bridge at BRIDGE_URL believes webhooks signed with WEBHOOK_SECRET.',
      `${new URL(sandbox.ehr.url).host} has the same time.`,
    ]),
  );
  expect(code).toBe(0);
});

test('it leaves nothing in a chart and no request at the service, and tells no secret of the sandbox', async () => {
  const before = [await happened(sandbox.ehr.url), await happened(sandbox.service.url)];
  const { told, secrets } = await doctor('--patient', 'complete-patient');
  expect([await happened(sandbox.ehr.url), await happened(sandbox.service.url)]).toEqual(before);
  const hidden = [secrets.bridgeKey, secrets.serviceToken, secrets.webhookSecret, secrets.jwks.keys[0].d];
  for (const secret of hidden) expect(told).not.toContain(secret);
});

test('a test patient’s chart is read by Backend Services, and an EHR without Task lands on the document', async () => {
  sandbox.ehr.switches.set({ switch: 'hide-type', value: 'Task' });
  const { lines, report } = await doctor('--patient', 'Patient/complete-patient');
  expect(lines.map(({ text }) => text).join(' ')).toMatch(/The orders of complete-patient were read: .*1 Patient/);
  expect(report.writeback[0]).toMatchObject({ token: 'system', writes: ['DocumentReference'] });
});

/** How many entries the ledger of a sandbox has: what was stored there, or taken. */
async function happened(url: string): Promise<number> {
  const ledger = await (await fetch(`${url}/sandbox/ledger`)).json();
  return (ledger as { total: number }).total;
}
