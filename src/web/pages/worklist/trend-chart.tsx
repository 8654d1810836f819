import type { VNode } from 'preact';
import type { TrendWeek } from '../../../cases/trends.ts';
import { dayInMonth, trendWords as words } from './trend-words.ts';

const slot = 44;
const bar = 16;
const height = 120;
const foot = 28;

/** Two bars for each week. The table below has the numbers, so for screen readers the chart has only a label. */
export function TrendChart({ weeks }: { readonly weeks: readonly TrendWeek[] }): VNode {
  const most = Math.max(1, ...weeks.flatMap(({ sent = 0, decided = 0 }) => [sent, decided]));
  const width = weeks.length * slot;
  return (
    <figure class="trend-chart">
      <svg viewBox={`0 0 ${width} ${height + foot}`} role="img" aria-label={words.picture}>
        <line x1={0} x2={width} y1={height} y2={height} class="axis" />
        {weeks.map((week, index) => (
          <Bars
            key={week.from}
            week={week}
            at={index * slot}
            most={most}
            label={index % 4 === 0}
            isLast={index === weeks.length - 1}
          />
        ))}
      </svg>
      <figcaption>
        <span class="key sent">{words.columns.sent}</span>
        <span class="key decided">{words.columns.decided}</span>
        <span class="quiet-text">{words.scale(most)}</span>
      </figcaption>
    </figure>
  );
}

interface BarsProps {
  readonly week: TrendWeek;
  readonly at: number;
  readonly most: number;
  readonly label: boolean;
  readonly isLast: boolean;
}

function Bars({ week: { from, sent = 0, decided = 0 }, at, most, label, isLast }: BarsProps): VNode {
  const tall = (count: number) => Math.round((count / most) * (height - 4));
  return (
    <>
      <rect class="sent" x={at + 4} y={height - tall(sent)} width={bar} height={tall(sent)} />
      <rect class="decided" x={at + 4 + bar + 2} y={height - tall(decided)} width={bar} height={tall(decided)} />
      {label && (
        <text x={isLast ? at + slot : at + 4} y={height + foot - 4} text-anchor={isLast ? 'end' : 'start'}>
          {dayInMonth(from)}
        </text>
      )}
    </>
  );
}
