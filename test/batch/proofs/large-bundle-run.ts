import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapLargeBundle } from './large-bundle.ts';

/** large-bundle.long.test.ts with its figures: `npm run proof -- map-large 600` (megabytes). */
const [megabytes = '600'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'map-large-'));
try {
  const { bytes, fast, refused } = mapLargeBundle({ size: Number(megabytes) * 1e6, folder });
  process.stdout.write(
    `${Math.round(bytes / 1e6)} MB with --fast: ended with ${fast.code}, ${fast.drafts} draft, ` +
      `peak ${fast.peak} MiB\nwithout: ${refused.trim().split('\n')[0]}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
