import { type DoseFormWords, doseForms } from './dose-forms.ts';
import type { Product } from './products.ts';
import type { Ingredient, Parsed } from './rxnorm.ts';

/**
 * Further spellings of a product's name. All of them are invented wording: derived from RxNorm's name by the rules of
 * this file, which follow conventions seen in public data (dose-forms.ts), and found in no drug file.
 *
 * 1. Names: the brand as it stands, or the ingredients. `X, Y` is turned around or loses its comma (`inverted`);
 *    hydrochloride is HCl.
 * 2. An extended release has ER behind its ingredients; a brand has what RxNorm gives it, and ER only where it is
 *    typed; a delayed release is in the form only. First Databank writes the hours in front of the form too.
 * 3. Several ingredients: First Databank writes `a 5 mg-b 10 mg`, a brand `5 mg-10 mg`, Epic and Medi-Span
 *    `a-b 5-10 mg` where the units are one. Of liquids the last amount alone has the volume (`a 5 mg-b 10 mg/5 mL`).
 *    Two insulins in one are `70/30 100 unit/mL (70-30)`.
 * 4. Strengths: by container (`40 mg/0.4 mL`), per 5 mL or 15 mL, whichever has fewer digits, in percent (1 % is 10
 *    mg in 1 mL or 1 g) but for what comes in containers, patches of a day or more per 24 hours but for those that
 *    RxNorm rounds to whole micrograms an hour; below 0.1 mg in mcg, of an actuation below 1 mg; what is computed is a
 *    number of two digits fewer where RxNorm's may be its rounding; thousands have a comma but for Medi-Span and what
 *    is typed, millions are a word; from 1,000 mg an injection is in grams.
 * 5. Forms: the words of dose-forms.ts, with the route that the order states where RxNorm's name has none; injections
 *    in a pack are a kit.
 * 6. Typed: lower case, no blank before the unit, short words for the form; or form before strength. Medi-Span's form
 *    stands before the strength too.
 *
 * A second reader, who had not written them and is no pharmacist, read the spellings of a product of each dose form,
 * one and several ingredients, and what the products' rows expect. Corrected after it: ER behind brands (`Xigduo ER`),
 * commas in Medi-Span's thousands, fractions of a milligram in an actuation (`0.2 mg/actuation`), digits that only
 * rounding made (`0.0751 mg/24 hr`, `0.0999 mg/0.3 mL`, `33.3 mg/mL` as 167 mg in 5 mL), insulins as two strengths,
 * `10,000,000 unit`, pens of a pack that were no kit, a dose in a tube as a percentage (`Diastat 0.5 %`), pastes and
 * lozenges that Medi-Span puts under Mouth/Throat. Added: the order of `Keytruda Intravenous Solution Reconstituted 50
 * MG`, and `24hr capsule,extended release`. What was corrected or added is as invented as the rest: the reader had no
 * drug file either.
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
  { name: 'First Databank, hours first', write: hoursFirst },
  { name: 'Epic', write: epic },
  { name: 'Medi-Span', write: (product) => mediSpan(product, ['strength', 'form']) },
  { name: 'Medi-Span, form before strength', write: (product) => mediSpan(product, ['form', 'strength']) },
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
  if (isMixedInsulin(parsed)) return `${insulinOf(parsed, brand)} 100 unit/mL (${shares(parsed, '-')}) ${form}`;
  if (brand !== undefined) return `${brand} ${strengths.join('-')} ${form}`;
  const [first, ...more] = parsed.ingredients;
  if (more.length === 0) return first && `${commonName(first)}${er} ${strengths[0]} ${form}`;
  const names = parsed.ingredients.map(commonName);
  if (er !== '') return `${names.join('-')}${er} ${strengths.join('-')} ${form}`;
  return `${names.map((name, at) => `${name} ${strengths[at]}`).join('-')} ${form}`;
}

// `... 30 mg 24hr capsule,extended release`
function hoursFirst(product: Product): string | undefined {
  const { hours, release } = product.parsed;
  if (hours === undefined || release === undefined) return undefined;
  return firstDatabank(product, product.parsed.brand)
    ?.replace(` ${hours} hr`, '')
    .replace(/(?=\b(?:tablet|capsule|suspension),extended)/, `${hours}hr `);
}

/** Two insulins that are named by their shares of 100 units in 1 mL. */
export function isMixedInsulin({ ingredients }: Parsed): boolean {
  const isInsulin = ingredients.length === 2 && ingredients.every(({ name }) => name.startsWith('insulin'));
  return isInsulin && ingredients.reduce((sum, { amount }) => sum + amount, 0) === 100;
}

function insulinOf(parsed: Parsed, brand: string | undefined): string {
  return `${brand ?? parsed.ingredients.map(commonName).join('-')} ${shares(parsed, '/')}`;
}

function shares({ ingredients }: Parsed, by: string): string {
  return ingredients.map(({ amount }) => amount).join(by);
}

function packOf({ doseForm }: Parsed): string {
  if (/Tablet|Capsule/.test(doseForm)) return `${/Tablet/.test(doseForm) ? 'tablets' : 'capsules'} in a dose pack`;
  return 'kit';
}

// The ingredients in another order, each still with its own strength.
function turned(product: Product): string | undefined {
  const { parsed } = product;
  // of a liquid the volume stands behind the last amount, so each keeps its own only in percent or as a piece
  const isOne = parsed.isMixed || parsed.ingredients.length === 1 || isMixedInsulin(parsed);
  if (isOne || words(parsed).measure === 'spoon') return undefined;
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
  const names = isMixedInsulin(parsed) ? insulinOf(parsed, undefined) : parsed.ingredients.map(commonName).join('-');
  return `${names}${er}${brand} ${strengthOf(parsed, '-')} ${formOf(product, 'short')}`;
}

function mediSpan(product: Product, order: readonly ('strength' | 'form')[]): string | undefined {
  const { parsed } = product;
  if (parsed.isMixed) return undefined;
  const er = parsed.release === 'extended' ? ' ER' : '';
  const names = parsed.brand ?? `${parsed.ingredients.map((one) => titled(commonName(one))).join('-')}${er}`;
  const share = isMixedInsulin(parsed) ? ` ${shares(parsed, '/')}` : '';
  const strength = withoutCommas(strengthOf(parsed, '-'))
    .toUpperCase()
    .replace(/\/([\d.]+) ML/g, '/$1ML')
    .replace(/\/ACTUATION/g, '/ACT')
    .replace(/\/24 HR/g, '/24HR');
  const parts = { strength, form: formOf(product, 'mediSpan') };
  return `${names}${share} ${order.map((part) => parts[part]).join(' ')}`;
}

function typedIn(product: Product, order: readonly ('name' | 'strength' | 'form')[]): string | undefined {
  const { parsed } = product;
  if (parsed.isMixed) return undefined;
  const er = parsed.release === 'extended' ? ' er' : '';
  const strength = withoutCommas(strengthOf(parsed, '/')).replace(/ (?=[a-z%])/gi, '');
  // amounts that have several units are not typed behind one another
  if (parsed.ingredients.length > 1 && /[a-z%].*[a-z%]\/\d/i.test(strength)) return undefined;
  const name = parsed.brand ?? parsed.ingredients.map(commonName).join('/');
  const parts = {
    name: isMixedInsulin(parsed) ? insulinOf(parsed, parsed.brand) : `${name}${er}`,
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

function strengthOf(parsed: Parsed, by: string): string {
  return isMixedInsulin(parsed) ? `100 unit/mL (${shares(parsed, '-')})` : together(strengthsOf(parsed), by);
}

function withoutCommas(strength: string): string {
  return strength
    .replace(/([\d.]+) million/g, (_all, count: string) => String(Number(count) * 1e6))
    .replaceAll(',', '');
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
  if (parsed.isPack && words(parsed).measure === 'container') return kits[style](text);
  return isPowder(parsed) && style !== 'printed' && style !== 'typed' ? reconstituted(text, style) : text;
}

const kits: Readonly<Record<Parameters<typeof formOf>[1], (form: string) => string>> = {
  printed: (form) => `${form} kit`,
  short: (form) => form.replace('PnIj', 'PnKt').replace('Syrg', 'SyKt'),
  mediSpan: (form) => form.replace('Solution ', '').replace(/$/, ' Kit'),
  typed: (form) => `${form} kit`,
};

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
  const stated = words(parsed).measure;
  const measure = stated === 'percent' && parsed.volume !== undefined ? 'container' : stated;
  const isLast = (at: number) => at === parsed.ingredients.length - 1;
  return parsed.ingredients.map((ingredient, at) => {
    const { amount, unit, per } = ingredient;
    if (per === undefined) return quantity(amount, unit, parsed.doseForm === 'Injection');
    if (unit === 'ML') return `${rounded(amount * 100)} %`;
    if (measure === 'percent' && unit === 'MG' && per !== 'ACTUAT') {
      return `${rounded(per === 'ML' ? amount / 10 : amount * 100)} %`;
    }
    if (per === 'HR') return perHours(amount, parsed.hours);
    if (per === 'ACTUAT') return `${inActuation(amount, unit)}${isLast(at) ? '/actuation' : ''}`;
    if (per === 'MG') return `${quantity(amount * 1000, unit)}/gram`;
    const inAll = measure === 'container' && unit === 'MG' ? (parsed.volume ?? 1) : 1;
    const volume = measure === 'spoon' ? spoonOf(parsed) : inAll;
    const per1 = volume === 1 ? '/mL' : `/${volume} mL`;
    const behind = unit === 'UNT' && parsed.volume !== undefined && parsed.volume !== 1 ? ` (${parsed.volume} mL)` : '';
    const whole = volume === 1 ? amount : unrounded(amount, volume);
    return `${quantity(whole, unit)}${isLast(at) || measure !== 'spoon' ? per1 : ''}${behind}`;
  });
}

function perHours(amount: number, hours: number | undefined): string {
  if (hours !== undefined && hours < 24) return `${rounded(unrounded(amount, hours))} mg/${hours} hr`;
  const mcg = amount * 1000;
  const isWhole = Math.abs(mcg - Math.round(mcg)) < 1e-9 && hours !== 24;
  return isWhole && amount < 0.5 ? `${rounded(mcg)} mcg/hr` : `${rounded(unrounded(amount, 24))} mg/24 hr`;
}

function inActuation(amount: number, unit: string): string {
  return unit === 'MG' && amount < 1 ? `${rounded(amount * 1000)} mcg` : quantity(amount, unit);
}

// A tablespoon where it makes rounder numbers than a teaspoon.
function spoonOf({ ingredients }: Parsed): number {
  const digitsIn = (volume: number) =>
    ingredients.reduce((sum, { amount }) => sum + digitsOf(unrounded(amount, volume)), 0);
  return digitsIn(15) < digitsIn(5) ? 15 : 5;
}

// RxNorm's numbers are rounded: a product that has two digits fewer and lies within what they were before is meant.
function unrounded(amount: number, measure: number): number {
  const product = amount * measure;
  const [half, slack] = [halfStep(amount), /\.\d\d/.test(String(measure)) ? halfStep(measure) : 0];
  const [least, most] = [(amount - half) * (measure - slack), (amount + half) * (measure + slack)];
  const all = Array.from({ length: 8 }, (_none, at) => Number(product.toPrecision(at + 1)));
  const isMeant = (number: number) =>
    number >= least - 1e-9 && number < most && digitsOf(number) <= digitsOf(Number(product.toPrecision(8))) - 2;
  return all.find(isMeant) ?? product;
}

function halfStep(number: number): number {
  return 0.5 / 10 ** (String(number).split('.')[1]?.length ?? 0);
}

function digitsOf(number: number): number {
  return String(number).replace(/\.|^0\.0*|0+$/g, '').length;
}

function quantity(amount: number, unit: string, inGrams = false): string {
  if (unit === 'UNT') return amount >= 1e6 ? `${rounded(amount / 1e6)} million unit` : `${rounded(amount)} unit`;
  if (unit === 'MEQ') return `${rounded(amount)} mEq`;
  if (inGrams && amount >= 1000) return `${rounded(amount / 1000)} gram`;
  return amount < 0.0999 ? `${rounded(amount * 1000)} mcg` : `${rounded(amount)} mg`;
}

function rounded(amount: number): string {
  return Number(amount.toPrecision(8)).toLocaleString('en-US', { maximumFractionDigits: 6 });
}
