import type { LaunchRecord, LaunchStore } from '../../../src/ehr/smart/store.ts';

/** A LaunchStore in this process's memory. */
export function createMemoryStore(): LaunchStore {
  const records = new Map<string, LaunchRecord>();
  const queues = new Map<string, Promise<unknown>>();
  const all = () => [...records.values()];
  return {
    get: async (id) => records.get(id),
    some: async (ids) => ids.flatMap((id) => records.get(id) ?? []),
    put: async (record) => {
      records.set(record.id, structuredClone(record));
    },
    byState: async (stateHash) => all().find((record) => record.stateHash === stateHash),
    consume: async (stateHash, at) => {
      const record = all().find((each) => each.stateHash === stateHash);
      if (record === undefined || record.consumedAt !== undefined) return false;
      records.set(record.id, { ...record, consumedAt: at });
      return true;
    },
    delete: async (id) => {
      records.delete(id);
    },
    due: async (now) => all().filter((record) => record.dueAt <= now),
    ofPatient: async (site, patient) =>
      all().filter((record) => record.site === site && `Patient/${record.context?.patient}` === patient),
    exclusive: (key, work) => {
      const mine = (queues.get(key) ?? Promise.resolve()).then(work, work);
      const settled = mine.then(
        () => undefined,
        () => undefined,
      );
      queues.set(key, settled);
      void settled.then(() => {
        if (queues.get(key) === settled) queues.delete(key);
      });
      return mine;
    },
  };
}
