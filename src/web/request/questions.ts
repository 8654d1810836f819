import type { Gap } from '../../core/mapping/result.ts';
import { anchorOf, fieldId, type SectionSpec } from './labels.ts';

/** A place at which an answer is needed, or was when the page was opened: then without gaps. */
export interface Question {
  /** Id of the field or section that asks: `field-provider-npi`, `section-diagnoses`. */
  readonly anchor: string;
  /** What is open here, what blocks first. */
  readonly gaps: readonly Gap[];
}

/** What is open, by what a person can do about it here. */
export interface OpenPoints {
  readonly questions: readonly Question[];
  /** What stands against sending and no entry of this page changes. */
  readonly stoppers: readonly Gap[];
  /** What only warns, and is not said at a question. */
  readonly warnings: readonly Gap[];
}

/** Sections whose choice answers what is asked at the section itself. */
const answerable = new Set(['section-diagnoses', 'section-insurance', 'section-evidence', 'section-consent']);

/**
 * Sorts open points, in the order of the page. `asked` are anchors of questions that a page which is still open shows:
 * they stay where they are, also once they are answered.
 */
export function openPointsBy(
  gaps: readonly Gap[],
  sections: readonly SectionSpec[],
  asked: readonly string[] = [],
): OpenPoints {
  const places = placesOf(sections);
  const byAnchor = Map.groupBy(gaps, ({ target }) => anchorOf(target, sections));
  const canAnswer = (anchor: string) => anchor.startsWith('field-') || answerable.has(anchor);
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
export function isOpen({ gaps }: Question): boolean {
  return gaps.some(({ severity }) => severity === 'blocks');
}

function placesOf(sections: readonly SectionSpec[]): string[] {
  return sections.flatMap(({ id, fields }) => [`section-${id}`, ...fields.map(({ target }) => fieldId(target))]);
}
