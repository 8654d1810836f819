import type { VNode } from 'preact';
import type { Trends, TrendWeek } from '../../../cases/trends.ts';
import { StaffPage } from './staff-page.tsx';
import { TrendChart } from './trend-chart.tsx';
import { dayInMonth, trendWords as words } from './trend-words.ts';
import type { StaffVisit } from './worklist-access.ts';

interface TrendsView extends StaffVisit {
  readonly trends: Trends;
}

/** What the practice sent and payers decided, week by week, and how long each payer took. */
export function TrendsPage({ view }: { readonly view: TrendsView }): VNode {
  const { home, trends } = view;
  return (
    <StaffPage view={view} title={words.title}>
      <p class="crumb">
        <a href={`${home}/worklist`}>{words.back}</a>
      </p>
      <h1>{words.heading}</h1>
      <p class="lead">{words.lead}</p>
      <section class="card" aria-labelledby="weeks">
        <h2 id="weeks">{words.weeks}</h2>
        <TrendChart weeks={trends.weeks} />
        <Weeks weeks={trends.weeks} />
        <p class="hint">
          {words.columnsMean} {words.counted}
        </p>
      </section>
      <section class="card" aria-labelledby="payers">
        <h2 id="payers">{words.payers}</h2>
        <Payers payers={trends.payers} />
      </section>
    </StaffPage>
  );
}

function Weeks({ weeks }: Pick<Trends, 'weeks'>): VNode {
  const { columns } = words;
  return (
    <table class="trends">
      <thead>
        <tr>
          {Object.values(columns).map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map((week) => (
          <Week key={week.from} week={week} />
        ))}
      </tbody>
    </table>
  );
}

function Week({ week: { from, sent, decided, firstPass, typed } }: { readonly week: TrendWeek }): VNode {
  const { few } = words;
  return (
    <tr>
      <th scope="row">{dayInMonth(from)}</th>
      <td>{sent ?? few}</td>
      <td>{decided ?? few}</td>
      <td>{firstPass === undefined ? few : words.share(firstPass)}</td>
      <td>{typed === undefined ? few : words.mean(typed)}</td>
    </tr>
  );
}

function Payers({ payers }: Pick<Trends, 'payers'>): VNode {
  if (payers.length === 0) return <p>{words.noPayers}</p>;
  const longest = Math.max(...payers.map(({ days }) => days), 1);
  return (
    <ul class="payer-days">
      {payers.map(({ payer, days, decided }) => (
        <li key={payer}>
          <span>
            {payer} <span class="quiet-text">{words.decided(decided)}</span>
          </span>
          <progress max={longest} value={days} aria-hidden="true" />
          <span class="days">{words.days(days)}</span>
        </li>
      ))}
    </ul>
  );
}
