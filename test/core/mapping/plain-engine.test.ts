import { vi } from 'vitest';

// The rules of a mapping, where a host forbids generated code.
vi.mock('../../../src/core/fhir/may-generate.ts', () => ({ mayGenerate: false }));

await import('./run.test.ts');
