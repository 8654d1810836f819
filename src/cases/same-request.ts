import { z } from 'zod';
import { BridgeError } from '../core/errors.ts';
import { type Case, type CaseKind, isSent } from './case.ts';
import type { CaseContext } from './context.ts';

/**
 * Finds another request under way for the same patient, drug and prescriber. It is checked before sending; a person who
 * has seen the other request may still send.
 */

const Body = z.object({
  prescription: z
    .object({
      drug_name: z.string().optional(),
      ndc: z.string().optional(),
      extra: z.object({ rxnorm: z.unknown().optional(), drug_name: z.string().optional() }).optional().catch(undefined),
    })
    .optional(),
  drugs: z
    .array(z.object({ name: z.string().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
  provider: z.object({ npi: z.string().optional() }).optional(),
  programId: z.string().optional(),
});

/** The parts of a request that decide whether two requests are the same. */
export interface ComparedRequest {
  readonly kind: CaseKind;
  readonly body: unknown;
}

/**
 * true when both requests are of the same kind, for the same drug and prescriber. Drugs are compared by RxNorm code if
 * both have a code, else by name regardless of spelling. Enrollments are compared by program.
 */
export function isSameRequest(one: ComparedRequest, other: ComparedRequest): boolean {
  if (one.kind !== other.kind) return false;
  const [left, right] = [namesOf(one.body), namesOf(other.body)];
  if (left.prescriber !== right.prescriber) return false;
  if (left.program !== undefined || right.program !== undefined) return left.program === right.program;
  return sameDrug(left, right);
}

/** true when two bodies ask for the same drug, compared as in `isSameRequest`. */
export function asksSameDrug(one: unknown, other: unknown): boolean {
  return sameDrug(namesOf(one), namesOf(other));
}

function sameDrug(left: Names, right: Names): boolean {
  if (left.code !== undefined && right.code !== undefined) return left.code === right.code;
  return left.name !== undefined && left.name === right.name;
}

/** The keys that identify the drug of a request: its RxNorm code and its name, if present. */
export function drugKeys(body: unknown): string[] {
  const { code, name } = namesOf(body);
  return [code, name].filter((key) => key !== undefined);
}

interface Names {
  readonly program: string | undefined;
  readonly code: string | undefined;
  readonly name: string | undefined;
  readonly prescriber: string;
}

function namesOf(body: unknown): Names {
  const { prescription, drugs, provider, programId } = Body.parse(body);
  const code = prescription?.extra?.rxnorm;
  const ordered = prescription?.drug_name ?? prescription?.extra?.drug_name ?? prescription?.ndc;
  const name = (ordered ?? drugs?.[0]?.name)
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return {
    program: programId,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    name: name === '' ? undefined : name,
    prescriber: provider?.npi ?? '',
  };
}

/** Cases of the same patient that are under way for the same drug and prescriber, newest first. */
export async function duplicatesOf(
  { store, get }: Pick<CaseContext, 'store' | 'get'>,
  { id, site, patient }: Pick<Case, 'id' | 'site' | 'patient'>,
  asked: ComparedRequest,
): Promise<readonly Case[]> {
  const ofPatient = await store.cases.forPatient(site, patient);
  const underWay = ofPatient.filter((other) => other.id !== id && other.kind === asked.kind && isUnderWay(other.state));
  const cases = await Promise.all(underWay.map((other) => get(other.id)));
  return cases.filter((other) => isSent(other) && isUnderWay(other.state) && isSameRequest(other, asked));
}

function isUnderWay(state: string): boolean {
  return state === 'sending' || state === 'unknown' || state === 'open';
}

export async function assertNoDuplicate(
  context: Pick<CaseContext, 'store' | 'get'>,
  one: Case,
  asked: ComparedRequest,
  seen: readonly string[],
): Promise<readonly string[]> {
  const found = await duplicatesOf(context, one, asked);
  const unseen = found.find(({ id }) => !seen.includes(id));
  if (unseen !== undefined) throw new BridgeError('case_duplicate', { case: one.id, other: unseen.id });
  return found.map(({ id }) => id);
}
