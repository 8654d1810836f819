import type { Resource } from 'fhir/r4.js';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/log.ts';
import type { Vault } from '../../base/vault.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { isNote } from '../../core/fhir/documents/kinds.ts';
import type { Readings } from '../../core/fhir/documents/readings.ts';
import { readOutsideFiles } from '../../ehr/chart/outside-files.ts';
import { type EhrChart, readChart } from '../../ehr/chart/read-chart.ts';
import { isLetGo, letGo, toReadAgain } from '../../ehr/documents/let-go.ts';
import { openNotes, readAgain } from '../../ehr/documents/open-notes.ts';
import { readDocuments } from '../../ehr/documents/read-documents.ts';
import type { Smart } from '../../ehr/smart/smart.ts';
import type { Launch, Turn } from '../../ehr/smart/types.ts';
import type { Audit } from '../../store/types.ts';
import { byLaunch } from './audit-rows.ts';
import { createTurns } from './large-chart-turns.ts';

/** One reading of a chart. It is kept for a few minutes, so that saving a field does not query the EHR again. */
export interface Pull {
  readonly entries: readonly Entry[];
  /** The texts and images from the chart's documents. */
  readonly readings: Readings;
  readonly warnings: readonly string[];
  readonly forbidden: readonly string[];
  /** Resource types that could not be read in full. */
  readonly unread: readonly string[];
  /** ISO 8601 */
  readonly at: string;
  /** The previous reading, if a person refreshed from the chart. */
  readonly before?: Pick<Pull, 'entries' | 'readings' | 'unread' | 'at'>;
}

export interface Pulls {
  /**
   * The chart of the launch's patient with everything that one order needs, or all orders if none is given. `again`
   * always queries the EHR.
   */
  of(launch: Launch, options?: { readonly order?: string; readonly again?: boolean }): Promise<Pull>;
  /** true if `of` would answer without querying the EHR. */
  has(launch: Launch, options?: { readonly order?: string }): boolean;
  /**
   * The same reading with the text of the selected notes (`answers.evidence`). A note that the chart only links to is
   * fetched when a person selects it.
   */
  withNotes(
    launch: Launch,
    pull: Pull,
    request: { readonly order: string; readonly ticked: readonly string[] },
  ): Promise<Pull>;
  drop(launchId: string): void;
  /** How many readings are held, and their sealed bytes. */
  size(): { readonly count: number; readonly bytes: number };
  /** Drops all readings. */
  clear(): void;
}

const keepMilliseconds = 5 * 60_000;
/** The limit for all sealed charts together, in bytes. A chart with card images may have several million. */
const keepBytes = 64 * 1024 * 1024;

/** How long a reading stays unsealed in memory, so that the next page of the session need not unseal it again. */
const openMilliseconds = 60_000;
const openBytes = 16 * 1024 * 1024;

/** How long a chart with large documents waits for its turn. After that, its documents are reported as unread. */
const turnMilliseconds = 60_000;

export interface PullOptions {
  readonly smart: Pick<Smart, 'api'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly read?: typeof readChart;
  readonly audit?: Audit;
  /** The limit for all sealed charts together, in bytes; 64 MiB by default. */
  readonly bytes?: number;
}

/** Entries older than `milliseconds` expire. Above `bytes` in total, the least recently used entries are dropped. */
function cacheOf<Value extends object | string>(
  bytes: number,
  milliseconds: number,
  clock: Clock,
): LRUCache<string, Value> {
  const perf = { now: () => clock().getTime() };
  return new LRUCache({ maxSize: bytes, ttl: milliseconds, ttlResolution: 0, ttlAutopurge: true, perf });
}

/** Readings are kept in memory only, sealed after a minute, and dropped a few minutes after a person last used them. */
export function createPulls({
  smart,
  vault,
  clock,
  audit,
  read: readFrom = readChart,
  bytes = keepBytes,
}: PullOptions): Pulls {
  const kept = cacheOf<string>(bytes, keepMilliseconds, clock);
  const open = cacheOf<{ readonly sealed: string; readonly pull: Pull }>(openBytes, openMilliseconds, clock);
  const running = new Map<string, Promise<Pull>>();
  const newTurn = createTurns(turnMilliseconds);

  const recall = (key: string): Pull | undefined => {
    const sealed = kept.get(key);
    if (sealed === undefined) return undefined;
    const last = open.get(key);
    if (last?.sealed === sealed) return last.pull;
    const pull: Pull = JSON.parse(vault.open(sealed, `pull|${key}`));
    open.set(key, { sealed, pull }, { size: sealed.length });
    return pull;
  };

  const keep = (key: string, pull: Pull): void => {
    const sealed = vault.seal(JSON.stringify(pull), `pull|${key}`);
    kept.set(key, sealed, { size: sealed.length });
  };

  const drop = (isMeant: (key: string) => boolean): void => {
    for (const cache of [open, kept]) for (const key of cache.keys()) if (isMeant(key)) cache.delete(key);
  };

  /** Adds the EHR's late answers to the reading, unless the reading was dropped or replaced in the meantime. */
  const join = async (key: string, pull: Pull, whole: Promise<EhrChart>, about: About): Promise<void> => {
    const full = { ...pull, ...(await partsOf(await whole, about, pull.readings)) };
    if (recall(key)?.at === pull.at) keep(key, full);
  };

  const read = async (
    launch: Launch,
    key: string,
    order: string | undefined,
    before: Pull | undefined,
  ): Promise<Pull> => {
    // The list of orders was read a moment ago, so opening an order reads only what is missing.
    const listed = order === undefined || before !== undefined ? undefined : recall(`${launch.id}|`);
    const turn = newTurn();
    let late: Promise<unknown> | undefined;
    try {
      const api = smart.api(launch, turn);
      const chart = await readFrom(api, {
        patient: launch.patient,
        ...(order === undefined ? {} : { order }),
        ...(launch.encounter === undefined ? {} : { encounter: launch.encounter }),
        ...(listed === undefined ? {} : { known: listed }),
      });
      await audit?.record(byLaunch(launch, 'chart_read', { resources: chart.entries.length }));
      const about = { patient: launch.patient, base: api.base };
      const pull: Pull = {
        ...(await partsOf(chart, about)),
        at: listed?.at ?? clock().toISOString(),
        ...(before === undefined
          ? {}
          : { before: { entries: before.entries, readings: before.readings, unread: before.unread, at: before.at } }),
      };
      keep(key, pull);
      // The same failure occurs again, and is reported, on the next reading of the chart.
      late = chart.late === undefined ? undefined : join(key, pull, chart.late.whole, about).catch(() => undefined);
      return pull;
    } finally {
      void Promise.resolve(late).finally(() => turn.end());
    }
  };

  const readNotes = async (launch: Launch, pull: Pull, ticked: readonly string[], turn: Turn): Promise<Pull> => {
    const api = smart.api(launch, turn);
    const { base } = api;
    const again = await readAgain(api, toReadAgain(pull.entries, pull.readings, { ticked, base }));
    const known = pull.entries.map(({ resource, ...entry }) => ({
      ...entry,
      resource: again.get(referenceTo(resource)) ?? resource,
    }));
    const binaries = await openNotes(api, known, ticked);
    const isTicked = (resource: Resource) =>
      isNote(resource) && ticked.includes(referenceTo(resource)) && !isLetGo(resource, base);
    const outside = await readOutsideFiles(api, [...known, ...binaries], isTicked, 'The text of a note');
    const readings = await readDocuments(outside.entries, {
      patient: `Patient/${launch.patient}`,
      ticked,
      known: pull.readings,
    });
    const entries = letGo(outside.entries, readings, { ticked, base });
    const isCut = entries.some(
      ({ resource }) => ticked.includes(referenceTo(resource)) && isLetGo(resource, base, 'application/pdf'),
    );
    const others = [...pull.warnings.filter((warning) => warning !== onlyText), ...outside.warnings];
    const warnings = [...new Set(isCut ? [...others, onlyText] : others)];
    const isSame =
      again.size === 0 &&
      binaries.length === 0 &&
      warnings.length === pull.warnings.length &&
      Object.keys(readings.texts).length === Object.keys(pull.readings.texts).length;
    if (isSame) return pull;
    return { ...pull, entries, readings, warnings };
  };

  return {
    async of(launch, { order, again = false } = {}) {
      const key = `${launch.id}|${order ?? ''}`;
      const known = recall(key);
      if (known !== undefined && !again) return known;
      // Concurrent requests for one page (a double click, two tabs) share one reading.
      const started = running.get(key) ?? read(launch, key, order, known).finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
    has: (launch, { order } = {}) => kept.get(`${launch.id}|${order ?? ''}`) !== undefined,
    async withNotes(launch, pull, { order, ticked }) {
      if (ticked.length === 0) return pull;
      const turn = newTurn();
      try {
        const fuller = await readNotes(launch, pull, ticked, turn);
        if (fuller !== pull) keep(`${launch.id}|${order}`, fuller);
        return fuller;
      } finally {
        turn.end();
      }
    },
    drop: (launchId) => drop((key) => key.startsWith(`${launchId}|`)),
    size: () => ({ count: kept.size, bytes: kept.calculatedSize }),
    clear: () => drop(() => true),
  };
}

function referenceTo({ resourceType, id }: Resource): string {
  return `${resourceType}/${id}`;
}

const onlyText = 'The files of the chosen notes are too large together: of some of them only the text is sent.';

/** The patient, and the EHR that holds the chart. */
interface About {
  readonly patient: string;
  readonly base: string;
}

async function partsOf(
  { entries, warnings, forbidden, unread, late }: EhrChart,
  { patient, base }: About,
  known?: Readings,
): Promise<Pick<Pull, 'entries' | 'readings' | 'warnings' | 'forbidden' | 'unread'>> {
  const readings = await readDocuments(entries, {
    patient: `Patient/${patient}`,
    ...(known === undefined ? {} : { known }),
  });
  const waited =
    late === undefined
      ? []
      : [`The EHR has not answered the search for ${late.types.join(', ')} yet. Reload this page in a moment.`];
  return {
    entries: letGo(entries, readings, { base }),
    readings,
    warnings: [...warnings, ...waited],
    forbidden,
    unread: [...new Set([...unread, ...(late?.types ?? [])])],
  };
}
