import { expect, test } from 'vitest';
import { startBridge } from '../../src/cli/server.ts';
import { makeConfig, Site } from '../../src/config/config.ts';
import { manyLaunches } from './launches.ts';

test('forty launches at once, five a browser: every chart shows its own patient, no session is lost [S1]', async () => {
  const product = { startBridge, makeConfig, Site };
  const outcome = await manyLaunches(product, { launches: 40, together: 40, perBrowser: 5 });
  expect(outcome).toMatchObject({ opened: 40, lost: [], mixed: [], failed: [] });
  expect(outcome.mostAtOnce).toBeGreaterThanOrEqual(20);
}, 180_000);
