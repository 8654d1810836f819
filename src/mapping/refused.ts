import { elementWords } from '../fhir/element-words.ts';
import { type Refusal, refusals } from '../fhir/refusals.ts';
import { type Item, placeOf } from '../fhirpath/item.ts';
import type { Look, Refused } from './result.ts';

/** A value of the chart that is not sent, with where it stands. */
export function refusedItem(why: Refusal, item: Item, words?: string): Refused {
  const [value, source] = [elementWords(item.value), placeOf(item)];
  return {
    why,
    ...(value === undefined ? {} : { value }),
    ...(source === undefined ? {} : { source }),
    ...(words === undefined ? {} : { words }),
  };
}

/** All that some looks found and refused, each value once; a text without characters is none. */
export function refusedIn(looks: readonly Look[]): Refused[] {
  const all = looks.flatMap(({ refused = [] }) => refused).filter(({ why }) => why !== 'blank');
  const keys = all.map(({ why, value, source, words }) => JSON.stringify([why, value, source?.resource, words]));
  return all.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
}

/** Why, for engineers: what the role table says of the candidate, else the words of the reason. */
export function engineerWords({ why, words }: Refused): string {
  return words ?? refusals[why].engineer;
}
