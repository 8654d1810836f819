import type { CompiledPath } from '../../fhirpath/compile.ts';
import type { Look } from '../../mapping/result.ts';
import type { Facts } from '../facts.ts';
import type { RootWords } from '../filled.ts';

/** The lookups of paths that found nothing: how far each path got. */
export class LooksAlong implements RootWords {
  constructor(
    private readonly paths: readonly CompiledPath[],
    private readonly facts: Facts,
  ) {}

  looks(): Look[] {
    return this.paths.map(({ expression, trace }) => ({ expression, steps: trace([], this.facts.environment).steps }));
  }
}
