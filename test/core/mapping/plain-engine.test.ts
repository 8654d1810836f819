import { afterAll, vi } from 'vitest';

// The rules of a mapping, where a host forbids generated code.
vi.mock('../../../src/core/fhir/may-generate.ts', () => ({ mayGenerate: false }));

// The file may have been loaded before by this worker: its tests are told anew, with the engine that the mock gives.
vi.resetModules();
// Nor may a later file of this worker have what was loaded with the mock.
afterAll(() => {
  vi.doUnmock('../../../src/core/fhir/may-generate.ts');
  vi.resetModules();
});
await import('./run.test.ts');
