import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { loadOverlays, readSiteOverlay } from '../../../src/config/load-overlays.ts';
import { baseNames } from '../../../src/core/contract/kinds.ts';
import { BridgeError } from '../../../src/core/errors.ts';
import { rolesFor } from '../../../src/core/roles/roles-for.ts';
import type { RoleRule } from '../../../src/core/roles/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'overlays-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bases = baseNames;

function file(content: unknown, name = 'site.json'): string {
  const text =
    typeof content === 'string' ? content : JSON.stringify({ name: 'site', ...(content as object) }, undefined, 2);
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Everything that is wrong, with the file's own name for its folder. */
function problemsOf(content: unknown): readonly string[] {
  const read = readSiteOverlay(file(content), mappings, bases);
  return 'problems' in read ? read.problems.map((problem) => problem.replace(`${folder}/`, '')) : [];
}

const insurance = (rules: object) => ({ 'prior-auth': { insurance_content: rules } });

test('paths, constants, rows and preferences of a file make the rules of a site', () => {
  const read = readSiteOverlay(
    file({
      ...insurance({
        rx_bin: { from: ["%coverage.extension('http://e.example/bin').value", '%rxBin.value'] },
        group_number: { from: [{ path: '%group.value', transform: 'text' }] },
      }),
      enrollment: { patient: { insurance_details: { data: { rx_bin: { from: ['%rxBin.value'] } } } } },
      tables: { 'dose form': { tablet: ['My Tab'] } },
      roles: { coverage: { prefer: [{ when: "type.coding.exists(code = 'U')", text: 'the union’s fund' }] } },
    }),
    mappings,
    bases,
  );
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  expect([read['prior-auth'].name, read.enrollment.name, read.roles.name]).toEqual([
    'prior-auth@site',
    'enrollment@site',
    'roles@site',
  ]);
  const coverage = read.roles.rules.coverage;
  expect(coverage?.kind === 'choose' && coverage.prefer[0]).toMatchObject({
    kind: 'has',
    clause: { text: 'the union’s fund' },
  });
  expect(coverage?.kind === 'choose' && coverage.prefer.slice(1)).toEqual(
    mappings.roles.rules.coverage?.kind === 'choose' ? mappings.roles.rules.coverage.prefer : [],
  );
});

test.each([
  [
    'JSON that is none',
    '{\n  "name": "site",\n  "tables": {,}\n}',
    ['site.json:3:14: it is no JSON: a key in quotes is expected'],
  ],
  ['a file that ends too early', '{ "name": "site"', ['site.json:1:17: it is no JSON: a comma or } is expected']],
  [
    'a key that stands there twice',
    '{\n  "name": "a",\n  "name": "b"\n}',
    ['site.json:3:11: name: the key stands there twice'],
  ],
  [
    'a key that what reads an object leaves out',
    '{\n  "name": "a",\n  "roles": { "__proto__": {} }\n}',
    ['site.json:3:14: roles.__proto__: there is no such key here'],
  ],
  [
    'objects without end in one another',
    `{ "name": "a", "roles": ${'['.repeat(100_000)}`,
    ['site.json:1:65: it is no JSON: it is nested too deeply'],
  ],
  ['an unknown key at the top', { rules: {} }, ['site.json:3:3: rules: there is no such key here']],
  [
    'a wrong type',
    { tables: { gender: { female: 'w' } } },
    ['site.json:5:17: tables.gender.female: it must be a list'],
  ],
  [
    'a field that the request does not have',
    insurance({ rx_bim: { from: ['%rxBin.value'] } }),
    ['site.json:5:7: prior-auth.insurance_content.rx_bim: the request has no field rx_bim; did you mean rx_bin?'],
  ],
  [
    'a misspelt element',
    insurance({ rx_bin: { from: ['%coverage.clas.value', '%rxBin.value'] } }),
    [
      'site.json:7:11: prior-auth.insurance_content.rx_bin.from[0]: Coverage has no element clas; did you mean ' +
        'class? (character 11 of the expression)',
    ],
  ],
  [
    'an expression that is not understood',
    insurance({ rx_bin: { from: ['%rxBin.value.trim()'] } }),
    [
      expect.stringMatching(
        /^site\.json:7:11: prior-auth\.insurance_content\.rx_bin\.from\[0\]: .*trim.* \(character \d+ of the exp/,
      ),
    ],
  ],
  [
    'a transform that the field does not have',
    insurance({ rx_bin: { from: ['%rxBin.value'], transform: 'npi' } }),
    ['site.json:9:22: prior-auth.insurance_content.rx_bin.transform: npi is no transform of this field; it has text'],
  ],
  [
    'an unknown role',
    { roles: { covrage: {} } },
    ['site.json:4:5: roles.covrage: there is no role covrage; did you mean coverage?'],
  ],
  [
    'an unknown word of a role',
    { roles: { coverage: { preferr: [] } } },
    ['site.json:5:7: roles.coverage.preferr: there is no such key here; did you mean prefer?'],
  ],
  [
    'an unknown table',
    { tables: { 'dose fom': { tablet: ['x'] } } },
    [expect.stringContaining('there is no table dose fom')],
  ],
  [
    'a value that is not on the list',
    { tables: { 'dose form': { tablett: ['x'] } } },
    ['site.json:5:7: tables.dose form.tablett: tablett is not on the list of the table; did you mean tablet?'],
  ],
  [
    'a row of a code that stands there already under another spelling of its system [K6]',
    { tables: { 'dose form': { tablet: ['urn:oid:2.16.840.1.113883.6.96|385055001'] } } },
    ['site.json:6:9: tables.dose form.tablet[0]: http://snomed.info/sct|385055001 has a row already: tablet'],
  ],
  [
    'a row that stands there already',
    { tables: { 'dispense unit': { capsule: ['Tab'] } } },
    ['site.json:6:9: tables.dispense unit.capsule[0]: tab has a row already: tablet'],
  ],
  [
    'a row that the file itself has twice',
    { tables: { 'dispense unit': { capsule: ['zz'], tablet: ['zz'] } } },
    ['site.json:9:9: tables.dispense unit.tablet[0]: zz has a row already: capsule'],
  ],
])('%s is told with file, line, column and key', (_, content, told) => {
  expect(problemsOf(content)).toEqual(told);
});

test.each(['order', 'supply', 'address', 'coverage', 'directions'])(
  'a site asks about the role %s what the mapping asks, and what it adds',
  (role) => {
    const read = readSiteOverlay(
      file({ roles: { [role]: { asks: [{ when: 'extension.exists()', message: 'Read the extension.' }] } } }),
      mappings,
      bases,
    );
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    const asksOf = (rule: RoleRule | undefined) => (rule !== undefined && 'asks' in rule ? rule.asks : []);
    const [own, ofSite] = [asksOf(mappings.roles.rules[role]), asksOf(read.roles.rules[role])];
    expect(ofSite.slice(0, -1)).toEqual(own);
    expect(ofSite.at(-1)).toMatchObject({ message: 'Read the extension.' });
  },
);

test('all mistakes of a file are told at once', () => {
  const content = {
    'prior-auth': { patient: { nam: { omit: 'x' } } },
    enrollment: { patient: { phone: { from: ['%contact.where('] } } },
    roles: { coverage: { prefer: [{ when: '%%', text: 'x' }] } },
  };
  expect(problemsOf(content).map((problem) => problem.split(': ')[1])).toEqual([
    'prior-auth.patient.nam',
    'enrollment.patient.phone.from[0]',
    'roles.coverage.prefer[0].when',
  ]);
});

test('a site names its overlay, gets its mappings and roles, and one mistake stops the start', () => {
  const site = {
    id: 'one',
    mappings: bases,
    overlay: file({ name: 'one', roles: { order: { asks: [{ when: 'note.exists()', message: 'Read the note.' }] } } }),
  };
  const { sites, registry } = loadOverlays(mappings, [site, { id: 'two', mappings: bases }]);
  expect(sites.map((one) => one.mappings['prior-auth'])).toEqual(['prior-auth@one', 'prior-auth']);
  expect(rolesFor(registry, 'enrollment@one').name).toBe('roles@one');
  expect(rolesFor(registry, 'prior-auth')).toBe(mappings.roles);
  const broken = { ...site, overlay: file({ name: 'b', roles: { nobody: {} } }, 'broken.json') };
  const start = () => loadOverlays(mappings, [broken, { id: 'two', mappings: { ...bases, enrollment: 'enrolment' } }]);
  expect(start).toThrow(BridgeError);
});

test('two files of one name are refused, one file for two sites is not', () => {
  const [one, other] = [file({ name: 'same' }, 'one.json'), file({ name: 'same' }, 'other.json')];
  const site = (id: string, overlay: string) => ({ id, overlay, mappings: bases });
  expect(loadOverlays(mappings, [site('a', one), site('b', one)]).sites).toHaveLength(2);
  expect(() => loadOverlays(mappings, [site('a', one), site('b', other)])).toThrow(BridgeError);
});

const speaking = (service: object, priorAuth = 'prior-auth') => ({
  id: 'valley',
  mappings: { ...bases, 'prior-auth': priorAuth },
  service: { profile: 'documented', prescription: 'named', ...service } as const,
});

test.each([
  [{}, 'prior-auth'],
  [{ profile: 'current' }, 'prior-auth-current'],
  [{ profile: 'current', prescription: 'coded' }, 'prior-auth-coded'],
])('with the service %j the mapping prior-auth is %s', (service, name) => {
  const { sites } = loadOverlays(mappings, [speaking(service)]);
  expect(sites[0]?.mappings['prior-auth']).toBe(name);
});

test('a site of the profile current lays its overlay over the mapping of that profile', () => {
  const overlay = file({ name: 'south', 'prior-auth': { patient: { email: { from: ['%patient.telecom.value'] } } } });
  const { sites, registry } = loadOverlays(mappings, [{ ...speaking({ profile: 'current' }), overlay }]);
  expect(sites[0]?.mappings['prior-auth']).toBe('prior-auth-current@south');
  expect(registry['prior-auth']['prior-auth-current@south']?.schema).toBe(
    mappings['prior-auth']['prior-auth-current']?.schema,
  );
});

test.each([
  [{}, 'prior-auth-coded', 'the profile current with the drug coded', 'the profile documented, which prior-auth makes'],
  [
    { profile: 'current' },
    'prior-auth-coded',
    'the profile current with the drug coded',
    'the profile current with the drug named, which prior-auth-current makes',
  ],
])('with the service %j the mapping %s stops the start', (service, name, makes, wants) => {
  expect(() => loadOverlays(mappings, [speaking(service, name)])).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      facts: {
        problems: [
          `site valley: mappings.prior-auth: ${name} makes requests of ${makes}; the service of this site has ${wants}`,
        ],
      },
    }),
  );
});
