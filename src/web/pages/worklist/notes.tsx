import type { VNode } from 'preact';
import { type Case, userText } from '../../../cases/case.ts';
import { isStaff } from '../../../ehr/smart/launch.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { opensWorklist } from '../../http/rights.ts';
import { Time } from '../../ui/time.tsx';
import { lineWords as words } from './words.ts';

interface NotesProps {
  readonly one: Pick<Case, 'id' | 'notes'>;
  readonly at: {
    /** `/app/<launch>` */
    readonly home: string;
    readonly token: string;
    readonly zone: string;
    /** true if the reader may write a note. */
    readonly adds: boolean;
  };
}

/**
 * Notes between colleagues about a request, with the form to add one. Every page of the request shows the same notes.
 */
export function Notes({ one: { id, notes = [] }, at: { home, token, zone, adds } }: NotesProps): VNode {
  return (
    <section class="card no-print" aria-labelledby="notes">
      <h2 id="notes" tabIndex={-1}>
        {words.notes}
      </h2>
      {notes.length === 0 && <p>{words.noNotes}</p>}
      <ul class="notes">
        {notes.map(({ at, by, text }, index) => (
          <li key={index}>
            {text}
            <small>
              {userText(by)}, <Time at={at} zone={zone} />
            </small>
          </li>
        ))}
      </ul>
      {adds && <NoteForm id={id} home={home} token={token} />}
    </section>
  );
}

function NoteForm({ id, home, token }: Pick<Case, 'id'> & Pick<NotesProps['at'], 'home' | 'token'>): VNode {
  return (
    <form method="post" action={`${home}/worklist/${id}`}>
      <input type="hidden" name="token" value={token} />
      <label for="note">{words.note}</label>
      <textarea id="note" name="text" maxLength={1000} required aria-describedby="note-hint" />
      <p class="hint" id="note-hint">
        {words.noteHint}
      </p>
      <button type="submit" name="action" value="note">
        {words.addNote}
      </button>
    </form>
  );
}

/** The notes on pages with an open chart. Only staff see them: the EHR may admit others to the chart. */
export function NotesOfChart({
  one,
  view: { launch, home, token },
}: Pick<NotesProps, 'one'> & {
  readonly view: { readonly launch: Launch; readonly home: string; readonly token: string };
}): VNode | null {
  if (!isStaff(launch.fhirUser)) return null;
  const adds = opensWorklist(launch);
  if (!adds && one.notes === undefined) return null;
  if (one.notes !== undefined) return <Notes one={one} at={{ home, token, zone: launch.site.timeZone, adds }} />;
  return (
    <details class="card no-print">
      <summary>{words.firstNote}</summary>
      <NoteForm id={one.id} home={home} token={token} />
    </details>
  );
}

/** A hint with a link that colleagues left notes, for pages that begin with tasks. */
export function NotesHint({
  one: { notes = [] },
  user,
}: Pick<NotesProps, 'one'> & { readonly user: string | undefined }): VNode | null {
  if (notes.length === 0 || !isStaff(user)) return null;
  return (
    <p class="notice no-print">
      <a href="#notes">{words.notesBelow(notes.length)}</a>
    </p>
  );
}
