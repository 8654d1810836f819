import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, loadSites } from '../../src/config/config.ts';
import { BridgeError } from '../../src/core/errors.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sites-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const map = {
  resourceType: 'ConceptMap',
  title: 'Clinic terms',
  status: 'active',
  description: 'not read',
  group: [
    {
      source: 'http://snomed.info/sct',
      target: 'http://hl7.org/fhir/sid/icd-10-cm',
      element: [{ code: '9014002', display: 'Psoriasis', target: [{ code: 'L40.9', equivalence: 'equivalent' }] }],
    },
  ],
};

function write(file: string, content: unknown): string {
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  return join(folder, file);
}

function sitesFile(conceptMaps: unknown): string {
  const site = {
    id: 'valley',
    name: 'Valley',
    iss: 'https://ehr.example/fhir',
    client: { auth: 'public', id: 'b' },
    service: { url: 'https://s.example', tokenEnv: 'T' },
    conceptMaps,
  };
  return write('sites.json', { sites: [site] });
}

function problemsOf(path: string): string {
  try {
    loadSites(path);
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'config_invalid') return String(error.facts.problems);
    throw error;
  }
  return 'none';
}

test('a site has a time zone by its IANA name, and a wrong one stops the start with file and key', () => {
  const zoned = (timeZone?: string) => {
    const [site] = (JSON.parse(readFileSync(sitesFile(undefined), 'utf8')) as { sites: object[] }).sites;
    return write('zoned.json', { sites: [{ ...site, timeZone }] });
  };
  expect(loadSites(zoned('America/Chicago'))[0]?.timeZone).toBe('America/Chicago');
  expect(loadSites(zoned())[0]?.timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(problemsOf(zoned('America/Chikago'))).toMatch(/zoned\.json: sites\.0\.timeZone: not the name of a time zone/);
  expect(problemsOf(zoned('+05:00'))).toContain('sites.0.timeZone');
});

const valley = {
  id: 'valley',
  name: 'Valley',
  iss: 'https://ehr.example/fhir',
  client: { auth: 'public', id: 'b' },
  service: { url: 'https://s.example', tokenEnv: 'T' },
};

describe('two sites that cannot be told apart stop the start, with file, key and position [S11, S22]', () => {
  test.each([
    ['one id', { id: 'valley', iss: 'https://other.example/fhir' }, 'sites.1.id: valley stands at sites.0.id already'],
    ['one issuer', { id: 'hill' }, 'sites.1.iss: https://ehr.example/fhir stands at sites.0.iss already'],
    ['one issuer, written otherwise', { id: 'hill', iss: 'https://EHR.example:443/fhir/' }, 'sites.1.iss: '],
  ])('%s', (_what, changes, problem) => {
    const path = write('sites.json', { sites: [valley, { ...valley, ...changes }] });
    expect(problemsOf(path)).toContain(`${path}: ${problem}`);
  });

  test('two sites of one server at different paths are two', () => {
    const hill = { ...valley, id: 'hill', iss: 'https://ehr.example/fhir/hill' };
    expect(problemsOf(write('sites.json', { sites: [valley, hill] }))).toBe('none');
  });
});

describe('the environment', () => {
  const startedWith = (env: Record<string, string>) => {
    const BRIDGE_SITES = write('sites.json', { sites: [valley] });
    const all = { BRIDGE_SITES, BRIDGE_URL: 'https://b.example', BRIDGE_KEYS: '0'.repeat(64), T: 'token', ...env };
    try {
      return loadConfig(all);
    } catch (error) {
      if (error instanceof BridgeError) return String(error.facts.problems);
      throw error;
    }
  };

  test.each(['https://b.example/bridge', 'https://b.example/?a=1', 'https://b.example/#x', 'https://u:p@b.example'])(
    'an address of the bridge with more than a host is refused with a sentence: %s [S11]',
    (BRIDGE_URL) => {
      expect(startedWith({ BRIDGE_URL })).toMatch(/^BRIDGE_URL: must end after the host: /);
    },
  );

  test('an address of the bridge may end with a slash', () => {
    expect(startedWith({ BRIDGE_URL: 'https://b.example/' })).toMatchObject({ url: 'https://b.example' });
  });

  test('trusted proxies are addresses and networks', () => {
    const trusted = startedWith({ BRIDGE_TRUSTED_PROXIES: '10.0.0.7, 10.1.0.0/16,::1,fd00::/8' });
    expect(trusted).toMatchObject({ trustedProxies: ['10.0.0.7', '10.1.0.0/16', '::1', 'fd00::/8'] });
    expect(startedWith({})).toMatchObject({ trustedProxies: [] });
  });

  test.each(['proxy.example', '10.0.0.0/33', '10.0.0.1/', 'true', '*', '::/129', ''])(
    'and nothing else: %j',
    (BRIDGE_TRUSTED_PROXIES) => {
      expect(startedWith({ BRIDGE_TRUSTED_PROXIES })).toMatch(/^BRIDGE_TRUSTED_PROXIES: must be IP addresses/);
    },
  );
});

describe('how much is worked on at a time', () => {
  const startedWith = (env: Record<string, string>) => {
    const common = { BRIDGE_URL: 'https://b.example', BRIDGE_KEYS: 'ab'.repeat(32), T: 'token' };
    return loadConfig({ BRIDGE_SITES: sitesFile([]), ...common, ...env });
  };

  test('is 32 jobs of a kind in a process and four of them at a site, unless it is set', () => {
    expect(startedWith({}).jobs).toEqual({ slots: 32, perSite: 4 });
    expect(startedWith({ BRIDGE_JOBS: '8', BRIDGE_JOBS_PER_SITE: '2' }).jobs).toEqual({ slots: 8, perSite: 2 });
  });

  test.each(['0', '-1', '2.5', '501', 'many', ''])('is a whole number of at least one: %j is refused', (value) => {
    const told = (env: Record<string, string>) => {
      try {
        return startedWith(env);
      } catch (error) {
        return error instanceof BridgeError ? error.facts.problems : error;
      }
    };
    expect(told({ BRIDGE_JOBS: value, BRIDGE_JOBS_PER_SITE: value })).toEqual([
      'BRIDGE_JOBS: must be a whole number from 1 to 500',
      'BRIDGE_JOBS_PER_SITE: must be a whole number from 1 to 500',
    ]);
  });
});

test('every bad key is named at once, whatever else is wrong', () => {
  const told = (env: Record<string, string>) => {
    try {
      loadConfig({ BRIDGE_SITES: join(folder, 'none.json'), ...env });
      return [];
    } catch (error) {
      return error instanceof BridgeError ? [...(error.facts.problems as readonly string[])] : [];
    }
  };
  const problems = told({
    BRIDGE_URL: 'http://bridge.example',
    BRIDGE_KEYS: 'abc',
    BRIDGE_PORT: 'x',
    LOG_LEVEL: 'loud',
  });
  expect(problems).toContain('BRIDGE_URL: must be https (http is allowed on localhost)');
  expect(problems).toContain('BRIDGE_KEYS: each key must be 32 bytes in base64 or hex; the command keys makes one');
  for (const key of ['BRIDGE_PORT: ', 'LOG_LEVEL: ', 'BRIDGE_SITES: '])
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${key}`)));
  expect(told({})).toEqual(expect.arrayContaining(['BRIDGE_URL: not set', 'BRIDGE_KEYS: not set']));
  // A value that is no address is told once, and stops nothing.
  expect(
    told({ BRIDGE_URL: 'bridge', BRIDGE_KEYS: 'abc' }).filter((problem) => /^BRIDGE_(URL|KEYS)/.test(problem)),
  ).toHaveLength(2);
});

describe('a ConceptMap of a site', () => {
  test('is read at start, by a path relative to the sites file', () => {
    write('map.json', map);
    const [site] = loadSites(sitesFile(['map.json', join(folder, 'map.json')]));
    expect(site?.conceptMaps.map(({ title, group }) => [title, group[0]?.element[0]?.code])).toEqual([
      ['Clinic terms', '9014002'],
      ['Clinic terms', '9014002'],
    ]);
  });

  test('[K6] names its systems in any of their spellings', () => {
    const [group] = map.group;
    write('map.json', {
      ...map,
      group: [{ ...group, source: '2.16.840.1.113883.6.96', target: 'https://hl7.org/fhir/sid/icd-10-cm/' }],
    });
    const [site] = loadSites(sitesFile(['map.json']));
    expect(
      site?.conceptMaps.flatMap(({ group: groups }) => groups.map(({ source, target }) => [source, target])),
    ).toEqual([['http://snomed.info/sct', 'http://hl7.org/fhir/sid/icd-10-cm']]);
  });

  test('is no duty', () => {
    expect(loadSites(sitesFile(undefined))[0]?.conceptMaps).toEqual([]);
  });

  test.each([
    ['a file that is not there', undefined, 'cannot be read: ENOENT'],
    ['no JSON', 'not json', 'cannot be read'],
    ['another resource', { resourceType: 'ValueSet', status: 'active' }, 'resourceType: '],
    ['a retired map', { ...map, status: 'retired' }, 'status: a map that is in force; not retired'],
    [
      'no target in ICD-10-CM',
      { ...map, group: [{ ...map.group[0], target: 'http://hl7.org/fhir/sid/icd-10' }] },
      'group: no group has ICD-10-CM as its target',
    ],
    ['the relationship of R5', r5(), 'group.0.element.0.target.0.equivalence: equivalence of FHIR R4'],
    ['an exact target that is no code', exact('see notes'), 'group.0.element.0.target.0.code: not an ICD-10-CM code'],
  ])('with %s stops the start, naming the key, the file and the place', (_what, content, problem) => {
    if (content !== undefined) write('map.json', content);
    const problems = problemsOf(sitesFile(['map.json']));
    expect(problems).toContain('sites.0.conceptMaps.0');
    expect(problems).toContain(`${join(folder, 'map.json')}: ${problem}`);
  });

  test('with an inexact target that is no code is taken: that target is never used by itself', () => {
    write('map.json', {
      ...map,
      group: [{ ...map.group[0], element: [{ code: '1', target: [{ code: 'S72.00?', equivalence: 'narrower' }] }] }],
    });
    expect(problemsOf(sitesFile(['map.json']))).toBe('none');
  });
});

function exact(code: string): unknown {
  return {
    ...map,
    group: [{ ...map.group[0], element: [{ code: '9014002', target: [{ code, equivalence: 'equal' }] }] }],
  };
}

function r5(): unknown {
  return {
    ...map,
    group: [
      { ...map.group[0], element: [{ code: '9014002', target: [{ code: 'L40.9', relationship: 'equivalent' }] }] },
    ],
  };
}
