import { appendFileSync } from 'node:fs';

/** What a sandbox says that really happened. */
export interface Entry {
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: string;
  readonly [fact: string]: unknown;
}

/** The ledger of a sandbox, read over HTTP as far as it has come. */
export interface LedgerReader {
  /** All entries until now, oldest first. */
  read(): Promise<readonly Entry[]>;
}

export function createLedgerReader(url: string): LedgerReader {
  const entries: Entry[] = [];
  let reading: Promise<void> = Promise.resolve();
  const readOn = async () => {
    for (;;) {
      const reply = await fetch(`${url}/sandbox/ledger?after=${entries.length}&limit=5000`);
      const { entries: more } = (await reply.json()) as { readonly entries: readonly Entry[] };
      entries.push(...more);
      if (more.length < 5000) return;
    }
  };
  return {
    async read() {
      reading = reading.then(readOn, readOn);
      await reading;
      return entries;
    },
  };
}

/** What a person of the run did that the judge must know. */
export type Deed =
  /** `arrived`: what the service had of the patient when the person answered, which a wrong answer contradicts. */
  | {
      readonly did: 'answered';
      readonly request: number;
      readonly said: 'arrived' | 'not-arrived';
      readonly arrived: readonly string[];
      readonly named?: string;
      readonly isWrong: boolean;
    }
  | { readonly did: 'sent' | 'cancelled' | 'asked-for-write' | 'entered'; readonly request: number }
  /** Will not come back while the request waits for them. */
  | { readonly did: 'left'; readonly request: number }
  /** `hash`: SHA-256 of the words of a reply; `completes`: with it the person said that this is all. */
  | {
      readonly did: 'replied';
      readonly request: number;
      readonly round: number;
      readonly hash: string;
      readonly completes: boolean;
    }
  | { readonly did: 'saw-reply'; readonly request: number; readonly hash: string }
  | { readonly did: 'settled-reply'; readonly request: number; readonly hash: string; readonly arrived: boolean }
  /** `saw-reopened`: a question that a person had closed was open again; `lost-words`: what was typed was gone. */
  | { readonly did: 'closed-round' | 'saw-reopened' | 'lost-words'; readonly request: number; readonly round: number }
  /** A page showed something of another patient. */
  | { readonly did: 'saw-another'; readonly request: number; readonly shown: string };

export type PeopleEntry = Deed & { readonly at: string };

export interface PeopleLedger {
  readonly entries: readonly PeopleEntry[];
  add(deed: Deed): void;
}

/** Kept in memory and as lines of JSON in a file. */
export function createPeopleLedger(file: string): PeopleLedger {
  const entries: PeopleEntry[] = [];
  return {
    entries,
    add(deed) {
      const entry = { at: new Date().toISOString(), ...deed };
      entries.push(entry);
      appendFileSync(file, `${JSON.stringify(entry)}\n`);
    },
  };
}
