import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type Cited, placeText, readPlaces } from '../request/answer-places.ts';
import { payerWords as words } from '../request/payer-words.ts';
import { Technical } from './source.tsx';

/** The source of an answer in one line. Unfolded, it lists every place in the chart, with references for IT support. */
export function AnswerSource({
  places,
  of,
}: {
  readonly places: readonly Cited[];
  /** The id of the text to which this source belongs. */
  readonly of: string;
}): VNode | null {
  const read = readPlaces(places);
  const [first] = read;
  const isTechnical = useContext(Technical);
  if (first === undefined) return places.length === 0 ? null : <p class="source source-derived">{words.calculated}</p>;
  const said = words.source(placeText(first), read.length - 1);
  if (read.length === 1 && !isTechnical) return <p class="source source-chart">{said}</p>;
  return (
    <details class="source source-chart">
      <summary id={`${of}-source`} aria-labelledby={`${of}-source ${of}`}>
        {said}
      </summary>
      <ul>
        {read.map((one) => (
          <li key={one.resource}>
            {placeText(one)}
            {isTechnical && (
              <span class="technical">
                {' '}
                <code>{one.resource}</code> {one.paths.join(', ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
