import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from '../../src/metrics.ts';
import { markdownTable, withTables } from '../support/marked-tables.ts';

const docs = join(import.meta.dirname, '../../docs');
const path = join(docs, 'operate.md');
const page = readFileSync(path, 'utf8');
const nginx = readFileSync(join(docs, 'nginx.example.conf'), 'utf8');

/** Our own metrics with what Prometheus is told of them and their labels, once each has a value. */
async function metricsTable(): Promise<string> {
  const site = 'valley';
  const metrics = createMetrics({
    cases: async () => [{ site, state: 'open', count: 1, oldestSeconds: 1 }],
    queues: async () => [{ queue: 'poll', waiting: 1, oldestSeconds: 1 }],
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

// `npx vitest run test/docs/operate.test.ts -u` writes the table anew.
test('docs/operate.md has the metrics as Prometheus reads them', async () => {
  await expect(withTables(page, { metrics: await metricsTable() })).toMatchFileSnapshot(path);
});

test('every metric that docs/operate.md names is one of them', async () => {
  const table = await metricsTable();
  const [, part = ''] = /^## Metrics\n(.*?)^## /ms.exec(page) ?? [];
  const named = [...part.matchAll(/`(bridge_\w+)[{`]/g)].map(([, name]) => name ?? '');
  expect(new Set(named).size).toBeGreaterThan(8);
  expect(named.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('the example proxy takes what the bridge takes: a document from the disk, and a day’s cookies', () => {
  expect(nginx).toContain('client_max_body_size 16m;');
  expect(nginx).toContain('large_client_header_buffers 8 32k;');
  const upload = readFileSync(join(docs, '../src/documents/read-upload.ts'), 'utf8');
  expect(Number(/maxUploadBytes = ([\d_]+)/.exec(upload)?.[1]?.replaceAll('_', ''))).toBeLessThan(16 * 1024 * 1024);
  expect(readFileSync(join(docs, '../src/app.ts'), 'utf8')).toContain('maxHeaderSize: 32 * 1024');
});
