export { generateKeys } from './keys.ts';
export type { Access, Launch, Query } from './launch.ts';
export { createMemoryStore } from './memory-store.ts';
export { createSmart, type Smart, type SmartOptions } from './smart.ts';
export type { LaunchRecord, LaunchStore } from './store.ts';
