import { CommanderError } from 'commander';
import { asBridgeError, type BridgeError, type ErrorCode, errors } from '../core/errors.ts';
import { type ExitCode, exit } from './exit.ts';
import type { Io } from './io.ts';

const inputCodes: readonly ErrorCode[] = [
  'input_unreadable',
  'input_empty',
  'too_many_errors',
  'order_not_named',
  'order_not_found',
  'fixture_not_found',
  'output_unusable',
  'bad_request',
  'not_found',
];

/** Reports on stderr what went wrong and what to do next; returns the exit code. */
export function reportFailure(thrown: unknown, io: Io): ExitCode {
  // commander has already printed the message. A call for help ends here too, and is not a failure.
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exit.ok : exit.input;
  const error = asBridgeError(thrown);
  io.stderr.write(`${failureText(error)}\n`);
  return inputCodes.includes(error.code) ? exit.input : exit.failed;
}

function failureText(error: BridgeError): string {
  const facts = Object.entries(error.facts).flatMap(([key, value]) =>
    Array.isArray(value) ? [`  ${key}:`, ...value.map((item) => `    ${item}`)] : [`  ${key}: ${String(value)}`],
  );
  return [
    `prior-auth-bridge: ${errors[error.code].title}`,
    ...facts,
    ...(error.code === 'internal' ? defect(error.cause) : [`Next: ${error.next}`]),
  ].join('\n');
}

/** The stack of an unexpected error. Its message is left out, since it may quote a chart. */
function defect(cause: unknown): string[] {
  if (!(cause instanceof Error)) return [];
  const frames = (cause.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return [
    `  ${cause.name}`,
    ...frames.slice(0, 5),
    'Next: this is a defect of the bridge; report it with the lines above.',
  ];
}
