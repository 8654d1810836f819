import type { DrugReading } from '../drug/reading.ts';
import { Cited, nodeOf } from '../evidence/cite.ts';
import type { Node } from '../mapping/input.ts';
import { drugReadings } from '../roles/drug-of.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import { isBrand } from './ingredients.ts';
import { releaseIn } from './taken-products.ts';

/**
 * The ordered drug as its names say it, each part for itself: the brand and its ingredients, else these alone, and the
 * kind of release or of the piece, as a text has it before a code. One node.
 */
export function productAround({ chart, knowledge: { drugs } }: Answering, facts: Facts): Node[] {
  const nodes = facts
    .root('drug')
    .nodes.flatMap((node) => drugReadings(node).map((reading) => ({ reading, source: node.source })));
  const first = (of: (reading: DrugReading) => string | undefined): Cited<string> | undefined =>
    nodes.flatMap(({ reading, source }) => {
      const said = of(reading);
      return said === undefined || source === undefined ? [] : [new Cited(said, source)];
    })[0];
  const brand = first(({ brand: marked, ingredients }) => marked ?? ingredients.find((name) => isBrand(name, drugs)));
  const row = brand && drugs.rowOf(brand.value);
  const ingredient =
    first(({ ingredients, otherNames }) =>
      [ingredients, otherNames]
        .find((names) => names.length > 0 && !names.some((name) => isBrand(name, drugs)))
        ?.join(' / '),
    ) ??
    (brand && row && new Cited(row.ingredients.join(' / '), brand.source));
  if (ingredient === undefined && brand === undefined) return [];
  const kind = first((reading) => (reading.source === 'text' ? kindIn(reading) : undefined)) ?? first(kindIn);
  const product = { name: brand ?? ingredient, ingredient: brand && ingredient, release: kind };
  return [nodeOf({ product }, chart.order)];
}

// "12 HR" stands in front of a name, "Extended Release" behind it.
function kindIn(reading: DrugReading): string | undefined {
  const release = releaseIn(reading)?.replace(/(?<=^\d+ HR) | (?=\d)/, ', ');
  const piece = reading.piece?.words;
  const isForm = piece !== undefined && reading.form?.includes(piece) === true;
  return [release, isForm ? undefined : piece].filter(Boolean).join(', ') || undefined;
}
