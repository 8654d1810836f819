import fs, { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chartsOf } from '../../../src/dev/playground/material.ts';
import { openScene } from '../../web/support.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'charts-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds an empty chart at a second of the day: the time of a change is all that tells it. */
function addChart(name: string, second: number): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'bundle.json'), '{}');
  utimesSync(folder, second, second);
}

const looks = ['readdirSync', 'existsSync', 'statSync'] as const;

/** How often folders were listed, and files looked for, while something was done. */
async function looksOf(work: () => unknown): Promise<{ readonly lists: number; readonly all: number }> {
  const spies = looks.map((name) => vi.spyOn(fs, name as 'existsSync'));
  syncBuiltinESMExports();
  await work();
  const [lists = 0, ...others] = spies.map(({ mock }) => mock.calls.length);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  return { lists, all: others.reduce((sum, count) => sum + count, lists) };
}

describe('P6: the charts of the package', () => {
  test.each([3, 6])('%i of them are listed once, however often they are asked for', async (count) => {
    for (let at = 0; at < count; at += 1) addChart(`chart-${at}`, 1);
    const charts = chartsOf(folder);
    expect((await looksOf(charts)).lists).toBe(1);
    expect(await looksOf(charts)).toEqual({ lists: 0, all: 1 });
    expect(charts()).toHaveLength(count);
  });

  test('are listed again when one is added', () => {
    addChart('one', 1);
    const charts = chartsOf(folder);
    expect(charts()).toEqual(['one']);
    addChart('another', 2);
    expect(charts()).toEqual(['another', 'one']);
  });

  test('are none where there is no such folder', () => {
    expect(chartsOf(join(folder, 'none'))()).toEqual([]);
  });

  test('are not listed by a request once one was answered', async () => {
    const scene = await openScene('story-complete', (deps) => ({
      ...deps,
      config: { ...deps.config, playground: true },
    }));
    try {
      await scene.get('/playground');
      const { lists } = await looksOf(async () => expect((await scene.get('/playground')).status).toBe(200));
      expect(lists).toBe(0);
    } finally {
      await scene.app.close();
    }
  });
});
