import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { memoized, openTextCache } from '../../src/core/text-cache.ts';

// That of test/setup.ts.
openTextCache().close();

function counting() {
  const read: string[] = [];
  const lengthOf = memoized((text) => {
    read.push(text);
    return text.length;
  });
  return { read, lengthOf };
}

test('a text is read once while a cache is open, and each time before and after', () => {
  const { read, lengthOf } = counting();
  expect([lengthOf('ab'), lengthOf('ab')]).toEqual([2, 2]);
  expect(read).toEqual(['ab', 'ab']);
  const texts = openTextCache();
  expect([lengthOf('ab'), lengthOf('ab'), lengthOf('abc')]).toEqual([2, 2, 3]);
  expect(read).toEqual(['ab', 'ab', 'ab', 'abc']);
  texts.close();
  lengthOf('ab');
  expect(read).toHaveLength(5);
});

test('an emptied cache reads a text once more', () => {
  const { read, lengthOf } = counting();
  const texts = openTextCache();
  onTestFinished(() => texts.close());
  lengthOf('ab');
  texts.clear();
  lengthOf('ab');
  lengthOf('ab');
  expect(read).toEqual(['ab', 'ab']);
});

test('two functions keep their results apart', () => {
  const texts = openTextCache();
  onTestFinished(() => texts.close());
  const [upper, length] = [memoized((text) => text.toUpperCase()), memoized((text) => text.length)];
  expect([upper('ab'), length('ab'), upper('ab'), length('ab')]).toEqual(['AB', 2, 'AB', 2]);
});

test('closing a cache leaves one that was opened after it', () => {
  const { read, lengthOf } = counting();
  const [first, second] = [openTextCache(), openTextCache()];
  first.close();
  lengthOf('ab');
  lengthOf('ab');
  second.close();
  expect(read).toEqual(['ab']);
});

test('it keeps 2,000 results of a function and no text of more than 200 characters', () => {
  const { read, lengthOf } = counting();
  const texts = openTextCache();
  onTestFinished(() => texts.close());
  const long = 'x'.repeat(201);
  lengthOf(long);
  lengthOf(long);
  expect(read).toHaveLength(2);
  for (let at = 0; at < 2001; at += 1) lengthOf(`${at}`);
  lengthOf('0');
  expect(read).toHaveLength(2 + 2001 + 1);
});

test('once the cache is emptied the process holds nothing of a chart that it mapped', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-texts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const canaries = ['Zwxquorn', 'Vbrekkan Street', 'Take zqxulon with water', 'Qqvornish'];
  const [family = '', street = '', directions = '', city = ''] = canaries;
  const chart = JSON.parse(readFileSync(join(root, 'fixtures/charts/story-step-therapy/bundle.json'), 'utf8')) as {
    entry: { resource: Record<string, unknown> }[];
  };
  for (const { resource } of chart.entry) {
    if (resource.resourceType === 'Patient')
      Object.assign(resource, {
        name: [{ family, given: ['Ann'] }],
        address: [{ line: [`12 ${street}`], city, state: 'OH', postalCode: '43004' }],
      });
    if (resource.resourceType === 'MedicationRequest')
      Object.assign(resource, { dosageInstruction: [{ text: directions }] });
  }
  const file = join(folder, 'chart.json');
  writeFileSync(file, JSON.stringify(chart));
  const told = execFileSync(process.execPath, [
    '--expose-gc',
    '--experimental-transform-types',
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'kept-texts.ts'),
    file,
    folder,
    ...canaries.map((text) => [...text].reverse().join('')),
  ]);
  const { mapped, held, left } = JSON.parse(told.toString()) as { mapped: number; held: string[]; left: string[] };
  expect(mapped).toBeGreaterThan(0);
  expect(held.length).toBeGreaterThan(0);
  expect(left).toEqual([]);
});

const root = join(import.meta.dirname, '../..');
