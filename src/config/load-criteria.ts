import { readFileSync } from 'node:fs';
import { type KnownNames, readCriteria } from '../core/answers/criteria/read-criteria.ts';
import type { CriterionRow } from '../core/answers/criteria/words.ts';
import { formatTarget } from '../core/mapping/target.ts';
import { JsonMistake, type JsonPlaces, placesOf } from '../core/overlay/json-places.ts';

/** Returns the rows of a criteria file, or every mistake in it as `file:line:column: key: what is wrong`. */
export function loadCriteria(
  file: string,
  known: KnownNames,
): { readonly rows: readonly CriterionRow[] } | { readonly problems: readonly string[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    return { problems: [`${file} cannot be read: ${cause instanceof Error ? cause.message : 'unknown reason'}`] };
  }
  const places = placesIn(text);
  if (places instanceof JsonMistake) {
    const { line, column } = places.place;
    return { problems: [`${file}:${line}:${column}: it is no JSON: ${places.reason}`] };
  }
  const { rows, problems } = readCriteria(JSON.parse(text), known);
  const faults = [...places.repeated.map((path) => ({ path, reason: 'the key stands there twice' })), ...problems];
  if (faults.length === 0) return { rows };
  return {
    problems: faults.map(({ path, reason }) => {
      const { line, column } = places.at(path);
      return `${file}:${line}:${column}: ${formatTarget(path)}: ${reason}`;
    }),
  };
}

function placesIn(text: string): JsonPlaces | JsonMistake {
  try {
    return placesOf(text);
  } catch (thrown) {
    if (thrown instanceof JsonMistake) return thrown;
    throw thrown;
  }
}
