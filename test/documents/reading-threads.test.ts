import { describe, expect, test } from 'vitest';
import type { ReadJob } from '../../src/documents/reading-thread.ts';
import { createReadingThreads } from '../../src/documents/reading-threads.ts';
import { base64, imageOf, pdfOf } from './support.ts';

const limits = { threads: 2, waiting: 100, milliseconds: 30_000, memoryMegabytes: 512 };
const chart = 'Patient/p1';
const text = (contentType: string, data: string): ReadJob & { kind: 'text' } => ({ kind: 'text', contentType, data });
const image = (data: string): ReadJob & { kind: 'image' } => ({ kind: 'image', contentType: 'image/png', data });

test('reads what the same code reads here, in the order that it was asked', async () => {
  const threads = createReadingThreads(limits);
  const readings = await Promise.all([
    threads.read(text('application/pdf', await pdfOf(['One.'])), chart),
    threads.read(image(await imageOf('image/png', 20, 10)), chart),
    threads.read(text('text/plain', base64('Two.')), chart),
    threads.read(text('application/pdf', base64('%PDF-1.4 broken')), chart),
  ]);
  expect(readings).toEqual([
    { text: 'One.' },
    { contentType: 'image/png' },
    { text: 'Two.' },
    { unreadable: 'the PDF is damaged' },
  ]);
});

test('gives up a document that takes too long, and reads the next one', async () => {
  const threads = createReadingThreads({ ...limits, milliseconds: 1 });
  const data = await imageOf('image/png', 900, 900, { noise: true });
  const late = { unreadable: 'reading it took too long' };
  expect(await threads.read(image(data), chart)).toEqual(late);
  expect(await threads.read(image(data), chart)).toEqual(late);
});

test('a thread that breaks costs its document only', async () => {
  const threads = createReadingThreads({ ...limits, memoryMegabytes: 48 });
  const big = threads.read(text('text/html', base64('<p>x'.repeat(1_800_000))), chart);
  expect(await big).toEqual({ unreadable: 'it could not be read' });
  expect(await threads.read(text('text/plain', base64('Next.')), chart)).toEqual({ text: 'Next.' });
});

test('R2: a megabyte of blanks in a line, or of elements that nothing closes, is read within the limit', async () => {
  const threads = createReadingThreads(limits);
  const hostile = [
    text('text/plain', base64(`${' '.repeat(1_000_000)}end`)),
    text('text/html', base64(`${'<div>'.repeat(200_000)}end`)),
    text('text/html', base64(`${'<table><tr><td colspan=999>'.repeat(40_000)}end`)),
  ];
  const readings = await Promise.all(hostile.map((job, index) => threads.read(job, index)));
  expect(readings.map((reading) => ('text' in reading ? reading.text.slice(-3) : reading))).toEqual(
    Array(3).fill('end'),
  );
});

describe('R7: documents of one chart do not hold up those of another', () => {
  test('with two threads the document of the second chart does not wait for the end of the first', async () => {
    const done: string[] = [];
    const threads = createReadingThreads({ ...limits, threads: 2 });
    const started = ['one', 'two'].map((other) => threads.read(text('text/plain', base64('x')), other));
    await Promise.all(started);
    const data = await imageOf('image/png', 400, 400, { noise: true });
    const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const slow = names.map((name) => threads.read(image(data), 'Patient/a').then(() => done.push(name)));
    const quick = threads.read(text('text/plain', base64('b')), 'Patient/b').then(() => done.push('b'));
    await Promise.all([...slow, quick]);
    expect(done.indexOf('b')).toBeLessThan(done.indexOf('a6'));
    expect(done.filter((name) => name !== 'b')).toEqual(names);
  });

  test('with one thread the charts take turns', async () => {
    const done: string[] = [];
    const threads = createReadingThreads({ ...limits, threads: 1 });
    const read = (name: string, of: string) =>
      threads.read(text('text/plain', base64(name)), of).then(() => done.push(name));
    await Promise.all([read('a1', 'a'), read('a2', 'a'), read('a3', 'a'), read('b1', 'b'), read('c1', 'c')]);
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('more than may wait are not read, and say so', async () => {
    const threads = createReadingThreads({ ...limits, threads: 1, waiting: 1 });
    const readings = await Promise.all([1, 2, 3].map(() => threads.read(text('text/plain', base64('x')), chart)));
    expect(readings).toEqual([
      { text: 'x' },
      { text: 'x' },
      { unreadable: 'too many documents are waiting to be read' },
    ]);
  });
});
