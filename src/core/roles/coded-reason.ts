import type { CodeableConcept } from 'fhir/r4.js';
import { labelOf } from '../fhir/codes/concept.ts';
import { icd10OfCoding } from '../fhir/codes/icd10.ts';
import { systemName, systems } from '../fhir/codes/systems.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import { type Translation, translate } from './concept-map.ts';
import type { SitePolicy } from './policy.ts';

/** A concept that states a reason for the order, with its node and its ICD-10-CM codes. */
export interface CodedReason {
  readonly node: Node;
  readonly label: string;
  readonly codes: readonly string[];
  /** The name of a code: the display of its own coding, or else the label of the concept. */
  readonly nameOf: (code: string) => string;
  /** For a concept without ICD-10-CM codes: its code systems, and what the site's maps return. */
  readonly otherwise: string;
  /** Codes that the site's maps suggest without certainty. */
  readonly suggested: readonly Translation[];
}

/** The ICD-10-CM codes of the concept, or those of the site's ConceptMaps if it has none. */
export function codedReason(site: SitePolicy, node: Node, concept: CodeableConcept | undefined): CodedReason {
  const coding = concept?.coding ?? [];
  const codes = distinct(coding.flatMap((one) => icd10OfCoding(one) ?? []));
  const named = distinct(coding.map(({ system }) => nameOfSystem(system)));
  const otherwise = named.length === 0 ? 'text only' : `${named.join(' and ')} only`;
  const label = meaningful(labelOf(concept)) ?? 'a reason without a text';
  const nameOf = (code: string) => displayOf(concept, code) ?? label;
  if (codes.length > 0) return { node, label, codes, nameOf, otherwise, suggested: [] };
  const { certain, suggested } = translate(site.conceptMaps ?? [], concept);
  if (certain !== undefined)
    return {
      node: translated(node, concept, certain),
      label,
      codes: [certain.code],
      nameOf,
      otherwise,
      suggested: [],
    };
  const offers = [...new Set(suggested.map(({ map }) => map))].join(', ');
  return {
    node,
    label,
    codes,
    nameOf,
    otherwise: offers === '' ? otherwise : `${otherwise}, not certain in ${offers}`,
    suggested,
  };
}

function nameOfSystem(system: string | undefined): string {
  return systemName(system) ?? 'another code system';
}

function distinct(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [...new Set(texts)];
}

// The display of another coding may name another disease.
function displayOf(concept: CodeableConcept | undefined, code: string): string | undefined {
  return meaningful(concept?.coding?.find((coding) => icd10OfCoding(coding) === code)?.display);
}

// The code replaces the coding that it translates, so that its source refers to that coding.
function translated(
  node: Node,
  concept: CodeableConcept | undefined,
  { code, equivalence, map, index }: Translation,
): Node {
  const coding = (concept?.coding ?? []).map((_, position) =>
    position === index ? { system: systems.icd10, code } : {},
  );
  const from = concept?.coding?.[index];
  return {
    ...node,
    value: { ...concept, coding },
    told: {
      kind: 'derived',
      note: `${nameOfSystem(from?.system)} ${from?.code} is ${code} (${equivalence}) in the site’s ${map}`,
    },
  };
}
