import type { AllergyIntolerance } from 'fhir/r4.js';
import { reactionsOf, stands } from '../evidence/allergies.ts';
import { cite, nodeOf } from '../evidence/cite.ts';
import { present } from '../evidence/finding.ts';
import { labelOf } from '../fhir/concept.ts';
import type { Located } from '../fhir/graph.ts';
import { meaningful } from '../fhir/placeholder.ts';
import type { Node } from '../mapping/input.ts';
import { type Around, relationByClass } from './around.ts';
import { drugKey, ingredientsInName } from './ingredients.ts';

/**
 * Allergies and intolerances to drugs that stand, each with how its substance stands to the ordered drug; those of
 * foods and pollen are none. One node each.
 */
export function intolerancesAround(around: Around): Node[] {
  return around.chart
    .mine('AllergyIntolerance')
    .filter(({ resource }) => stands(resource) && mayBeDrug(resource))
    .flatMap((allergy) => {
      const name = meaningful(labelOf(allergy.resource.code));
      return name === undefined ? [] : [nodeOfAllergy(allergy, name, around)];
    });
}

function mayBeDrug({ category = [] }: AllergyIntolerance): boolean {
  return category.length === 0 || category.includes('medication') || category.includes('biologic');
}

function nodeOfAllergy(allergy: Located<AllergyIntolerance>, name: string, around: Around): Node {
  const { code, reaction = [] } = allergy.resource;
  const related = relationOf(name, around);
  const manifestations = reaction.flatMap(({ manifestation = [] }) => manifestation);
  const facts = {
    intolerance: {
      substance: cite(allergy, name, 'code'),
      ...(related === undefined ? {} : { relation: related }),
      reactions: reactionsOf(allergy),
      allergy: cite(allergy, allergy.resource),
      source: cite(allergy, allergy.reference),
      ...present({ sensitive: around.privacy.of(allergy, code, ...manifestations) }),
    },
  };
  return nodeOf(facts, allergy);
}

function relationOf(name: string, around: Around): string | undefined {
  const ingredients = ingredientsInName(name, around.knowledge.drugs);
  if (ingredients.some((one) => drugKey(one) === drugKey(around.ordered))) return 'the ordered drug';
  return ingredients.map((one) => relationByClass(around, one)?.relation).find((relation) => relation !== undefined);
}
