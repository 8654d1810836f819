import type { CodeableConcept, Condition } from 'fhir/r4.js';
import { hasCode, labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Scene } from '../roles/scene.ts';
import { type Finding, fullDate, stated } from './item.ts';
import { sensitivityOf } from './sensitivity.ts';

/** Diagnoses in play: conditions of the patient that are active and not refuted, each with its codes and onset. */
export function problems(scene: Scene): Finding[] {
  const reasons = reasonsOf(scene);
  const compare = newestFirst(scene.today.timeZone);
  return scene
    .mine('Condition')
    .filter(({ resource }) => isInPlay(resource))
    .map((condition) => findingOf(condition, reasons))
    .sort((left, right) => compare(left.date, right.date));
}

interface Reasons {
  readonly references: ReadonlySet<string>;
  /** `system|code` */
  readonly codes: ReadonlySet<string>;
}

function reasonsOf({ order, resolve }: Scene): Reasons {
  const references = (order.resource.reasonReference ?? []).flatMap(
    (reference) => resolve(reference, order, 'Condition')?.reference ?? [],
  );
  return { references: new Set(references), codes: new Set((order.resource.reasonCode ?? []).flatMap(codesOf)) };
}

// Needs of daily life (work, housing) are no diagnoses: US Core categories health-concern and sdoh.
function isInPlay({ clinicalStatus, verificationStatus, category = [] }: Condition): boolean {
  if (hasCode(verificationStatus, 'refuted', 'entered-in-error', 'differential')) return false;
  if (clinicalStatus !== undefined && !hasCode(clinicalStatus, 'active', 'recurrence', 'relapse')) return false;
  return !category.some((each) => hasCode(each, 'sdoh', 'health-concern'));
}

function findingOf(condition: Located<Condition>, reasons: Reasons): Finding {
  const { resource, reference } = condition;
  const { code, clinicalStatus, verificationStatus, severity, onsetDateTime, onsetPeriod, onsetString, recordedDate } =
    resource;
  const diagnosis = meaningful(labelOf(code)) ?? 'an unnamed condition';
  const onset = onsetDateTime ?? onsetPeriod?.start ?? meaningful(onsetString);
  const isReason = reasons.references.has(reference) || codesOf(code).some((each) => reasons.codes.has(each));
  const sensitive = sensitivityOf(resource, code, onsetString);
  const codes = (code?.coding ?? []).flatMap(({ system, code: value, display }) =>
    value === undefined ? [] : [stated({ system, code: value, display })],
  );
  return {
    members: [condition],
    type: 'Diagnosis',
    title: `Diagnosis: ${diagnosis}`,
    ...(onset === undefined ? {} : { detail: `since ${onset.slice(0, 10)}` }),
    date: fullDate(recordedDate, onsetDateTime, onsetPeriod?.start),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(isReason ? { called: 'the order names it as its reason' } : {}),
    facts: () =>
      stated({
        source: reference,
        diagnosis,
        codes,
        onset,
        recorded: recordedDate,
        status: labelOf(clinicalStatus),
        verification: labelOf(verificationStatus),
        severity: labelOf(severity),
      }),
  };
}

function codesOf(concept: CodeableConcept | undefined): string[] {
  return (concept?.coding ?? []).flatMap(({ system, code }) => (code === undefined ? [] : [`${system ?? ''}|${code}`]));
}
