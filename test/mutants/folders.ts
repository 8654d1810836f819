/** Where `npm run proof -- mutants` makes changes, and with what the path of a test begins that concerns each. */
export const folders: readonly { readonly folder: string; readonly tests: readonly string[] }[] = [
  {
    folder: 'src/cases',
    tests: ['test/cases/', 'test/web/worklist', 'test/web/chart-lacks', 'test/web/case-steps', 'test/work/retention'],
  },
  {
    folder: 'src/writeback',
    tests: ['test/writeback/', 'test/documents/own-writing', 'test/cases/two-deliveries', 'test/sandbox/writeback'],
  },
  { folder: 'src/smart', tests: ['test/smart/', 'test/sandbox/launch', 'test/docs/launch', 'test/web/launches'] },
  {
    folder: 'src/roles',
    tests: ['test/roles/', 'test/mapping/', 'test/mappings/', 'test/overlay/'],
  },
  {
    folder: 'src/mapping',
    tests: ['test/mapping/', 'test/roles/', 'test/mappings/', 'test/overlay/'],
  },
  { folder: 'mappings', tests: ['test/mappings/', 'test/mapping/', 'test/roles/', 'test/fhir/drug/'] },
];

/** Tests that are left out: what they look at is also looked at by tests that take less time. */
export const leftOut = {
  paths: ['test/mappings/any-order', 'test/mappings/misshapen', 'test/cases/restart'],
  names: 'on PostgreSQL',
};
