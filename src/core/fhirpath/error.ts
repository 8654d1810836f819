import { BridgeError } from '../errors.ts';

/**
 * A FHIRPath expression that the subset does not have; `position` counts characters from 0. A mistake in a mapping,
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
 * Found data that an expression cannot be answered on (FHIRPath: "signal an error"), e.g. several items where one is
 * expected. Caught by the engine and told in the look.
 */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}
