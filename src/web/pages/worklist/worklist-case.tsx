import type { VNode } from 'preact';
import { type Case, type User, userText } from '../../../cases/case.ts';
import type { QuestionRow } from '../../../core/answers/cells-for.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import type { StaffMember, WorklistRow } from '../../../store/types.ts';
import { LackBadge } from '../../ui/lack-badge.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { agoText, toneOf, waitsText, lineWords as words } from './words.ts';
import type { StaffVisit } from './worklist-access.ts';
import { WaitingQuestions } from './worklist-question.tsx';

export interface WorklistCaseView extends StaffVisit {
  readonly row: WorklistRow;
  /** Absent when the chart is restricted for this person. */
  readonly one?: Case;
  readonly staffList?: readonly StaffMember[];
  readonly mayAct: boolean;
  /** From a question to the cells that answer it. */
  readonly questions: readonly QuestionRow[];
  readonly isSaved: boolean;
  readonly now: Date;
}

/** One case from the store, without its chart: who works on it, notes, events, and the link to the chart. */
export function WorklistCasePage({ view }: { readonly view: WorklistCaseView }): VNode {
  const { staff, home, token, one, row } = view;
  const chart = `/sign-in?${new URLSearchParams({ site: staff.site.id, to: 'chart', case: row.case })}`;
  return (
    <Page
      title={words.title}
      session={staff}
      home={home}
      token={token}
      within="worklist"
      banner={one?.banner}
      assets={['worklist.css', 'worklist.js']}
    >
      <p>
        <a href={`${home}/worklist`}>{words.back}</a>
      </p>
      {view.isSaved && (
        <p class="notice good" role="status">
          {words.saved}
        </p>
      )}
      <section class="card" aria-labelledby="line">
        <h1 id="line">{row.line.value().drug}</h1>
        <p>
          <span class={`badge tone-${toneOf(row)}`}>{waitsText(row, row.line.value())}</span>{' '}
          {row.unwritten && row.waits !== 'unwritten' && <LackBadge lacks={row.line.value().lacks} />}{' '}
          <span class="quiet-text">{agoText(row.since, view.now)}</span>
        </p>
        {row.approvalEnd !== undefined && (
          <p>
            {words.approved} {dayText(row.approvalEnd)}
          </p>
        )}
        {one === undefined && <p class="notice">{words.restricted}</p>}
        <p>
          <a class="button" href={chart}>
            {words.openChart}
          </a>
        </p>
        <p class="hint">{words.openChartHint}</p>
      </section>
      {one !== undefined && view.mayAct && <WaitingQuestions one={one} staff={staff} questions={view.questions} />}
      {one !== undefined && <People view={view} one={one} />}
      {one !== undefined && <Notes view={view} one={one} />}
      {one !== undefined && (
        <section class="card" aria-labelledby="history">
          <h2 id="history">{words.history}</h2>
          <ol class="timeline">
            {one.history.toReversed().map(({ at, what, by }, index) => (
              <li key={index}>
                {what}
                <small>
                  {by === 'bridge' ? '' : `${userText(by)}, `}
                  <Time at={at} />
                </small>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Page>
  );
}

interface PartProps {
  readonly view: WorklistCaseView;
  readonly one: Case;
}

function People({ view, one }: PartProps): VNode {
  const { owner, assigned } = one;
  return (
    <section class="card" aria-labelledby="people">
      <h2 id="people">{words.owner}</h2>
      <p>
        {nameOf(owner) ?? words.nobody}
        {assigned !== undefined && `. ${words.assigned} ${nameOf(assigned)}.`}
      </p>
      {view.mayAct ? <PeopleForm view={view} one={one} /> : <p class="hint">{words.notYours}</p>}
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
        {staffList.map(({ fhirUser, name }) => (
          <option key={fhirUser} value={fhirUser} selected={one.assigned?.fhirUser === fhirUser}>
            {name ?? fhirUser}
          </option>
        ))}
      </select>
      <div class="row-actions">
        <button type="submit" name="action" value="assign">
          {words.assign}
        </button>
        {!isOwn && (
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

function Notes({ view, one }: PartProps): VNode {
  return (
    <section class="card" aria-labelledby="notes">
      <h2 id="notes">{words.notes}</h2>
      {one.notes === undefined && <p>{words.noNotes}</p>}
      <ul class="notes">
        {(one.notes ?? []).map(({ at, by, text }, index) => (
          <li key={index}>
            {text}
            <small>
              {nameOf(by)}, <Time at={at} />
            </small>
          </li>
        ))}
      </ul>
      <form method="post" action={`${view.home}/worklist/${one.id}`}>
        <input type="hidden" name="token" value={view.token} />
        <label for="note">{words.note}</label>
        <textarea id="note" name="text" maxLength={1000} required aria-describedby="note-hint" />
        <p class="hint" id="note-hint">
          {words.noteHint}
        </p>
        <button type="submit" name="action" value="note">
          {words.addNote}
        </button>
      </form>
    </section>
  );
}

function nameOf(user: User | undefined): string | undefined {
  return user === undefined ? undefined : userText(user);
}
