import type {
  CodeableConcept,
  Composition,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  EpisodeOfCare,
  FhirResource,
  HealthcareService,
  List,
  Location,
  MedicationRequest,
  MedicationStatement,
  Observation,
  Organization,
  PractitionerRole,
  Procedure,
  Reference,
  ServiceRequest,
} from 'fhir/r4.js';
import { once } from '../fhir/once.ts';
import type { Located } from '../fhir/references/graph.ts';
import type { Sensitivity, Telling } from '../fhir/sensitivity.ts';
import type { EvidenceChart } from './evidence-chart.ts';

/** The sensitivity of a chart's resources. A resource may be sensitive because of a related resource. */
export interface Privacy {
  /**
   * The sensitive category of a resource: from its labels and notices, the codes and words in `stated`, the resources
   * that it refers to (visit, department, reason, members), and the groups that contain it.
   */
  readonly of: (located: Located, ...stated: readonly Telling[]) => string | undefined;
  /** Why the sensitivity of a resource is unknown: it has a code that is in no table and has no words. */
  readonly unknown: (...concepts: readonly (CodeableConcept | undefined)[]) => string | undefined;
  readonly words: Sensitivity;
}

export function privacyOf(chart: EvidenceChart, sensitivity: Sensitivity): Privacy {
  const reader = new PrivacyReader(chart, sensitivity);
  return {
    of: (located, ...stated) => sensitivity.ofResource(located.resource, ...stated) ?? reader.around(located),
    unknown: (...concepts) =>
      concepts.some((concept) => sensitivity.isUnknown(concept)) ? 'a code of it comes without words' : undefined,
    words: sensitivity,
  };
}

/** For each type that an evidence item may refer to: the codes and words that show whether a resource is sensitive. */
const statedByType: { readonly [Type in FhirResource['resourceType']]?: (resource: never) => readonly Telling[] } = {
  Condition: ({ code, category = [], onsetString }: Condition) => [code, ...category, onsetString],
  Observation: (resource: Observation) => statedBy(resource),
  DiagnosticReport: (resource: DiagnosticReport) => statedByGroup(resource),
  DocumentReference: ({ type, category = [], description, context }: DocumentReference) => [
    ...[type, ...category, description, context?.practiceSetting, context?.facilityType],
  ],
  Encounter: ({ class: kind, type = [], serviceType, reasonCode = [], location = [], serviceProvider }: Encounter) => [
    ...[kind, ...type, serviceType, ...reasonCode, serviceProvider?.display],
    ...location.map((one) => one.location?.display),
  ],
  EpisodeOfCare: ({ type = [] }: EpisodeOfCare) => type,
  HealthcareService: ({ name, category = [], type = [], specialty = [] }: HealthcareService) => [
    ...[name, ...category, ...type, ...specialty],
  ],
  Location: ({ name, description, type = [] }: Location) => [name, description, ...type],
  MedicationRequest: ({ reasonCode = [] }: MedicationRequest) => reasonCode,
  Organization: ({ name, type = [] }: Organization) => [name, ...type],
  PractitionerRole: ({ code = [], specialty = [] }: PractitionerRole) => [...code, ...specialty],
  Procedure: ({ code, category, reasonCode = [] }: Procedure) => [code, category, ...reasonCode],
  ServiceRequest: ({ code, category = [], reasonCode = [] }: ServiceRequest) => [code, ...category, ...reasonCode],
};

/** The references of a resource that is evidence. */
const beside: { readonly [Type in FhirResource['resourceType']]?: (resource: never) => readonly Refers[] } = {
  AllergyIntolerance: ({ encounter }: { encounter?: Reference }) => [encounter],
  Condition: ({ encounter, evidence = [] }: Condition) => [encounter, ...evidence.flatMap(({ detail = [] }) => detail)],
  DiagnosticReport: ({ encounter, basedOn = [], result = [] }: DiagnosticReport) => [encounter, ...basedOn, ...result],
  DocumentReference: ({ context, author = [], custodian, relatesTo = [] }: DocumentReference) => [
    ...(context?.encounter ?? []),
    ...(context?.related ?? []),
    ...author,
    custodian,
    ...relatesTo.map(({ target }) => target),
  ],
  MedicationDispense: (resource: { context?: Reference; authorizingPrescription?: Reference[] }) => [
    resource.context,
    ...(resource.authorizingPrescription ?? []),
  ],
  MedicationRequest: ({ encounter, reasonReference = [], basedOn = [] }: MedicationRequest) => [
    ...[encounter, ...reasonReference, ...basedOn],
  ],
  MedicationStatement: ({ context, reasonReference = [], derivedFrom = [] }: MedicationStatement) => [
    ...[context, ...reasonReference, ...derivedFrom],
  ],
  Observation: (resource: Observation) => [resource.encounter, ...(resource.basedOn ?? []), ...membersOf(resource)],
};

/** The references of a resource that an evidence item refers to. */
const parts: { readonly [Type in FhirResource['resourceType']]?: (resource: never) => readonly Refers[] } = {
  DiagnosticReport: ({ result = [] }: DiagnosticReport) => result,
  Encounter: ({ location = [], serviceProvider, episodeOfCare = [], reasonReference = [] }: Encounter) => [
    ...location.map((one) => one.location),
    ...[serviceProvider, ...episodeOfCare, ...reasonReference],
  ],
  MedicationRequest: ({ reasonReference = [] }: MedicationRequest) => reasonReference,
  Observation: (resource: Observation) => membersOf(resource),
  PractitionerRole: ({ organization, location = [], healthcareService = [] }: PractitionerRole) => [
    ...[organization, ...location, ...healthcareService],
  ],
  ServiceRequest: ({ reasonReference = [] }: ServiceRequest) => reasonReference,
};

type Refers = Reference | undefined;

const readTypes = Object.keys(statedByType) as FhirResource['resourceType'][];

/** The codes and words of a result and its components that are sent with the result. */
export function statedBy({ code, valueString, valueCodeableConcept, ...more }: Observation): Telling[] {
  const { component = [], interpretation = [], referenceRange = [], category = [] } = more;
  return [
    ...[code, valueString, valueCodeableConcept, ...category, ...interpretation],
    ...referenceRange.map(({ text }) => text),
    ...component.flatMap((part) => [part.code, part.valueString, part.valueCodeableConcept]),
  ];
}

function statedByGroup({ code, category = [] }: DiagnosticReport): Telling[] {
  return [code, ...category];
}

function membersOf({ hasMember = [], derivedFrom = [] }: Observation): Reference[] {
  return [...hasMember, ...derivedFrom];
}

// In practice groups are not nested deeper. Some charts have cycles.
const deepest = 4;

class PrivacyReader {
  private readonly known = new Map<string, string | undefined>();
  private readonly groups: () => ReadonlyMap<string, readonly (() => string | undefined)[]>;

  constructor(
    private readonly chart: EvidenceChart,
    private readonly sensitivity: Sensitivity,
  ) {
    this.groups = once(() => this.groupsByMember());
  }

  /** The category of the resources that it refers to, or of a group that contains it. */
  around(located: Located): string | undefined {
    return this.ofAll(referred(beside, located), located, deepest) ?? this.ofGroups(located);
  }

  private ofAll(references: readonly Refers[], from: Located, depth: number): string | undefined {
    for (const reference of references) {
      const found = reference === undefined ? undefined : this.ofReference(reference, from, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private ofReference(reference: Reference, from: Located, depth: number): string | undefined {
    const target = this.chart.resolve(reference, from, ...readTypes);
    const named = this.sensitivity.ofText(reference.display);
    if (named !== undefined || target === undefined) return named;
    const key = `${target.reference} ${depth}`;
    if (this.known.has(key)) return this.known.get(key);
    this.known.set(key, undefined); // stops at a cycle
    const found = this.ofTarget(target, depth);
    this.known.set(key, found);
    return found;
  }

  private ofTarget(target: Located, depth: number): string | undefined {
    const own = this.sensitivity.ofResource(target.resource, ...statedIn(target));
    if (own !== undefined || depth === 0) return own;
    return this.ofAll(referred(parts, target), target, depth - 1);
  }

  private ofGroups({ reference }: Located): string | undefined {
    for (const categoryOf of this.groups().get(reference) ?? []) {
      const category = categoryOf();
      if (category !== undefined) return category;
    }
    return undefined;
  }

  // A group makes its members sensitive by its own labels and names, not by those of its other members.
  private groupsByMember(): ReadonlyMap<string, readonly (() => string | undefined)[]> {
    const groups = new Map<string, (() => string | undefined)[]>();
    const add = (group: Located, members: readonly Refers[], stated: readonly Telling[]): void => {
      const category = once(() => this.sensitivity.ofResource(group.resource, ...stated));
      for (const member of members) {
        const target = this.chart.resolve(member, group, ...readTypes);
        if (target === undefined) continue;
        groups.set(target.reference, [...(groups.get(target.reference) ?? []), category]);
      }
    };
    for (const report of this.chart.mine('DiagnosticReport'))
      add(report, report.resource.result ?? [], statedByGroup(report.resource));
    for (const panel of this.chart.mine('Observation'))
      add(panel, panel.resource.hasMember ?? [], [panel.resource.code, ...(panel.resource.category ?? [])]);
    for (const list of this.chart.mine('List'))
      add(list, itemsOf(list.resource), [list.resource.title, list.resource.code]);
    for (const document of this.chart.mine('Composition')) this.addSections(document, add);
    return groups;
  }

  private addSections(
    document: Located<Composition>,
    add: (group: Located, members: readonly Refers[], stated: readonly Telling[]) => void,
  ): void {
    const { title, type, category = [], section = [] } = document.resource;
    const visit = (
      sections: readonly NonNullable<Composition['section']>[number][],
      above: readonly Telling[],
    ): void => {
      for (const { title, code, entry = [], section: inner = [] } of sections) {
        const stated = [...above, title, code];
        add(document, entry, stated);
        visit(inner, stated);
      }
    };
    visit(section, [title, type, ...category]);
  }
}

function itemsOf({ entry = [] }: List): Refers[] {
  return entry.map(({ item }) => item);
}

function statedIn({ resource }: Located): readonly Telling[] {
  return statedByType[resource.resourceType]?.(resource as never) ?? [];
}

function referred(table: typeof beside, { resource }: Located): readonly Refers[] {
  return table[resource.resourceType]?.(resource as never) ?? [];
}
