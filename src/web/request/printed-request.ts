import { type Banner, type Case, type CaseKind, isSent } from '../../cases/case.ts';
import type { Site } from '../../config/config.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import { sentCopyOf } from '../pages/case/sent-copy.ts';
import { print as words } from '../pages/case/words.ts';
import { contentLines } from './content-words.ts';
import type { Leaves } from './leaves.ts';
import { type RequestLeaf, type RequestView, requestOf } from './shown-request.ts';

/** What is printed of a request: a copy of it, or a form to fax to the plan. */
export interface PrintedRequest {
  readonly kind: CaseKind;
  /** Of every page: who it is about. */
  readonly patient: string;
  /** The clinic and the prescriber, as a letterhead has them. */
  readonly letterhead: { readonly clinic: string; readonly lines: readonly string[] };
  readonly drug: string;
  readonly sections: readonly PrintedSection[];
  readonly documents: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** Images of the insurance card, in base64. */
  readonly images: readonly string[];
  /** That another drug was asked for than the order names. */
  readonly note?: string;
  /** When and where it was sent. */
  readonly sentAt: string | undefined;
  readonly serviceId: string | undefined;
  readonly hash: string;
}

type Fact = readonly [label: string, value: string];

interface PrintedSection {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/** The request of a case that left, to be printed; undefined before the first has. */
export function printedRequestOf(one: Case, site: Site): PrintedRequest | undefined {
  const copy = sentCopyOf(one);
  const last = isSent(one) ? one : one.requests.at(-1);
  if (copy === undefined || last === undefined) return undefined;
  const { kind, banner, title } = one;
  const request = requestOf({ kind, site, body: last.body, provenance: last.provenance });
  return {
    kind,
    patient: patientLine(banner),
    letterhead: letterheadOf(request.values, site),
    drug: title,
    sections: sectionsOf(request, kind),
    documents: documentsOf(request),
    images: [...request.values].filter(([target]) => imageTarget.test(target)).map(([, content]) => String(content)),
    ...(request.drug === undefined ? {} : { note: words.drugChanged }),
    sentAt: last.sentAt,
    serviceId: 'serviceId' in last ? last.serviceId : undefined,
    hash: copy.hash,
  };
}

const imageTarget = /^insurance\[\d+\]\.file_content$/;

function patientLine({ name, birthDate, mrn }: Banner): string {
  return [name, birthDate === undefined ? '' : `born ${dayText(birthDate)}`, mrn === undefined ? '' : `MRN ${mrn}`]
    .filter((part) => part !== '')
    .join(', ');
}

function letterheadOf(values: Leaves, site: Site): PrintedRequest['letterhead'] {
  const of = (target: string) => String(values.get(target) ?? '').trim();
  const at = (name: string) => of(`provider.address.${name}`);
  const town = [at('city'), [at('state_province'), at('zip_postal_code')].filter(Boolean).join(' ')];
  const fax = of('provider.fax') || (site.fax ?? '');
  const lines = [
    [of('provider.first_name'), of('provider.last_name')].filter(Boolean).join(' '),
    [at('street'), at('street_line_2')].filter(Boolean).join(', '),
    town.filter(Boolean).join(', '),
    [
      ...(of('provider.phone') === '' ? [] : [`${words.phone} ${of('provider.phone')}`]),
      ...(fax === '' ? [] : [`${words.faxNumber} ${fax}`]),
      ...(of('provider.npi') === '' ? [] : [`${words.npi} ${of('provider.npi')}`]),
    ].join('   '),
  ];
  return { clinic: site.name, lines: lines.filter((line) => line !== '') };
}

/** What a plan cannot do without: said to be missing where the request has none. */
const needed: Readonly<Record<string, readonly (readonly [target: string, label: string])[]>> = {
  prescriber: [['provider.npi', 'NPI']],
  insurance: [['insurance_content.member_number', 'Member ID']],
};

/** The order in which forms of plans ask. */
const order = [
  ...['program', 'patient', 'insurance', 'prescriber', 'prescription', 'drugs', 'diagnoses', 'pharmacy'],
  ...['plan', 'priority', 'resubmission', 'appeal'],
];

function sectionsOf(request: RequestView, kind: CaseKind): PrintedSection[] {
  const known = new Map(request.sections.map((section) => [section.id, section]));
  return order.flatMap((id) => {
    const section = known.get(id);
    const leaves = section?.leaves.filter(({ isOwn, target }) => !isOwn && !imageTarget.test(target)) ?? [];
    const absent = (kind === 'prior-auth' ? (needed[id] ?? []) : [])
      .filter(([target]) => !request.values.has(target))
      .map(([, label]) => [label, words.notInRequest] as const);
    const facts = [...factsOf(leaves), ...absent];
    return facts.length === 0 ? [] : [{ title: section?.title ?? titles[id] ?? id, facts }];
  });
}

/** One line a fact: what stands in several fields and is read as one (a name, an address) is one. */
function factsOf(leaves: readonly RequestLeaf[]): Fact[] {
  const said = leaves.flatMap(({ target, label, text }) => (text === undefined ? [] : [{ target, label, text }]));
  const groups = Map.groupBy(said, ({ target }) => groupOf(target) ?? target);
  return [...groups].flatMap(([group, parts]): Fact[] => {
    const joined = joinedOf(group, new Map(parts.map(({ target, text }) => [target.replace(/^.*[.]/, ''), text])));
    return joined === undefined ? parts.map(({ label, text }) => [label, text]) : [joined];
  });
}

function groupOf(target: string): string | undefined {
  if (/[.]address[.]\w+$/.test(target)) return 'address';
  return /^(patient|provider)[.](first|last)_name$/.test(target) ? 'name' : undefined;
}

function joinedOf(group: string, parts: ReadonlyMap<string, string>): Fact | undefined {
  const of = (...names: readonly string[]) => names.flatMap((name) => parts.get(name) ?? []).join(' ');
  if (group === 'name') return [words.name, of('first_name', 'last_name')];
  if (group !== 'address') return undefined;
  const lines = [of('street'), of('street_line_2'), of('city'), of('state_province', 'zip_postal_code'), of('country')];
  return [words.address, lines.filter((line) => line !== '').join(', ')];
}

const titles: Readonly<Record<string, string>> = { prescriber: 'Prescriber', insurance: 'Insurance' };

function documentsOf({ sections }: RequestView): PrintedRequest['documents'] {
  return sections
    .flatMap(({ evidence }) => evidence)
    .map(({ title, date, content }) => ({
      title: date === undefined ? title : `${title}, ${dayText(date)}`,
      lines: contentLines(content),
    }));
}
