import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readingLimits } from '../../../src/ehr/documents/readers.ts';
import type { ReadJob } from '../../../src/ehr/documents/reading-process.ts';
import { createReadingQueue } from '../../../src/ehr/documents/reading-queue.ts';
import { hostilePdfs } from '../../support/hostile.ts';
import { watchMemory } from '../../support/memory.ts';
import { base64, imageOf, pdfOf } from './support.ts';

const limits = { ...readingLimits, processes: 2, waiting: 100 };
const chart = 'Patient/p1';
const text = (contentType: string, data: string): ReadJob & { kind: 'text' } => ({ kind: 'text', contentType, data });
const image = (data: string): ReadJob & { kind: 'image' } => ({ kind: 'image', contentType: 'image/png', data });

test('reads what the same code reads here, in the order that it was asked', async () => {
  const readers = createReadingQueue(limits);
  const readings = await Promise.all([
    readers.read(text('application/pdf', await pdfOf(['One.'])), chart),
    readers.read(image(await imageOf('image/png', 20, 10)), chart),
    readers.read(text('text/plain', base64('Two.')), chart),
    readers.read(text('application/pdf', base64('%PDF-1.4 broken')), chart),
  ]);
  expect(readings).toEqual([
    { text: 'One.' },
    { contentType: 'image/png' },
    { text: 'Two.' },
    { unreadable: 'the PDF is damaged' },
  ]);
});

test('gives up a document that takes too long, and reads the next one', async () => {
  const readers = createReadingQueue({ ...limits, milliseconds: 1 });
  const data = await imageOf('image/png', 900, 900, { noise: true });
  const late = { unreadable: 'reading it took too long' };
  expect(await readers.read(image(data), chart)).toEqual(late);
  expect(await readers.read(image(data), chart)).toEqual(late);
});

test('a process that breaks costs its document only', async () => {
  const readers = createReadingQueue(limits);
  const big = readers.read(text('text/html', base64('<p>x'.repeat(1_800_000))), chart);
  expect(await big).toEqual({ unreadable: 'reading it takes more memory than it may' });
  expect(await readers.read(text('text/plain', base64('Next.')), chart)).toEqual({ text: 'Next.' });
});

test('a process with nothing else to do waits for the document behind one that cost the process', async () => {
  const queue = new URL('../../../src/ehr/documents/reading-queue.ts', import.meta.url).href;
  const script = `
    import { createReadingQueue } from '${queue}';
    const readers = createReadingQueue(${JSON.stringify({ ...limits, processes: 1, keptMegabytes: 0 })});
    const read = (words) =>
      readers.read({ kind: 'text', contentType: 'text/plain', data: Buffer.from(words).toString('base64') }, 'p1');
    const readings = await Promise.all([read('One.'), read('Two.'), read('Three.')]);
    process.stdout.write(readings.map(({ text }) => text).join(' '));`;
  const argv = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...argv, '--eval', script]);
  expect(stdout).toBe('One. Two. Three.');
});

test('a PDF that unfolds to hundreds of megabytes takes no more than it may, and costs no other [E8]', async () => {
  const readers = createReadingQueue({ ...limits, processes: 1 });
  const [once, twice] = await hostilePdfs(400);
  const watch = watchMemory(process.pid);
  const readings = [once, twice].map((file) => readers.read({ ...file!.job, kind: 'text' }, file!.what));
  const next = readers.read(text('text/plain', base64('Next.')), chart);
  const heavy = { unreadable: 'reading it takes more memory than it may' };
  expect(await Promise.all(readings)).toEqual([heavy, heavy]);
  expect(await next).toEqual({ text: 'Next.' });
  expect((await watch.stop()).oneOfThem).toBeLessThan(limits.megabytes.text + 200);
});

test('R2: a megabyte of blanks in a line, or of elements that nothing closes, is read within the limit', async () => {
  const readers = createReadingQueue(limits);
  const hostile = [
    text('text/plain', base64(`${' '.repeat(1_000_000)}end`)),
    text('text/html', base64(`${'<div>'.repeat(200_000)}end`)),
    text('text/html', base64(`${'<table><tr><td colspan=999>'.repeat(40_000)}end`)),
  ];
  const readings = await Promise.all(hostile.map((job, index) => readers.read(job, index)));
  expect(readings.map((reading) => ('text' in reading ? reading.text.slice(-3) : reading))).toEqual(
    Array(3).fill('end'),
  );
});

describe('R7: documents of one chart do not hold up those of another', () => {
  test('with two processes the document of the second chart does not wait for the end of the first', async () => {
    const done: string[] = [];
    const readers = createReadingQueue({ ...limits, processes: 2 });
    const started = ['one', 'two'].map((other) => readers.read(text('text/plain', base64('x')), other));
    await Promise.all(started);
    const data = await imageOf('image/png', 400, 400, { noise: true });
    const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const slow = names.map((name) => readers.read(image(data), 'Patient/a').then(() => done.push(name)));
    const quick = readers.read(text('text/plain', base64('b')), 'Patient/b').then(() => done.push('b'));
    await Promise.all([...slow, quick]);
    expect(done.indexOf('b')).toBeLessThan(done.indexOf('a6'));
    expect(done.filter((name) => name !== 'b')).toEqual(names);
  });

  test('with one process the charts take turns', async () => {
    const done: string[] = [];
    const readers = createReadingQueue({ ...limits, processes: 1 });
    const read = (name: string, of: string) =>
      readers.read(text('text/plain', base64(name)), of).then(() => done.push(name));
    await Promise.all([read('a1', 'a'), read('a2', 'a'), read('a3', 'a'), read('b1', 'b'), read('c1', 'c')]);
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('more than may wait are not read, and say so', async () => {
    const readers = createReadingQueue({ ...limits, processes: 1, waiting: 1 });
    const readings = await Promise.all([1, 2, 3].map(() => readers.read(text('text/plain', base64('x')), chart)));
    expect(readings).toEqual([
      { text: 'x' },
      { text: 'x' },
      { unreadable: 'too many documents are waiting to be read' },
    ]);
  });
});
