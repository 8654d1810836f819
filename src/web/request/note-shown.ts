import type { Case } from '../../cases/case.ts';
import type { DraftEdits } from '../../cases/requests.ts';
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
  /** Open points that the body cannot know. */
  readonly open: readonly Gap[];
}

/**
 * Stores what is shown and returns the case, so that the bridge can tell what a later change of the rules changed, and
 * the worklist can show the state of the draft. Under other rules, the values that the person saw stay stored until the
 * page is saved.
 */
export async function noteShown({ cases }: Pick<Deps, 'cases'>, draft: Draft, page: Page): Promise<Case> {
  const { case: one, mappedBy, rulesChange, values } = draft;
  const [shown, listed] = [keptValues(values), listedOf(draft, page)];
  const isListed = one.needed === listed.needed && (one.payer ?? '') === listed.payer;
  const isSame = rulesChange !== undefined || JSON.stringify(shown) === JSON.stringify(one.shown);
  if (isListed && isSame) return one;
  return cases.saveDraft(one.id, isSame ? listed : { mappedBy, shown, ...listed });
}

/** The draft's line in the worklist: how many answers its page asks for, and the payer. */
function listedOf({ kind, result, values }: Draft, { sections, open }: Page): Pick<DraftEdits, 'needed' | 'payer'> {
  const points = openPointsBy(openPoints([...result.gaps, ...open], sections), sections);
  const payer = values.get(targetOf(kind, 'payer') ?? '');
  return {
    needed: points.questions.filter(isOpen).length + points.stoppers.length,
    payer: typeof payer === 'string' ? payer : '',
  };
}
