import { type DestinationStream, type Logger, pino } from 'pino';
import type { ErrorFacts } from '../core/errors.ts';

/**
 * The log of all parts of the bridge. Facts are ids, codes, counts and durations: never a value from a chart, a token
 * or an address with a query.
 */
export interface Log {
  debug(facts: ErrorFacts, message: string): void;
  info(facts: ErrorFacts, message: string): void;
  warn(facts: ErrorFacts, message: string): void;
  error(facts: ErrorFacts, message: string): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The current time; passed in everywhere, so that tests and the sandbox can set it. */
export type Clock = () => Date;

/**
 * The facts that may be logged. Any other fact is left out and only its name is logged, because its value could be a
 * patient's.
 */
const allowed = new Set([
  'address',
  'at',
  'attempt',
  'case',
  'cases',
  'cause',
  'check',
  'code',
  'codes',
  'count',
  'during',
  'endpoint',
  'error',
  'event',
  'fields',
  'file',
  'folder',
  'found',
  'http',
  'iss',
  'kinds',
  'known',
  'launch',
  'limit',
  'lock',
  'mapping',
  'method',
  'mismatch',
  'missing',
  'ms',
  'not_in_table',
  'operation',
  'origin',
  'other',
  'parameter',
  'path',
  'place',
  'port',
  'problems',
  'queue',
  'reason',
  'record',
  'reqId',
  'request',
  'resource',
  'result',
  'retry_after_seconds',
  'role',
  'route',
  'rows',
  'schema',
  'scope',
  'seconds',
  'service_code',
  'service_id',
  'service_ids',
  'service_status',
  'signal',
  'site',
  'sites',
  'state',
  'status',
  'targets',
  'transition',
  'type',
  'variable',
  'verdict',
  'wait',
  'way',
  'webhook',
  'what',
]);

/** For these facts, only the values listed here are logged. */
const closed: Readonly<Record<string, readonly unknown[]>> = {
  auth: ['public', 'client_secret', 'private_key_jwt'],
  // Logs which kind of token was refused, never the token.
  token: ['id_token'],
};

const longest = 300;

/**
 * The bridge's log: JSON lines by pino, `time`, `level` and `message` first. Only facts on the allowed list are logged,
 * and only as texts (cut when long), numbers, booleans or lists of texts.
 */
export function createLog(options: {
  readonly output: Pick<DestinationStream, 'write'>;
  readonly level: string;
  readonly clock: Clock;
}): Logger {
  const { output, level, clock } = options;
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${clock().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: allowedFacts },
      hooks: {
        // If a call passes only an error, pino would log the error's message, which may quote a chart.
        logMethod(args, method) {
          const [first, message] = args as unknown[];
          if (!(first instanceof Error)) return method.apply(this, args);
          method.call(this, { err: first }, typeof message === 'string' ? message : 'failed');
        },
      },
      // Fastify passes errors, requests and replies under these names; only their safe parts are kept.
      serializers: { err: errorFacts, error: (value: unknown) => value, req: () => undefined, res: () => undefined },
    },
    output,
  );
  const { child } = logger;
  // Pino does not filter the bindings that a child logger is created with.
  logger.child = function allowedChild(this: Logger, bindings: object, ...options: never[]) {
    return child.call(this, allowedFacts({ ...bindings }), ...options);
  } as typeof logger.child;
  return logger;
}

/** The facts that may be logged; `left_out` lists the names of the others. */
export function allowedFacts(facts: Readonly<Record<string, unknown>>): Record<string, Fact> {
  const kept: Record<string, Fact> = {};
  const leftOut: string[] = [];
  for (const [name, value] of Object.entries(facts)) {
    const written = isAllowed(name, value) ? writable(value) : undefined;
    if (written !== undefined) kept[name] = written;
    else if (name === 'err') Object.assign(kept, errorFacts(value));
    else if (value !== undefined && name !== 'req' && name !== 'res') leftOut.push(name);
  }
  return leftOut.length === 0 ? kept : { ...kept, left_out: leftOut };
}

type Fact = ErrorFacts[string];

function isAllowed(name: string, value: unknown): boolean {
  return Object.hasOwn(closed, name) ? closed[name]?.includes(value) === true : allowed.has(name);
}

function writable(value: unknown): Fact | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.slice(0, 50).map(cut);
  return undefined;
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

// The message of a foreign error may quote a chart: only its name and code are logged.
function errorFacts(thrown: unknown): { readonly cause?: string; readonly code?: string } {
  if (!(thrown instanceof Error)) return {};
  return { cause: thrown.name, ...('code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}) };
}
