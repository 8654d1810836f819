/** Where `npm run proof -- mutants` makes changes, and with what the path of a test begins that concerns each. */
export const folders: readonly { readonly folder: string; readonly tests: readonly string[] }[] = [
  {
    folder: 'src/cases',
    tests: [
      'test/cases/',
      'test/web/pages/worklist/',
      'test/web/pages/case/chart-lacks',
      'test/web/pages/case/case-steps',
      'test/cases/work/retention',
    ],
  },
  {
    folder: 'src/writeback',
    tests: [
      'test/writeback/',
      'test/ehr/documents/own-writing',
      'test/cases/two-deliveries',
      'test/dev/sandbox/writeback',
    ],
  },
  {
    folder: 'src/ehr/smart',
    tests: ['test/ehr/smart/', 'test/dev/sandbox/launch', 'test/docs/launch', 'test/web/pages/launch/launches'],
  },
  {
    folder: 'src/core/roles',
    tests: ['test/core/roles/', 'test/core/mapping/', 'test/mappings/', 'test/core/overlay/', 'test/dev/kit/check'],
  },
  {
    folder: 'src/core/mapping',
    tests: ['test/core/mapping/', 'test/core/roles/', 'test/mappings/', 'test/core/overlay/'],
  },
  { folder: 'mappings', tests: ['test/mappings/', 'test/core/mapping/', 'test/core/roles/', 'test/core/drug/'] },
];

/** Tests that are left out: what they look at is also looked at by tests that take less time. */
export const leftOut = {
  paths: ['test/mappings/any-order', 'test/mappings/misshapen', 'test/cases/restart'],
  names: 'on PostgreSQL',
};
