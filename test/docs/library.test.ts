import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const docs = join(import.meta.dirname, '../../docs/mapping');

test('docs/mapping/library.md shows the examples as they are', () => {
  const page = readFileSync(join(docs, 'library.md'), 'utf8');
  const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const files = readdirSync(join(docs, 'examples')).filter((name) => name.endsWith('.ts'));
  expect(shown.toSorted()).toEqual(files.map((name) => readFileSync(join(docs, 'examples', name), 'utf8')).toSorted());
});
