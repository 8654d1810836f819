import type { Case, Editable, Entries, RequestContent, SheetEntries } from '../../../cases/case.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import type { Statement } from '../../../core/answers/sheet.ts';
import type { CellName } from '../../../core/contract/answers-sheet.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { again as words } from '../../pages/case/words.ts';
import type { Draft } from '../draft.ts';
import { changesBetween, type LeafChange, leavesOf } from '../leaves.ts';
import { draftOf } from '../open-draft.ts';
import { payerAnswersOf } from '../payer-answers.ts';
import { keptValues } from '../rules-change.ts';

/** Content that a new request for the same order takes from an earlier one, and the changes since. */
export interface Carried {
  readonly entries: Entries;
  /** Typed answers that the new request offers instead, since the chart answers their questions now. */
  readonly offered: readonly Statement[];
  /** Titles of the documents that are attached again. */
  readonly documents: readonly string[];
  /** Documents that the chart suggests and that were not attached. */
  readonly suggested: readonly { readonly reference: string; readonly label: string }[];
  /** Content that is not carried over, in sentences. */
  readonly dropped: readonly string[];
  /** Values that differ from the earlier request. */
  readonly changes: readonly LeafChange[];
  /** The new request as it would be. */
  readonly draft: Draft;
}

type Earlier = Case & RequestContent;

/**
 * Entries and selections of an ended request, applied to the current chart; nothing is stored. Selected documents are
 * searched again; those that are now gone or sensitive are dropped.
 */
export async function carriedFrom(deps: Deps, pulls: Pulls, launch: Launch, earlier: Earlier): Promise<Carried> {
  const { edits, answers, enteredFor, enteredBy, sheet } = earlier.entries;
  const ticked = answers.evidence ?? [];
  const draftWith = (entries: Entries) => draftOf(deps, pulls, { launch, case: asDraft(earlier, entries) });
  const bare = await draftWith({ edits, answers });
  const candidates = bare.chart.choice('evidence')?.candidates ?? [];
  const found = ticked.map((reference) => ({
    reference,
    candidate: candidates.find((one) => one.reference === reference && one.fits),
  }));
  const kept = found.filter(({ candidate }) => candidate !== undefined && candidate.sensitive === undefined);
  const lostCoverage = isGone(bare, answers.coverage);
  const { coverage: _, evidence: __, ...others } = answers;
  const { kept: stated = [], offered = [] } = statedAgain(sheet?.statements, payerAnswersOf(deps, launch, bare)?.open);
  const entries: Entries = {
    edits,
    answers: {
      ...others,
      ...(answers.coverage === undefined || lostCoverage ? {} : { coverage: answers.coverage }),
      ...(answers.evidence === undefined ? {} : { evidence: kept.map(({ reference }) => reference) }),
    },
    ...(enteredFor === undefined ? {} : { enteredFor }),
    ...(enteredBy === undefined ? {} : { enteredBy }),
    ...(sheet === undefined ? {} : { sheet: sheetAgain(sheet, stated) }),
  };
  const draft = await draftWith(entries);
  return {
    entries,
    offered,
    documents: kept.flatMap(({ candidate }) => candidate?.label ?? []),
    suggested: candidates
      .filter(({ fits, suggested, sensitive, reference }) => {
        return fits && suggested === true && sensitive === undefined && !ticked.includes(reference);
      })
      .map(({ reference, label }) => ({ reference, label })),
    dropped: [
      ...found.flatMap(({ reference, candidate }) => droppedText(earlier, reference, candidate, bare.pull.unread)),
      ...offered.map(({ cell }) => words.answeredNow(cellTexts[cell].question)),
      ...(lostCoverage ? [bare.pull.unread.includes('Coverage') ? words.coverageNotRead : words.coverage] : []),
    ],
    changes: changesOf(earlier, draft),
    draft,
  };
}

// A person typed these because the chart did not answer; its answer of today may contradict them.
function statedAgain(statements: readonly Statement[] = [], open: readonly CellName[] = []) {
  const { kept, offered } = Object.groupBy(statements, ({ cell }) => (open.includes(cell) ? 'kept' : 'offered'));
  return { kept, offered };
}

// A line that a person left out stays out. A line that goes only by a person's choice is chosen anew.
function sheetAgain({ goes, lines = {} }: SheetEntries, statements: readonly Statement[]): SheetEntries {
  const leftOut = Object.entries(lines).filter(([, isTicked]) => !isTicked);
  return { ...(goes === undefined ? {} : { goes }), lines: Object.fromEntries(leftOut), statements };
}

function isGone({ chart }: Draft, coverage: string | undefined): boolean {
  if (coverage === undefined) return false;
  return !(chart.choice('coverage')?.candidates ?? []).some(({ reference }) => reference === coverage);
}

function droppedText(
  earlier: Earlier,
  reference: string,
  candidate: { readonly label: string; readonly sensitive?: unknown } | undefined,
  unread: readonly string[],
): string[] {
  if (candidate === undefined) {
    const isUnread = unread.includes(reference.split('/')[0] ?? '');
    return [`${titleThen(earlier, reference)} ${isUnread ? words.notRead : words.gone}.`];
  }
  return candidate.sensitive === undefined ? [] : [`${candidate.label} ${words.sensitive}.`];
}

// Titles of documents in the earlier request, by the source of their content.
function titleThen({ provenance, body }: Earlier, reference: string): string {
  const place = provenance.find(
    ({ source, target }) => source?.resource === reference && target.startsWith('evidence'),
  );
  const item = /^evidence\[\d+\]/.exec(place?.target ?? '')?.[0];
  const title = item === undefined ? undefined : leavesOf(body).get(`${item}.title`);
  return title === undefined ? words.aDocument : String(title);
}

function changesOf(earlier: Earlier, draft: Draft): LeafChange[] {
  const values = (leaves: ReturnType<typeof leavesOf>) =>
    new Map(Object.entries(keptValues(leaves)).filter(([target]) => !/^(evidence|questionnaires)\b/.test(target)));
  return changesBetween(values(leavesOf(earlier.body)), values(draft.values));
}

// For display only: mapping a draft needs a case, and this one is not stored.
export function asDraft(earlier: Earlier, entries: Entries): Editable {
  const { id, kind, site, patient, order, launch, banner, title, createdAt, updatedAt } = earlier;
  return {
    ...{ id, kind, site, patient, order, launch, banner, title, createdAt, updatedAt },
    ...{ state: 'draft', attempt: 0, version: 0, unwritten: false },
    ...{ requests: [], others: [], events: [], history: [], writes: [] },
    ...entries,
  } as const;
}
