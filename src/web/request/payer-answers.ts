import { createHash } from 'node:crypto';
import { type Carried, type Entries, type SheetEntries, type User, userText } from '../../cases/case.ts';
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

/** The answers to the payer's questions, as the pages of a request show and send them. */
export interface PayerAnswers {
  /** With what persons stated. */
  readonly sheet: Sheet;
  readonly lines: readonly PayerLine[];
  /** Whether they go with the request. */
  readonly goes: boolean;
  /** Cells that the chart does not answer. */
  readonly open: readonly CellName[];
  /** Tests that are asked for with the drug and that the chart lacks. */
  readonly missingTests: readonly string[];
  /** What the chart says of the site's criteria that are about this request. */
  readonly criteria: readonly JudgedCriterion[];
}

/** A line with its tick. */
export interface PayerLine extends AnswerLine {
  /** Names it in forms and in the case. */
  readonly key: string;
  readonly isTicked: boolean;
}

/** Undefined for a request that payers ask nothing about. */
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

/** Whether the answers go: as a person said, else as the site's policy has it. */
export function answersGo({ site }: Launch, { case: { sheet } }: Pick<Draft, 'case'>): boolean {
  return sheet?.goes ?? site.evidence === 'suggested';
}

/**
 * What the chart says. It depends on the reading, on what a person chose of the chart, and on the site, not on what is
 * typed in fields.
 */
export function readSheet(deps: Deps, { site }: Launch, { order, chart, pull, case: { answers } }: Draft) {
  const { mappings, clock } = deps;
  const mapping = mappings.answers[site.mappings.answers];
  if (mapping === undefined)
    throw new BridgeError('mapping_invalid', { site: site.id, mapping: site.mappings.answers });
  const by = JSON.stringify([site, answers.coverage, answers.diagnoses]);
  return cached(pull, { name: `answers|${order}`, by, now: clock() }, () => {
    const sheet = answersSheet(mapping, chartUnder(chart, rolesFor(mappings, site.mappings.answers)));
    return { sheet, lines: linesOfSheet(sheet).map((line) => ({ ...line, key: keyOf(line.id) })) };
  });
}

/** Names a line in forms. */
export function keyOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 12);
}

// At some sites a person ticks every line.
function isTicked(
  line: AnswerLine & { readonly key: string },
  { lines = {} }: SheetEntries,
  evidence: Launch['site']['evidence'],
): boolean {
  const isProposed = evidence !== 'each' && goesByItself(line);
  return line.texts.length > 0 && (lines[line.key] ?? isProposed);
}

/** The answers that go with the request; undefined, and not worked out, where none do. */
export function goingAnswersOf(deps: Deps, launch: Launch, draft: Draft): PayerAnswers | undefined {
  return answersGo(launch, draft) ? payerAnswersOf(deps, launch, draft) : undefined;
}

/** How many sensitive lines go. */
export function sensitiveGoing(going: PayerAnswers | undefined): number {
  return (going?.lines ?? []).filter(({ isTicked, sensitive }) => isTicked && sensitive !== undefined).length;
}

/** The request as it goes: with the answers that a person sends along. */
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

/** What is in the form of a page beside the boxes themselves: what it showed, and what was ticked then. */
export const answerNames = {
  goes: 'answers',
  /** Keys of all lines of the page, and of those that were ticked. */
  lines: 'answer-lines',
  ticked: 'o.answer-lines',
  line: (key: string) => `answer.${key}`,
  said: (cell: CellName) => `said.${cell}`,
  use: 'use',
  /** That the page shows the lines. */
  shown: 'answers-shown',
} as const;

/**
 * What a form changes of the answers: only what the person changed on the page. A text that is typed anew is stated by
 * who types it, now; one of an earlier request becomes so when a person takes it.
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

// Undefined when the person changed nothing here.
function saidIn(form: Form, cell: CellName): string | undefined {
  const name = answerNames.said(cell);
  // A browser sends each end of a line as two characters.
  const [text, before] = [name, `o.${name}`].map((one) => textOf(form, one).replaceAll('\r\n', '\n'));
  return !(name in form) || text === before ? undefined : text;
}

function keysIn(form: Form, name: string): string[] {
  return textOf(form, name)
    .split(' ')
    .filter((key) => key !== '');
}
