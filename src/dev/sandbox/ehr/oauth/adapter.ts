import type { Adapter, AdapterPayload } from 'oidc-provider';

/** A stored session, code, token or grant. `expiresAt`: seconds since 1970. */
export interface OAuthRecord {
  readonly key: string;
  readonly payload: AdapterPayload;
  readonly expiresAt?: number;
}

/** Keeps the OAuth server's data in memory, so that a snapshot keeps refresh tokens across a restart. */
export class OAuthStore {
  private readonly records = new Map<string, OAuthRecord>();

  constructor(
    records: readonly OAuthRecord[],
    private readonly changed: () => void,
  ) {
    for (const record of records) this.records.set(record.key, record);
  }

  all(): OAuthRecord[] {
    return [...this.records.values()].filter(isAlive);
  }

  get(key: string): AdapterPayload | undefined {
    const record = this.records.get(key);
    return record !== undefined && isAlive(record) ? record.payload : undefined;
  }

  find(predicate: (record: OAuthRecord) => boolean): AdapterPayload | undefined {
    return this.all().find(predicate)?.payload;
  }

  set(key: string, payload: AdapterPayload, expiresIn: number | undefined): void {
    this.records.set(key, { key, payload, ...(expiresIn === undefined ? {} : { expiresAt: now() + expiresIn }) });
    this.changed();
  }

  delete(predicate: (record: OAuthRecord) => boolean): void {
    for (const [key, record] of this.records) if (predicate(record) || !isAlive(record)) this.records.delete(key);
    this.changed();
  }

  private deleteKey(key: string): void {
    this.records.delete(key);
    this.changed();
  }

  /** Returns an oidc-provider adapter for one model (`Session`, `AccessToken`, ...). */
  adapter(model: string): Adapter {
    const key = (id: string) => `${model}:${id}`;
    return {
      upsert: async (id, payload, expiresIn) => this.set(key(id), payload, expiresIn),
      find: async (id) => this.get(key(id)),
      findByUid: async (uid) => this.find((record) => record.key.startsWith(`${model}:`) && record.payload.uid === uid),
      findByUserCode: async (code) =>
        this.find((record) => record.key.startsWith(`${model}:`) && record.payload.userCode === code),
      destroy: async (id) => this.deleteKey(key(id)),
      revokeByGrantId: async (grantId) => this.delete((record) => record.payload.grantId === grantId),
      consume: async (id) => {
        const record = this.records.get(key(id));
        if (record !== undefined)
          this.records.set(key(id), { ...record, payload: { ...record.payload, consumed: now() } });
        this.changed();
      },
    };
  }
}

function isAlive(record: OAuthRecord): boolean {
  return record.expiresAt === undefined || record.expiresAt > now();
}

// The OAuth server checks expiry by the system clock, so this does too.
function now(): number {
  return Math.floor(Date.now() / 1000);
}
