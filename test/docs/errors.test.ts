import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ErrorCode, errors } from '../../src/core/errors.ts';

const path = join(import.meta.dirname, '../../docs/operate/errors.md');
const page = readFileSync(path, 'utf8');
const row = /^\| `([a-z_]+)` \| [^|]* \| [^|]* \| ([^|]*) \| [^|]* \|$/gm;
const rows = [...page.matchAll(row)].map(([, code, cause]) => ({ code: code ?? '', cause: cause ?? '' }));

test('docs/operate/errors.md has every code of the error table once, and no other', () => {
  expect(rows.map(({ code }) => code).toSorted()).toEqual(Object.keys(errors).toSorted());
});

// `npx vitest run test/docs/errors.test.ts -u` writes the texts of the table anew and keeps the causes.
test('docs/operate/errors.md says of each code what the pages say', async () => {
  const written = page.replaceAll(row, (line, code: ErrorCode, cause: string) => {
    const { status, title, next } = errors[code] ?? {};
    return title === undefined ? line : `| \`${code}\` | ${status} | ${title} | ${cause} | ${next} |`;
  });
  await expect(written).toMatchFileSnapshot(path);
});

test('docs/operate/errors.md gives each code a likely cause of its own', () => {
  expect(rows.filter(({ cause }) => cause.trim().length < 20)).toEqual([]);
  expect(new Set(rows.map(({ cause }) => cause)).size).toBe(rows.length);
});
