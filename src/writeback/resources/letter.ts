import type { BenefitVerification } from '../../core/contract/benefit-verification.ts';
import { kindRecord } from '../../core/contract/kinds.ts';
import type { PriorAuthorization } from '../../core/contract/prior-authorization.ts';
import { BridgeError } from '../../core/errors.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { benefitFacts } from '../../service/benefits.ts';
import type { OutcomeView } from '../../service/outcome-words.ts';
import { type CaseFacts, caseOutcome, hasLetter, provenanceLine } from '../case-facts.ts';
import { drawFact, newPdf } from './pdf.ts';
import { requestedOf } from './requested.ts';

/** The content of a letter, in reading order. The PDF and the plain text show the same. */
export interface Letter {
  readonly title: string;
  readonly headline: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
  readonly provenance: string;
  /** A reference by which an auditor or IT support finds the case. */
  readonly support: string;
}

export function letterOf(facts: CaseFacts): Letter {
  const outcome = caseOutcome(facts);
  if (!hasLetter(facts) || outcome === undefined || facts.record === undefined)
    throw new BridgeError('case_not_ready', { case: facts.id });
  const read = kindRecord(facts.kind, facts.record);
  return read.kind === 'benefit-verification'
    ? benefitLetter(facts, outcome, read.record)
    : priorAuthLetter(facts, outcome, read.record);
}

type Requested = ReturnType<typeof requestedOf>;
type Fact = readonly [string, string | undefined];

function aboutWhom({ banner, title }: CaseFacts, requested: Requested): Fact[] {
  return [
    ['Patient', banner.name],
    ['Date of birth', day(banner.birthDate)],
    ['Medical record number', banner.mrn],
    ['Medication', title],
    ['Prescriber', requested.prescriber],
    ['Payer', requested.payer],
    ['Plan', requested.plan],
  ];
}

function whenAndWhere({ sentAt, endedAt, serviceId, order }: CaseFacts): Fact[] {
  return [
    ['Sent', utcDay(sentAt)],
    ['Finished', utcDay(endedAt)],
    ['Reference at the service', serviceId],
    ['Order in the chart', order],
  ];
}

function supportLine({ id }: CaseFacts, { detailCode }: OutcomeView): string {
  return `For IT support: case ${id}${detailCode === undefined ? '' : `, reason code ${detailCode}`}.`;
}

/** The plan's coverage, as the record states it. */
function benefitLetter(facts: CaseFacts, outcome: OutcomeView, record: BenefitVerification): Letter {
  const requested = requestedOf(facts);
  return {
    title: 'Benefit verification',
    headline: outcome.label,
    facts: present([
      ...aboutWhom(facts, requested),
      ['Asked for', requested.prescription],
      ...benefitFacts(record),
      ['Reason', outcome.detail],
      ...whenAndWhere(facts),
    ]),
    sections: [
      { heading: 'Next step', paragraphs: [outcome.next] },
      {
        heading: 'What this is',
        paragraphs: ['What the plan said when it was asked. It is no decision on a claim and no promise of payment.'],
      },
    ],
    provenance: provenanceLine(facts),
    support: supportLine(facts, outcome),
  };
}

// The service says which request was approved, but not always the payer's limits on it.
function approvedText({ approvedOtherwise: terms = [] }: CaseFacts): string {
  return terms.length === 0
    ? 'Compare quantity, days of supply and strength with the order: the payer’s own letter counts.'
    : `Approved, not as ordered: ${terms.join('; ')}. The payer’s own letter counts.`;
}

function priorAuthLetter(facts: CaseFacts, outcome: OutcomeView, record: PriorAuthorization): Letter {
  const analysis = record.denial_reason_analysis;
  const requested = requestedOf(facts);
  return {
    title: 'Prior authorization outcome',
    headline: outcome.label,
    facts: present([
      ...aboutWhom(facts, requested),
      ['Result', outcome.result],
      ['Reason', outcome.detail],
      // The service says which request was approved, but not the payer's limits on it.
      [outcome.kind === 'approved' ? 'Approved request' : 'Requested', requested.prescription],
      ['Authorized from', day(outcome.authorizationStart)],
      ['Authorized until', day(outcome.authorizationExpiration)],
      ...whenAndWhere(facts),
    ]),
    sections: [
      {
        heading: 'Next step',
        paragraphs: outcome.kind === 'approved' ? [outcome.next, approvedText(facts)] : [outcome.next],
      },
      section('Why it was denied', [analysis?.categories?.map(words).join(', '), analysis?.explanation]),
      section('What the service suggests', [analysis?.next_steps, analysis?.next_steps_explanation]),
    ].filter((part) => part.paragraphs.length > 0),
    provenance: provenanceLine(facts),
    support: supportLine(facts, outcome),
  };
}

/** The letter as plain text, for EHRs that accept only messages. */
export function letterText(letter: Letter): string {
  const facts = letter.facts.map(([label, value]) => `${label}: ${value}`);
  const sections = letter.sections.flatMap(({ heading, paragraphs }) => ['', heading, ...paragraphs]);
  return [`${letter.title}: ${letter.headline}`, '', ...facts, ...sections, '', letter.provenance, letter.support].join(
    '\n',
  );
}

/** Returns the letter as a tagged PDF of US letter size. `created` is its creation date. */
export function renderLetter(letter: Letter, created: Date): Promise<Uint8Array> {
  const { pdf, done } = newPdf(`${letter.title}: ${letter.headline}`, created);
  const part = (type: string, draw: () => void) => pdf.addStructure(pdf.struct(type, {}, draw));
  part('H1', () => pdf.font('bold').fontSize(18).text(letter.title));
  pdf.moveDown(0.5);
  part('P', () => pdf.font('bold').fontSize(14).text(letter.headline));
  pdf.moveDown(1);
  for (const [label, value] of letter.facts) part('P', () => drawFact(pdf, label, value));
  for (const { heading, paragraphs } of letter.sections) {
    pdf.moveDown(1);
    part('H2', () => pdf.font('bold').fontSize(12).text(heading, pdf.page.margins.left));
    for (const paragraph of paragraphs)
      part('P', () => pdf.moveDown(0.3).font('text').fontSize(10).text(paragraph, { lineGap: 2 }));
  }
  pdf.moveDown(2);
  for (const line of [letter.provenance, letter.support])
    part('P', () => pdf.font('text').fontSize(8).fillColor('#444444').text(line, { lineGap: 2 }));
  pdf.end();
  return done;
}

function section(
  heading: string,
  paragraphs: readonly (string | undefined)[],
): { heading: string; paragraphs: string[] } {
  return { heading, paragraphs: paragraphs.filter((text) => text !== undefined && text.trim() !== '') as string[] };
}

function present(facts: readonly Fact[]): [string, string][] {
  return facts.flatMap(([label, value]) => (value === undefined || value.trim() === '' ? [] : [[label, value]]));
}

// Returns a code of the service as words: `step_therapy_criteria_not_met`.
function words(code: string): string {
  return code.replaceAll('_', ' ');
}

// Returns the UTC day. For a local day, the practice's time zone would be needed, which the chart does not state.
function utcDay(instant: string | undefined): string | undefined {
  return instant === undefined ? undefined : `${dayText(instant)} (UTC)`;
}

function day(date: string | undefined): string | undefined {
  return date === undefined ? undefined : dayText(date);
}
