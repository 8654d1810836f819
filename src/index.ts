/**
 * The core: what another project reads charts and maps them with. It does no input or output and knows neither clock
 * nor network; of packages it loads zod and date-fns.
 *
 * @packageDocumentation
 */

// ------------------------------------------------------------------------------------------------ map a chart
export { type MapOptions, type MappedBundle, type MappedOrder, mapChart } from './chart/map-chart.ts';
export { type CandidateOrder, type ChartRequest, candidateOrders, selectChart } from './chart/select.ts';
export type { ImageReading, Readings, TextReading } from './documents/readings.ts';
export { BridgeError, type ErrorCode } from './errors.ts';
export { type BundleIssue, type Entry, type PlacedEntry, type ReadBundle, readBundle } from './fhir/bundle.ts';
// ------------------------------------------------------------------------------------------------ words of roles
export { type DrugKnowledge, type DrugNameRow, drugKnowledge } from './fhir/drug/knowledge.ts';
export { type ChartResources, type Graph, indexChart } from './fhir/graph.ts';
// ------------------------------------------------------------------------------------------------ words of a mapping
export type { Refusal } from './fhir/refusals.ts';
// ------------------------------------------------------------------------------------------------ results
export {
  type CaseDifference,
  type CaseExpectation,
  compareCase,
  type ExpectedGap,
  type ExpectedSource,
} from './mapping/compare-case.ts';
export type { MappingInput, Node, Question, Root } from './mapping/input.ts';
export type {
  Edits,
  Gap,
  Look,
  MappingResult,
  Option,
  Provenance,
  Refused,
  Severity,
  Source,
} from './mapping/result.ts';
export { type RunOptions, runMapping } from './mapping/run/run.ts';
export {
  type Advice,
  type Advising,
  defineMapping,
  type ExtendingRules,
  extendMapping,
  type Mapping,
  type MappingOptions,
  overlay,
} from './mapping/words/define.ts';
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
} from './mapping/words/rules.ts';
export { byTable, oneRow, rowOf, withRows } from './mapping/words/table.ts';
export { type AgreeSource, agree, readBy, sameNumber, sameValue } from './roles/agree.ts';
export type { Answers, Candidate, Chart, Choice } from './roles/chart.ts';
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
} from './roles/clauses.ts';
export { computed, type Derived, derive } from './roles/computed.ts';
export { defineRoles, type RoleOptions, type RoleTable } from './roles/define.ts';
export type { Facts } from './roles/facts.ts';
export type { Filled } from './roles/filled.ts';
export { overlayRoles, type RoleChange, type RoleChanges } from './roles/overlay.ts';
export type { SitePolicy } from './roles/policy.ts';
export { reasons } from './roles/reasons.ts';
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
} from './roles/words.ts';
