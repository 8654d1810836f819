import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig, loadSites } from '../../src/config/config.ts';
import { scopesOf, systemScopesOf } from '../../src/config/presets/preset-scopes.ts';
import { presetIds, presets } from '../../src/config/presets/presets.ts';
import { BridgeError } from '../../src/core/errors.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'presets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function sitesFile(...sites: unknown[]): string {
  const path = join(folder, 'sites.json');
  writeFileSync(path, JSON.stringify({ sites }));
  return path;
}

function problemsOf(site: unknown): readonly string[] {
  try {
    loadSites(sitesFile(site));
  } catch (error) {
    if (error instanceof BridgeError && Array.isArray(error.facts.problems)) return error.facts.problems;
    throw error;
  }
  return [];
}

/** A preset and three more lines. */
function site(preset: unknown, changes: Readonly<Record<string, unknown>> = {}) {
  return {
    preset,
    iss: 'https://ehr.example/fhir/r4',
    client: { id: 'b' },
    service: { url: 'https://s.example', tokenEnv: 'T' },
    ...changes,
  };
}

describe('a preset and three more lines are a whole site', () => {
  test('as Epic it signs with its keys, asks for offline access and for no Task', () => {
    const [epic] = loadSites(sitesFile(site('epic')));
    expect(epic).toMatchObject({
      id: 'epic',
      name: 'Epic',
      client: { auth: 'private_key_jwt', id: 'b', alg: 'ES384' },
      writeback: { channels: ['document', 'communication', 'worklist'], tokens: ['refresh', 'next-launch'] },
    });
    expect(epic?.scopes?.split(' ')).toEqual([
      'launch',
      'openid',
      'fhirUser',
      'profile',
      'offline_access',
      'patient/Patient.r',
      'patient/Coverage.rs',
      'patient/MedicationRequest.rs',
      'patient/Condition.rs',
      'patient/Encounter.r',
      'patient/DocumentReference.rs',
      'patient/DiagnosticReport.rs',
      'patient/AllergyIntolerance.rs',
      'patient/Observation.rs',
      'patient/MedicationStatement.rs',
      'patient/MedicationDispense.rs',
      'user/Practitioner.rs',
      'user/PractitionerRole.rs',
      'user/Medication.rs',
      'user/Organization.r',
      'user/Location.r',
      'user/Binary.r',
      'patient/DocumentReference.crus',
      'patient/Communication.crs',
    ]);
  });

  test('eClinicalWorks takes RS384 alone, and its sign-in has a host of its own', () => {
    const [ecw] = loadSites(sitesFile(site('eclinicalworks')));
    expect(ecw).toMatchObject({
      client: { auth: 'private_key_jwt', alg: 'RS384' },
      origins: ['https://oauthserver.eclinicalworks.com'],
      writeback: { channels: ['worklist'], tokens: ['next-launch'] },
    });
  });

  test('Canvas signs in with a secret, in the words of SMART v1, and is asked for no role', () => {
    const [canvas] = loadSites(sitesFile(site('canvas', { client: { id: 'b', secretEnv: 'S' } })));
    expect(canvas?.client).toEqual({ auth: 'client_secret', id: 'b', secretEnv: 'S' });
    const scopes = canvas?.scopes?.split(' ') ?? [];
    expect(scopes).toContain('patient/Task.read');
    expect(scopes).toContain('patient/Task.write');
    expect(scopes.filter((scope) => /PractitionerRole|\.rs$/.test(scope))).toEqual([]);
  });

  test.each(presets)('$name', (preset) => {
    const secret = preset.signIn.auth[0] === 'client_secret' ? { secretEnv: 'S' } : {};
    const path = sitesFile(site(preset.id, { client: { id: 'b', ...secret } }));
    expect(loadSites(path)).toMatchObject([{ id: preset.id, name: preset.name, scopes: scopesOf(preset).join(' ') }]);
  });
});

test('what a site says itself goes before its preset', () => {
  const own = {
    id: 'valley',
    name: 'Valley Clinic',
    client: { auth: 'client_secret', id: 'b', secretEnv: 'S' },
    scopes: 'launch openid patient/*.rs',
    origins: ['https://login.example'],
    writeback: { channels: ['worklist'], system: { id: 's', alg: 'RS384', scopes: 'system/Task.r' } },
  };
  expect(loadSites(sitesFile(site('epic', own)))).toMatchObject([own]);
});

test('two sites of one preset need an id each', () => {
  const path = sitesFile(site('epic'), site('epic', { iss: 'https://other.example/fhir' }));
  expect(() => loadSites(path)).toThrow();
  const named = sitesFile(site('epic'), site('epic', { id: 'hill', iss: 'https://other.example/fhir' }));
  expect(loadSites(named).map(({ id }) => id)).toEqual(['epic', 'hill']);
});

describe('a site that cannot be is told with file, path and what to write', () => {
  const path = () => join(folder, 'sites.json');

  test('a preset that nobody knows', () => {
    expect(problemsOf(site('epik'))).toEqual([
      `${path()}: sites.0.preset: "epik" is no preset; write one of ${presetIds.join(', ')}, or leave it out and ` +
        'state id, name and client.auth',
    ]);
    expect(problemsOf(site(7))).toEqual([expect.stringContaining('sites.0.preset: 7 is no preset')]);
  });

  test('a channel that the EHR does not take', () => {
    expect(problemsOf(site('epic', { writeback: { channels: ['task+document', 'worklist'] } }))).toEqual([
      `${path()}: sites.0.writeback.channels.0: Epic lets no app create a Task, which task+document needs; ` +
        'leave channels out for document, communication, worklist, or leave preset out where this EHR does let it',
    ]);
    expect(problemsOf(site('athenahealth', { writeback: { channels: ['worklist', 'document'] } }))).toEqual([
      expect.stringMatching(/sites\.0\.writeback\.channels\.1: athenahealth lets no app create a DocumentReference/),
    ]);
  });

  test.each([
    ['canvas', 'launch patient/Patient.rs', 'Canvas knows scopes in the words of SMART v1 only'],
    ['oracle', 'launch patient/*.read', 'Oracle Health grants no wildcard, and patient/*.read is one'],
    ['epic', 'launch online_access', 'Epic does not offer online_access'],
  ])('scopes that %s refuses', (preset, scopes, message) => {
    const client = { id: 'b', secretEnv: 'S' };
    expect(problemsOf(site(preset, { client, scopes }))).toEqual([
      expect.stringContaining(`${path()}: sites.0.scopes: ${message}`),
    ]);
  });

  test('a way to sign in that the EHR refuses', () => {
    expect(problemsOf(site('epic', { client: { auth: 'public', id: 'b' } }))).toEqual([
      `${path()}: sites.0.client.auth: Epic takes no public app; write private_key_jwt or client_secret`,
    ]);
    const es384 = { auth: 'private_key_jwt', id: 'b', alg: 'ES384' };
    expect(problemsOf(site('eclinicalworks', { client: es384 }))).toEqual([
      `${path()}: sites.0.client.alg: eClinicalWorks takes no signature by ES384; write RS384`,
    ]);
  });

  test('what the preset leaves to the site', () => {
    expect(problemsOf({ preset: 'canvas', iss: 'https://ehr.example/fhir', client: { id: 'b' } })).toEqual([
      expect.stringContaining('sites.0.client.secretEnv: '),
      expect.stringContaining('sites.0.service: '),
    ]);
  });

  test('no process starts with it, and its secrets are not looked for first', () => {
    const BRIDGE_SITES = sitesFile(site('epik'));
    const env = { BRIDGE_SITES, BRIDGE_URL: 'https://b.example', BRIDGE_KEYS: '0'.repeat(64) };
    expect(() => loadConfig(env)).toThrow(BridgeError);
  });
});

test('a preset asks for what its channels write, and Backend Services for nothing else', () => {
  const of = (id: string) => presets.find((preset) => preset.id === id)!;
  expect(systemScopesOf(of('oracle'))).toEqual([
    'system/DocumentReference.crus',
    'system/Communication.crs',
    'system/Provenance.crs',
  ]);
  expect(systemScopesOf(of('canvas'))).toEqual([
    'system/Task.read',
    'system/Task.write',
    'system/DocumentReference.read',
    'system/DocumentReference.write',
    'system/Communication.read',
    'system/Communication.write',
  ]);
  expect(systemScopesOf(of('athenahealth'))).toEqual([]);
});

test('a launch asks for Provenance as a user, as it is in no patient’s compartment, where it is taken', () => {
  const asking = presets.flatMap((preset) => {
    const scopes = scopesOf(preset).filter((scope) => scope.includes('Provenance'));
    return scopes.length === 0 ? [] : [[preset.id, ...scopes]];
  });
  expect(asking).toEqual([
    ['oracle', 'user/Provenance.crs'],
    ['medplum', 'user/Provenance.cruds'],
  ]);
});

test('a preset writes only what its EHR lets an app create', () => {
  const impossible = presets.flatMap(({ id, channels, may }) => [
    ...(channels.includes('task+document') && !may.Task.includes('c') ? [`${id} Task`] : []),
    ...(channels.includes('document') && !may.DocumentReference.includes('c') ? [`${id} DocumentReference`] : []),
    ...(channels.includes('communication') && !may.Communication.includes('c') ? [`${id} Communication`] : []),
  ]);
  expect(impossible).toEqual([]);
});
