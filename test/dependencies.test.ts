import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the lock file has a fhirclient that sends its token, and nothing of expo or React Native [H10]', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  const [major = 0, minor = 0, patch = 0] = (lock.packages['node_modules/fhirclient']?.version ?? '')
    .split('.')
    .map(Number);
  expect(major * 10_000 + minor * 100 + patch).toBeGreaterThanOrEqual(20_603);
  const unwanted = Object.keys(lock.packages).filter((path) => /node_modules\/(expo|react-native)/.test(path));
  expect(unwanted).toEqual([]);
});
