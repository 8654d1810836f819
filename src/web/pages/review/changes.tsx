import type { VNode } from 'preact';
import { dateOrText } from '../../../core/fhir/time/day-text.ts';
import { plural } from '../../request/field-words.ts';
import { anchorOf, type SectionSpec } from '../../request/labels.ts';
import type { LeafChange } from '../../request/leaves.ts';
import { fullNameOf } from '../../request/print/shown-request.ts';
import type { RulesChange } from '../../request/rules-change.ts';

interface ChangedValuesProps {
  readonly changes: readonly LeafChange[];
  readonly sections: readonly SectionSpec[];
  readonly noteOf?: (change: LeafChange) => string | undefined;
}

export function ChangedValues({ changes, sections, noteOf }: ChangedValuesProps): VNode {
  return (
    <ul>
      {changes.map((change) => (
        <li key={change.target}>
          <a href={`#${anchorOf(change.target, sections)}`}>{fullNameOf(change.target, sections)}</a>:{' '}
          {change.before === undefined ? 'nothing' : <q>{dateOrText(change.before)}</q>} became{' '}
          {change.after === undefined ? 'nothing' : <q>{dateOrText(change.after)}</q>}
          {noteOf?.(change)}
        </li>
      ))}
    </ul>
  );
}

/** Says that new rules have filled the draft again, and lists the changes until a person has reviewed them. */
export function NewRules({
  change: { changes },
  sections,
}: {
  readonly change: RulesChange;
  readonly sections: readonly SectionSpec[];
}): VNode {
  return (
    <div class="notice bad" role="alert" id="new-rules" tabIndex={-1}>
      <h2>The rules that fill this request have changed</h2>
      <p>
        Since somebody last worked on it, the bridge was updated or set up in another way. The request was filled again
        from the chart; everything that was entered or chosen is kept. Look through it before you continue to send.
      </p>
      {changes === undefined && <p>It is not known which values changed: nobody has looked at it before.</p>}
      {changes?.length === 0 && <p>No value changed.</p>}
      {changes !== undefined && changes.length > 0 && (
        <>
          <p>{plural(changes.length, 'value is', 'values are')} not as before:</p>
          <ChangedValues changes={changes} sections={sections} />
        </>
      )}
    </div>
  );
}
