export { generateKeys } from './keys.ts';
export { createSmart, type Smart, type SmartOptions } from './smart.ts';
export { createMemoryStore, type LaunchRecord, type LaunchStore } from './store.ts';
export type { Access, Launch, Query } from './types.ts';
