import type { VNode } from 'preact';
import { type Case, type User, userText } from '../../../cases/case.ts';
import { assignable } from '../../http/rights.ts';
import { Heading } from '../../ui/heading.tsx';
import { timelineOf } from '../case/case-timeline.ts';
import { TimelineCard } from '../case/timeline.tsx';
import { Notes } from './notes.tsx';
import { StaffPage } from './staff-page.tsx';
import { agoText, kindText, toneOf, waitsText, lineWords as words } from './words.ts';
import type { WorklistCaseView } from './worklist-case-view.ts';
import { WaitingQuestions } from './worklist-question.tsx';
import { LineStanding } from './worklist-standing.tsx';

/** A case without its chart: its status, the next step, who works on it, and its events. */
export function WorklistCasePage({ view }: { readonly view: WorklistCaseView }): VNode {
  const { staff, home, one, row } = view;
  const chart = `/sign-in?${new URLSearchParams({ site: staff.site.id, to: 'chart', case: row.case })}`;
  return (
    <StaffPage view={view} title={words.title} banner={one?.banner} assets={['case.css', 'worklist.js']}>
      <p class="crumb">
        <a href={`${home}/worklist`}>{words.back}</a>
      </p>
      {view.isSaved && (
        <p class="notice good" role="status">
          {words.saved}
        </p>
      )}
      <Heading title={row.line.value().drug}>{kindText(row.kind)}</Heading>
      {one === undefined && <Restricted view={view} chart={chart} />}
      {one !== undefined && (
        <WaitingQuestions one={one} staff={staff} questions={view.questions} sees={view.acts.sees} />
      )}
      {one !== undefined && <LineStanding view={view} one={one} chart={chart} />}
      {one !== undefined && <Documents view={view} one={one} />}
      {one !== undefined && <People view={view} one={one} />}
      {one !== undefined && <Notes one={one} at={{ ...view, zone: staff.site.timeZone, adds: true }} />}
      {one !== undefined && (
        <TimelineCard
          timeline={timelineOf(one, staff.site.service.timeZone)}
          zone={staff.site.timeZone}
          withNotes={view.acts.sees}
        />
      )}
    </StaffPage>
  );
}

function Restricted({ view: { row, now }, chart }: { readonly view: WorklistCaseView; readonly chart: string }): VNode {
  return (
    <section class="card">
      <p>
        <span class={`badge tone-${toneOf(row, row.line.value())}`}>{waitsText(row, row.line.value())}</span>{' '}
        {row.part !== 'decided' && <span class="quiet-text">{agoText(row.since, now)}</span>}
      </p>
      <p class="notice">{words.restricted}</p>
      <p>
        <a class="button" href={chart}>
          {words.next.other}
        </a>
      </p>
    </section>
  );
}

function Documents({ view, one }: PartProps): VNode | null {
  const { files, home, acts } = view;
  const id = 'serviceId' in one ? one.serviceId : undefined;
  if (files.length === 0 && id === undefined) return null;
  return (
    <section class="card" aria-labelledby="documents">
      <h2 id="documents">{words.documents}</h2>
      {files.length > 0 && (
        <ul class="files">
          {files.map((name) => (
            <li key={name}>
              <a href={`${home}/worklist/${one.id}/${name}`} download>
                {words.files[name]} <span class="quiet-text">(PDF)</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {!acts.sees && <p>{words.documentsInChart}</p>}
      {id !== undefined && (
        <p class="quiet-text">
          {words.requestId}: {id}
        </p>
      )}
    </section>
  );
}

interface PartProps {
  readonly view: WorklistCaseView;
  readonly one: Case;
}

function People({ view, one }: PartProps): VNode {
  const { owner, assigned } = one;
  const who = (user: User | undefined) => (user?.fhirUser === view.staff.fhirUser ? words.you : nameOf(user));
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">{words.owner}</h2>
      <p>
        {assigned === undefined
          ? (who(owner) ?? words.nobody)
          : `${words.assigned(who(assigned) ?? '')} ${owner === undefined ? '' : words.ownedBefore(who(owner) ?? '')}`}
      </p>
      {view.acts.assigns ? <PeopleForm view={view} one={one} /> : <p class="hint">{words.notYours}</p>}
    </section>
  );
}

function PeopleForm({ view, one }: PartProps): VNode {
  const { row, staff, staffList = [] } = view;
  const isOwn = (one.assigned ?? one.owner)?.fhirUser === staff.fhirUser;
  const isLeftToDo = one.state === 'ended' && row.part === 'needs' && row.waits !== 'unwritten';
  return (
    <form method="post" action={`${view.home}/worklist/${one.id}`} class="people">
      <input type="hidden" name="token" value={view.token} />
      <label for="assign">{words.assignTo}</label>
      <select id="assign" name="to">
        <option value="">{words.nobody}</option>
        {assignable(staff.site, staffList).map(({ fhirUser, name }) => (
          <option key={fhirUser} value={fhirUser} selected={one.assigned?.fhirUser === fhirUser}>
            {name ?? fhirUser}
          </option>
        ))}
      </select>
      <div class="row-actions">
        <button type="submit" name="action" value="assign">
          {words.assign}
        </button>
        {!isOwn && view.acts.takes && (
          <button type="submit" name="action" value="take" class="quiet-button">
            {words.takeOver}
          </button>
        )}
        {isLeftToDo && (
          <button type="submit" name="action" value="done" class="quiet-button">
            {words.done}
          </button>
        )}
      </div>
    </form>
  );
}

function nameOf(user: User | undefined): string | undefined {
  return user === undefined ? undefined : userText(user);
}
