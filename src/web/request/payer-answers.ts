import { createHash } from 'node:crypto';
import { type Carried, type Entries, type SheetEntries, type User, userText } from '../../cases/case.ts';
import { type ChangedLeaf, withChangedLeaves } from '../../core/answers/changed-leaves.ts';
import { type JudgedCriterion, judgeCriteria, namesBy } from '../../core/answers/criteria/criteria.ts';
import { type AnswerLine, goesByItself, linesOfSheet, unanswered } from '../../core/answers/lines.ts';
import { withAnswers } from '../../core/answers/request-parts.ts';
import { answersSheet, type Sheet, type Statement, withStatements } from '../../core/answers/sheet.ts';
import { type CellName, cellNames } from '../../core/contract/answers-sheet.ts';
import { BridgeError } from '../../core/errors.ts';
import type { MappingResult } from '../../core/mapping/result.ts';
import { hasPlace } from '../../core/mapping/schema.ts';
import { rolesFor } from '../../core/roles/roles-for.ts';
import { chartUnder } from '../../core/roles/select.ts';
import type { Launch } from '../../ehr/smart/types.ts';
import type { Deps } from '../http/deps.ts';
import { cached } from './cached.ts';
import type { Draft } from './draft.ts';
import { type Form, textOf } from './form.ts';
import { targetOf } from './kind-pages.ts';

/** The answers to the payer's questions, for the pages of a request and for sending. */
export interface PayerAnswers {
  /** Includes persons' statements. */
  readonly sheet: Sheet;
  readonly lines: readonly PayerLine[];
  /** Whether the answers are sent with the request. */
  readonly goes: boolean;
  /** Cells without an answer in the chart. */
  readonly open: readonly CellName[];
  /** Tests that payers ask about for the drug and that the chart lacks. */
  readonly missingTests: readonly string[];
  /** The site's criteria for this request, judged by the chart. */
  readonly criteria: readonly JudgedCriterion[];
}

/** A line, and whether it is selected. */
export interface PayerLine extends AnswerLine {
  /** Identifies it in forms and in the case. */
  readonly key: string;
  readonly isTicked: boolean;
}

/** Undefined for a request about which payers ask nothing. */
export function payerAnswersOf(deps: Deps, launch: Launch, draft: Draft): PayerAnswers | undefined {
  if (draft.kind !== 'prior-auth') return undefined;
  const { sheet: entries = {} } = draft.case;
  const read = readSheet(deps, launch, draft);
  const sheet = withStatements(read.sheet, entries.statements ?? []);
  const { evidence } = launch.site;
  const lines = read.lines.map((line) => ({ ...line, isTicked: isTicked(line, entries, evidence) }));
  return {
    sheet,
    lines,
    goes: answersGo(launch, draft),
    open: unanswered(sheet),
    missingTests: (sheet.cell('tests').value?.missing ?? []).flatMap((name) => name ?? []),
    criteria: criteriaOf(deps, launch, draft, { sheet, lines }),
  };
}

/** Whether the answers are sent: a person's choice, else the site's policy. */
export function answersGo({ site }: Launch, { case: { sheet } }: Pick<Draft, 'case'>): boolean {
  return sheet?.goes ?? site.evidence === 'suggested';
}

/**
 * The chart's answers: they depend on the reading, on a person's choices from the chart, and on the site. A line that
 * contradicts a value which a person changed in the request says so.
 */
export function readSheet(deps: Deps, { site }: Launch, draft: Draft) {
  const { order, chart, pull } = draft;
  const { answers } = draft.case;
  const { mappings, clock } = deps;
  const mapping = mappings.answers[site.mappings.answers];
  if (mapping === undefined)
    throw new BridgeError('mapping_invalid', { site: site.id, mapping: site.mappings.answers });
  const by = JSON.stringify([site, answers.coverage, answers.diagnoses]);
  const read = cached(pull, { name: `answers|${order}`, by, now: clock() }, () => {
    const sheet = answersSheet(mapping, chartUnder(chart, rolesFor(mappings, site.mappings.answers)));
    return { sheet, lines: linesOfSheet(sheet).map((line) => ({ ...line, key: keyOf(line.id) })) };
  });
  const lines = withChangedLeaves(read.lines, changedLeavesOf(draft));
  return { ...read, lines: lines.map((line) => ({ ...line, key: keyBeside(line, draft) })) };
}

// A check of a line that contradicts the request holds only for the values that the request has now.
function keyBeside({ id, key, changed }: AnswerLine & { readonly key: string }, { values }: Draft): string {
  if (changed === undefined) return key;
  return keyOf(JSON.stringify([id, ...changed.map((target) => [target, values.get(target) ?? null])]));
}

function changedLeavesOf({ chartResult, chartValues, values }: Draft): readonly ChangedLeaf[] {
  const targets = [...chartValues].flatMap(([target, value]) => (values.get(target) === value ? [] : [target]));
  if (targets.length === 0) return [];
  const sources = new Map(chartResult.provenance.map(({ target, source }) => [target, source]));
  return targets.map((target) => ({ target, source: sources.get(target) }));
}

/** Identifies a line in forms. */
export function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 12);
}

// At some sites a person must check every line.
function isTicked(
  line: AnswerLine & { readonly key: string },
  { lines = {} }: SheetEntries,
  evidence: Launch['site']['evidence'],
): boolean {
  const isProposed = evidence !== 'each' && goesByItself(line);
  return line.texts.length > 0 && (lines[line.key] ?? isProposed);
}

/** The answers that are sent with the request; undefined, without computing them, if none are. */
export function goingAnswersOf(deps: Deps, launch: Launch, draft: Draft): PayerAnswers | undefined {
  return answersGo(launch, draft) ? payerAnswersOf(deps, launch, draft) : undefined;
}

/** The cells with an answer that is not sent because it contradicts what a person changed in the request. */
export function cellsLeftByChange(going: PayerAnswers | undefined): readonly CellName[] {
  const left = (going?.lines ?? []).filter(({ isTicked, changed }) => !isTicked && changed !== undefined);
  return [...new Set(left.map(({ cell }) => cell))];
}

/** The number of sensitive lines that are sent. */
export function sensitiveGoing(going: PayerAnswers | undefined): number {
  return (going?.lines ?? []).filter(({ isTicked, sensitive }) => isTicked && sensitive !== undefined).length;
}

/** The request to send, including the answers that a person adds. */
export function withPayerAnswers(
  { result, provenance, schema, chart }: Draft,
  going: PayerAnswers | undefined,
): MappingResult<unknown> {
  const own = { ...result, provenance: [...provenance.values()] };
  if (going === undefined) return own;
  const { sheet, lines } = going;
  return withAnswers(own, sheet, {
    form: hasPlace(schema, ['questionnaires']) ? 'questionnaires' : 'evidence',
    day: chart.today ?? '',
    ...pickedIn(lines),
  });
}

function pickedIn(lines: readonly PayerLine[]) {
  const idsOf = (isMeant: (line: PayerLine) => boolean) => new Set(lines.filter(isMeant).map(({ id }) => id));
  return {
    ticked: idsOf(({ isTicked, sensitive }) => isTicked && sensitive !== undefined),
    leftOut: idsOf(({ isTicked }) => !isTicked),
  };
}

function criteriaOf(
  { mappings }: Deps,
  { site }: Launch,
  { values, chart }: Draft,
  { sheet, lines }: Pick<PayerAnswers, 'sheet' | 'lines'>,
): JudgedCriterion[] {
  const rows = mappings.criteria?.[site.id] ?? [];
  if (rows.length === 0) return [];
  return judgeCriteria(rows, sheet, {
    payer: String(values.get(targetOf('prior-auth', 'payer') ?? '') ?? ''),
    drug: sheet.cell('dose').value?.drug ?? '',
    isNamed: namesBy(mappings.answerKnowledge),
    day: chart.today ?? '',
    ticked: pickedIn(lines).ticked,
  });
}

/**
 * The names of a form's fields: the boxes, and hidden fields with the lines that the page showed and the lines that
 * were checked at that time.
 */
export const answerNames = {
  goes: 'answers',
  /** The keys of all lines on the page; in `ticked`, the keys of the checked lines. */
  lines: 'answer-lines',
  ticked: 'o.answer-lines',
  line: (key: string) => `answer.${key}`,
  said: (cell: CellName) => `said.${cell}`,
  use: 'use',
  /** Marks a page that shows the lines. */
  shown: 'answers-shown',
} as const;

/**
 * The form's changes to the answers: only what the person changed on the page. Newly typed text is attributed to its
 * author at the current time. So is text carried over from an earlier request, when a person accepts it.
 */
export function sheetEntriesOf(
  form: Form,
  { sheet = {}, carried }: Pick<Entries, 'sheet' | 'carried'>,
  { user, at }: { readonly user: User; readonly at: string },
): Pick<Entries, 'sheet'> {
  if (!(`o.${answerNames.goes}` in form)) return {};
  const isChecked = (name: string) => textOf(form, name) !== '';
  const isToggled = isChecked(answerNames.goes) !== isChecked(`o.${answerNames.goes}`);
  const ticked = keysIn(form, answerNames.ticked);
  const changed = keysIn(form, answerNames.lines)
    .map((key) => [key, isChecked(answerNames.line(key))] as const)
    .filter(([key, isNow]) => isNow !== ticked.includes(key));
  return {
    sheet: {
      ...sheet,
      ...(isToggled ? { goes: isChecked(answerNames.goes) } : {}),
      lines: { ...sheet.lines, ...Object.fromEntries(changed) },
      statements: statementsOf(form, { sheet, carried }, { by: userText(user), at }),
    },
  };
}

function statementsOf(
  form: Form,
  { sheet, carried }: { readonly sheet: SheetEntries; readonly carried: Carried | undefined },
  now: Pick<Statement, 'by' | 'at'>,
): Statement[] {
  return cellNames.flatMap((cell): Statement[] => {
    const before = sheet.statements?.find((one) => one.cell === cell);
    const offered = carried?.statements?.find((one) => one.cell === cell);
    const isUsed = textOf(form, answerNames.use) === cell && offered !== undefined;
    const text = isUsed ? offered.text : saidIn(form, cell);
    if (text === undefined || text === before?.text) return before === undefined ? [] : [before];
    return text === '' ? [] : [{ cell, text, ...now }];
  });
}

// Undefined if the person changed nothing here.
function saidIn(form: Form, cell: CellName): string | undefined {
  const name = answerNames.said(cell);
  // A browser sends each line end as two characters.
  const [text, before] = [name, `o.${name}`].map((one) => textOf(form, one).replaceAll('\r\n', '\n'));
  return !(name in form) || text === before ? undefined : text;
}

function keysIn(form: Form, name: string): string[] {
  return textOf(form, name)
    .split(' ')
    .filter((key) => key !== '');
}
