import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took longest when the whole suite was last measured, the longest first. */
const long = [
  'e2e/story',
  'cases/cases',
  'cases/after-end',
  'e2e/documents',
  'cli/process',
  'e2e/case',
  'work/processes',
  'docs/tutorial',
  'cli/sandbox',
  'e2e/playground',
  'e2e/search',
  'cases/postgres',
  'cli/store-commands',
  'store/pglite-files',
  'store/pglite',
  'proof/deidentify',
  'cli/codes',
  'e2e/review',
  'documents/reading-queue',
  'e2e/away',
  'work/rotation',
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
