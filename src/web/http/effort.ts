import type { FastifyInstance } from 'fastify';
import { valueCounts } from '../../cases/value-counts.ts';
import { asBridgeError } from '../../core/errors.ts';
import type { Provenance } from '../../core/mapping/result.ts';
import type { Deps } from './deps.ts';

/**
 * Records that a person opened or changed a case. It runs after the response is sent, so that the response is not
 * delayed.
 */
export function noteEffort(app: FastifyInstance, { effort, log }: Pick<Deps, 'effort' | 'log'>): void {
  if (effort === undefined) return;
  app.addHook('onResponse', async ({ caseId, looksByItself, method }) => {
    if (caseId === undefined || looksByItself) return;
    await effort.note(caseId, { opens: method === 'GET' }).catch((thrown: unknown) => {
      log.warn({ case: caseId, code: asBridgeError(thrown).code }, 'the work on a case was not noted');
    });
  });
}

/** Adds a sent request to the metrics, with the work that it took. */
export async function measureSent(
  { effort, metrics, log }: Pick<Deps, 'effort' | 'metrics' | 'log'>,
  { site, kind, id }: { readonly site: string; readonly kind: string; readonly id: string },
  provenance: readonly Provenance[],
): Promise<void> {
  try {
    const { seconds = 0, touches = 1 } = (await effort?.of(id)) ?? {};
    metrics?.requestSent({ site, kind, values: valueCounts(provenance), seconds, touches });
  } catch (thrown) {
    log.warn({ case: id, code: asBridgeError(thrown).code }, 'the work on a case was not measured');
  }
}
