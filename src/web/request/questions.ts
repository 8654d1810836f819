import type { Gap } from '../../core/mapping/result.ts';
import { anchorOf, answerableSections, fieldId, type SectionSpec } from './labels.ts';

/** A field or section that needs an answer, or needed one when the page was opened. Once answered, it has no gaps. */
export interface QuestionAnchor {
  /** The element id of the field or section: `field-provider-npi`, `section-diagnoses`. */
  readonly anchor: string;
  /** The open points at this place; points that block sending come first. */
  readonly gaps: readonly Gap[];
}

export interface OpenPoints {
  readonly questions: readonly QuestionAnchor[];
  /** Points that block sending and that nobody can resolve on this page. */
  readonly stoppers: readonly Gap[];
  /** Warnings that are not shown at a question. */
  readonly warnings: readonly Gap[];
}

/**
 * Sorts open points in the order of the page. `asked` has the element ids of the questions on an open page, which stay
 * where they are even after they are answered.
 */
export function openPointsBy(
  gaps: readonly Gap[],
  sections: readonly SectionSpec[],
  asked: readonly string[] = [],
): OpenPoints {
  const places = placesOf(sections);
  const byAnchor = Map.groupBy(gaps, ({ target }) => anchorOf(target, sections));
  const canAnswer = (anchor: string) => anchor.startsWith('field-') || answerableSections.has(anchor);
  const isAsking = (anchor: string) =>
    canAnswer(anchor) && (byAnchor.get(anchor) ?? []).some(({ severity }) => severity === 'blocks');
  const anchors = places.filter((anchor) => isAsking(anchor) || (asked.includes(anchor) && canAnswer(anchor)));
  const elsewhere = gaps.filter(({ target }) => !anchors.includes(anchorOf(target, sections)));
  return {
    questions: anchors.map((anchor) => ({ anchor, gaps: byAnchor.get(anchor) ?? [] })),
    stoppers: elsewhere.filter(({ severity }) => severity === 'blocks'),
    warnings: elsewhere.filter(({ severity }) => severity === 'warns'),
  };
}

/** true while the question waits for its answer. */
export function isOpen({ gaps }: QuestionAnchor): boolean {
  return gaps.some(({ severity }) => severity === 'blocks');
}

function placesOf(sections: readonly SectionSpec[]): string[] {
  return sections.flatMap(({ id, fields }) => [`section-${id}`, ...fields.map(({ target }) => fieldId(target))]);
}
