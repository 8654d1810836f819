import type { Base } from '../bases.ts';
import type { Draft } from '../draft.ts';
import { doseForms } from './dose-forms.ts';
import type { Product } from './products.ts';

/** How a chart names the drug. */
export interface Naming {
  /** Whether RxNorm's code and name stand there. */
  readonly isCoded: boolean;
  readonly text: string | undefined;
  /** Where the text stands: in the concept's text, or as the display of the EHR's own code. */
  readonly place: 'text' | 'display';
  /** Whether the order states the route; otherwise words of the drug do. */
  readonly hasRoute: boolean;
}

const rxnorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';

/** The base's chart with another drug: name, route, quantity and directions that fit it, and nothing else changed. */
export function chartOf(base: Base, product: Product, naming: Naming): Draft {
  const draft = base.open();
  const { order } = draft;
  const { rxcui: code, name: display } = product;
  const { unit, quantity, directions } = supplyOf(product);
  const own =
    naming.place === 'display' ? [{ system: 'https://ehr.example.org/drugs', code: '4711', display: naming.text }] : [];
  order.medicationCodeableConcept = {
    coding: [...(naming.isCoded ? [{ system: rxnorm, code, display }] : []), ...own],
    ...(naming.place === 'text' ? { text: naming.text } : {}),
  };
  const [route = ''] = product.routes;
  order.dosageInstruction = [{ text: directions, ...(naming.hasRoute ? { route: { text: route } } : {}) }];
  order.dispenseRequest = { quantity: { value: quantity, unit } };
  return draft;
}

function supplyOf({ parsed }: Product) {
  const words = doseForms[parsed.doseForm];
  if (words === undefined) throw new Error(`no supply of ${parsed.doseForm}`);
  if (parsed.isMixed) return { ...words, unit: 'pack', quantity: 1 };
  if (words.measure !== 'container') return words;
  return parsed.volume === undefined
    ? { ...words, unit: parsed.ingredients[0]?.per === undefined ? 'vial' : 'mL' }
    : { ...words, quantity: Number((parsed.volume * 2).toPrecision(4)) };
}
