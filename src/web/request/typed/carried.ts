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

/** What a new request for the same order takes over from an earlier request, and what has changed since. */
export interface Carried {
  readonly entries: Entries;
  /** Statements that are only offered, because the chart now answers their questions. */
  readonly offered: readonly Statement[];
  /** Titles of the documents that are attached again. */
  readonly documents: readonly string[];
  /** Documents that the chart suggests and that the earlier request did not have. */
  readonly suggested: readonly { readonly reference: string; readonly label: string }[];
  /** What is not taken over, in sentences. */
  readonly dropped: readonly string[];
  /** Values that differ from the earlier request. */
  readonly changes: readonly LeafChange[];
  /** The new request as it would be opened. */
  readonly draft: Draft;
}

type Earlier = Case & RequestContent;

/**
 * Applies the entries and choices of an ended request to the present chart. Nothing is stored. Chosen documents are
 * searched in the chart again; documents that are gone or now sensitive are dropped.
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

// People typed these statements because the chart had no answer. If the chart has one now, it may contradict them.
function statedAgain(statements: readonly Statement[] = [], open: readonly CellName[] = []) {
  const { kept, offered } = Object.groupBy(statements, ({ cell }) => (open.includes(cell) ? 'kept' : 'offered'));
  return { kept, offered };
}

// Lines that a person left out stay out. Lines that need a person's choice must be chosen again.
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

// The title that a document had in the earlier request, found by the source of its content.
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

// A case that is never stored, because mapping a draft needs a case.
export function asDraft(earlier: Earlier, entries: Entries): Editable {
  const { id, kind, site, patient, order, launch, banner, title, createdAt, updatedAt } = earlier;
  return {
    ...{ id, kind, site, patient, order, launch, banner, title, createdAt, updatedAt },
    ...{ state: 'draft', attempt: 0, version: 0, unwritten: false },
    ...{ requests: [], others: [], events: [], history: [], writes: [] },
    ...entries,
  } as const;
}
