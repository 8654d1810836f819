/**
 * The core, with which another project reads and maps charts. It does no input or output and uses neither clock nor
 * network; its only packages are zod and date-fns.
 *
 * @packageDocumentation
 */

export { withAnswers } from './core/answers/request-parts.ts';
export {
  answersSheet,
  type Cell,
  type CellState,
  type Place,
  type Sheet,
  type Statement,
} from './core/answers/sheet.ts';
export { type AnswersSheet, type CellName, cellNames, personCells } from './core/contract/answers-sheet.ts';
export { type DrugKnowledge, type DrugNameRow, drugKnowledge } from './core/drug/drug-knowledge.ts';
export { BridgeError, type ErrorCode } from './core/errors.ts';
export { type BundleIssue, type Entry, type PlacedEntry, type ReadBundle, readBundle } from './core/fhir/bundle.ts';
export type { ImageReading, Readings, TextReading } from './core/fhir/documents/readings.ts';
export { type ChartResources, type Graph, indexChart } from './core/fhir/references/graph.ts';
export type { Refusal } from './core/fhir/references/refusals.ts';
export {
  type CaseDifference,
  type CaseExpectation,
  compareCase,
  type ExpectedGap,
  type ExpectedSource,
} from './core/mapping/compare-case.ts';
export type { MappingInput, Node, Question, Root } from './core/mapping/input.ts';
export type {
  Edits,
  Gap,
  Look,
  MappingResult,
  Option,
  Provenance,
  RefusedValue,
  Severity,
  Source,
} from './core/mapping/result.ts';
export { type RunOptions, runMapping } from './core/mapping/run/run.ts';
export {
  type Advice,
  type Advising,
  defineMapping,
  type ExtendingRules,
  extendMapping,
  type Mapping,
  type MappingOptions,
  overlay,
} from './core/mapping/words/define.ts';
export {
  type Beside,
  type Concat,
  type Constant,
  concat,
  constant,
  type DeepPartial,
  type Each,
  type EachValue,
  each,
  type Follows,
  type From,
  firstOf,
  following,
  from,
  offering,
  omit,
  type PartialRules,
  type Rules,
  single,
  type Table,
  type Transform,
  type Transformed,
  type Within,
  within,
} from './core/mapping/words/rules.ts';
export { byTable, lookUp, oneRow, withRows } from './core/mapping/words/table.ts';
export { type AgreeSource, agree, readBy, sameNumber, sameValue } from './core/roles/agree.ts';
export type { Answers, Candidate, Chart, Choice } from './core/roles/chart.ts';
export {
  all,
  any,
  blank,
  by,
  type Clause,
  coded,
  ended,
  future,
  has,
  labelled,
  last,
  latest,
  lowest,
  namedBy,
  namedDraft,
  not,
  oneOf,
  only,
  otherDose,
  otherDrug,
  type Preference,
  pointsAt,
  pointsOnlyAt,
  pointsToSame,
  refusedBy,
  sameAs,
  says,
  sensitive,
  twoDirections,
  undated,
  unmarked,
  unreadModifier,
  uses,
  when,
} from './core/roles/clauses.ts';
export { computed, type Derived, derive } from './core/roles/computed.ts';
export { defineRoles, type RoleOptions, type RoleTable } from './core/roles/define.ts';
export type { Facts } from './core/roles/facts.ts';
export type { Filled } from './core/roles/filled.ts';
export { type MapOptions, type MappedBundle, type MappedOrder, mapChart } from './core/roles/map-chart.ts';
export type { AnswerPolicy, SitePolicy } from './core/roles/policy.ts';
export { reasons } from './core/roles/reasons.ts';
export { overlayRoles, type RoleChange, type RoleChanges } from './core/roles/role-change.ts';
export {
  type CandidateOrder,
  type ChartRequest,
  candidateOrders,
  chartUnder,
  selectChart,
} from './core/roles/select.ts';
export {
  type AskWhen,
  advises,
  ask,
  asksBetween,
  blocks,
  choose,
  doubts,
  every,
  first,
  follow,
  given,
  joined,
  leave,
  own,
  pick,
  type RoleRule,
  type RoleRules,
  type Tie,
  together,
  warn,
} from './core/roles/words.ts';
