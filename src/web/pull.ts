import { openNotes } from '../documents/open-notes.ts';
import { readDocuments } from '../documents/read-documents.ts';
import type { Readings } from '../documents/readings.ts';
import { readChart } from '../ehr-chart/read-chart.ts';
import type { Entry } from '../fhir/bundle.ts';
import type { Clock } from '../log.ts';
import type { Launch, Smart } from '../smart/index.ts';
import type { Vault } from '../vault.ts';

/** One reading of a chart, kept for a few minutes so that saving a field does not ask the EHR again. */
export interface Pull {
  readonly entries: readonly Entry[];
  /** What was made of its documents. */
  readonly readings: Readings;
  readonly warnings: readonly string[];
  readonly forbidden: readonly string[];
  /** ISO 8601 */
  readonly at: string;
  /** What the reading before this one had, when a person pulled again. */
  readonly before?: { readonly entries: readonly Entry[]; readonly readings: Readings; readonly at: string };
}

export interface Pulls {
  /**
   * The chart of the launch's patient with everything one order needs (or all orders, without one). `again` asks the
   * EHR in any case.
   */
  of(launch: Launch, options?: { readonly order?: string; readonly again?: boolean }): Promise<Pull>;
  /**
   * The same reading with the text of these notes (`answers.evidence`): bytes that the chart only points to are
   * fetched, once a person wants them.
   */
  withNotes(
    launch: Launch,
    pull: Pull,
    request: { readonly order: string; readonly ticked: readonly string[] },
  ): Promise<Pull>;
  /** Forgets everything of a launch. */
  drop(launchId: string): void;
}

const keepMilliseconds = 5 * 60_000;
const keepAtMost = 200;

export interface PullOptions {
  readonly smart: Pick<Smart, 'api'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly read?: typeof readChart;
}

/** Readings live in memory only, sealed, and only as long as a person works on a page. */
export function createPulls({ smart, vault, clock, read: readFrom = readChart }: PullOptions): Pulls {
  const kept = new Map<string, { readonly sealed: string; readonly until: number }>();
  const running = new Map<string, Promise<Pull>>();

  const recall = (key: string): Pull | undefined => {
    const entry = kept.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > clock().getTime()) return JSON.parse(vault.open(entry.sealed, `pull|${key}`));
    kept.delete(key);
    return undefined;
  };

  const keep = (key: string, pull: Pull): void => {
    kept.delete(key);
    kept.set(key, {
      sealed: vault.seal(JSON.stringify(pull), `pull|${key}`),
      until: clock().getTime() + keepMilliseconds,
    });
    for (const old of kept.keys()) {
      if (kept.size <= keepAtMost) break;
      kept.delete(old);
    }
  };

  const read = async (
    launch: Launch,
    key: string,
    order: string | undefined,
    before: Pull | undefined,
  ): Promise<Pull> => {
    const chart = await readFrom(smart.api(launch), {
      patient: launch.patient,
      ...(order === undefined ? {} : { order }),
      ...(launch.encounter === undefined ? {} : { encounter: launch.encounter }),
    });
    const pull: Pull = {
      entries: chart.entries,
      readings: await readDocuments(chart.entries, { patient: `Patient/${launch.patient}` }),
      warnings: chart.warnings,
      forbidden: chart.forbidden,
      at: clock().toISOString(),
      ...(before === undefined
        ? {}
        : { before: { entries: before.entries, readings: before.readings, at: before.at } }),
    };
    keep(key, pull);
    return pull;
  };

  return {
    async of(launch, { order, again = false } = {}) {
      const key = `${launch.id}|${order ?? ''}`;
      const known = recall(key);
      if (known !== undefined && !again) return known;
      // Two requests of one page (a double click, two tabs) share one reading.
      const started = running.get(key) ?? read(launch, key, order, known).finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
    async withNotes(launch, pull, { order, ticked }) {
      if (ticked.length === 0) return pull;
      const binaries = await openNotes(smart.api(launch), pull.entries, ticked);
      const entries = [...pull.entries, ...binaries];
      const readings = await readDocuments(entries, {
        patient: `Patient/${launch.patient}`,
        ticked,
        known: pull.readings,
      });
      if (binaries.length === 0 && Object.keys(readings.texts).length === Object.keys(pull.readings.texts).length)
        return pull;
      const fuller = { ...pull, entries, readings };
      keep(`${launch.id}|${order}`, fuller);
      return fuller;
    },
    drop(launchId) {
      for (const key of kept.keys()) if (key.startsWith(`${launchId}|`)) kept.delete(key);
    },
  };
}
