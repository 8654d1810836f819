import { type Banner, type Case, type CaseKind, isSent, userText } from '../../../cases/case.ts';
import type { Site } from '../../../config/config.ts';
import { isAnswersItem, type SentAnswers } from '../../../core/answers/sent-answers.ts';
import { dayText } from '../../../core/fhir/time/day-text.ts';
import { isWithin } from '../../../core/mapping/target.ts';
import { payerOf } from '../../pages/case/appeal.ts';
import { sentCopyOf } from '../../pages/case/sent-copy.ts';
import { print as words } from '../../pages/case/words.ts';
import { addressLines, joinedAddress } from '../address.ts';
import { recordsIn } from '../content-records.ts';
import { contentLines } from '../content-words.ts';
import { kindPages } from '../kind-pages.ts';
import { type FieldSpec, sectionIds, sectionWords } from '../labels.ts';
import { cardImagesIn, isCardImage, type Leaves, leavesOf } from '../leaves.ts';
import { type RequestLeaf, type RequestView, requestOf } from './shown-request.ts';

/** The content of a printed request: a copy, or a form to fax to the plan. */
export interface PrintedRequest {
  readonly kind: CaseKind;
  readonly patient: string;
  /** The clinic, and the lines with the prescriber's name and address. */
  readonly letterhead: { readonly clinic: string; readonly lines: readonly string[] };
  readonly drug: string;
  /** The payer's name as stated in the request. */
  readonly payer?: string;
  readonly sections: readonly PrintedSection[];
  /** The answers to payer questions, if they were sent. */
  readonly answers?: SentAnswers;
  readonly documents: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** Images of the insurance card, in base64. */
  readonly images: readonly string[];
  /** A note that the request is for a different drug than the order. */
  readonly note?: string;
  /** The prescriber's approval: by whom and when. Absent if the site has no signatures. */
  readonly approved?: { readonly by: string; readonly at: string };
  readonly sentAt: string | undefined;
  readonly serviceId: string | undefined;
  readonly hash: string;
  /** Identifiers for IT support and auditors. */
  readonly support: { readonly prescriber: string | undefined; readonly records: readonly string[] };
}

type Fact = readonly [label: string, value: string];

interface PrintedSection {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** The request that was sent, prepared for printing; undefined before the first request. */
export function printedRequestOf(one: Case, site: Site): PrintedRequest | undefined {
  const copy = sentCopyOf(one);
  const last = isSent(one) ? one : one.requests.at(-1);
  if (copy === undefined || last === undefined) return undefined;
  const { kind, banner, title } = one;
  const { body, provenance, codeTitles } = last;
  const request = requestOf({ kind, site, body, provenance, codeTitles });
  const { answers } = request;
  const approved = approvalOf(one);
  const payer = payerOf(one);
  return {
    kind,
    patient: patientLine(banner),
    letterhead: letterheadOf(request.values, site),
    drug: title,
    sections: sectionsOf(request, kind),
    documents: documentsOf(request),
    images: cardImagesIn(request.values),
    ...(answers === undefined ? {} : { answers }),
    ...(payer === undefined ? {} : { payer }),
    ...(request.drug === undefined ? {} : { note: words.drugChanged }),
    ...(approved === undefined ? {} : { approved }),
    sentAt: last.sentAt,
    serviceId: 'serviceId' in last ? last.serviceId : undefined,
    hash: copy.hash,
    support: supportOf(request),
  };
}

const prescriberId = 'provider.internal_id';

function supportOf({ sections, values }: RequestView): PrintedRequest['support'] {
  const contents = sections.flatMap(({ evidence }) => evidence).map(({ content }) => content);
  return {
    prescriber: values.get(prescriberId)?.toString(),
    records: [...new Set(contents.flatMap(recordsIn))],
  };
}

// A draft's signature belongs to the next request, not to a request that was sent.
function approvalOf(one: Case): PrintedRequest['approved'] {
  const { state, settledBy, settledAt } = (isSent(one) ? one.signature : undefined) ?? {};
  if (state !== 'signed' || settledBy === undefined || settledAt === undefined) return undefined;
  return { by: userText(settledBy), at: settledAt };
}

export function patientLine({ name, birthDate, mrn }: Banner): string {
  return [name, birthDate === undefined ? '' : `born ${dayText(birthDate)}`, mrn === undefined ? '' : `MRN ${mrn}`]
    .filter((part) => part !== '')
    .join(', ');
}

/** The letterhead of a sent request: clinic and prescriber. */
export function letterheadOfCase(one: Case, site: Site): PrintedRequest['letterhead'] | undefined {
  return isSent(one) ? letterheadOf(leavesOf(one.body), site) : undefined;
}

function letterheadOf(values: Leaves, site: Site): PrintedRequest['letterhead'] {
  const of = (target: string) => String(values.get(target) ?? '').trim();
  const { street, city, state } = addressLines((part) => of(`provider.address.${part}`));
  const after = (word: string, text: string) => (text === '' ? '' : `${word} ${text}`);
  const lines = [
    joinedAddress(' ', of('provider.first_name'), of('provider.last_name')),
    street,
    joinedAddress(', ', city, state),
    joinedAddress(
      '   ',
      after(words.phone, of('provider.phone')),
      after(words.faxNumber, of('provider.fax') || (site.fax ?? '')),
      after(words.npi, of('provider.npi')),
    ),
  ];
  return { clinic: site.name, lines: lines.filter((line) => line !== '') };
}

function sectionsOf(request: RequestView, kind: CaseKind): PrintedSection[] {
  const known = new Map(request.sections.map((section) => [section.id, section]));
  const pages = new Map(kindPages[kind].sections.map((section) => [section.id, section]));
  return sectionIds.flatMap((id) => {
    // Documents are printed after the sections.
    const leaves = id === 'evidence' ? [] : (known.get(id)?.leaves ?? []).filter(({ target }) => !isTable(target));
    const fields = pages.get(id)?.fields ?? [];
    const absent = fields
      .filter(({ target, planNeeds }) => kind === 'prior-auth' && planNeeds && !request.values.has(target))
      .map(({ label }) => [label, words.notInRequest] as const);
    const facts = [
      ...factsOf(
        leaves.filter(({ isOwn, target }) => !isOwn && target !== prescriberId && !isCardImage(target)),
        fields,
      ),
      ...absent,
    ];
    return facts.length === 0 ? [] : [{ title: sectionWords[id].title, facts }];
  });
}

// Answers are printed as tables after the sections.
function isTable(target: string): boolean {
  return isWithin(target, 'questionnaires');
}

/** The facts of a section. The fields of a name or an address become one fact. */
function factsOf(leaves: readonly RequestLeaf[], fields: readonly FieldSpec[]): Fact[] {
  const said = leaves.flatMap(({ target, label, text }) => (text === undefined ? [] : [{ target, label, text }]));
  const names = new Set(fields.filter(({ isName }) => isName === true).map(({ target }) => target));
  const groupOf = (target: string) =>
    names.has(target) ? 'name' : (/^.*[.]address(?=[.]\w+$)/.exec(target)?.[0] ?? target);
  return [...Map.groupBy(said, ({ target }) => groupOf(target))].flatMap(([group, parts]): Fact[] => {
    if (group === 'name') return [[words.name, parts.map(({ text }) => text).join(' ')]];
    if (!group.endsWith('.address')) return parts.map(({ label, text }) => [label, text]);
    const { street, city, state, country } = addressLines(
      (name) => parts.find(({ target }) => target === `${group}.${name}`)?.text,
    );
    return [[words.address, joinedAddress(', ', street, city, state, country)]];
  });
}

function documentsOf({ sections }: RequestView): PrintedRequest['documents'] {
  return (
    sections
      .flatMap(({ evidence }) => evidence)
      // Answers are printed as tables of their own.
      .filter((item) => !isAnswersItem(item))
      .map(({ title, date, content }) => ({
        title: date === undefined ? title : `${title}, ${dayText(date)}`,
        lines: contentLines(content),
      }))
  );
}
