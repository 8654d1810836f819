import type { VNode } from 'preact';
import type { Entered } from '../../cases/case.ts';
import type { Provenance } from '../../core/mapping/result.ts';
import { originText } from '../request/field-words.ts';
import { Time } from './time.tsx';

/** The source of a value, or for an entry, who made it and when. */
export function OriginOf({
  provenance,
  enteredBy,
}: {
  readonly provenance: Provenance;
  readonly enteredBy: Entered | undefined;
}): VNode {
  const isEntered = provenance.kind === 'entered' && enteredBy?.at !== undefined;
  return (
    <>
      {originText(provenance, enteredBy)}
      {isEntered && ', '}
      {isEntered && <Time at={enteredBy.at} />}
    </>
  );
}
