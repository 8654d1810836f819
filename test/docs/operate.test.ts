import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteOptions } from 'fastify';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/base/metrics.ts';
import { enclosedLimits } from '../../src/ehr/documents/enclosed-limits.ts';
import { maxUploadBytes } from '../../src/ehr/documents/read-upload.ts';
import { readingLimits } from '../../src/ehr/documents/readers.ts';
import { defaultLimits } from '../../src/ehr/smart/types.ts';
import { buildApp } from '../../src/web/app.ts';
import type { Deps } from '../../src/web/http/deps.ts';
import { strangersPerMinute } from '../../src/web/http/stranger-limit.ts';
import { mostFiles } from '../../src/web/pages/attach/upload.ts';
import { markdownTable, withTables } from '../support/marked-tables.ts';
import { openScene, testConfig } from '../web/support.ts';

const docs = join(import.meta.dirname, '../../docs/operate');
const path = join(docs, 'running.md');
const page = readFileSync(path, 'utf8');
const nginx = readFileSync(join(docs, 'nginx.example.conf'), 'utf8');

/** Our own metrics with what Prometheus is told of them and their labels, once each has a value. */
async function metricsTable(): Promise<string> {
  const site = 'valley';
  const metrics = createMetrics({
    cases: async () => [{ site, state: 'open', count: 1, oldestSeconds: 1 }],
    queues: async () => [{ queue: 'poll', waiting: 1, oldestSeconds: 1 }],
    trends: async () => [{ site, sent: 9, decided: 9, firstPass: 0.5, typed: 1, payers: [{ payer: 'Acme', days: 2 }] }],
  });
  metrics.requestEnded({ route: '/', method: 'GET', status: 200, site, seconds: 1 });
  metrics.failed({ code: 'internal', route: '/', site });
  metrics.jobEnded({ queue: 'poll', site, seconds: 1, code: 'internal' });
  metrics.writeFailed({ site, what: 'task', state: 'failed' });
  metrics.requestSent({ site, kind: 'prior-auth', values: { chart: 1, typed: 1, changed: 1 }, seconds: 1, touches: 1 });
  const { text } = await metrics.text();
  const rows = [...text.matchAll(/^# HELP (bridge_\w+) (.+)$/gm)].map(([, name = '', help = '']) => {
    const [, inside = ''] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\}`, 'm').exec(text) ?? [];
    const labels = [...inside.matchAll(/(\w+)="/g)].map(([, label]) => label ?? '').filter((label) => label !== 'le');
    return [`\`${name}\``, labels.map((label) => `\`${label}\``).join(', '), help];
  });
  return markdownTable(['metric', 'labels', 'what it counts'], rows);
}

/** What a request without a session costs at each address outside of `/app/`. */
const costs: Readonly<Record<string, string>> = {
  '/': 'one question to the store, of 30 cookies at most',
  '/launch':
    'a row of the store for ten minutes, and what the EHR says of itself, which is kept; one question, of 200 ' +
    'cookies at most',
  '/sign-in': 'as `/launch`',
  '/callback/:site': 'two questions to the store by `state`; the EHR is asked only for a sign-in that began here',
  '/webhooks/:site': 'a signature over the body; the store is asked only when it fits',
  '/healthz': 'nothing',
  '/readyz': 'one question to the store a second, however many ask',
  '/.well-known/jwks.json': 'nothing: it is in memory',
  '/assets/*': 'a file of the build',
  '/playground': 'a mapping of what is sent. Only with `BRIDGE_PLAYGROUND=on`, which is for integration work',
};

/** Where the request says which site it is about. */
const ofSites: ReadonlySet<string> = new Set(['/launch', '/callback/:site', '/webhooks/:site']);

/** Every route of the pages with all that can be switched on. */
async function routes(): Promise<readonly RouteOptions[]> {
  const seen: RouteOptions[] = [];
  const config = { ...testConfig(), playground: true, recordDir: docs };
  const given: Deps[] = [];
  const scene = await openScene('story-complete', (deps) => {
    given.push({ ...deps, config, worklist: {} as NonNullable<Deps['worklist']> });
    return deps;
  });
  for (const deps of given) await (await buildApp(deps, (route) => void seen.push(route))).close();
  await scene.app.close();
  return seen.filter(({ method }) => method !== 'HEAD');
}

async function addressTable(): Promise<string> {
  const outside = (await routes()).filter(({ url }) => !url.startsWith('/app/'));
  const rows = [...Map.groupBy(outside, ({ url }) => url)].map(([url, same]) => {
    const perMinute = same.flatMap(({ config }) => (config as { rateLimit?: { max: number } })?.rateLimit?.max ?? []);
    const posts = same.filter(({ method }) => method === 'POST');
    return [
      `\`${url}\``,
      posts.length === 0 ? 'none' : url === '/webhooks/:site' ? '1 MB' : sizeOf(posts[0]?.bodyLimit ?? 0),
      perMinute[0] === undefined ? '' : `${perMinute[0]}${ofSites.has(url) ? ' for each site' : ''}`,
      costs[url] ?? 'NOT SAID',
    ];
  });
  const inside = [
    '`/app/…`',
    'not read',
    `${strangersPerMinute}`,
    'nothing without a cookie, else one question to the store',
  ];
  return markdownTable(
    ['address', 'body', 'requests a minute of one address', 'what it costs'],
    [inside, ...rows.sort()],
  );
}

/** What is read of others, and how much of it at most. */
function readerTable(): string {
  const { megabytes, milliseconds, processorMilliseconds, waiting, processes } = readingLimits;
  const constant = (file: string, name: string) => {
    const text = readFileSync(join(docs, '../../src', file), 'utf8');
    const [, found] = new RegExp(`\\b${name}[ =:]+([\\d_]+(?: \\* [\\d_]+)*)`).exec(text) ?? [];
    expect(found, `${name} in ${file}`).toBeDefined();
    return (found ?? '').split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
  };
  const bytes = (file: string, name: string) => sizeOf(constant(file, name));
  return markdownTable(
    ['what', 'at most'],
    [
      ['documents read at once, by one process', `${processes}; ${waiting} more wait, by turns of their charts`],
      ['memory of the process that reads texts (PDF, RTF, HTML, plain)', `${megabytes.text} MB`],
      ['memory of the process that reads pictures', `${megabytes.image} MB`],
      [
        'memory of the process that prints PDFs with a reply, each alone and all together',
        `${megabytes.pages} MB, ${megabytes.packet} MB`,
      ],
      [
        'time for a document',
        `${processorMilliseconds / 1000} s of the processor, ${milliseconds / 1000} s on the clock`,
      ],
      ['a note', bytes('ehr/documents/read-text.ts', 'maxBytes')],
      [
        'text that is kept of it',
        `${constant('ehr/documents/read-text.ts', 'maxCharacters').toLocaleString('en-US')} characters`,
      ],
      ['pages of a PDF', String(constant('ehr/documents/pdf.ts', 'maxPages'))],
      ['a picture of a card', bytes('ehr/documents/card-image.ts', 'maxInputBytes')],
      [
        'its size, as its header states it',
        `${constant('ehr/documents/card-image.ts', 'maxPixels') / 1e6} million pixels`,
      ],
      ['a file that a person attaches', sizeOf(maxUploadBytes)],
      [
        'files that go with one reply',
        `${mostFiles}; ${sizeOf(enclosedLimits.bytes)} and ${enclosedLimits.pages} pages together`,
      ],
      ['an answer of an EHR', sizeOf(defaultLimits.bodyBytes)],
      ['all answers of an EHR with the documents of one chart', sizeOf(defaultLimits.documentsBytes)],
      [
        'documents of a chart that are read while those of others are',
        `${sizeOf(defaultLimits.turnBytes)}; with more, charts take turns`,
      ],
      [
        'wait for such a turn',
        `${constant('web/http/chart-reading.ts', 'turnMilliseconds') / 1000} s; then they are told as not read`,
      ],
      [
        'cards and ticked notes that a large chart keeps, in base64',
        bytes('ehr/documents/let-go.ts', 'keptCharacters'),
      ],
      ['notes that nobody ticked, of the same chart', bytes('ehr/documents/let-go.ts', 'fewCharacters')],
      ['a file outside of the EHR', sizeOf(defaultLimits.fileBytes)],
      ['discovery, a token, keys', sizeOf(defaultLimits.documentBytes)],
      ['headers of a request, cookies included', bytes('web/app.ts', 'maxHeaderSize')],
      ['a form', bytes('web/app.ts', 'formbody, { bodyLimit')],
      ['the body of a webhook', bytes('web/http/webhook-route.ts', 'bodyLimit')],
      ['charts that are held for their sessions, sealed', bytes('web/http/chart-reading.ts', 'keepBytes')],
    ],
  );
}

function sizeOf(bytes: number): string {
  return bytes % 1024 === 0 ? sizeIn(bytes, 1024) : sizeIn(bytes, 1000);
}

function sizeIn(bytes: number, thousand: number): string {
  return bytes < thousand * thousand ? `${bytes / thousand} KB` : `${bytes / thousand ** 2} MB`;
}

// `npx vitest run test/docs/operate.test.ts -u` writes the tables anew.
test('running.md has the metrics as Prometheus reads them, and every limit and address [E8] [E9]', async () => {
  const tables = { metrics: await metricsTable(), readers: readerTable(), addresses: await addressTable() };
  await expect(withTables(page, tables)).toMatchFileSnapshot(path);
});

test('what a stranger costs is said of every address, and of none that is not there [E9]', async () => {
  const outside = (await routes()).map(({ url }) => url).filter((url) => !url.startsWith('/app/'));
  expect([...new Set(outside)].sort()).toEqual(Object.keys(costs).sort());
});

test('every metric that docs/operate/running.md names is one of them', async () => {
  const table = await metricsTable();
  const [, part = ''] = /^## Metrics\n(.*?)^## /ms.exec(page) ?? [];
  const named = [...part.matchAll(/`(bridge_\w+)[{`]/g)].map(([, name]) => name ?? '');
  expect(new Set(named).size).toBeGreaterThan(8);
  expect(named.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('the example proxy takes what the bridge takes: a document from the disk, and a day’s cookies', () => {
  expect(nginx).toContain('client_max_body_size 16m;');
  expect(nginx).toContain('large_client_header_buffers 8 32k;');
  const upload = readFileSync(join(docs, '../../src/ehr/documents/read-upload.ts'), 'utf8');
  expect(Number(/maxUploadBytes = ([\d_]+)/.exec(upload)?.[1]?.replaceAll('_', ''))).toBeLessThan(16 * 1024 * 1024);
  expect(readFileSync(join(docs, '../../src/web/app.ts'), 'utf8')).toContain('maxHeaderSize: 32 * 1024');
});
