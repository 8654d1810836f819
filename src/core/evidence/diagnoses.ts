import type { CodeableConcept, Condition } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/codes/concept.ts';
import type { Located } from '../fhir/references/graph.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { dayText } from '../fhir/time/day-text.ts';
import { cite, citeFirst } from './cite.ts';
import { byNewest, clearestDate } from './dates.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import { excerptOf } from './excerpt.ts';
import { type Finding, presentReasons } from './finding.ts';
import type { Knowledge } from './knowledge.ts';
import type { Privacy } from './sensitive-reach.ts';

/** The patient's relevant diagnoses: conditions that are active, not refuted, and not stated as doubtful. */
export function diagnosisFindings(chart: EvidenceChart, { doubtWords }: Knowledge, privacy: Privacy): Finding[] {
  const reasons = reasonsOf(chart);
  return chart
    .mine('Condition')
    .filter(({ resource }) => isInPlay(resource) && !isDoubted(resource.code, doubtWords.words))
    .map((condition): Finding => {
      const { code, severity, onsetString } = condition.resource;
      const called = isNamed(condition, reasons) ? 'the order names it as its reason' : undefined;
      return {
        ...findingOf(condition),
        ...presentReasons({
          called,
          sensitive: privacy.of(condition, code, severity, onsetString),
          unjudged: privacy.unknown(code),
        }),
      };
    })
    .sort(byNewest(chart.today.timeZone));
}

function findingOf(condition: Located<Condition>): Finding {
  const { code, onsetDateTime, onsetPeriod, onsetString, recordedDate } = condition.resource;
  const label = meaningful(labelOf(code));
  const name = label ?? 'an unnamed condition';
  const onset = onsetDateTime ?? onsetPeriod?.start ?? meaningful(onsetString);
  return {
    kind: 'diagnosis',
    members: [condition],
    type: 'Diagnosis',
    title: `Diagnosis: ${name}`,
    ...(onset === undefined ? {} : { detail: `since ${excerptOf(dayText(onset))}` }),
    date: clearestDate(
      citeFirst(condition, { recordedDate }),
      citeFirst(condition, { onsetDateTime }),
      citeFirst(condition, { 'onsetPeriod.start': onsetPeriod?.start }),
    ),
    ...(label === undefined ? { unfit: 'it names no condition' } : {}),
    facts: () => ({
      source: cite(condition, condition.reference),
      name: cite(condition, name, code === undefined ? undefined : 'code'),
      condition: cite(condition, condition.resource),
    }),
  };
}

// Whether the condition is current and not refuted or merely suspected.
function isInPlay(condition: Condition): boolean {
  const { clinicalStatus, verificationStatus, category = [] } = condition;
  if (hasCode(verificationStatus, 'refuted', 'entered-in-error', 'differential')) return false;
  if (notInPlay.test(labelOf(verificationStatus) ?? '')) return false;
  if (clinicalStatus === undefined && hasAbated(condition)) return false;
  if (clinicalStatus !== undefined && !hasCode(clinicalStatus, 'active', 'recurrence', 'relapse')) return false;
  // Social needs such as work or housing are not diagnoses (US Core categories health-concern and sdoh).
  return !category.some((each) => hasCode(each, 'sdoh', 'health-concern'));
}

// For a status that has only text.
const notInPlay = /^\s*(?:refuted|ruled out|entered[ -]in[ -]error|differential)\s*$/i;

function isDoubted({ text, coding = [] }: CodeableConcept = {}, words: RegExp): boolean {
  // The display of a code that is not a disease may have words of doubt: Z32.00 "Possible pregnancy".
  if (coding.some(({ code }) => code?.startsWith('Z') === true)) return false;
  const said = text === undefined ? coding.map(({ display }) => display) : [text];
  return said.some((label) => label !== undefined && words.test(label));
}

// FHIR R4, Condition, constraint con-4: an abated condition is inactive, resolved or in remission.
function hasAbated(condition: Condition): boolean {
  const { abatementDateTime, abatementAge, abatementPeriod, abatementRange, abatementString } = condition;
  return [abatementDateTime, abatementAge, abatementPeriod, abatementRange, abatementString].some(
    (abatement) => abatement !== undefined,
  );
}

interface Reasons {
  readonly references: ReadonlySet<string>;
  /** Each as `system|code`. */
  readonly codes: ReadonlySet<string>;
}

function reasonsOf({ order, resolve }: EvidenceChart): Reasons {
  const references = (order.resource.reasonReference ?? []).flatMap(
    (reference) => resolve(reference, order, 'Condition')?.reference ?? [],
  );
  return { references: new Set(references), codes: new Set((order.resource.reasonCode ?? []).flatMap(codesOf)) };
}

function isNamed({ resource, reference }: Located<Condition>, { references, codes }: Reasons): boolean {
  return references.has(reference) || codesOf(resource.code).some((code) => codes.has(code));
}

function codesOf(concept: CodeableConcept | undefined): string[] {
  return (concept?.coding ?? []).flatMap(({ system, code }) => (code === undefined ? [] : [`${system ?? ''}|${code}`]));
}
