import { isGivenByTheHour } from './form.ts';
import { formWord, nounOf } from './form-words.ts';
import { isGauge } from './gauge.ts';
import { splitNames } from './ingredient.ts';
import { multiply, numberPattern, writtenNumber } from './number.ts';
import { type DrugReading, readingOf } from './reading.ts';
import { mergeReleases, takeRelease, type WithoutRelease } from './release.ts';
import type { Strength } from './strength.ts';
import { type Amount, amountIn, unitOf, unitPattern } from './unit.ts';

/**
 * The grammar of RxNorm names (SCD, SBD, SCDC, SBDC, GPCK, BPCK): "ingredient strength / ingredient strength dose form
 * [brand]". An amount, duration or delivery may come first ("0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]").
 * Source: NLM, "RxNorm Technical Documentation", section 4 (normalized names).
 */
const unit =
  '(?:MG|MCG|UG|NG|G|KG|ML|L|UNT|IU|UNITS|MEQ|MMOL|MOL|CELLS|ACTUAT|HR|SQCM|CM2|CM|BAU|AMB A 1 ' +
  'U|PNU|AU|TCID50|PFU|VP|LFU|MCI|MBQ|MICROCI|VECTOR-GENOMES|FFU|CFU)';
const component = new RegExp(
  `^(.+?) (${numberPattern}) ?(${unit}(?:/(?:(${numberPattern}) ?)?${unit})?|%)(?:[ ,]\\s?(.+))?$`,
  'i',
);
// A name with an amount inside is not a name: "hydroquinone 4%/tretinoin" has two ingredients.
const amountInside = new RegExp(`${numberPattern} ?${unitPattern}(?![\\p{L}\\d])`, 'iu');
const front = new RegExp(String.raw`^(${numberPattern}) (HR|ML|MG|ACTUAT|L|G) (?=\S*[A-Za-z])(?!.{0,3}$)`, 'i');
const delivery = new RegExp(
  String.raw`^((?:NDA|ANDA|BLA)\d{6}|Abuse-Deterrent|Matrix Delivery|Osmotic|Once-Daily|Biphasic|Sensor|` +
    String.raw`Microencapsulated|3-Bead|\d\d/\d\d Release) `,
  'i',
);

// The possible doses of a pen: "0.25 MG, 0.5 MG Dose 3 ML ...".
const doses = new RegExp(String.raw`^${numberPattern} ${unit}(?:, ${numberPattern} ${unit}){0,4} Dose `, 'i');

const longest = 2000;

/** Removes the delivery words before a name: `aripiprazole 2 MG` for "Sensor aripiprazole 2 MG". */
export function withoutDelivery(text: string): string {
  return text.replace(delivery, '').replace(doses, '');
}

interface Component {
  readonly name: string;
  readonly number: string;
  readonly unit: string;
  readonly tail: string | undefined;
}

interface Front {
  readonly rest: string;
  readonly holds: { readonly number: string; readonly unit: string; readonly isOfSeveral: boolean } | undefined;
  readonly hours: number | undefined;
}

/**
 * Reads a name in RxNorm's grammar. Undefined for any other text, such as an ingredient alone or a form before the
 * strength.
 */
export function readRxNormName(text: string, words = text): DrugReading | undefined {
  if (!/\d/.test(text) || text.length > longest) return undefined;
  const { rest, brand } = takeBrand(text);
  return rest.startsWith('{') ? readPack(words, rest, brand) : readProduct(words, rest, brand);
}

function takeBrand(text: string): { rest: string; brand: string | undefined } {
  const open = text.endsWith(']') ? text.lastIndexOf('[') : -1;
  if (open < 1) return { rest: text, brand: undefined };
  return { rest: text.slice(0, open).trimEnd(), brand: text.slice(open + 1, -1).trim() };
}

function readProduct(words: string, text: string, brand: string | undefined): DrugReading | undefined {
  const { rest, holds, hours } = takeFront(text);
  const components = rest.split(' / ').map((part) => readComponent(part, brand !== undefined));
  const certain = components.flatMap((one, index) =>
    one?.tail === undefined || index === components.length - 1 ? (one ?? []) : [],
  );
  if (certain.length === 0 || certain.length !== components.length) return undefined;
  if (isMassOf(certain, holds) || certain.some((one) => isGauge(one.number, one.unit, text))) return undefined;
  const tail = takeRelease((certain.at(-1)?.tail ?? '').replace(/,/g, ' '));
  const named = certain.map(({ name }) => takeRelease(name));
  if (!tail.rest.every((word) => formWord(word) !== undefined) || named.some(({ rest: left }) => left.length === 0))
    return undefined;
  const form = tail.rest.join(' ');
  const ingredients = named.map(({ rest: left }) => left.join(' '));
  const isRxNorm = isSpelledAsRxNorm(certain, tail.rest);
  if (certain.some((one) => isDose(one, form, isRxNorm))) return undefined;
  // In text written by a person, other numbers may show what a comma means, so `readOrderText` reads such a text.
  if (!isRxNorm && certain.some(({ number, unit: written }) => plain(number, written) === undefined)) return undefined;
  return readingOf({
    words,
    source: isRxNorm ? 'rxnorm' : 'text',
    name: brand === undefined || brand === '' ? ingredients.join(' / ') : undefined,
    ingredients: [...new Set(isRxNorm ? ingredients : ingredients.flatMap(splitNames))],
    brands: brand === undefined || brand === '' ? [] : [brand],
    ...strengthOf(certain, ingredients, holds),
    form: form === '' ? undefined : form,
    release: releaseIn(hours, form, [tail, ...named]),
    doubtful: isRxNorm || brand === undefined || brand === '' ? [] : [brand],
  });
}

// "1.25 GM testosterone 0.0162 MG/MG Topical Gel" states the mass of the gel and the share of the drug, but "500 mg
// amoxicillin 250 mg capsule" states two strengths.
function isMassOf(components: readonly Component[], holds: Front['holds']): boolean {
  return /^M?G$/.test(holds?.unit ?? '') && components.some(({ unit: written }) => !/[/%]/.test(written));
}

// The hours before a name are how long a dose of a tablet lasts, or how long a patch is worn.
function releaseIn(hours: number | undefined, form: string, taken: readonly WithoutRelease[]): DrugReading['release'] {
  const releases = taken.flatMap((one) => one.releases);
  const isPiece = /\b(tablet|capsule|suspension)s?$/i.test(form) || releases.length > 0;
  const release = mergeReleases(releases, isPiece ? hours : undefined);
  if (release === undefined) return undefined;
  const [said] = taken.flatMap((one) => one.words);
  const words = [hours === undefined ? undefined : `${hours} HR`, said].filter((word) => word !== undefined).join(' ');
  return { ...release, words };
}

// "30 mg tablet" follows the grammar too, but its lowercase shows that a person wrote it.
function isSpelledAsRxNorm(components: readonly Component[], form: readonly string[]): boolean {
  const isUpper = components.every(({ unit: written }) => written === written.toUpperCase());
  return isUpper && form.every((word) => /^[^a-z]|^for$/.test(word));
}

// mg/kg is a dose. mg/h is a rate, which is a strength only for a drug that is worn or inserted.
function isDose({ unit: written }: Component, form: string, isRxNorm: boolean): boolean {
  const [, per = ''] = /\/[\d., ]*(.+)$/.exec(written) ?? [];
  const isByTheHour = /^hr$/i.test(per) && !(isRxNorm && form === '') && !isGivenByTheHour(form);
  return isByTheHour || /^kg$/i.test(per);
}

function readComponent(part: string, isBranded: boolean): Component | undefined {
  const [, name, number, written, , tail] = component.exec(withoutDelivery(part)) ?? [];
  if (name === undefined || number === undefined || written === undefined) return undefined;
  const isNamed =
    /\p{L}/u.test(name) &&
    !amountInside.test(name) &&
    !/[[\]{}+;]|,(?! \p{L})/u.test(name) &&
    !isOrderText(name, isBranded);
  if (!isNamed || /[()[\]{}+\d]/.test(tail ?? '')) return undefined;
  return { name, number, unit: written, tail };
}

// Order texts have the form before the strength, as in "atorvastatin (LIPITOR) tablet 40 MG", or at the start, as in
// "tab atorvastatin 40mg". Neither is an RxNorm name.
function isOrderText(name: string, isBranded: boolean): boolean {
  const [first = '', second] = name.split(' ', 2);
  if (second !== undefined && /^(tablet|capsule|injection)$/.test(nounOf(first.toLowerCase())?.term ?? '')) return true;
  const last = takeRelease(name).rest.at(-1) ?? '';
  return formWord(last) !== undefined || (!isBranded && /[()]/.test(name));
}

// Several parts may precede the name: "Abuse-Deterrent 12 HR ...".
function takeFront(text: string): Front {
  const isOfSeveral = doses.test(text);
  let rest = text;
  let holds: Front['holds'];
  let hours: number | undefined;
  for (let taken = 0; taken < 6; taken += 1) {
    const [said] = doses.exec(rest) ?? delivery.exec(rest) ?? [];
    const [measured, number = '', unitWord = ''] = said === undefined ? (front.exec(rest) ?? []) : [];
    const all = said ?? measured;
    if (all === undefined) break;
    if (/^hr$/i.test(unitWord)) hours = writtenNumber(number).values[0];
    else if (unitWord !== '') holds = { number, unit: unitWord.toUpperCase(), isOfSeveral };
    rest = rest.slice(all.length);
  }
  return { rest, holds, hours };
}

/**
 * The most milliliters in one dose. A larger pen or vial holds several doses, and its label states the concentration.
 * So does every insulin label, even for a small pen: Toujeo SoloStar holds 1.5 mL and states 300 units/mL (DailyMed,
 * Toujeo, section 3).
 */
const mostOfOneDose = 2;

function strengthOf(
  components: readonly Component[],
  ingredients: readonly string[],
  front: Front['holds'],
): Pick<
  DrugReading,
  'strength' | 'components' | 'isDerived' | 'note' | 'refused' | 'amounts' | 'possible' | 'holds' | 'isCertain'
> {
  const holds = amountOf(front?.number, front?.unit, 0);
  const unclear = components.find(({ number, unit: written }) => plain(number, written) === undefined);
  const holdsUnclear = front !== undefined && plain(front.number, front.unit) === undefined;
  if (unclear !== undefined || holdsUnclear) {
    const possible = ([0, -1] as const).map((at) => components.flatMap((one) => amountsOf(one, at)));
    return { isDerived: false, amounts: [], possible, refused: 'unclear_number', isCertain: false };
  }
  const amounts = components.flatMap((one) => amountsOf(one, 0));
  const isInsulin = ingredients.some((name) => /\binsulin\b/i.test(name));
  const contained = components.length === 1 && !isInsulin ? inContainer(components[0], front) : undefined;
  if (contained !== undefined)
    return {
      strength: contained,
      isDerived: true,
      note: 'concentration times what one container holds',
      amounts,
      possible: [],
      holds,
      isCertain: true,
    };
  const strengths = components.map(({ number, unit: written }) => textOf(number, written));
  const each = ingredients.map((ingredient, index) => ({ ingredient, strength: strengths[index] ?? '' }));
  const stated = each.length > 1 ? { components: each } : { strength: strengths.join(' / ') };
  return { ...stated, isDerived: false, amounts, possible: [], holds, isCertain: true };
}

function plain(number: string, written: string): string | undefined {
  return writtenNumber(number, unitOf(written.split('/')[0] ?? '')?.unit === 'unit').text;
}

function textOf(number: string, written: string): string {
  const value = plain(number, written) ?? number;
  return written === '%' ? `${value}%` : `${value} ${written}`;
}

function amountsOf({ number, unit: written }: Component, at: 0 | -1): Strength[] {
  const [over = '', under] = written.split('/');
  const amount = amountOf(number, over, at);
  const [, count, per = ''] = /^([\d.,]+)? ?(.+)$/.exec(under ?? '') ?? [];
  if (amount === undefined) return [];
  return [{ amount, per: under === undefined ? undefined : amountOf(count ?? '1', per, 0) }];
}

function amountOf(number: string | undefined, word: string | undefined, at: 0 | -1): Amount | undefined {
  if (number === undefined || word === undefined) return undefined;
  return amountIn(unitOf(word) ?? { unit: word.toLowerCase(), factor: 1 }, number, at);
}

function inContainer(component: Component | undefined, front: Front['holds']): string | undefined {
  const [over, per] = component?.unit.split('/') ?? [];
  if (component === undefined || over === undefined || front?.unit !== 'ML' || per?.toUpperCase() !== 'ML')
    return undefined;
  if (front.isOfSeveral) return undefined;
  const [number, volume] = [plain(component.number, over), plain(front.number, 'ML')];
  if (number === undefined || volume === undefined || Number(volume) === 1 || Number(volume) > mostOfOneDose)
    return undefined;
  const product = multiply(number, volume);
  return product === undefined ? undefined : `${product} ${over}/${volume} ${per}`;
}

function readPack(words: string, text: string, brand: string | undefined): DrugReading | undefined {
  const body = /^\{(.+)\} Pack$/.exec(text)?.[1];
  if (body === undefined) return undefined;
  const drugs = splitPack(body).map((content) => {
    const inner = takeBrand(/^\s*\d+ (?:\([^()]*\) )?\((.+)\)\s*$/.exec(content)?.[1] ?? '');
    return readProduct(words, inner.rest, inner.brand);
  });
  const certain = drugs.filter((drug) => drug !== undefined);
  const [first, ...more] = certain;
  if (first === undefined || certain.length !== drugs.length) return undefined;
  const brands = brand === undefined ? [] : [brand];
  if (more.length === 0) return readingOf({ ...first, name: undefined, brands });
  const parts = certain.filter(({ ingredients }) => !ingredients.includes(inert));
  return readingOf({
    words,
    source: 'rxnorm',
    ingredients: [...new Set(parts.flatMap(({ ingredients }) => ingredients))],
    brands,
    amounts: [],
    refused: 'pack',
    inPack: parts.flatMap(({ strength }) => strength ?? []),
    form: 'Pack',
    release: parts.every(({ release }) => release?.words === first.release?.words) ? first.release : undefined,
    piece: parts.every(({ piece }) => piece?.words === first.piece?.words) ? first.piece : undefined,
    route: parts.every(({ route }) => route === first.route) ? first.route : undefined,
    isCertain: true,
  });
}

const inert = 'inert ingredients';

// " / " separates products outside parentheses and ingredients inside them.
function splitPack(body: string): string[] {
  const contents = [''];
  let depth = 0;
  for (const piece of body.split(/( \/ |[()])/)) {
    if (piece === ' / ' && depth === 0) contents.push('');
    else contents[contents.length - 1] += piece;
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
  }
  return contents;
}
