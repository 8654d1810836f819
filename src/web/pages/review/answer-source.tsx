import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Place } from '../../../core/answers/sheet.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { resourceWords } from '../../request/field-words.ts';
import { payerWords as words } from '../../request/payer-words.ts';
import { Technical } from '../../ui/source.tsx';

/** One resource of the chart that an answer was read from. */
interface Read {
  readonly resource: string;
  readonly date?: string;
  readonly paths: readonly string[];
}

/** The source of an answer: one line; when opened, every entry of the chart and its path for IT support. */
export function AnswerSource({
  places,
  of,
}: {
  readonly places: readonly Place[];
  /** Id of the text that it is the source of. */
  readonly of: string;
}): VNode | null {
  const read = readFrom(places);
  const [first] = read;
  const isTechnical = useContext(Technical);
  if (first === undefined) return places.length === 0 ? null : <p class="source source-derived">{words.calculated}</p>;
  const said = words.source(textOf(first), read.length - 1);
  if (read.length === 1 && !isTechnical) return <p class="source source-chart">{said}</p>;
  return (
    <details class="source source-chart">
      <summary aria-describedby={of}>{said}</summary>
      <ul>
        {read.map((one) => (
          <li key={one.resource}>
            {textOf(one)}
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

function readFrom(places: readonly Place[]): Read[] {
  const cited = places.flatMap(({ source, date }) => (source === undefined ? [] : [{ source, date }]));
  return [...Map.groupBy(cited, ({ source }) => source.resource)].map(([resource, own]) => {
    const [date] = own.flatMap((one) => one.date ?? []);
    const paths = [...new Set(own.map(({ source }) => source.path))];
    return { resource, paths, ...(date === undefined ? {} : { date }) };
  });
}

function textOf({ resource, date }: Read): string {
  return date === undefined ? resourceWords(resource) : `${resourceWords(resource)} of ${dayText(date)}`;
}
