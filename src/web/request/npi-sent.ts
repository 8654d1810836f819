import { z } from 'zod';
import type { Gap } from '../../core/mapping/result.ts';
import type { Deps } from '../http/deps.ts';
import { review } from '../pages/review/words.ts';
import type { Draft } from './draft.ts';
import type { Leaves } from './leaves.ts';

/** The key under which prescribers of sent requests are stored, each with the NPI that was sent. */
export const usedPrescriber = 'prescriber';

const Prescriber = z.object({ npi: z.string(), first: z.string(), last: z.string() });
export type Prescriber = z.infer<typeof Prescriber>;

const npiLeaf = 'provider.npi';
/** Most practices have a few dozen prescribers. */
const most = 300;

/** The prescriber of a request; undefined without NPI or name. */
export function prescriberOf(values: Leaves): Prescriber | undefined {
  const [npi, first, last] = [npiLeaf, 'provider.first_name', 'provider.last_name'].map((leaf) => values.get(leaf));
  return Prescriber.safeParse({ npi, first, last }).data;
}

/**
 * If a person typed an NPI that this practice has sent before only under another name, that name; otherwise undefined.
 */
export async function npiSentFor(
  { used }: Pick<Deps, 'used'>,
  { values, provenance, case: { site } }: Pick<Draft, 'values' | 'provenance' | 'case'>,
): Promise<string | undefined> {
  const own = provenance.get(npiLeaf)?.kind === 'entered' ? prescriberOf(values) : undefined;
  if (own === undefined || used === undefined) return undefined;
  const sent = (await used.most(site, usedPrescriber, most)).flatMap(({ content }) => {
    const known = Prescriber.safeParse(content).data;
    return known?.npi === own.npi ? [known] : [];
  });
  const [other] = sent.some((known) => isOneName(known, own)) ? [] : sent;
  return other === undefined ? undefined : `${other.first} ${other.last}`;
}

export function npiGaps({ npiSentFor: name }: Pick<Draft, 'npiSentFor'>): Gap[] {
  if (name === undefined) return [];
  return [{ target: npiLeaf, severity: 'warns', reason: 'advice', message: review.npiSentFor(name), looks: [] }];
}

// Only last names are compared, because a first name may be an initial. One common part is enough, because a person may
// have two last names.
function isOneName(one: Prescriber, other: Prescriber): boolean {
  const [left, right] = [one, other].map(({ last }) => last.toLowerCase().split(/[^\p{L}]+/u));
  return left?.some((part) => part !== '' && right?.includes(part)) === true;
}
