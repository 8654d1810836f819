import type { Case } from '../../cases/case.ts';
import type { DraftEdits } from '../../cases/requests.ts';
import type { Gap } from '../../core/mapping/result.ts';
import type { Deps } from '../http/deps.ts';
import type { Draft } from './draft.ts';
import { targetOf } from './kind-pages.ts';
import type { SectionSpec } from './labels.ts';
import { openPoints } from './open-points.ts';
import { isOpen, openPointsBy } from './questions.ts';
import { shownOf } from './rules-change.ts';

interface Page {
  readonly sections: readonly SectionSpec[];
  /** What is open and the body cannot know. */
  readonly open: readonly Gap[];
}

/**
 * Keeps what is shown, so that a later change of the rules can be told by what it changed and the worklist can say how
 * the draft stands, and returns the case as it is then. Under other rules, what was seen stays until the page is saved.
 */
export async function noteShown({ cases }: Pick<Deps, 'cases'>, draft: Draft, page: Page): Promise<Case> {
  const { case: one, mappedBy, rulesChange, values } = draft;
  const [shown, listed] = [shownOf(values), listedOf(draft, page)];
  const isListed = one.needed === listed.needed && (one.payer ?? '') === listed.payer;
  const isSame = rulesChange !== undefined || JSON.stringify(shown) === JSON.stringify(one.shown);
  if (isListed && isSame) return one;
  return cases.saveDraft(one.id, isSame ? listed : { mappedBy, shown, ...listed });
}

/** What the worklist says of the draft: as many answers as its page asks for, and the payer. */
function listedOf({ kind, result, values }: Draft, { sections, open }: Page): Pick<DraftEdits, 'needed' | 'payer'> {
  const points = openPointsBy(openPoints([...result.gaps, ...open], sections), sections);
  const payer = values.get(targetOf(kind, 'payer') ?? '');
  return {
    needed: points.questions.filter(isOpen).length + points.stoppers.length,
    payer: typeof payer === 'string' ? payer : '',
  };
}
