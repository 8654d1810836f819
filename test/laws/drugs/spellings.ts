import { type DoseFormWords, doseForms } from './dose-forms.ts';
import type { Product } from './products.ts';
import type { Ingredient, Parsed } from './rxnorm.ts';

/**
 * Further spellings of a product's name. All of them are invented wording: derived from RxNorm's name by the rules of
 * this file, which follow conventions seen in public data (dose-forms.ts), and found in no drug file.
 *
 * 1. Names: the brand as it stands, or the ingredients. `X, Y` is turned around or loses its comma (`inverted`);
 *    hydrochloride is HCl.
 * 2. An extended release has ER behind the name; a delayed one says so in its form only.
 * 3. Several ingredients: First Databank writes `a 5 mg-b 10 mg`, a brand `5 mg-10 mg`, Epic and Medi-Span `a-b 5-10
 * mg`
 *    where the units are one. Of liquids the last amount alone has the volume (`a 5 mg-b 10 mg/5 mL`).
 * 4. Strengths: by container (`40 mg/0.4 mL`), per 5 mL, in percent (1 % is 10 mg in 1 mL or 1 g), patches of a day or
 *    more per 24 hours but for those that RxNorm rounds to whole micrograms an hour; below 0.1 mg in mcg; what
 *    is computed has three digits that count; thousands have a comma; from 1,000 mg an injection is in grams.
 * 5. Forms: the words of dose-forms.ts, with the route that the order states where RxNorm's name has none.
 * 6. Typed: lower case, no blank before the unit, short words for the form; or form before strength.
 */
export interface Spelling {
  readonly name: string;
  readonly write: (product: Product) => string | undefined;
}

export const printed: readonly Spelling[] = [
  { name: 'First Databank', write: (product) => firstDatabank(product, product.parsed.brand) },
  { name: 'First Databank, generic', write: (product) => unlessGeneric(product, firstDatabank(product, undefined)) },
  { name: 'First Databank, capitals', write: (product) => firstDatabank(product, product.parsed.brand)?.toUpperCase() },
  { name: 'First Databank, turned', write: turned },
  { name: 'First Databank, sum of salts', write: sumOfSalts },
  { name: 'Epic', write: epic },
  { name: 'Medi-Span', write: mediSpan },
];

export const typed: readonly Spelling[] = [
  { name: 'typed', write: (product) => typedIn(product, ['name', 'strength', 'form']) },
  { name: 'typed, form before strength', write: (product) => typedIn(product, ['name', 'form', 'strength']) },
  { name: 'typed, form first', write: (product) => typedIn(product, ['form', 'name', 'strength']) },
];

const inverted: readonly (readonly [RegExp, string])[] = [
  [/^estrogens, conjugated \(USP\)$/, 'conjugated estrogens'],
  [/^insulin isophane, human$/, 'insulin isophane'],
  [/^insulin, regular, human$/, 'insulin regular'],
  [/^insulin aspart, human$/, 'insulin aspart'],
  [/^(heparin sodium), porcine$/, '$1 (porcine)'],
  [/^nitrofurantoin, (\w+)$/, 'nitrofurantoin $1'],
];

function commonName(ingredient: Ingredient): string {
  const name = inverted.reduce((text, [from, to]) => text.replace(from, to), ingredient.name);
  return name.replace(/\bhydrochloride\b/i, 'HCl');
}

function unlessGeneric(product: Product, text: string | undefined): string | undefined {
  return product.parsed.brand === undefined ? undefined : text;
}

function firstDatabank(product: Product, brand: string | undefined): string | undefined {
  const { parsed } = product;
  if (parsed.isMixed)
    return brand === undefined || /Pack|Kit|Carton/.test(brand) ? brand : `${brand} ${packOf(parsed)}`;
  const strengths = strengthsOf(parsed);
  const er = parsed.release === 'extended' ? ' ER' : '';
  const form = formOf(product, 'printed');
  if (brand !== undefined) return `${brand}${er} ${strengths.join('-')} ${form}`;
  const [first, ...more] = parsed.ingredients;
  if (more.length === 0) return first && `${commonName(first)}${er} ${strengths[0]} ${form}`;
  const names = parsed.ingredients.map(commonName);
  if (er !== '') return `${names.join('-')}${er} ${strengths.join('-')} ${form}`;
  return `${names.map((name, at) => `${name} ${strengths[at]}`).join('-')} ${form}`;
}

function packOf({ doseForm }: Parsed): string {
  if (/Tablet|Capsule/.test(doseForm)) return `${/Tablet/.test(doseForm) ? 'tablets' : 'capsules'} in a dose pack`;
  return 'kit';
}

// The ingredients in another order, each still with its own strength.
function turned(product: Product): string | undefined {
  const { parsed } = product;
  // of a liquid the volume stands behind the last amount, so each keeps its own only in percent or as a piece
  if (parsed.isMixed || parsed.ingredients.length === 1 || words(parsed).measure === 'spoon') return undefined;
  return firstDatabank({ ...product, parsed: { ...parsed, ingredients: parsed.ingredients.toReversed() } }, undefined);
}

// `dextroamphetamine-amphetamine 10 mg tablet` for four salts of 2.5 mg each.
function sumOfSalts(product: Product): string | undefined {
  const { ingredients, release } = product.parsed;
  if (!isMixedSalts(product)) return undefined;
  const sum = ingredients.reduce((total, { amount }) => total + amount, 0);
  const er = release === 'extended' ? ' ER' : '';
  return `dextroamphetamine-amphetamine${er} ${rounded(sum)} mg ${formOf(product, 'printed')}`;
}

/** Salts of one drug, whose amounts are also stated as their sum. */
export function isMixedSalts({ parsed }: Product): boolean {
  return parsed.ingredients.length === 4 && parsed.ingredients.every(({ name }) => /amphetamine/.test(name));
}

function epic(product: Product): string | undefined {
  const { parsed } = product;
  if (parsed.isMixed) return undefined;
  const brand = parsed.brand === undefined ? '' : ` (${parsed.brand.toUpperCase()})`;
  const er = parsed.release === 'extended' ? ' ER' : '';
  const names = parsed.ingredients.map(commonName).join('-');
  return `${names}${er}${brand} ${together(strengthsOf(parsed), '-')} ${formOf(product, 'short')}`;
}

function mediSpan(product: Product): string | undefined {
  const { parsed } = product;
  if (parsed.isMixed) return undefined;
  const names = parsed.brand ?? parsed.ingredients.map((one) => titled(commonName(one))).join('-');
  const er = parsed.release === 'extended' ? ' ER' : '';
  const strength = together(strengthsOf(parsed), '-')
    .toUpperCase()
    .replace(/\/([\d.]+) ML/g, '/$1ML')
    .replace(/\/ACTUATION/g, '/ACT')
    .replace(/\/24 HR/g, '/24HR');
  return `${names}${er} ${strength} ${formOf(product, 'mediSpan')}`;
}

function typedIn(product: Product, order: readonly ('name' | 'strength' | 'form')[]): string | undefined {
  const { parsed } = product;
  if (parsed.isMixed) return undefined;
  const er = parsed.release === 'extended' ? ' er' : '';
  const strength = together(strengthsOf(parsed), '/').replace(/ (?=[a-z%])/gi, '');
  // amounts that have several units are not typed behind one another
  if (parsed.ingredients.length > 1 && /[a-z%].*[a-z%]\/\d/i.test(strength)) return undefined;
  const parts = {
    name: `${parsed.brand ?? parsed.ingredients.map(commonName).join('/')}${er}`,
    strength,
    form: formOf(product, 'typed'),
  };
  if (order[0] === 'form' && !/^(tabs|caps)$/.test(parts.form)) return undefined;
  const text = order.map((part, at) => (part === 'form' && at === 0 ? parts.form.slice(0, -1) : parts[part]));
  return text.join(' ').toLowerCase();
}

function titled(name: string): string {
  return name.replace(/(^|[ (])([a-z])/g, (_whole, before: string, letter: string) => before + letter.toUpperCase());
}

// `5 mg`, `10 mg` are `5-10 mg`.
function together(strengths: readonly string[], by: string): string {
  const units = new Set(strengths.map((strength) => strength.replace(/^[\d.,]+/, '')));
  if (units.size > 1) return strengths.join(by);
  return `${strengths.map((strength) => /^[\d.,]+/.exec(strength)?.[0] ?? '').join(by)}${[...units][0]}`;
}

function words({ doseForm }: Parsed): DoseFormWords {
  const found = doseForms[doseForm];
  if (found === undefined) throw new Error(`no words for ${doseForm}`);
  return found;
}

function formOf(product: Product, style: 'printed' | 'short' | 'mediSpan' | 'typed'): string {
  const { parsed } = product;
  const [route = ''] = product.routes;
  const hours = parsed.hours === undefined ? '' : ` ${parsed.hours} hr`;
  const topical = product.routes.at(-1) ?? '';
  const text = words(parsed)
    [style].replace('{route}', route)
    .replace('{Route}', titled(route))
    .replace('{hours}', hours)
    .replace('{Hours}', hours.replace('hr', 'Hour'))
    .replace('{hh}', parsed.hours === undefined ? 'ER' : String(parsed.hours))
    .replace('{topical}', topical)
    .replace('{Topical}', topical === 'topical' ? 'External' : titled(topical))
    .replace('{often}', oftens[parsed.hours ?? 0]?.[0] ?? '')
    .replace('{Often}', oftens[parsed.hours ?? 0]?.[1] ?? '')
    .replace('{pt}', oftens[parsed.hours ?? 0]?.[2] ?? 'Ptch');
  return isPowder(parsed) && style !== 'printed' && style !== 'typed' ? reconstituted(text, style) : text;
}

/** How often a transdermal system is changed, by the hours that it lasts. */
const oftens: Readonly<Record<number, readonly [string, string, string]>> = {
  24: ['24 hour ', ' 24 Hour', 'Pt24'],
  72: ['72 hour ', ' 72 Hour', 'Pt72'],
  84: ['semiweekly ', ' Twice Weekly', 'PTSW'],
  168: ['weekly ', ' Weekly', 'PTWK'],
};

// An injection without a volume is a powder: `pegvisomant 25 MG Injection`.
function isPowder({ doseForm, ingredients }: Parsed): boolean {
  return doseForm === 'Injection' && ingredients.every(({ per }) => per === undefined);
}

function reconstituted(text: string, style: 'short' | 'mediSpan'): string {
  return style === 'short' ? text.replace('Soln', 'Recon Soln') : text.replace('Solution', 'Solution Reconstituted');
}

function strengthsOf(parsed: Parsed): string[] {
  const { measure } = words(parsed);
  const isLast = (at: number) => at === parsed.ingredients.length - 1;
  return parsed.ingredients.map((ingredient, at) => {
    const { amount, unit, per } = ingredient;
    if (per === undefined) return quantity(amount, unit, parsed.doseForm === 'Injection');
    if (unit === 'ML') return `${rounded(amount * 100)} %`;
    if (measure === 'percent' && unit === 'MG' && per !== 'ACTUAT') {
      return `${rounded(per === 'ML' ? amount / 10 : amount * 100)} %`;
    }
    if (per === 'HR') return perHours(amount, parsed.hours);
    if (per === 'ACTUAT') return `${quantity(amount, unit)}${isLast(at) ? '/actuation' : ''}`;
    if (per === 'MG') return `${quantity(amount * 1000, unit)}/gram`;
    const volume = measure === 'spoon' ? 5 : measure === 'container' && unit === 'MG' ? (parsed.volume ?? 1) : 1;
    const per1 = volume === 1 ? '/mL' : `/${volume} mL`;
    const behind = unit === 'UNT' && parsed.volume !== undefined && parsed.volume !== 1 ? ` (${parsed.volume} mL)` : '';
    const whole = volume === 1 ? amount : Number((amount * volume).toPrecision(3));
    return `${quantity(whole, unit)}${isLast(at) || measure !== 'spoon' ? per1 : ''}${behind}`;
  });
}

function perHours(amount: number, hours: number | undefined): string {
  if (hours !== undefined && hours < 24) return `${rounded(Number((amount * hours).toPrecision(3)))} mg/${hours} hr`;
  const mcg = amount * 1000;
  const isWhole = Math.abs(mcg - Math.round(mcg)) < 1e-9 && hours !== 24;
  return isWhole && amount < 0.5
    ? `${rounded(mcg)} mcg/hr`
    : `${rounded(Number((amount * 24).toPrecision(3)))} mg/24 hr`;
}

function quantity(amount: number, unit: string, inGrams = false): string {
  if (unit === 'UNT') return `${rounded(amount)} unit`;
  if (unit === 'MEQ') return `${rounded(amount)} mEq`;
  if (inGrams && amount >= 1000) return `${rounded(amount / 1000)} gram`;
  return amount < 0.0999 ? `${rounded(amount * 1000)} mcg` : `${rounded(amount)} mg`;
}

function rounded(amount: number): string {
  return Number(amount.toPrecision(8)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}
