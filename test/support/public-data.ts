import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A folder of public FHIR data that is not part of the project: `PUBLIC_FHIR_DATA`. Tests that look at it are skipped,
 * visibly, where it is not given.
 */
const folder = process.env.PUBLIC_FHIR_DATA ?? '';

export const hasPublicData = folder !== '' && existsSync(folder);

/** A place in that folder; empty of meaning where `hasPublicData` is false. */
export function publicData(...path: string[]): string {
  return join(folder, ...path);
}
