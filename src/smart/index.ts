export { generateKeys } from './keys.ts';
export { createMemoryStore } from './memory-store.ts';
export { type Access, createSmart, type Launch, type Query, type Smart, type SmartOptions } from './smart.ts';
export type { LaunchRecord, LaunchStore } from './store.ts';
