import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics that Prometheus scrapes. Labels are ids of sites, names of routes, queues and states, and codes: never a
 * person.
 */
export interface Metrics {
  requestEnded(request: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly site: string;
    readonly seconds: number;
  }): void;
  failed(failure: { readonly code: string; readonly route: string; readonly site: string }): void;
  jobEnded(job: {
    readonly queue: string;
    readonly site: string;
    readonly seconds: number;
    readonly code?: string;
  }): void;
  writeFailed(write: { readonly site: string; readonly what: string; readonly state: string }): void;
  /** `values` counts the request's values by source. */
  requestSent(sent: {
    readonly site: string;
    readonly kind: string;
    readonly values: Readonly<Record<'chart' | 'typed' | 'changed', number>>;
    readonly seconds: number;
    readonly touches: number;
  }): void;
  /** The metrics in the Prometheus exposition format. */
  text(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface TrendSource {
  readonly site: string;
  readonly sent?: number;
  readonly decided?: number;
  readonly firstPass?: number;
  readonly typed?: number;
  readonly payers: readonly { readonly payer: string; readonly days: number }[];
}

/** The values that are read at each scrape. */
export interface MetricSources {
  readonly cases: () => Promise<
    readonly {
      readonly site: string;
      readonly state: string;
      readonly count: number;
      readonly oldestSeconds: number;
    }[]
  >;
  readonly queues: () => Promise<
    readonly { readonly queue: string; readonly waiting: number; readonly oldestSeconds: number }[]
  >;
  /** Covers the last 28 days; figures about fewer than five requests are left out. */
  readonly trends: () => Promise<readonly TrendSource[]>;
}

const seconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export function createMetrics(sources?: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'bridge_http_request_seconds',
    help: 'Requests answered, by route and site',
    labelNames: ['route', 'method', 'status', 'site'],
    buckets: seconds,
    registers,
  });
  const failures = new Counter({
    name: 'bridge_errors_total',
    help: 'Requests that failed, by the code of the error',
    labelNames: ['code', 'route', 'site'],
    registers,
  });
  const jobs = new Histogram({
    name: 'bridge_job_seconds',
    help: 'Jobs done, by queue and site',
    labelNames: ['queue', 'site', 'outcome'],
    buckets: seconds,
    registers,
  });
  const jobFailures = new Counter({
    name: 'bridge_job_failures_total',
    help: 'Jobs that failed, by the code of the error',
    labelNames: ['queue', 'site', 'code'],
    registers,
  });
  const writes = new Counter({
    name: 'bridge_writeback_failures_total',
    help: 'Writes to a chart that failed, by what was to be written; not what this EHR never takes',
    labelNames: ['site', 'what', 'state'],
    registers,
  });
  const values = new Counter({
    name: 'bridge_request_values_total',
    help: 'Values of requests that were sent, by where they came from',
    labelNames: ['site', 'kind', 'source'],
    registers,
  });
  const work = new Histogram({
    name: 'bridge_request_work_seconds',
    help: 'How long a request was before somebody until it was sent',
    labelNames: ['site', 'kind'],
    buckets: [15, 30, 60, 120, 300, 600, 1200, 1800, 3600],
    registers,
  });
  const touches = new Histogram({
    name: 'bridge_request_touches',
    help: 'How often somebody took a request up until it was sent',
    labelNames: ['site', 'kind'],
    buckets: [1, 2, 3, 4, 5, 8, 12],
    registers,
  });
  if (sources !== undefined) addGauges(registry, sources);
  return {
    requestEnded: ({ seconds: took, status, ...labels }) =>
      requests.observe({ ...labels, status: String(status) }, took),
    failed: (labels) => failures.inc({ ...labels }),
    jobEnded({ seconds: took, code, ...labels }) {
      jobs.observe({ ...labels, outcome: code === undefined ? 'done' : 'failed' }, took);
      if (code !== undefined) jobFailures.inc({ ...labels, code });
    },
    writeFailed: (labels) => writes.inc({ ...labels }),
    requestSent({ values: counts, seconds: took, touches: often, ...labels }) {
      for (const [source, count] of Object.entries(counts)) values.inc({ ...labels, source }, count);
      work.observe({ ...labels }, took);
      touches.observe({ ...labels }, often);
    },
    text: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

const recent = [
  { name: 'sent', figure: 'sent', help: 'Prior authorizations sent' },
  { name: 'decided', figure: 'decided', help: 'Prior authorizations that a payer decided' },
  { name: 'first_pass', figure: 'firstPass', help: 'Share of decisions that approved the first request unasked' },
  { name: 'typed', figure: 'typed', help: 'Answers that people typed for a request, on average' },
] as const;

function addGauges(registry: Registry, { cases, queues, trends }: MetricSources): void {
  const registers = [registry];
  const readCases = shared(cases);
  const readQueues = shared(queues);
  const readTrends = shared(trends);
  gauge({ name: 'bridge_cases', help: 'Cases by site and state', labelNames: ['site', 'state'] }, async () =>
    (await readCases()).map(({ site, state, count }) => [{ site, state }, count]),
  );
  gauge(
    {
      name: 'bridge_case_oldest_seconds',
      help: 'Age of the oldest case by site and state, since its status last changed',
      labelNames: ['site', 'state'],
    },
    async () => (await readCases()).map(({ site, state, oldestSeconds }) => [{ site, state }, oldestSeconds]),
  );
  gauge({ name: 'bridge_queue_waiting', help: 'Jobs that could run now', labelNames: ['queue'] }, async () =>
    (await readQueues()).map(({ queue, waiting }) => [{ queue }, waiting]),
  );
  gauge(
    {
      name: 'bridge_queue_lag_seconds',
      help: 'How long the oldest job that could run has waited',
      labelNames: ['queue'],
    },
    async () => (await readQueues()).map(({ queue, oldestSeconds }) => [{ queue }, oldestSeconds]),
  );

  for (const { name, help, figure } of recent)
    gauge({ name: `bridge_recent_${name}`, help: `${help}, last 28 days`, labelNames: ['site'] }, async () =>
      (await readTrends()).flatMap((one) => {
        const value = one[figure];
        return value === undefined ? [] : [[{ site: one.site }, value] as const];
      }),
    );
  gauge(
    {
      name: 'bridge_recent_payer_days',
      help: 'Days that half of the requests were with a payer at most until it decided, last 28 days',
      labelNames: ['site', 'payer'],
    },
    async () =>
      (await readTrends()).flatMap(({ site, payers }) =>
        payers.map(({ payer, days }) => [{ site, payer }, days] as const),
      ),
  );

  function gauge(
    options: { readonly name: string; readonly help: string; readonly labelNames: string[] },
    read: () => Promise<(readonly [Record<string, string>, number])[]>,
  ): void {
    new Gauge({
      ...options,
      registers,
      async collect() {
        const values = await read();
        this.reset();
        for (const [labels, value] of values) this.set(labels, value);
      },
    });
  }
}

/** Concurrent callers share one read. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
