/**
 * What ten thousand open cases cost while nothing happens to them, on a PostgreSQL cluster of its own:
 *
 *   npm run build && node_modules/.bin/node --experimental-transform-types --disable-warning=ExperimentalWarning \
 *     test/bench/idle.ts [cases] [seconds] [images of a card in kilobytes]
 *
 * Prints the WAL of an unchanged poll beside that of one empty queue job (medians of one run), then processor time, WAL
 * and memory of a process that works on the queues for so long. Each poll reads a record that is as it was stored.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { job } from '../../src/cases/jobs.ts';
import { queues } from '../../src/cases/work/queues.ts';
import type { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';
import { openStore } from '../../src/store/open.ts';
import { aClinic, aRequest, aSubmission } from '../cases/clinic.ts';
import { startCluster } from '../support/postgres.ts';

const [cases = 10_000, seconds = 60, kilobytes = 0] = process.argv.slice(2).map(Number);
const rounds = 200;

const cluster = await startCluster({ autovacuum: 'on' });
try {
  const store = await openStore({
    config: { keys: [newKey()], dataDir: '', databaseUrl: cluster.url },
    log: silentLog,
    queues,
  });
  const clinic = aClinic(store);
  const admin = new pg.Client(cluster.url);
  await admin.connect();
  const started = performance.now();
  await openCases();
  say(`${cases} open cases made in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await admin.query('vacuum analyze');
  await admin.query('checkpoint');
  await compareWal();
  await idle();
  await store.close();
  await admin.end();

  /** Two days old and with the payer, as most open cases are: each is read every twenty minutes. */
  async function openCases(): Promise<void> {
    const first = await clinic.cases.openDraft(aRequest());
    const sent = await clinic.cases.send(first.id, aSubmission(clinic, first));
    await clinic.cases.refresh(sent.id);
    const made = await store.cases.find(sent.id);
    const content = made?.submissions[0]?.sealed.value();
    const head = made?.head.value();
    if (made === undefined || typeof content !== 'object' || typeof head !== 'object') throw new Error('not sent');
    const sentAt = new Date(store.clock().getTime() - 48 * 3_600_000).toISOString();
    const card = 'x'.repeat(kilobytes * 1024);
    const one = async (nth: number) => {
      const [id, serviceId] = [randomUUID(), `pa_idle_${nth}`];
      const keys = { patient: `Patient/${nth}`, order: `MedicationRequest/${nth}` };
      const record = {
        ...clinic.service.records.get(made.serviceId ?? '')!,
        id: serviceId,
        status: 'awaiting_outcome',
      };
      const seen = { ...record, prescription: { extra: { submission_id: id } } } as PriorAuthorization;
      clinic.service.records.set(serviceId, seen);
      const status = { state: 'open', status: record.status, serviceId, sentAt, changedAt: sentAt };
      await store.cases.open({ site: 'valley', kind: 'prior-auth', ...keys }, () => ({
        id,
        keys,
        columns: { ...status, attempt: 1, unwritten: false, waiting: false },
        head: { ...head, ...keys },
        submissions: [{ attempt: 1, state: 'accepted', sentAt, serviceId, content: { ...content, card } }],
        record: seen,
        events: made.events.map(({ type, actor, facts }) => ({ type, actor, facts })),
        jobs: [job('poll', 'valley', { case: id }, 1 + (nth % 1200))],
      }));
    };
    for (let nth = 0; nth < cases; nth += 20)
      await Promise.all(Array.from({ length: Math.min(20, cases - nth) }, (_, index) => one(nth + index)));
  }

  /** Bytes of WAL that `work` makes; nothing else is at work. */
  async function walOf(work: () => Promise<unknown>): Promise<number> {
    const before = await wal();
    await work();
    return (await wal()) - before;
  }

  async function wal(): Promise<number> {
    const { rows } = await admin.query<{ bytes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
    );
    return Number(rows[0]?.bytes);
  }

  async function compareWal(): Promise<void> {
    await store.boss.createQueue('empty', { policy: 'short', notify: false });
    const ids = await store.cases.ids({ states: ['open'] });
    const first: number[] = [];
    const polls: number[] = [];
    const jobs: number[] = [];
    for (let nth = 0; nth < rounds; nth += 1) {
      const id = ids[Math.floor((nth * ids.length) / rounds)] ?? '';
      const hash = (await store.cases.find(id))?.record?.hash ?? '';
      const poll = async () => {
        if (!(await store.cases.touchRecord(id, hash))) throw new Error('the record was not as it was');
      };
      // After a checkpoint, the first change of a page writes the page whole, whatever changed on it.
      first.push(await walOf(poll));
      polls.push(await walOf(poll));
      jobs.push(await walOf(() => emptyJob(store.boss)));
    }
    say(`WAL of the first poll on a page after a checkpoint: ${median(first)} bytes`);
    const [poll, empty] = [median(polls), median(jobs)];
    const times = (poll / empty).toFixed(2);
    say(`WAL of an unchanged poll ${poll} bytes, of one empty queue job ${empty} bytes: ${times} times`);
  }

  async function emptyJob(boss: PgBoss): Promise<void> {
    await boss.send('empty', {}, { singletonKey: randomUUID() });
    const [fetched] = await boss.fetch('empty');
    if (fetched !== undefined) await boss.complete('empty', fetched.id);
  }

  async function idle(): Promise<void> {
    await clinic.work.prepare();
    clinic.work.start();
    await pause(5);
    const [cpu, bytes, before] = [process.cpuUsage(), await wal(), clinic.service.reads.length];
    await pause(seconds);
    const used = process.cpuUsage(cpu);
    const [written, reads] = [(await wal()) - bytes, clinic.service.reads.length - before];
    const percent = ((used.user + used.system) / 1e6 / seconds) * 100;
    say(`idle for ${seconds} s: ${reads} polls, ${percent.toFixed(1)} % of one core`);
    const perMinute = (written * 60) / seconds / 1024 / 1024;
    say(`WAL a minute: ${perMinute.toFixed(2)} MiB, ${(written / reads).toFixed(0)} bytes for each poll, all included`);
    say(`memory: ${(process.memoryUsage.rss() / 1024 / 1024).toFixed(0)} MiB`);
    await clinic.work.stop();
  }
} finally {
  cluster.remove();
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function pause(length: number): Promise<void> {
  await new Promise((done) => setTimeout(done, length * 1000));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
