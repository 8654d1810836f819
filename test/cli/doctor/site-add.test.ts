import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceSites, withSite } from '../../../src/cli/sites-file.ts';
import { tempFolder } from '../../support/temp.ts';
import { cli, type Ran } from '../run-cli.ts';
import { env, site, type World, world } from './support.ts';

const folder = tempFolder('site-add');
const file = join(folder.path, 'sites.json');
beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});
afterAll(() => folder.remove());

const others = `{
  "sites": [
    {
      "id": "lakeside", "name": "Lakeside",
      "iss": "https://ehr.lakeside.example/fhir",
      "client": { "auth": "public", "id": "l" },
      "service": { "url": "https://service.example", "tokenEnv": "LAKESIDE_TOKEN" }
    }
  ]
}
`;

const lines = [
  ...['--name', 'Valley Clinic', '--iss', site.iss, '--client', 'bridge-client'],
  ...['--service', site.service.url, '--token-env', 'SERVICE_TOKEN', '--webhook-secret-env', 'WEBHOOK_SECRET'],
];
const entry = {
  id: 'valley',
  name: 'Valley Clinic',
  iss: site.iss,
  client: { auth: 'private_key_jwt', id: 'bridge-client' },
  service: site.service,
};

async function add(
  argv: readonly string[],
  { before = others, given = {}, stdin }: { before?: string; given?: World; stdin?: string } = {},
): Promise<Ran> {
  world(given);
  writeFileSync(file, before);
  const typed = stdin === undefined ? {} : { stdin, sits: true };
  return await cli(['site', 'add', ...argv], { env: { ...env, BRIDGE_SITES: file, NO_COLOR: '1' }, ...typed });
}

const written = () => readFileSync(file, 'utf8');

test('looks at the site, then writes the entry behind the others, which stay as they are', async () => {
  const { code, out } = await add(['valley', ...lines]);
  expect(out).toContain('For the EHR’s administrator');
  expect(out).toMatch(/valley was added to .*sites\.json\. Start the bridge again to use it\.\n$/);
  expect(JSON.parse(written()).sites[1]).toEqual(entry);
  expect(written().startsWith(others.slice(0, others.indexOf('\n  ]')))).toBe(true);
  expect(code).toBe(0);
});

test('a bridge that runs already does not know the site yet, and that is no problem', async () => {
  const { code, out } = await add(['valley', ...lines], { given: { webhook: 401 } });
  expect(out).toContain('publishes the keys of BRIDGE_JWKS (2)');
  expect(out).not.toContain('does not believe');
  expect(code).toBe(0);
});

test('a preset leaves only the lines that it does not know', async () => {
  const { code } = await add(['valley', '--preset', 'epic', ...lines.slice(2)]);
  expect(JSON.parse(written()).sites[1]).toEqual({
    id: 'valley',
    preset: 'epic',
    iss: site.iss,
    client: { id: 'bridge-client' },
    service: site.service,
  });
  expect(code).toBe(0);
});

test('where something is missing nothing is written, and the exit code is doctor’s', async () => {
  const { code, err } = await add(['valley', ...lines], { given: { service: () => 401 } });
  expect(err).toContain('Nothing was written to ');
  expect(written()).toBe(others);
  expect(code).toBe(1);
});

test('--anyway writes it all the same', async () => {
  const { code } = await add(['valley', ...lines, '--anyway'], { given: { service: () => 401 } });
  expect(JSON.parse(written()).sites).toHaveLength(2);
  expect(code).toBe(1);
});

test.each([
  ['id', ['lakeside', ...lines], 'sites.1.id: lakeside stands at sites.0.id already; each site needs its own'],
  [
    'issuer',
    ['valley', ...lines, '--iss', 'https://EHR.lakeside.example/fhir/'],
    'sites.1.iss: https://EHR.lakeside.example/fhir stands at sites.0.iss already; each site needs its own',
  ],
  ['address that is none', ['valley', ...lines, '--iss', 'ehr'], 'sites.1.iss: it must be a URL'],
])('an %s that cannot be is refused as at start, and nothing is asked or written', async (_, argv, message) => {
  const { code, out, err } = await add(argv);
  expect(err).toContain(message);
  expect(out).toBe('');
  expect(written()).toBe(others);
  expect(code).toBe(3);
});

test('a preset that contradicts a line of the site is refused as at start', async () => {
  const { err } = await add(['valley', '--preset', 'epic', '--auth', 'public', ...lines]);
  expect(err).toContain('sites.1.client.auth: Epic takes no public app');
  expect(written()).toBe(others);
});

test('without a terminal it names the options that are missing', async () => {
  const { code, err } = await add(['valley', '--iss', site.iss]);
  expect(err).toContain('missing:\n    --client\n    --service');
  expect(code).toBe(2);
});

test('a sites file that is no JSON is named with line and column', async () => {
  const { code, err } = await add(['valley', ...lines], { before: '{ "sites": [,] }' });
  expect(err).toContain(`${file}:1:13: `);
  expect(code).toBe(3);
});

describe('at a terminal', () => {
  const answers = [
    'other',
    'valley',
    'Valley Clinic',
    site.iss,
    'bridge-client',
    '',
    site.service.url,
    'SERVICE_TOKEN',
  ];

  test('asks for every line, with the usual answer in brackets', async () => {
    const { code, out } = await add([], { stdin: `${[...answers, 'WEBHOOK_SECRET'].join('\n')}\n` });
    expect(out).toContain('How the client signs in: private_key_jwt or client_secret or public [private_key_jwt]: ');
    expect(out).toContain('Variable that holds its token [VALLEY_SERVICE_TOKEN]: ');
    expect(JSON.parse(written()).sites[1]).toEqual(entry);
    expect(code).toBe(0);
  });

  test('asks again for an EHR and a way to sign in that it does not know, and takes capital letters', async () => {
    const [, ...rest] = answers;
    const typed = ['epc', 'OTHER', ...rest.slice(0, 4), 'password', ...rest.slice(4), 'WEBHOOK_SECRET'];
    const { code, out } = await add([], { stdin: `${typed.join('\n')}\n` });
    expect(out).toContain('“epc” cannot be: it must be one of epic, ');
    expect(out).toContain('“password” cannot be: it must be one of private_key_jwt, client_secret, public.');
    expect(JSON.parse(written()).sites[1]).toEqual(entry);
    expect(code).toBe(0);
  });

  test('asks again, with the reason, for each answer that the sites file would be refused for', async () => {
    const typed = [
      ...['other', 'Valley!', 'lakeside', 'valley', 'Valley Clinic'],
      ...['', 'ehr', 'ftp://ehr.example', 'https://EHR.lakeside.example/fhir/', site.iss],
      ...['', 'bridge-client', ''],
      ...['', 'service', site.service.url, 'service-token', 'SERVICE_TOKEN', 'no thanks', 'WEBHOOK_SECRET'],
    ];
    const { code, out } = await add([], { stdin: `${typed.join('\n')}\n` });
    const reasons = [
      '“Valley!” cannot be: it must be of lower-case letters, digits and -, 40 at most: valley-north.',
      '“lakeside” cannot be: lakeside stands at sites.0.id already; each site needs its own.',
      'An answer is needed: it must be a URL.',
      '“ehr” cannot be: it must be a URL.',
      '“ftp://ehr.example” cannot be: it must be a URL',
      'fhir/” cannot be: https://EHR.lakeside.example/fhir stands at sites.0.iss already; each site needs its own.',
      'Client id that the EHR gave: An answer is needed: ',
      '“service” cannot be: it must be a URL.',
      '“service-token” cannot be: it must be the name of an environment variable: capital letters, digits and _.',
      '“no thanks” cannot be: it must be the name of an environment variable',
    ];
    for (const reason of reasons) expect(out).toContain(reason);
    expect(JSON.parse(written()).sites[1]).toEqual(entry);
    expect(code).toBe(0);
  });

  test('names variables that may be called so, whatever the name of the site', async () => {
    const { out } = await add(['2nd-street'], { stdin: 'other\n\nhttps://ehr.example/fhir\nc\n\nhttps://s.example\n' });
    expect(out).toContain('Variable that holds its token [SITE_2ND_STREET_SERVICE_TOKEN]: ');
  });

  test('offers no short name that is taken, and only the ways to sign in that the EHR has', async () => {
    const taken = others.replaceAll('lakeside', 'epic');
    const { out } = await add([], { before: taken, stdin: 'epic\n\nvalley\n\nhttps://e.example/fhir\nc\npublic\n' });
    expect(out).toContain('Short name for addresses and logs: ');
    expect(out).toContain('How the client signs in: private_key_jwt or client_secret [private_key_jwt]: ');
    expect(out).toContain('“public” cannot be: ');
  });

  test('asks nothing where an option or the file itself is wrong', async () => {
    const wrong = await add(['valley', '--iss', 'ehr'], { stdin: 'other\nValley\n' });
    expect(wrong.err).toContain('--iss: it must be a URL');
    const broken = await add([], { before: others.replace('"public"', '"pubic"'), stdin: 'other\n' });
    expect(broken.err).toContain('sites.0.client.auth');
    expect(broken.out).toBe('');
  });

  test('asks nothing that an option says', async () => {
    const { out } = await add(['valley', ...lines, '--auth', 'public'], { stdin: 'other\nno\n' });
    expect(out.startsWith('Which EHR (epic, ')).toBe(true);
    expect(out).not.toContain('FHIR base address (iss)');
  });

  test.each([
    ['no', 1],
    ['yes', 2],
  ])('with a problem it asks whether to write all the same: %s', async (answer, sites) => {
    const stdin = `${[...answers, 'none', answer].join('\n')}\n`;
    const { out } = await add([], { stdin, given: { service: () => 401 } });
    expect(out).toContain('Write it all the same? yes or no [no]: ');
    expect(JSON.parse(written()).sites).toHaveLength(sites);
  });

  test('an end of input in between writes nothing', async () => {
    const { code } = await add([], { stdin: 'other\nvalley\n' });
    expect(written()).toBe(others);
    expect(code).toBe(2);
  });
});

describe('the sites file', () => {
  test('of one line stays one line', () => {
    expect(withSite('{"sites":[{"id":"a"}]}', { id: 'b' })).toBe('{"sites":[{"id":"a"},{"id":"b"}]}');
  });

  test('keeps its tabs and its line ends', () => {
    expect(withSite('{\r\n\t"sites": [\r\n\t\t{ "id": "a" }\r\n\t]\r\n}', { id: 'b' })).toBe(
      '{\r\n\t"sites": [\r\n\t\t{ "id": "a" },\r\n\t\t{\r\n\t\t\t"id": "b"\r\n\t\t}\r\n\t]\r\n}',
    );
  });

  test('with an empty list gets its first site', () => {
    expect(withSite('{\n  "sites": []\n}\n', { id: 'b' })).toBe(
      '{\n  "sites": [\n    {\n      "id": "b"\n    }\n  ]\n}\n',
    );
  });

  test('with brackets inside of texts is cut at the right one', () => {
    expect(withSite('{"sites":[{"name":"a ] b"}]}', { id: 'b' })).toBe('{"sites":[{"name":"a ] b"},{"id":"b"}]}');
  });

  test('that is not there is made', async () => {
    world();
    const path = join(folder.path, 'new.json');
    await cli(['site', 'add', 'valley', ...lines, '--sites', path], { env });
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify({ sites: [entry] }, undefined, 2)}\n`);
  });

  test('keeps its rights, and a link to it stays a link', () => {
    const [real, link] = [join(folder.path, 'real.json'), join(folder.path, 'link.json')];
    writeFileSync(real, others);
    chmodSync(real, 0o640);
    symlinkSync(real, link);
    replaceSites(link, others, withSite(others, entry));
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(JSON.parse(readFileSync(real, 'utf8')).sites).toHaveLength(2);
  });

  test('that somebody has changed meanwhile stays as it is, and nothing is left beside it', () => {
    const path = join(folder.path, 'changed.json');
    writeFileSync(path, '{"sites":[1]}');
    expect(() => replaceSites(path, others, '{}')).toThrow(/was changed meanwhile/);
    expect(readFileSync(path, 'utf8')).toBe('{"sites":[1]}');
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('in a folder that is not there is refused by name', () => {
    const path = join(folder.path, 'none', 'sites.json');
    expect(() => replaceSites(path, undefined, '{}')).toThrow(/cannot be written: ENOENT/);
    expect(existsSync(path)).toBe(false);
  });
});
