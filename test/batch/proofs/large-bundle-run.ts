import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largestDocument } from '../../../src/batch/read-json.ts';
import { mapLargeBundle } from './large-bundle.ts';

/** large-bundle.long.test.ts with its figures: `npm run proof -- map-large 600` (megabytes). */
const [megabytes = '600'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'map-large-'));
try {
  const { bytes, fast, refused } = mapLargeBundle({ size: Number(megabytes) * 1e6, folder });
  process.stdout.write(
    `${Math.round(bytes / 1e6)} MB with --fast: ended with ${fast.code}, ${fast.drafts} draft, ` +
      `peak ${fast.peak} MiB, limit 1024\nwithout: ${refused.trim().split('\n')[0]}\n`,
  );
  const isRefused = bytes < largestDocument || refused.includes('map it with --fast');
  const isKept = fast.code === 1 && fast.drafts === 1 && fast.peak < 1024 && isRefused;
  process.stdout.write(isKept ? 'kept\n' : 'NOT KEPT\n');
  process.exitCode = isKept ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
