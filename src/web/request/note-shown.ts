import { isDeepStrictEqual } from 'node:util';
import type { Gap } from '../../core/mapping/result.ts';
import type { Deps } from '../http/deps.ts';
import type { Draft } from './draft.ts';
import { targetOf } from './kind-pages.ts';
import type { SectionSpec } from './labels.ts';
import { openPoints } from './open-points.ts';
import { isOpen, openPointsBy } from './questions.ts';
import { keptValues } from './rules-change.ts';

interface Page {
  readonly sections: readonly SectionSpec[];
  /** Open points outside the request body. */
  readonly open: readonly Gap[];
  /**
   * The digest of the content to send, if the draft has a signature. Whether it still matches the signature is stored
   * too.
   */
  readonly digest?: string | undefined;
}

/**
 * Stores what the page is about to show: the values, so that a later change of the rules can be reported, and the
 * draft's state for the worklist. Returns the draft with the updated case. After a change of the rules, the values that
 * the person last saw stay stored until the page is saved.
 */
export async function noteShown({ cases }: Pick<Deps, 'cases'>, draft: Draft, page: Page): Promise<Draft> {
  const { case: one, mappedBy, rulesChange, values } = draft;
  const [shown, listed] = [keptValues(values), listedOf(draft, page)];
  const { signature, needed, payer = '', prescriberName = '', memberId = '', drugNames = [] } = one;
  const { digest } = page;
  const fits = signature === undefined || digest === undefined || (digest !== signature.digest) === signature.isChanged;
  const isListed = fits && isDeepStrictEqual(listed, { needed, payer, prescriberName, memberId, drugNames });
  const isSame = rulesChange !== undefined || JSON.stringify(shown) === JSON.stringify(one.shown);
  if (isListed && isSame) return draft;
  const noted = digest === undefined ? listed : { ...listed, digest };
  const saved = await cases.saveDraft(one.id, isSame ? noted : { mappedBy, shown, ...noted });
  const { version, signature: after } = saved;
  // The draft has only the entries for the chosen plan and the stored case has more, so the draft's entries are kept.
  return { ...draft, case: { ...one, version, ...(after === undefined ? {} : { signature: after }) } };
}

/** What the worklist needs of a draft: the number of answers that its page asks for, and search terms. */
function listedOf({ kind, result, values, drugNames }: Draft, { sections, open }: Page) {
  const points = openPointsBy(openPoints([...result.gaps, ...open], sections), sections);
  const textAt = (target = '') => String(values.get(target) ?? '');
  const prescriber = [textAt('provider.first_name'), textAt('provider.last_name')];
  return {
    needed: points.questions.filter(isOpen).length + points.stoppers.length,
    payer: textAt(targetOf(kind, 'payer')),
    prescriberName: prescriber.filter((part) => part !== '').join(' '),
    memberId: textAt(targetOf(kind, 'member')),
    drugNames,
  };
}
