import { z } from 'zod';
import type { BenefitVerification } from '../core/contract/benefit-verification.ts';
import { statusRule } from '../service/statuses.ts';

/**
 * Keys of the request itself. Only these are stored before the verification has ended, because the plan's answers may
 * still change.
 */
const askedKeys = [
  'object',
  'diagnoses',
  'patient',
  'provider',
  'entity',
  'drug_history',
  'priority',
  'replaces',
  'replaced_by',
  'triggered_by_pa_id',
] as const;

/**
 * The record of a benefit verification as it may be stored and shown: the whole record once it has ended, before that
 * only the request. Signed links are always removed, because they expire within the hour.
 */
export function visibleBenefits(answer: BenefitVerification): BenefitVerification {
  if (statusRule('benefit-verification', answer.status).shows === 'payer') return withoutLinks(answer);
  const asked = Object.fromEntries(askedKeys.flatMap((key) => (answer[key] === undefined ? [] : [[key, answer[key]]])));
  const drugs = answer.drugs?.map(({ name, dosage, quantity, ndc }) => ({ name, dosage, quantity, ndc }));
  return { ...asked, id: answer.id, status: answer.status, drugs };
}

function withoutLinks({ insurance, verification_methods, ...record }: BenefitVerification): BenefitVerification {
  return {
    ...record,
    ...(insurance === undefined ? {} : { insurance: insurance.map(({ url: _, ...one }) => one) }),
    ...(verification_methods === undefined
      ? {}
      : { verification_methods: verification_methods.map(({ recording_url: _, ...one }) => one) }),
  };
}

const text = z.string().optional().catch(undefined);
const Asked = z.object({
  patient: z.object({ internal_id: text }).optional().catch(undefined),
  provider: z.object({ npi: text }).optional().catch(undefined),
  drugs: z
    .array(z.object({ name: text, dosage: text, quantity: z.number().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

/**
 * Whether a record answers this request: the same patient by the practice's own number, the same prescriber, and the
 * same drugs with dosage and quantity, each stated on both sides. The request has no field for our id.
 */
export function answersBenefits(record: BenefitVerification, body: unknown): boolean {
  const [left, right] = [askedIn(record), askedIn(body)];
  return left !== undefined && left === right;
}

function askedIn(value: unknown): string | undefined {
  const { patient, provider, drugs = [] } = Asked.parse(value ?? {});
  const [id, npi] = [patient?.internal_id, provider?.npi];
  const isStated = drugs.every(({ name, dosage, quantity }) => name && dosage && quantity !== undefined);
  if (id === undefined || npi === undefined || drugs.length === 0 || !isStated) return undefined;
  const named = drugs.map(({ name, dosage, quantity }) => [plain(name), plain(dosage), quantity]);
  return JSON.stringify([id.trim(), npi.trim(), named.toSorted()]);
}

function plain(said: string | undefined): string {
  return (said ?? '').trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
