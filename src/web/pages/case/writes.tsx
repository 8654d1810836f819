import type { ComponentChildren, VNode } from 'preact';
import { type Case, isSent, type LedgerEntry, recordOf } from '../../../cases/case.ts';
import { letterStanding } from '../../../cases/letter-state.ts';
import type { Site } from '../../../config/config.ts';
import { presetOf } from '../../../config/presets/presets.ts';
import { type ErrorCode, errors } from '../../../core/errors.ts';
import { tried } from '../../../writeback/channel-plan.ts';
import { concernsStaff, isNotFound, letterInChart, wrongInChart } from '../../../writeback/ledger.ts';
import { Time } from '../../ui/time.tsx';
import { lackWords } from './chart-lack-words.ts';
import type { Documents } from './view.ts';
import { chart as words } from './words.ts';

/** The kind of resource that a row of the ledger stands for, as text. */
export function thingOf({ what }: LedgerEntry): string {
  return words.things[what] ?? what;
}

/** true if fetching the payer's letter has failed, so that only a person can retry it. */
export function isLetterGivenUp(one: Case): boolean {
  return letterStanding(recordOf(one), one.events).is === 'given-up';
}

/** Failed writes to the chart that only a person can retry. */
export function notSaved(one: Case): readonly LedgerEntry[] {
  return one.writes.filter((row) => row.state === 'failed' && concernsStaff(row));
}

function isSecondCopy({ what }: LedgerEntry): boolean {
  return what === 'double';
}

/** true if further automatic changes of the chart are expected. */
export function isBeingSaved(one: Case): boolean {
  const under = new Set(['planned', 'in_flight', 'unknown', 'waiting']);
  return one.unwritten || one.writes.some((row) => under.has(row.state) && concernsStaff(row));
}

interface SaveTroubleProps {
  readonly case: Case;
  readonly zone: string;
  readonly children: ComponentChildren;
}

/** Failed writes to the chart, and a payer's letter that could not be fetched. Shown at the top of the page. */
export function SaveTrouble({ case: one, zone, children }: SaveTroubleProps): VNode | null {
  const [copies, failed] = [notSaved(one).filter(isSecondCopy), notSaved(one).filter((row) => !isSecondCopy(row))];
  const letter = letterStanding(recordOf(one), one.events);
  if (failed.length === 0 && copies.length === 0 && letter.is !== 'given-up') return null;
  return (
    <div class="notice bad" role="alert">
      {failed.length > 0 && (
        <>
          <h3>
            {words.notSaved}: {[...new Set(failed.map(thingOf))].join(', ')}
          </h3>
          <p>{words.notSavedNext}</p>
        </>
      )}
      {copies.length > 0 && (
        <>
          <h3>{lackWords.secondCopyHeading}</h3>
          <p>{lackWords.secondCopy}</p>
        </>
      )}
      {letter.is === 'given-up' && (
        <>
          <h3>{words.missingLetter}</h3>
          <p>
            {words.stoppedTrying} <Time at={letter.at} zone={zone} />. {words.fetchOrFile}
          </p>
          <p class="quiet-text">
            {words.lastAnswer} {answerOf(letter.code)}
          </p>
        </>
      )}
      {children}
    </div>
  );
}

function answerOf(code: string): string {
  return Object.hasOwn(errors, code) ? errors[code as ErrorCode].title : code;
}

interface WritesProps {
  readonly case: Case;
  readonly site: Site;
  readonly here: string;
  readonly documents: Documents;
  readonly zone: string;
  /** true if the reader may mark a letter as wrong. */
  readonly acts: boolean;
}

/** The letters and the other resources, each with whether it is in the chart. */
export function Writes({ case: one, site, here, documents, zone, acts }: WritesProps): VNode {
  const all = linesOf(one, documents);
  const nothing = tried(site.writeback.channels).length === 0 ? words.nothingWritten(presetOf(site)?.name) : undefined;
  if (nothing !== undefined && all.length === 0) return <p>{nothing}</p>;
  if (all.length === 0) return <p>{isSent(one) ? words.nothingYet : words.beforeSending}</p>;
  return (
    <>
      {nothing !== undefined && <p>{nothing}</p>}
      <ul class="lines">
        {all.map(({ what, row, href }) => (
          <li class="line" key={`${what} ${row?.version}`}>
            <span class="name">{words.things[what]}</span>
            <div class="value">
              <span class={`badge tone-${isWrong(row) ? 'bad' : toneOf(row)}`}>{standsAs(row)}</span>
              {row !== undefined && (
                <span class="quiet-text">
                  {' '}
                  <Time at={row.at} zone={zone} />
                </span>
              )}
              {row !== undefined && acts && mayBeWrong(one, row) && !isWrong(row) && (
                <WrongLink here={here} row={row} />
              )}
            </div>
            {href === undefined || row?.state === 'retracted' ? (
              <span />
            ) : (
              <a href={href} download>
                {words.open}
                <span class="hidden">
                  {' '}
                  {words.things[what]} ({words.pdf})
                </span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface Line {
  readonly what: LedgerEntry['what'];
  /** undefined for a letter that only the bridge has. */
  readonly row: LedgerEntry | undefined;
  readonly href: string | undefined;
}

// The payer's own letter comes first, then the bridge's letter, then the rest.
function linesOf({ writes }: Case, { payerLetter, summary }: Documents): Line[] {
  const letters = [...letterLines('determination', writes, payerLetter), ...letterLines('document', writes, summary)];
  const rest = writes.filter((row) => row.what !== 'determination' && row.what !== 'document' && concernsStaff(row));
  return [...letters, ...rest.map((row) => ({ what: row.what, row, href: undefined }))];
}

function letterLines(what: LedgerEntry['what'], writes: readonly LedgerEntry[], href: string | undefined): Line[] {
  const rows = writes.filter((row) => row.what === what);
  if (rows.length > 0) return rows.map((row) => ({ what, row, href }));
  return href === undefined ? [] : [{ what, row: undefined, href }];
}

function isWrong(row: LedgerEntry | undefined): boolean {
  return row !== undefined && wrongInChart([row]).length > 0;
}

function standsAs(row: LedgerEntry | undefined): string {
  if (row === undefined) return words.keptHere;
  if (isWrong(row)) return lackWords.wrongThere;
  if (isSecondCopy(row) && row.state === 'failed') return lackWords.stillThere;
  return isNotFound(row) ? lackWords.cannotFind : words.writes[row.state];
}

function WrongLink({ here, row }: { readonly here: string; readonly row: LedgerEntry }): VNode {
  return (
    <p class="wrong">
      <a href={`${here}/wrong-letter?${new URLSearchParams({ reference: row.reference ?? '' })}`}>
        {words.wrong}
        <span class="hidden">: {thingOf(row)}</span>
      </a>
    </p>
  );
}

function toneOf(row: LedgerEntry | undefined): string {
  if (row?.state === 'done' || (row?.state === 'stored' && !isNotFound(row))) return 'good';
  return row?.state === 'failed' ? 'bad' : 'off';
}

/** true if a person may mark the resource as wrong, because it is a letter in the chart. */
export function mayBeWrong({ state, writes }: Case, { reference = '' }: LedgerEntry): boolean {
  return (state === 'open' || state === 'ended') && letterInChart(writes, reference) !== undefined;
}
