import { extname } from 'node:path';
import { writeAll } from '../../base/writing.ts';
import { writeReport } from '../../batch/report/write-report.ts';
import type { MapPage } from './map-page.tsx';

/** Writes the report to each path, in the format of its extension: `.html`, `.csv`, `.ndjson`, else JSON. */
export async function writeReports(paths: readonly string[], page: Omit<MapPage, 'path'>): Promise<void> {
  for (const path of paths) {
    if (isPage(path)) writeAll(path, (await import('./map-page.tsx')).mapPage({ ...page, path }));
    else writeReport(path, page);
  }
}

export function isPage(path: string): boolean {
  return extname(path).toLowerCase() === '.html';
}
