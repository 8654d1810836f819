import { type Cited, cite } from '../evidence/cite.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import { nodeAt } from '../roles/node.ts';
import { type Around, type Indication, indicationsOf } from './around.ts';

/**
 * One node for each indication: the concept from the order or a person's choice, and the Condition that has the same
 * concept.
 */
export function indicationsAround(around: Around, facts: Facts): Node[] {
  return indicationsOf(around, facts).map(({ concept, node, condition }): Node => {
    const { source } = node;
    const found = condition === undefined ? undefined : nodeAt(condition, condition.resource).source;
    const notes = notesOf(condition, around);
    const parts = {
      ...(source === undefined ? {} : { concept: source }),
      ...(found === undefined ? {} : { condition: found }),
      ...Object.fromEntries(notes.map((note, index) => [`notes[${index}]`, note.source])),
    };
    const value = {
      concept,
      ...(condition === undefined ? {} : { condition: condition.resource }),
      ...(notes.length === 0 ? {} : { notes: notes.map(({ value: words }) => words) }),
    };
    const reported = node.told === undefined ? {} : { told: node.told };
    return { value, ...(source === undefined ? {} : { source }), whole: true, parts, ...reported };
  });
}

// This cell cannot mark a Condition as sensitive, so notes with sensitive words are left out.
function notesOf(condition: Indication['condition'], { privacy }: Around): Cited<string>[] {
  if (condition === undefined) return [];
  return (condition.resource.note ?? []).flatMap(({ text }, index) => {
    const words = meaningful(text);
    const isShown = words !== undefined && privacy.words.ofText(words) === undefined;
    return isShown ? [cite(condition, words, `note[${index}].text`)] : [];
  });
}
