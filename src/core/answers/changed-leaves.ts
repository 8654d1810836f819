import type { CellName } from '../contract/answers-sheet.ts';
import { drugNameTargets, drugTargets, prescriberTargets } from '../contract/groups.ts';
import type { Provenance, Source } from '../mapping/result.ts';
import { isWithin } from '../mapping/target.ts';
import type { AnswerLine } from './lines.ts';

/** A leaf of the request in which a person replaced or cleared the chart's value. */
export interface ChangedLeaf {
  /** `prescription.directions` */
  readonly target: string;
  /** The place of the replaced value in the chart. */
  readonly source: Source | undefined;
}

/**
 * Adds to each line the changed leaves of the request that the line contradicts. A line contradicts a leaf if both were
 * read from the same element of the chart, or if the line is about the drug or the prescriber and the request now names
 * another one.
 *
 * @example withChangedLeaves(linesOfSheet(sheet), [{ target: 'prescription.quantity', source }])
 */
export function withChangedLeaves<Line extends AnswerLine>(
  lines: readonly Line[],
  changed: readonly ChangedLeaf[],
): readonly Line[] {
  if (changed.length === 0) return lines;
  return lines.map((line) => {
    const targets = changed.filter((leaf) => isContradictedBy(line, leaf)).map(({ target }) => target);
    return targets.length === 0 ? line : { ...line, changed: [...new Set(targets)] };
  });
}

/** For cells that are about the drug or the prescriber as a whole: the leaves of the request that name it. */
const subjects: Readonly<Partial<Record<CellName, readonly string[]>>> = {
  therapy: drugNameTargets,
  response: drugNameTargets,
  dose: drugTargets,
  specialty: prescriberTargets,
};

function isContradictedBy({ cell, places }: AnswerLine, { target, source }: ChangedLeaf): boolean {
  if (subjects[cell]?.includes(target) === true) return true;
  return source !== undefined && places.some((place) => isSamePlace(place, source));
}

function isSamePlace({ source: place }: Provenance, source: Source): boolean {
  // A path without a dot is the resource as a whole. A value from there does not depend on one of its elements.
  if (place?.resource !== source.resource || !place.path.includes('.') || !source.path.includes('.')) return false;
  return isWithin(place.path, source.path) || isWithin(source.path, place.path);
}
