import { readFileSync } from 'node:fs';
import type { Bundle, BundleEntry, Patient, Practitioner } from 'fhir/r4.js';

/** How the sites speak to the service. */
export type Profile = 'documented' | 'current';

export type RequestKind = 'prior-auth' | 'enrollment' | 'benefit-verification';

/** One order of one invented patient, and what is asked for it. */
export interface Request {
  readonly number: number;
  readonly kind: RequestKind;
  readonly site: string;
  /** Id of the Patient. */
  readonly patient: string;
  /** Id of the MedicationRequest. */
  readonly order: string;
  /** The medical record number: what the service calls the patient. */
  readonly mrn: string;
  /** Of this patient only, so that a page that shows another patient is noticed. */
  readonly family: string;
  /** Family names of the practitioners in this chart: nobody else signs in from it. */
  readonly practitioners: readonly string[];
  /** A code that the chart lacks and a person must enter. */
  readonly diagnosis?: string;
}

interface Story {
  readonly folder: string;
  /** What the ids of the story's own resources begin with. */
  readonly prefix: string;
  readonly diagnosis?: string;
}

const stories: readonly Story[] = [
  { folder: 'story-complete', prefix: 'complete' },
  { folder: 'story-step-therapy', prefix: 'steptx' },
  { folder: 'story-no-rxbin', prefix: 'norx' },
  { folder: 'story-snomed-only', prefix: 'snomed', diagnosis: 'E66.01' },
  { folder: 'story-taper', prefix: 'taper' },
  { folder: 'story-medication-contained', prefix: 'contained' },
  { folder: 'story-two-coverages', prefix: 'twocov' },
];

export interface Charts {
  readonly requests: readonly Request[];
  /** For measurements afterwards: prior authorizations at one site. */
  readonly spare: ReadonlyMap<string, readonly Request[]>;
  /** By site. */
  readonly bundles: ReadonlyMap<string, Bundle>;
}

/**
 * Charts of so many patients over the sites, of five one for an enrollment and, where the profile is `current`, one for
 * a benefit verification; besides as many at each site as
 * `spare` says. All people in them are invented.
 */
export function makeCharts(
  count: number,
  sites: readonly string[],
  { profile, spare = {} }: { readonly profile: Profile; readonly spare?: Readonly<Record<string, number>> },
): Charts {
  const requests: Request[] = [];
  const entries = new Map<string, BundleEntry[]>(sites.map((site) => [site, []]));
  for (let number = 1; number <= count; number += 1) {
    const story = stories[number % stories.length] as Story;
    const site = sites[number % sites.length] ?? '';
    const request = requestOf(story, number, { site, profile });
    requests.push(request);
    addNew(entries.get(site) ?? [], chartOf(story, request));
  }
  let last = count;
  const spares = Object.entries(spare).map(([site, many]): [string, Request[]] => [
    site,
    Array.from({ length: many }, () => {
      last += 1;
      const story = stories[0] as Story;
      const request: Request = { ...requestOf(story, last, { site, profile }), kind: 'prior-auth' };
      addNew(entries.get(site) ?? [], chartOf(story, request));
      return request;
    }),
  ]);
  const bundles = [...entries].map(([site, entry]): [string, Bundle] => [
    site,
    { resourceType: 'Bundle', type: 'collection', entry },
  ]);
  return { requests, spare: new Map(spares), bundles: new Map(bundles) };
}

const kinds: Readonly<Record<number, RequestKind>> = { 0: 'enrollment', 2: 'benefit-verification' };

function requestOf(
  { folder, prefix, diagnosis }: Story,
  number: number,
  { site, profile }: { readonly site: string; readonly profile: Profile },
): Request {
  const kind = kinds[number % 5] ?? 'prior-auth';
  return {
    number,
    // The service of the interface document verifies no benefits.
    kind: kind === 'benefit-verification' && profile === 'documented' ? 'prior-auth' : kind,
    site,
    patient: `${prefix}${number}-patient`,
    order: `${prefix}${number}-order`,
    mrn: `T-${String(number).padStart(6, '0')}`,
    family: `Family${String(number).padStart(6, '0')}`,
    practitioners: practitionersIn(folder),
    ...(diagnosis === undefined ? {} : { diagnosis }),
  };
}

function chartOf({ folder, prefix }: Story, { number, mrn, family }: Request): readonly BundleEntry[] {
  const text = bundleText(folder).replaceAll(new RegExp(`\\b${prefix}-(?=[a-z])`, 'g'), `${prefix}${number}-`);
  const { entry = [] } = JSON.parse(text) as Bundle; // the project's own fixture
  return entry.map((each) =>
    each.resource?.resourceType === 'Patient'
      ? { ...each, resource: renamed(each.resource as Patient, { mrn, family }) }
      : each,
  );
}

const texts = new Map<string, string>();

function bundleText(folder: string): string {
  const file = new URL(`../../fixtures/charts/${folder}/bundle.json`, import.meta.url);
  const text = texts.get(folder) ?? readFileSync(file, 'utf8');
  texts.set(folder, text);
  return text;
}

function practitionersIn(folder: string): readonly string[] {
  const { entry = [] } = JSON.parse(bundleText(folder)) as Bundle;
  return entry
    .flatMap(({ resource }) => (resource?.resourceType === 'Practitioner' ? (resource as Practitioner) : []))
    .flatMap(({ name = [] }) => name.flatMap(({ family }) => family ?? []));
}

function renamed(patient: Patient, { mrn, family }: Pick<Request, 'mrn' | 'family'>): Patient {
  return {
    ...patient,
    name: (patient.name ?? []).map((name) => ({ ...name, family, text: `${(name.given ?? []).join(' ')} ${family}` })),
    identifier: (patient.identifier ?? []).map((identifier) => ({ ...identifier, value: mrn })),
  };
}

// Practices, prescribers and payers are shared by all patients of a story.
function addNew(entries: BundleEntry[], added: readonly BundleEntry[]): void {
  const known = new Set(entries.map(({ resource }) => `${resource?.resourceType}/${resource?.id}`));
  entries.push(...added.filter(({ resource }) => !known.has(`${resource?.resourceType}/${resource?.id}`)));
}
