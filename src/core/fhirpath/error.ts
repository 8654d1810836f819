import { BridgeError } from '../errors.ts';

/**
 * A FHIRPath expression outside the subset; `position` counts characters from 0. It is always a mistake in a mapping,
 * never in data.
 */
export class PathError extends BridgeError {
  constructor(
    readonly expression: string,
    readonly position: number,
    readonly reason: string,
  ) {
    super('mapping_invalid', { expression, position, reason });
  }
}

/**
 * The data does not allow an expression to be evaluated (FHIRPath: "signal an error"), e.g. several items where one is
 * expected. The engine catches it and reports it in the trace.
 */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}
