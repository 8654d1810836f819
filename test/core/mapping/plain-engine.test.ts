import { vi } from 'vitest';

// The rules of a mapping, where a host forbids generated code.
vi.mock('../../../src/core/fhir/may-generate.ts', () => ({ mayGenerate: false }));

// The file may have been loaded before by this worker: its tests are told anew, with the engine that the mock gives.
vi.resetModules();
await import('./run.test.ts');
