import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took longest when the whole suite was last measured, the longest first. */
const long = [
  'e2e/story',
  'cli/map-large',
  'cli/process',
  'cases/cases',
  'cases/after-end',
  'e2e/documents',
  'e2e/case',
  'oracle/engines',
  'cases/work/processes',
  'docs/tutorial',
  'cli/sandbox',
  'cli/first-day',
  'dev/kit/record',
  'core/fhirpath/oracle',
  'dev/sandbox/writeback',
  'dev/kit/deidentify',
  'laws/laws',
  'laws/damaged-text',
  'e2e/playground',
  'e2e/search',
  'cases/rounds/on-postgres',
  'cases/work/rotation',
  'cases/restart',
  'mappings/fixtures',
  'mappings/any-order',
  'dev/sandbox/faults',
  'web/request/reply-packet',
  'ehr/documents/card-image',
  'ehr/documents/reading-queue',
  'laws/addresses',
  'ehrs/reading',
  'web/pages/worklist/worklist',
  'cli/build',
  'dev/sandbox/profiles',
  'cases/postgres',
  'cases/benefits',
  'cli/plain-engine',
  'store/connections',
  'store/older',
  'store/worklist',
  'store/pglite',
  'store/pglite-files',
  'cli/store-commands',
  'cli/codes',
  'e2e/review',
  'e2e/away',
  'e2e/worklist',
];

/** Files that take long before all others, so that no core is idle at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    return rest.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = long.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
  return place < 0 ? long.length : place;
}
