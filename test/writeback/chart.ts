import type { DeliveryAttempt } from '../../src/writeback/attempt.ts';
import type { CaseFacts } from '../../src/writeback/case-facts.ts';
import { letterVersion } from '../../src/writeback/case-facts.ts';
import { createRefusals } from '../../src/writeback/create-refusals.ts';
import { deliver } from '../../src/writeback/deliver.ts';
import type { LedgerEntry } from '../../src/writeback/ledger.ts';
import { outstanding } from '../../src/writeback/outstanding.ts';
import { type FakeEhr, type FakeEhrOptions, fakeEhr } from '../support/fake-ehr.ts';
import { testSite } from '../support/site.ts';
import { aRequest, type TestClock, type TestRequest, testClock } from './support.ts';

/** One case and one EHR through time: the ledger between deliveries, and jobs that come when they are due. */
export interface Chart {
  readonly ehr: FakeEhr;
  readonly clock: TestClock;
  readonly rows: readonly LedgerEntry[];
  /** The case with its ledger. */
  facts(): CaseFacts;
  /** The letter that its outcome wants. */
  version(): string;
  change(changes: Partial<CaseFacts>): void;
  request(rows?: readonly LedgerEntry[]): TestRequest;
  /** One delivery, now. */
  deliver(rows?: readonly LedgerEntry[]): Promise<DeliveryAttempt>;
  /** Deliveries as they are due, until so many seconds have passed since the start. */
  until(seconds: number): Promise<void>;
  /** Deliveries as they are due, until none is. */
  settle(): Promise<DeliveryAttempt>;
}

export function aChart(
  start: CaseFacts,
  options: FakeEhrOptions = {},
  given?: FakeEhr,
  letters: readonly Uint8Array[] = [],
  channels?: readonly string[],
): Chart {
  const clock = testClock();
  const begun = clock().getTime();
  const ehr = given ?? fakeEhr({ clock, ...options });
  const refusals = createRefusals(clock);
  let facts = start;
  let due: number | undefined;
  const chart: Chart = {
    ehr,
    clock,
    get rows() {
      return facts.writes;
    },
    facts: () => facts,
    version: () => letterVersion(facts),
    change(changes) {
      facts = { ...facts, ...changes };
    },
    request: (rows = facts.writes) => {
      const site = testSite({
        ...(channels === undefined ? {} : { writeback: { channels } }),
        ...(options.scopes === undefined ? {} : { scopes: options.scopes.join(' ') }),
      });
      return aRequest({ ...facts, writes: rows }, { api: ehr, clock, refusals, letters, site });
    },
    async deliver(rows = facts.writes) {
      const request = chart.request(rows);
      const delivered = await deliver(request);
      facts = { ...facts, writes: request.ledger() };
      due = delivered.again === undefined ? undefined : clock().getTime() + delivered.again.seconds * 1000;
      return delivered;
    },
    async until(seconds) {
      const end = begun + seconds * 1000;
      if (due === undefined && outstanding(chart.request().site, facts, letters).length > 0) await chart.deliver();
      while (due !== undefined && due <= end) {
        clock.forward((due - clock().getTime()) / 1000);
        await chart.deliver();
      }
      clock.forward(Math.max(0, end - clock().getTime()) / 1000);
    },
    async settle() {
      let last = await chart.deliver();
      for (let deliveries = 0; due !== undefined; deliveries += 1) {
        if (deliveries > 200) throw new Error('no end');
        clock.forward((due - clock().getTime()) / 1000);
        last = await chart.deliver();
      }
      return last;
    },
  };
  return chart;
}

/** The first look at a resource of this type is answered only so many seconds after it was asked. */
export function slowFirstRead({ ehr, clock }: Chart, type: string, seconds: number): void {
  const { read } = ehr;
  let isFirst = true;
  Object.assign(ehr, {
    read: (asked: Parameters<typeof read>[0], id: string) => {
      if (isFirst && asked === type) {
        isFirst = false;
        clock.forward(seconds);
      }
      return read(asked, id);
    },
  });
}
