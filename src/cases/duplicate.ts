import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import type { CaseColumns } from '../store/types.ts';
import type { Case, CaseKind } from './case.ts';
import type { CaseContext } from './context.ts';

/**
 * Whether another request for the same patient, drug and prescriber is under way: asked before sending, never
 * refused.
 */

const Asked = z.object({
  prescription: z
    .object({
      drug_name: z.string().optional(),
      extra: z.object({ rxnorm: z.unknown().optional() }).optional().catch(undefined),
    })
    .optional(),
  provider: z.object({ npi: z.string().optional() }).optional(),
  programId: z.string().optional(),
});

/**
 * Names kind, drug (by its RxNorm code, else its name without spelling) and prescriber; undefined where the request
 * names no drug. An enrollment counts by its program.
 */
export function duplicateKey(request: { readonly kind: CaseKind; readonly body: unknown }): string | undefined {
  const { prescription, provider, programId } = Asked.parse(request.body);
  const drug = programId ?? drugOf(prescription);
  return drug === undefined ? undefined : [request.kind, drug, provider?.npi ?? ''].join('|');
}

function drugOf(prescription: z.infer<typeof Asked>['prescription']): string | undefined {
  const code = prescription?.extra?.rxnorm;
  if (typeof code === 'string' || typeof code === 'number') return `rxnorm ${code}`;
  const name = prescription?.drug_name
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return name === undefined || name === '' ? undefined : name;
}

/** Cases of the same patient that are under way for the same drug and prescriber. */
export async function duplicatesOf(
  { store }: Pick<CaseContext, 'store'>,
  one: Pick<Case, 'id' | 'site' | 'patient' | 'order'>,
  duplicate: string | undefined,
): Promise<readonly CaseColumns[]> {
  if (duplicate === undefined) return [];
  const { site, patient, order, id } = one;
  const found = await store.cases.duplicates(site, { patient, order, duplicate }, id);
  return found.filter(({ state }) => state === 'sending' || state === 'unknown' || state === 'open');
}

/** The ids of those that the person has seen. Throws `case_duplicate` with the first that nobody has seen. */
export async function assertNoDuplicate(
  context: Pick<CaseContext, 'store'>,
  one: Case,
  duplicate: string | undefined,
  seen: readonly string[],
): Promise<readonly string[]> {
  const found = await duplicatesOf(context, one, duplicate);
  const unseen = found.find(({ id }) => !seen.includes(id));
  if (unseen !== undefined) throw new BridgeError('case_duplicate', { case: one.id, other: unseen.id });
  return found.map(({ id }) => id);
}
