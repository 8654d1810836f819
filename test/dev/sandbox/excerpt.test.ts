import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readIcd10File } from '../../../src/config/read-icd10-file.ts';
import { excerptFile, loadExcerpt } from '../../../src/dev/sandbox/load-excerpt.ts';
import type { CodeSet, CodeTable } from '../../../src/store/types.ts';
import { publicData } from '../../support/public-data.ts';

const read = (text: string) => {
  const file = readIcd10File(text);
  return 'codes' in file ? file : { codes: [], billable: 0 };
};

const whole = publicData('tables', 'icd10cm-order-Jan-2021.txt.gz');

describe('the code file of the sandbox', () => {
  test('is an order file with headers, and is loaded with its year', async () => {
    const loaded: unknown[] = [];
    const codes: Pick<CodeTable, 'current' | 'load'> = {
      current: async () => undefined,
      load: async (_, { source, year, codes: rows }) => {
        loaded.push([source, year, rows.length]);
        return {} as CodeSet;
      },
    };
    expect(await loadExcerpt({ codes: codes as CodeTable })).toEqual({ codesArePartial: true });
    const { codes: rows, billable } = read(readFileSync(excerptFile, 'latin1'));
    expect(loaded).toEqual([['icd10cm-excerpt-2021.txt', '2021', rows.length]]);
    expect(billable).toBeGreaterThan(1000);
    expect(rows.find(({ code }) => code === 'E66')?.billable).toBe(false);
    expect(rows.find(({ code }) => code === 'E66.9')?.billable).toBe(true);
  });

  test('takes the place of none that somebody loaded', async () => {
    const codes: Pick<CodeTable, 'current' | 'load'> = {
      current: async () => ({ source: 'own.txt', total: 1, billable: 1, loadedAt: '2026-01-01T00:00:00.000Z' }),
      load: async () => {
        throw new Error('loaded');
      },
    };
    expect(await loadExcerpt({ codes: codes as CodeTable })).toEqual({ codesArePartial: false });
  });
});

describe.skipIf(!existsSync(whole))('the whole order file of January 2021', () => {
  test('is read, with headers, and has every line of the excerpt as it is', () => {
    const text = gunzipSync(readFileSync(whole)).toString('latin1');
    const file = read(text);
    expect(file.codes.length).toBeGreaterThan(90_000);
    expect(file.billable).toBeGreaterThan(70_000);
    const lines = new Set(text.split('\r\n'));
    const excerpt = readFileSync(excerptFile, 'latin1').split('\r\n');
    expect(excerpt.filter((line) => !lines.has(line))).toEqual([]);
  });
});
