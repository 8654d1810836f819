import { counted } from '../counted.ts';
import { isObject } from './is-object.ts';

export interface BulkManifest {
  /** A summary in words, with the day of the export if the manifest states it. */
  readonly says: string;
  readonly deletionFiles: number;
}

/**
 * The summary of the manifest of a bulk export (Bulk Data Access, "Response - Complete Status"); undefined for any
 * other JSON.
 */
export function readManifest(value: unknown): BulkManifest | undefined {
  if (!isObject(value) || typeof value.transactionTime !== 'string' || !Array.isArray(value.output)) return undefined;
  const listed = (...names: readonly string[]) => names.map((name) => value[name]).find(Array.isArray)?.length ?? 0;
  const [output, deleted, errors] = [listed('output'), listed('deleted'), listed('error', 'outcome')];
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value.transactionTime)?.[0];
  const files = (count: number, what: string) => counted(count, `file of ${what}`, `files of ${what}`);
  const counts = `${files(output, 'data')}, ${files(deleted, 'deletions')}, ${files(errors, 'errors')}`;
  return {
    says: `the manifest of a bulk export${day === undefined ? '' : ` of ${day}`}: it lists ${counts}`,
    deletionFiles: deleted,
  };
}
