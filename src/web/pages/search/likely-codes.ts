import { refusedIn } from '../../../core/mapping/refused.ts';
import type { Deps } from '../../http/deps.ts';
import type { Draft } from '../../request/draft.ts';
import { type FoundCode, searchCodes } from './search-codes.ts';

/** Codes for a reason that the order states as text or in another code system. */
export interface LikelyCodes {
  /** The reason as the order states it. */
  readonly said: string;
  readonly codes: readonly FoundCode[];
  /** The edition of the code file. */
  readonly year: string | undefined;
}

const [mostTexts, mostCodes] = [2, 5];

/**
 * Billable codes for the reason that the order states, if the diagnosis is missing. Empty if no code file is loaded.
 * Codes of the chart and codes that the practice used before come first, then titles that begin with the order's text,
 * then the shortest titles.
 */
export async function likelyCodes(
  deps: Pick<Deps, 'codes' | 'codesArePartial' | 'used'>,
  draft: Draft,
): Promise<readonly LikelyCodes[]> {
  const { file } = draft.codes;
  if (file === undefined) return [];
  const found = await Promise.all(
    saidIn(draft).map(async (said) => {
      const { codes } = await searchCodes(deps, draft, said);
      const rank = ({ title, note }: FoundCode) =>
        note !== undefined ? 0 : title.toLowerCase().startsWith(said.toLowerCase()) ? 1 : 2;
      const likely = codes.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostCodes);
      return { said, codes: likely, year: file.year };
    }),
  );
  return found.filter(({ codes }) => codes.length > 0);
}

function saidIn({ result }: Draft): string[] {
  const asked = result.gaps.filter(({ target, severity }) => target.startsWith('diagnoses') && severity === 'blocks');
  const texts = refusedIn(asked.flatMap(({ looks }) => looks)).flatMap(({ value }) => value ?? []);
  return [...new Set(texts)].slice(0, mostTexts);
}
