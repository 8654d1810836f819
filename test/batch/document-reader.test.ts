import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DocumentReader } from '../../src/batch/document-reader.ts';

test('a whole file is read as it is, however large the one before it was', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'documents-')), 'whole');
  const reader = new DocumentReader();
  for (const text of ['one\ntwo', 'É'.repeat(3_000_000), '', '{}', 'x'.repeat(33 << 20), '[]']) {
    writeFileSync(path, text);
    expect(reader.read(path).toString() === text).toBe(true);
  }
});
