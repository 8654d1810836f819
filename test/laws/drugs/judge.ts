import type { Readings } from '../../../src/core/fhir/documents/readings.ts';
import type { Base } from '../bases.ts';
import { isRefusal } from '../laws.ts';
import { get } from '../meaning.ts';
import { mapChart, type Outcome } from '../product.ts';
import { chartOf, type Naming } from './chart.ts';
import { doseForms } from './dose-forms.ts';
import type { Product } from './products.ts';
import { isMixedInsulin } from './spellings.ts';
import { isStrengthOf, placeOf, speaksOf } from './strength.ts';

/** What became of a chart that names a product in some way. */
export interface Verdict {
  /** Leaves that are sent and are not the product's, with what was sent. */
  readonly wrong: readonly string[];
  /** Leaves that wait for a person. */
  readonly asked: readonly string[];
  readonly strength: string | undefined;
}

const drug = ['drug_name', 'strength', 'dose_form', 'route_of_administration'] as const;

/** Maps a chart that names the product so, and compares what came out with its row; `words` is the text undecorated. */
export function verdictOf(
  base: Base & { readonly readings: Readings },
  product: Product,
  naming: Naming & { readonly words: string | undefined },
): Verdict {
  const { entries, site } = chartOf(base, product, naming);
  let outcome: Outcome;
  try {
    outcome = mapChart(entries, { order: base.order, site, readings: base.readings });
  } catch (error) {
    if (isRefusal(error)) return { wrong: [], asked: ['order'], strength: undefined };
    throw error;
  }
  const { priorAuth } = outcome;
  const prescription = get(priorAuth.status === 'complete' ? priorAuth.body : priorAuth.draft, 'prescription');
  const gaps = priorAuth.gaps.filter(({ severity }) => severity === 'blocks').map(({ target }) => target);
  const sent = (leaf: string) => {
    const value = get(prescription, leaf);
    return typeof value === 'string' && !gaps.includes(`prescription.${leaf}`) ? value : undefined;
  };
  const wrong = drug.flatMap((leaf) => {
    const value = sent(leaf);
    return value === undefined || isRight[leaf](product, value, naming, sent('drug_name') ?? '')
      ? []
      : [`${leaf} "${value}"`];
  });
  return { wrong, asked: gaps.map((target) => target.replace('prescription.', '')), strength: sent('strength') };
}

/**
 * The leaves that may wait for a person though the chart is complete: the service's list has no word, or a pack has
 * several.
 */
export function mayAsk({ forms, strengths, parsed }: Product): string[] {
  if (parsed.isMixed) return ['dose_form', 'strength', 'drug_name', 'dispense_unit'];
  // two numbers: `Cometriq 60 MG Daily Dose Carton 20 mg capsule`, `Lenvima 10 10 mg capsule`
  if (/\d( MG\b|$)/.test(parsed.brand ?? '')) return ['strength', 'drug_name'];
  return [...(forms.length === 0 ? ['dose_form'] : []), ...(strengths.length === 0 ? ['strength'] : [])];
}

type Judge = (
  product: Product,
  value: string,
  naming: Naming & { readonly words: string | undefined },
  name: string,
) => boolean;

const isRight: Readonly<Record<(typeof drug)[number], Judge>> = {
  drug_name: (product, value, { words }) => isNameOf(product, value, words ?? ''),
  strength: (product, value, { words }, name) =>
    product.parsed.isMixed
      ? product.drug.includes(value)
      : isStrengthOf(product, value, ordersOf(product, name, words ?? '')),
  dose_form: ({ forms, parsed }, value, { isCoded }) =>
    forms.includes(value) ||
    (parsed.isMixed && [formOfParts(parsed), 'kit'].includes(value)) ||
    (!isCoded && doseForms[parsed.doseForm]?.also?.includes(value) === true),
  route_of_administration: ({ routes }, value) => routes.includes(value),
};

// The parts of a pack are all tablets, all capsules or all injected.
function formOfParts({ doseForm }: Product['parsed']): string {
  return /Tablet/.test(doseForm) ? 'tablet' : /Capsule/.test(doseForm) ? 'capsule' : 'injection';
}

// A number stays beside its ingredient: in the order in which the drug is named, else that of the text, else RxNorm's.
function ordersOf({ parsed }: Product, name: string, text: string): string[][] {
  const all = parsed.ingredients.map((one) => one.name);
  const inOrderOf = (words: string) =>
    all.toSorted((one, other) => placeOf(words, one, all) - placeOf(words, other, all));
  if (all.every((one) => speaksOf(name, one, all))) return [inOrderOf(name)];
  return all.every((one) => speaksOf(text, one, all)) ? [inOrderOf(text), all] : [all];
}

const releases = {
  extended: ['er', 'xr', 'xl', 'sr', 'cr', 'la', 'extended', 'release'],
  delayed: ['dr', 'ec', 'delayed', 'release'],
};
// A tablet that is none of these is plain.
const kinds: Readonly<Record<string, readonly string[]>> = {
  'Chewable Tablet': ['chewable'],
  'Disintegrating Oral Tablet': ['disintegrating', 'odt'],
  'Effervescent Oral Tablet': ['effervescent'],
  'Tablet for Oral Suspension': ['suspension', 'susp', 'soluble', 'for', 'oral'],
};
const salts = new RegExp(
  String.raw`^(hydrochloride|hcl|dihydrochloride|sodium|disodium|sulfate|acetate|phosphate|tartrate|` +
    String.raw`maleate|bitartrate|hydrobromide|fumarate|citrate|succinate|chloride|usp|human|porcine|and|` +
    String.raw`with)$`,
  '',
);

/** Every word stands in the product's own names, and together they name it: the brand, or every ingredient. */
export function isNameOf({ name, parsed, drug: own }: Product, sent: string, words: string): boolean {
  const sentWords = wordsOf(sent);
  const release = parsed.release === undefined ? [] : releases[parsed.release];
  const kind = kinds[parsed.doseForm] ?? [];
  const hours = /(\d+) HR\b/.exec(name)?.[1];
  const known = new Set([
    ...wordsOf(parsed.brand ?? ''),
    ...parsed.ingredients.flatMap((one) => wordsOf(one.name)),
    ...wordsOf(own),
    ...wordsOf(/^(\D+?) \d/.exec(words)?.[1] ?? '').filter((word) => wordsOf(`${name} hcl`).includes(word)),
    ...release,
    ...(hours === undefined ? [] : [hours, `${hours}h`, `${hours}hr`, 'hr', 'hour', 'h']),
    ...(/^(Abuse|Micro|Matrix|Sensor|Once|3-Bead|\d+\/)/.test(name)
      ? wordsOf(name.split(' ').slice(0, 2).join(' '))
      : []),
    'hcl',
    ...(isMixedInsulin(parsed) ? parsed.ingredients.map(({ amount }) => String(amount)) : []),
    ...kind,
  ]);
  // "Tanac Liquid 10 % mucosal solution": a word of a form ends the name
  const brand = wordsOf(parsed.brand ?? '').filter((word) => word !== 'liquid');
  // of a pack's trade name the first word is the drug: `Plegridy Pen Starter Pack`
  const isBrand =
    brand.length > 0 && (parsed.isPack ? brand.slice(0, 1) : brand).every((word) => sentWords.includes(word));
  const ingredients = parsed.ingredients.map((one) => wordsOf(one.name).filter((word) => !salts.test(word)));
  const isWhole = ingredients.every((one) => one.every((word) => sentWords.includes(word)));
  const isSum =
    /^dextroamphetamine-amphetamine/.test(words) && /^dextroamphetamine.amphetamine|^amphetamine/.test(sent);
  const hasRelease = release.length === 0 || release.some((word) => sentWords.includes(word));
  const hasKind = kind.length === 0 || kind.some((word) => sentWords.includes(word));
  return sentWords.every((word) => known.has(word)) && (isBrand || isWhole || isSum) && hasRelease && hasKind;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
