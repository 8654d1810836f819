import { expect, test } from 'vitest';
import { createReadingThread } from '../../src/documents/reading-thread.ts';
import { base64, imageOf, pdfOf } from './support.ts';

const limits = { milliseconds: 30_000, memoryMegabytes: 512 };

test('reads what the same code reads here, in the order that it was asked', async () => {
  const thread = createReadingThread(limits);
  const readings = await Promise.all([
    thread.read({ kind: 'text', contentType: 'application/pdf', data: await pdfOf(['One.']) }),
    thread.read({ kind: 'image', contentType: 'image/png', data: await imageOf('image/png', 20, 10) }),
    thread.read({ kind: 'text', contentType: 'text/plain', data: base64('Two.') }),
    thread.read({ kind: 'text', contentType: 'application/pdf', data: base64('%PDF-1.4 broken') }),
  ]);
  expect(readings).toEqual([
    { text: 'One.' },
    { contentType: 'image/png' },
    { text: 'Two.' },
    { unreadable: 'the PDF is damaged' },
  ]);
});

test('gives up a document that takes too long, and reads the next one', async () => {
  const thread = createReadingThread({ ...limits, milliseconds: 1 });
  const data = await imageOf('image/png', 900, 900, { noise: true });
  expect(await thread.read({ kind: 'image', contentType: 'image/png', data })).toEqual({
    unreadable: 'reading it took too long',
  });
  expect(await thread.read({ kind: 'image', contentType: 'image/png', data })).toEqual({
    unreadable: 'reading it took too long',
  });
});

test('a thread that breaks costs its document only', async () => {
  const thread = createReadingThread({ ...limits, memoryMegabytes: 8 });
  const big = thread.read({ kind: 'text', contentType: 'text/plain', data: base64('word '.repeat(1_500_000)) });
  expect(await big).toEqual({ unreadable: 'it could not be read' });
});
