import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes seconds by waiting, browsers, processes and databases; the longest begin first. */
const long = [
  'e2e/story',
  'cases/cases',
  'store/migrate',
  'work/processes',
  'cli/process',
  'cases/postgres',
  'docs/tutorial',
  'e2e/playground',
  'cli/sandbox',
  'laws/laws',
  'torture/launches',
  'sandbox/faults',
  'mappings/any-order',
  'mappings/misshapen',
  'cases/restart',
  'documents/card-image',
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
