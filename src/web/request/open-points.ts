import type { Gap } from '../../core/mapping/result.ts';
import { isWithin } from '../../core/mapping/target.ts';
import { anchorOf, fieldId, type SectionSpec } from './labels.ts';

/**
 * Open points in the order of the page; at the same place, points that block sending come first. A point is left out if
 * it is missing only because a choice above it is open, such as a plan's numbers before the plan is chosen.
 */
export function openPoints(gaps: readonly Gap[], sections: readonly SectionSpec[]): Gap[] {
  const choices = gaps.filter(({ reason, severity }) => reason === 'choice' && severity === 'blocks');
  const follows = (gap: Gap) =>
    gap.reason === 'missing' && choices.some(({ target }) => target !== gap.target && isWithin(gap.target, target));
  const places = placesOf(sections);
  const rank = ({ target, severity }: Gap) => {
    const place = places.indexOf(anchorOf(target, sections));
    return (place === -1 ? places.length : place) * 2 + (severity === 'blocks' ? 0 : 1);
  };
  return gaps.filter((gap) => !follows(gap)).toSorted((one, other) => rank(one) - rank(other));
}

/** The element id of the next question; undefined if nothing blocks sending. */
export function nextAnchor(gaps: readonly Gap[], sections: readonly SectionSpec[]): string | undefined {
  const next = openPoints(gaps, sections).find(({ severity }) => severity === 'blocks');
  return next === undefined ? undefined : anchorOf(next.target, sections);
}

function placesOf(sections: readonly SectionSpec[]): string[] {
  return sections.flatMap(({ id, fields }) => [`section-${id}`, ...fields.map(({ target }) => fieldId(target))]);
}
