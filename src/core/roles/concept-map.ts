import type { CodeableConcept } from 'fhir/r4.js';
import { icd10OfCoding } from '../fhir/codes/icd10.ts';
import { meaningful } from '../fhir/text/placeholder.ts';

/** The parts of a FHIR R4 ConceptMap that translate diagnoses. */
export interface SiteConceptMap {
  readonly resourceType: 'ConceptMap';
  readonly url?: string | undefined;
  readonly version?: string | undefined;
  readonly name?: string | undefined;
  readonly title?: string | undefined;
  readonly status: 'draft' | 'active' | 'unknown';
  readonly group: readonly {
    readonly source: string;
    readonly target: string;
    readonly element: readonly { readonly code: string; readonly target?: readonly TargetElement[] | undefined }[];
  }[];
}

interface TargetElement {
  readonly code?: string | undefined;
  readonly display?: string | undefined;
  /** FHIR R4, concept-map-equivalence. */
  readonly equivalence: string;
  readonly dependsOn?: readonly unknown[] | undefined;
  readonly product?: readonly unknown[] | undefined;
}

/** The translation of one coding of a concept by a site's ConceptMap. */
export interface Translation {
  /** An ICD-10-CM code with its dot. */
  readonly code: string;
  readonly display?: string | undefined;
  /** FHIR R4, concept-map-equivalence. */
  readonly equivalence: string;
  /** The name of the map that people see. */
  readonly map: string;
  /** The index of the translated coding in the concept. */
  readonly index: number;
}

/**
 * The translations of a concept by the site's maps. `certain` is set when exactly one code has the same meaning.
 * Otherwise, all codes are suggestions for a person.
 */
export interface Translations {
  readonly certain?: Translation;
  readonly suggested: readonly Translation[];
}

/**
 * The ICD-10-CM codes to which the site's maps translate a concept. Only `equal` and `equivalent` are certain, and only
 * without further conditions (`dependsOn`, `product`); `group.unmapped` is never used. FHIR R4, ConceptMap.
 */
export function translate(maps: readonly SiteConceptMap[], concept: CodeableConcept | undefined): Translations {
  const all = maps.flatMap((map) =>
    (concept?.coding ?? []).flatMap(({ system, code }, index) =>
      targetsOf(map, `${system}|${code}`).map((target) => ({ ...target, index })),
    ),
  );
  const same = all.filter(({ isSame }) => isSame);
  const [certain] = same;
  const found = all.map(({ isSame: _, ...translation }): Translation => translation);
  if (certain === undefined || new Set(same.map(({ code }) => code)).size > 1) return { suggested: distinct(found) };
  const { isSame: _, ...translation } = certain;
  return { certain: translation, suggested: [] };
}

type Target = Omit<Translation, 'index'> & { readonly isSame: boolean };

const indexes = new WeakMap<SiteConceptMap, ReadonlyMap<string, readonly Target[]>>();

// A national map has a hundred thousand rows and a chart needs only a few, so the rows are indexed.
function targetsOf(map: SiteConceptMap, key: string): readonly Target[] {
  const index = indexes.get(map) ?? indexed(map);
  indexes.set(map, index);
  return index.get(key) ?? [];
}

function indexed(map: SiteConceptMap): ReadonlyMap<string, readonly Target[]> {
  const name = [map.title ?? map.name ?? map.url ?? 'ConceptMap', map.version]
    .filter((part) => part !== undefined)
    .join(' ');
  const index = new Map<string, Target[]>();
  for (const { source, target: system, element } of map.group) {
    for (const { code, target = [] } of element) {
      const targets = target.flatMap((one) => targetOf(name, system, one) ?? []);
      if (targets.length > 0) index.set(`${source}|${code}`, [...(index.get(`${source}|${code}`) ?? []), ...targets]);
    }
  }
  return index;
}

type Stated = NonNullable<SiteConceptMap['group'][number]['element'][number]['target']>[number];

function targetOf(
  map: string,
  system: string | undefined,
  { code: stated, display, equivalence, dependsOn = [], product = [] }: Stated,
): Target | undefined {
  const code = stated === undefined || system === undefined ? undefined : icd10OfCoding({ system, code: stated });
  if (code === undefined || ['unmatched', 'disjoint'].includes(equivalence)) return undefined;
  return {
    code,
    display: meaningful(display),
    equivalence,
    map,
    isSame: ['equal', 'equivalent'].includes(equivalence) && dependsOn.length === 0 && product.length === 0,
  };
}

function distinct(translations: readonly Translation[]): Translation[] {
  return [
    ...new Map(translations.toReversed().map((translation) => [translation.code, translation])).values(),
  ].toReversed();
}
