import type { VNode } from 'preact';
import { worklistCountLimit, worklistParts } from '../../../store/types.ts';
import { assignable, isManager } from '../../http/rights.ts';
import { Icon } from '../../ui/icon.tsx';
import { LackBadge } from '../../ui/lack-badge.tsx';
import { denial } from '../case/words.ts';
import { ready } from '../ready/words.ts';
import { SavedViews } from './saved-views.tsx';
import { StaffPage } from './staff-page.tsx';
import { trendWords } from './trend-words.ts';
import type { Line, WorklistView } from './view.ts';
import { agoText, byText, decidedText, kindText, toneOf, waitsText, worklistWords as words } from './words.ts';
import { type ListFilter, queryText } from './worklist-asked.ts';

/** The practice's start page: requests that need staff, requests at the payer, and decided requests. */
export function WorklistPage({ view }: { readonly view: WorklistView }): VNode {
  const { staff, home, counts, takenOver } = view;
  return (
    <StaffPage view={view} title={words.title} assets={['worklist.js']}>
      <div class="worklist-head">
        <h1>{words.heading}</h1>
        <p class="quiet-text">{words.summary(some(counts.needs), some(counts.payer), some(counts.ending))}</p>
        {view.work !== '' && <p class="quiet-text">{view.work}</p>}
        {view.hasTrends && (
          <p class="quiet-text">
            <Icon name="chart-column" /> <a href={`${home}/worklist/trends`}>{trendWords.link}</a>
          </p>
        )}
        {view.hasCharts && !isManager(staff) && (
          <p>
            <a href={`${home}/ready`}>{ready.link}</a>
          </p>
        )}
      </div>
      {takenOver.map((line) => (
        <TakenOver key={line.row.case} line={line} view={view} />
      ))}
      <div class="worklist-bar">
        <Tabs view={view} />
        <Search view={view} />
      </div>
      <Filters view={view} />
      <People view={view} />
      <SavedViews view={view} />
      <Did view={view} />
      <section class="card worklist-card" aria-label={words.heading}>
        {view.lines.length === 0 ? <p>{noneText(view)}</p> : <Together view={view} />}
      </section>
      <Paging view={view} />
      <p class="hint keys">{words.keys}</p>
      {staff.site.worklist.csv && view.search === '' && (
        <p>
          <a href={`${home}/worklist.csv${queryText(view.asked, {})}`}>{words.csv}</a>
        </p>
      )}
    </StaffPage>
  );
}

function some(count: number): string {
  return count >= worklistCountLimit ? `${worklistCountLimit}+` : String(count);
}

function Tabs({ view }: { readonly view: WorklistView }): VNode {
  const { ending, unwritten, sign } = view.asked;
  const isPlain = view.search === '' && [ending, unwritten, sign].every((one) => one === undefined);
  return (
    <nav class="tabs" aria-label="Groups">
      {worklistParts.map((part) => (
        <a
          key={part}
          href={`${view.home}/worklist${queryText(view.asked, { part, ...plainList })}`}
          aria-current={isPlain && part === view.asked.part ? 'page' : undefined}
        >
          {words.parts[part]} <span class="count">{some(view.counts[part])}</span>
        </a>
      ))}
    </nav>
  );
}

// The search is sent by POST, because a name must not be in a URL or in the browser's history.
function Search({ view }: { readonly view: WorklistView }): VNode {
  return (
    <search>
      <form method="post" action={`${view.home}/worklist`} class="find">
        <input type="hidden" name="token" value={view.token} />
        <input type="hidden" name="part" value={view.asked.part} />
        <label class="hidden" for="search">
          {words.search}
        </label>
        <input
          id="search"
          type="search"
          name="search"
          value={view.search}
          placeholder={words.search}
          title={words.searchHint}
          autocomplete="off"
          maxLength={100}
        />
        <button type="submit">{words.find}</button>
        {view.search !== '' && <a href={`${view.home}/worklist`}>{words.clear}</a>}
      </form>
    </search>
  );
}

/** Removes the special lists from a filter. */
const plainList = { ending: undefined, unwritten: undefined, sign: undefined } as const;

function Filters({ view }: { readonly view: WorklistView }): VNode {
  const { asked, counts, home, staff } = view;
  const link = (changes: Partial<ListFilter>, isOn: boolean, label: string) => (
    <a href={`${home}/worklist${queryText(asked, changes)}`} aria-current={isOn ? 'true' : undefined}>
      {label}
    </a>
  );
  const days = staff.site.worklist.endsSoonDays;
  const { mine, ending, unwritten, sign } = asked;
  return (
    <nav class="filters" aria-label="Filters">
      {(counts.toSign > 0 || sign !== undefined) &&
        link(
          { ...plainList, sign: sign === undefined ? '1' : undefined },
          sign !== undefined,
          `${words.toSign} (${some(counts.toSign)})`,
        )}
      {link({ mine: undefined, holder: undefined }, mine === undefined && asked.holder === undefined, words.all)}
      {link({ mine: '1', holder: undefined }, mine !== undefined, words.mine)}
      {link(
        { ...plainList, ending: ending === undefined ? '1' : undefined },
        ending !== undefined,
        `${words.ending(days)} (${some(counts.ending)})`,
      )}
      {link(
        { ...plainList, unwritten: unwritten === undefined ? '1' : undefined },
        unwritten !== undefined,
        `${words.unwritten} (${some(counts.unwritten)})`,
      )}
    </nav>
  );
}

function People({ view }: { readonly view: WorklistView }): VNode | null {
  const { counts, staffList, home, staff, asked } = view;
  if (counts.holders.every(({ holder }) => holder === staff.fhirUser)) return null;
  const nameOf = (holder: string | undefined) => {
    if (holder === undefined) return words.nobody;
    if (holder === staff.fhirUser) return words.you;
    const listed = staffList.find(({ fhirUser }) => fhirUser === holder)?.name;
    return listed ?? view.people[holder] ?? words.colleague;
  };
  return (
    <nav class="filters" aria-label={words.people}>
      <span class="quiet-text">{words.people}</span>
      {counts.holders.map(({ holder, count }) => {
        const value = holder ?? 'nobody';
        const isOn = asked.holder === value;
        const changes = { part: 'needs', mine: undefined, ...plainList } as const;
        return (
          <a
            key={value}
            href={`${home}/worklist${queryText(asked, { ...changes, holder: isOn ? undefined : value })}`}
            aria-current={isOn ? 'true' : undefined}
          >
            {nameOf(holder)} <span class="count">{some(count)}</span>
          </a>
        );
      })}
    </nav>
  );
}

function Did({ view }: { readonly view: WorklistView }): VNode | null {
  const { shown } = view;
  if (shown.view !== undefined) {
    const isDone = shown.view === 'saved' || shown.view === 'removed';
    return (
      <p class={isDone ? 'notice good' : 'notice'} role="status">
        {words.viewSaid[shown.view]}
      </p>
    );
  }
  if (shown.did === undefined) return null;
  const isNone = shown.done + shown.left === 0;
  return (
    <p class={isNone || shown.left > 0 ? 'notice' : 'notice good'} role="status">
      {isNone ? words.noneSelected : words.did(shown.did, shown.done, shown.left, toName(view))}
    </p>
  );
}

function toName({ shown: { to }, staffList, staff }: WorklistView): string {
  if (to === undefined) return words.noOwner;
  if (to === staff.fhirUser) return words.you;
  return staffList.find(({ fhirUser }) => fhirUser === to)?.name ?? words.colleague;
}

/** The lines in one form, so that several lines can be assigned or closed at once. */
function Together({ view }: { readonly view: WorklistView }): VNode {
  const { home, token, asked, search, staff } = view;
  const staffList = assignable(staff.site, view.staffList);
  if (!view.lines.some(({ acts }) => acts)) return <Lines view={view} />;
  const kept = Object.entries({ token, search, ...asked }).filter(([, value]) => value !== undefined && value !== '');
  return (
    <form method="post" action={`${home}/worklist`} class="together">
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <fieldset class="together-bar" aria-label={words.together}>
        {search === '' && (
          <a id="select-all" class="button quiet-button" href={`${home}/worklist${queryText(asked, {})}&all=1`}>
            {words.selectAll}
          </a>
        )}
        <details class="menu">
          <summary>{words.assignTo}</summary>
          <ul>
            {staffList.length === 0 && <li>{words.noColleagues}</li>}
            {staffList.map(({ fhirUser, name }) => (
              <li key={fhirUser}>
                <button type="submit" name="assign" value={fhirUser} class="quiet-button">
                  {name ?? fhirUser}
                </button>
              </li>
            ))}
            <li>
              <button type="submit" name="assign" value="" class="quiet-button">
                {words.unassign}
              </button>
            </li>
          </ul>
        </details>
        <button type="submit" name="close" value="1" class="quiet-button" title={words.closeHint}>
          {words.close}
        </button>
      </fieldset>
      <Lines view={view} />
    </form>
  );
}

function Lines({ view }: { readonly view: WorklistView }): VNode {
  const { columns } = words;
  const waits = view.asked.part === 'needs' ? columns.waits : columns.status;
  const since = isDecided(view) ? words.decided : words.since;
  return (
    <table class="worklist">
      <thead>
        <tr>
          {[columns.patient, columns.drug, words.by, waits, since, words.owner].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {view.lines.map((line) => (
          <Row key={line.row.case} line={line} view={view} />
        ))}
      </tbody>
    </table>
  );
}

/** Whether the list has decided lines only. */
function isDecided({ asked, search }: WorklistView): boolean {
  return search === '' && asked.part === 'decided' && asked.unwritten === undefined && asked.sign === undefined;
}

function Row({ line, view }: { readonly line: Line; readonly view: WorklistView }): VNode {
  const { row, patient = words.restricted, drug, payer = '' } = line;
  const by = byText({ ...row, line: row.line.value() }, view.staff.site, view.today);
  const kind = row.kind === 'prior-auth' ? '' : kindText(row.kind);
  const waits = waitsText(row, line);
  const since = row.part === 'decided' ? decidedText(row, view.staff.site) : agoText(row.since, view.now);
  const own = `${view.home}/worklist/${row.case}`;
  return (
    <tr>
      <th scope="row">
        {line.acts && (
          <input
            type="checkbox"
            name="case"
            value={row.case}
            aria-label={words.select(drug, patient, [kind, payer, by, waits, since])}
            checked={view.shown.all !== undefined}
          />
        )}
        <a href={own}>{patient}</a>
      </th>
      <td>
        {drug}
        {kind !== '' && <span class="kind">{kind}</span>}
        {payer !== '' && <span class="payer">{payer}</span>}
      </td>
      <td data-label={by === '' ? undefined : words.by}>{by}</td>
      <td>
        <span class={`badge tone-${toneOf(row, row.line.value())}`}>{waits}</span>
        {row.unwritten && row.waits !== 'unwritten' && <LackBadge lacks={line.lacks} />}
        {line.signs && (
          <a class="act" href={`${view.home}/sign/${row.case}`}>
            {words.sign}
            <span class="hidden">: {drug}</span>
          </a>
        )}
        {line.closes && (
          <a class="act" href={own}>
            {words.close}
            <span class="hidden">: {drug}</span>
          </a>
        )}
        {line.sendsAgain && (
          <a class="act" href={`${own}/again`}>
            {words.sendAgain}
            <span class="hidden">: {drug}</span>
          </a>
        )}
        {line.next !== undefined && (
          <a class="act" href={`${view.home}/worklist/${line.next}`}>
            {denial.openStarted}
            <span class="hidden">: {drug}</span>
          </a>
        )}
      </td>
      <Since row={row} view={view} />
      <td data-label={words.owner}>{line.isYours ? words.you : (line.holder ?? words.nobody)}</td>
    </tr>
  );
}

/**
 * How long a line has waited. Nobody waits for a decided line, so the list of decided lines shows the day of the
 * decision.
 */
function Since({ row, view }: { readonly row: Line['row']; readonly view: WorklistView }): VNode {
  if (row.part !== 'decided') return <td data-label={words.since}>{agoText(row.since, view.now)}</td>;
  return isDecided(view) ? <td data-label={words.decided}>{decidedText(row, view.staff.site)}</td> : <td />;
}

function TakenOver({ line, view }: { readonly line: Line; readonly view: WorklistView }): VNode {
  return (
    <form method="post" action={`${view.home}/worklist/${line.row.case}`} class="notice taken">
      <input type="hidden" name="token" value={view.token} />
      <p role="status">{words.tookOver(line.takenBy ?? 'A colleague', line.drug)}</p>
      <button type="submit" name="action" value="seen" class="quiet-button">
        {words.seen}
        <span class="hidden">: {words.seenOf(line.drug, line.patient ?? words.restricted)}</span>
      </button>
    </form>
  );
}

function Paging({ view }: { readonly view: WorklistView }): VNode | null {
  const { asked, next, search, home, token } = view;
  if (next === undefined && asked.after === undefined) return null;
  if (search !== '')
    return (
      <form method="post" action={`${home}/worklist`} class="paging">
        {Object.entries({ token, part: asked.part, search }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {next !== undefined && (
          <button type="submit" name="after" value={next} class="quiet-button">
            {words.more}
          </button>
        )}
      </form>
    );
  return (
    <nav class="paging" aria-label="Pages">
      {asked.after !== undefined && <a href={`${home}/worklist${queryText(asked, {})}`}>{words.first}</a>}
      {next !== undefined && (
        <a class="button quiet-button" href={`${home}/worklist${queryText(asked, { after: next })}`}>
          {words.more}
        </a>
      )}
    </nav>
  );
}

function noneText({ asked, search }: WorklistView): string {
  if (search !== '') return words.none.search;
  if (asked.sign !== undefined) return words.none.sign;
  if (asked.ending !== undefined) return words.none.ending;
  return asked.unwritten === undefined ? words.none[asked.part] : words.none.unwritten;
}
