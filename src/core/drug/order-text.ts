import { markBases } from './base-mass.ts';
import { formOf } from './form.ts';
import { formWord, isDeviceName } from './form-words.ts';
import { splitNames } from './ingredient.ts';
import { namesFirst } from './names-first.ts';
import { strengthAmong } from './order-strength.ts';
import { type Group, type OrderToken, type Quantity, takeGroups, tokensOf } from './order-tokens.ts';
import { isPackWord, namesPack } from './pack-words.ts';
import { pieceOf } from './piece.ts';
import { type DrugReading, readingOf } from './reading.ts';
import { mergeReleases, type Release, releaseOf } from './release.ts';
import { withoutDelivery } from './rxnorm-name.ts';
import { unitOf } from './unit.ts';

/**
 * Reads a text that does not follow RxNorm's grammar, such as an order's text or the display of an NDC. The name ends
 * before the first strength, form or release, and unknown words make the reading uncertain. Undefined when the text has
 * no drug name.
 */
export function readOrderText(text: string, words = text): DrugReading | undefined {
  const { inline, groups } = takeGroups(namesFirst(markBases(tokensOf(prepared(text)))));
  const parts = partsOf(inline);
  const name = parts.name
    .join(' ')
    .replaceAll(' (', '(')
    .replaceAll(' ,', ',')
    .replace(/[\s,/&+-]+$/, '');
  const { brands, otherNames, doubtful } = namesIn(groups, name);
  if (!isName(name) && brands.length === 0) return undefined;
  const ingredients = isName(name) ? splitNames(name) : [];
  const said = parts.form.some(isNoun) ? parts.form : formBeside(parts);
  const form = said.join(' ');
  const hasNoun = said.some(isNoun);
  const rest = namesPack(prepared(text)) ? parts.rest.filter((word) => !isPackWord(word)) : parts.rest;
  const strength = brokenNumber.test(text)
    ? ({ isDerived: false, amounts: [], possible: [], refused: 'two_numbers', strength: undefined } as const)
    : strengthAmong(parts.quantities, {
        form,
        ingredients,
        isMixture: parts.isMixture,
        isUnderstood: rest.length === 0,
      });
  const unread = rest.filter((word) => !isBareStrength(word));
  const isUnderstood = ingredients.length > 0 && rest.length === 0 && strength.refused === undefined;
  return readingOf({
    words,
    source: 'text',
    name: nameAsWritten(text, name, brands),
    ingredients,
    brands,
    otherNames,
    ...strength,
    form: hasNoun ? form : undefined,
    piece: pieceOf(form, [name]),
    route: formOf(form)?.route,
    release: releaseIn(parts),
    isCertain: isUnderstood && (strength.amounts.length > 0 || hasNoun),
    unread,
    doubtful,
  });
}

// Without another form, a device in the name or the unit after "per" is the form: "Proventil HFA 90 mcg", "5-325 mg per
// tablet".
function formBeside({ name, form, quantities }: Parts): string[] {
  const per = quantities.flatMap((one) => (one.per?.number === undefined ? (one.per?.unit ?? []) : []));
  const devices = name.filter(isDeviceName);
  return [...form, ...(devices.length > 0 ? devices : [...new Set(per)].filter(isNoun))];
}

function isNoun(word: string): boolean {
  return formWord(word) === 'noun';
}

// Matches numbers whose meaning is uncertain: "0. 125 mg", "2 1/2 mg", "12, 5 mg", "5 or 10 mg". It excludes "70/30 100
// units", and "Vitamin B 12", "omega 3" and "coenzyme Q 10", where the number is part of the name.
export const brokenNumber = new RegExp(
  String.raw`(?:^|\s)(?<!\b(?:vitamin [bdk]|q|omega) )\d+(?:[.,]\d+)?(?:[.,]? +|,? *\b(?:or|to)\b *)` +
    String.raw`[.,]?\d[\d.,]*(?:\/\d+)? ?(?:mg|mcg|µg|g|gm|ml|units?)\b(?! ?\/ ?dose)`,
  'i',
);

// "atorvastatin (LIPITOR)" is a generic with a hint at its brand, but "atorvastatin [Lipitor]" is the brand.
function nameAsWritten(text: string, name: string, brands: readonly string[]): string | undefined {
  if (!isName(name) || brands.some((brand) => text.includes(`[${brand}]`))) return undefined;
  return brands.length === 0 ? name : `${name} (${brands.join(',')})`;
}

// "108 (90 Base) MCG/ACT" becomes the base and "325 (65 Fe) MG" the salt, as their labels state them. In "3 mg (2.5 mg
// base)/3 mL" both masses are per 3 mL. The last two patterns are for SNOMED CT: "Product containing only azathioprine
// in oral dose form".
function prepared(text: string): string {
  return withoutDelivery(text)
    .replace(/\d[\d.,]{0,8} ?\((\d[\d.,]{0,8}) base\)/i, '$1')
    .replace(/(\d ?(?:mcg|mg|g)) base(?= ?\/ ?[\d\p{L}])/iu, '$1')
    .replace(
      /(\d[\d.,]{0,8}) ?\((\d[\d.,]{0,8}) ?(fe|ca|zn|mg|f|k|na|se|cu|elemental)\) ?(mg|mcg|g)\b/i,
      '$1 $4 ($2 $4 $3)',
    )
    .replace(/(\d ?(?:mcg|mg|g)) (\([^()]{1,40}\)) ?(\/ ?\d[\d.,]{0,8} ?ml)\b/i, '$1$3 $2')
    .replace(/^product containing (only|precisely) /i, '')
    .replace(/ in (oral|parenteral) dose form$/i, '');
}

const noDrug = new RegExp(
  '^(a )?(prescribed |unknown )?(medication|medications|medicine|drug|drugs|compound|compounded|' +
    'mixture|unknown|other|misc|see|patient|supply|supplies)$',
  'i',
);
const classWords = new RegExp(
  String.raw`\b(inhibitors|agents|blockers|antagonists|agonists|diuretics|antibiotics|analogues|derivatives|` +
    String.raw`preparations|combinations|antibacterials|glucocorticoids|corticosteroids)\b`,
  'i',
);

// The name of a class, such as "ACE inhibitors, plain", is not a drug name; neither is "needle" in "pen needle".
function isName(name: string): boolean {
  return /\p{L}{2}/u.test(name) && !noDrug.test(name) && !classWords.test(name) && !/\bneedles?\b/i.test(name);
}

interface Parts {
  readonly name: string[];
  readonly form: string[];
  readonly releases: { readonly release: Release; readonly words: string }[];
  readonly quantities: Quantity[];
  /** Words that were not understood. */
  readonly rest: string[];
  hours: { readonly value: number; readonly words: string } | undefined;
  isMixture: boolean;
  /** The next word may still be part of the name. */
  isOpen: boolean;
}

function partsOf(tokens: readonly OrderToken[]): Parts {
  const parts: Parts = {
    name: [],
    form: [],
    releases: [],
    quantities: [],
    rest: [],
    hours: undefined,
    isMixture: false,
    isOpen: true,
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const next = tokens[index + 1];
    const nextWord = next?.kind === 'word' ? next.text : undefined;
    if (token?.kind === 'quantity') takeQuantity(token.quantity, parts);
    else if (token !== undefined) index += takeWord(token.text, nextWord, parts) - 1;
  }
  return parts;
}

function takeQuantity(found: Quantity, parts: Parts): void {
  closeName(parts);
  const [number = ''] = found.numbers;
  const isHours = found.per === undefined && unitOf(found.units[0] ?? '')?.unit === 'hour';
  if (!isHours) parts.quantities.push(found);
  else if (number === '12' || number === '24') parts.hours = { value: Number(number), words: found.words };
}

function closeName(parts: Parts): void {
  parts.isOpen = parts.isOpen && parts.name.length === 0;
}

const packaging = new Set(
  (
    'count ct day days per box boxes carton cartons package packages bottle bottles pack packs kit kits ' +
    'starter titration maintenance refill therapy ' +
    'of x x1 each ea single use patient brand generic name extra strength citrate-free unit-dose usp ' +
    'tablets capsules pens syringes vials patches tube tubes jar jars'
  ).split(' '),
);
// Words of abbreviated directions, as in "tofacitinib 5 mg tab po bid".
const directionWords = new Set(
  (
    'semiweekly bid tid qid qd qod qday qhs qam qpm hs ac pc prn daily nightly weekly biweekly monthly once ' +
    'twice every other at ' +
    'bedtime as needed directed by mouth week weeks month months hour w/'
  ).split(' '),
);
const joins = new Set(['and', '/', '-', '&', 'with', 'or', 'a', 'an', 'the']);

/** Assigns a word to its part. Returns how many words were used. */
function takeWord(text: string, next: string | undefined, parts: Parts): 1 | 2 {
  if (/^[,;+]$/.test(text)) return takeSign(text, next, parts);
  if (isCount(text, next, parts.isOpen)) {
    closeName(parts);
    return 2;
  }
  const release = releaseOf(text, next);
  if (release !== undefined) {
    parts.releases.push({ release: release.release, words: release.words === 2 ? `${text} ${next}` : text });
    closeName(parts);
    return release.words;
  }
  const isStart = parts.isOpen && parts.name.length === 0;
  if (isOfForm(text, parts)) {
    parts.form.push(text);
    parts.isOpen = isStart;
  } else if (/^of$/i.test(text) || (isRemark(text.toLowerCase()) && !isStart)) closeName(parts);
  else if (isPackWord(text) && !isStart) parts.rest.push(text);
  else if (parts.isOpen && !isBareStrength(text)) parts.name.push(text);
  else if (!joins.has(text.toLowerCase())) {
    parts.rest.push(text);
    if (isBareStrength(text)) parts.isMixture = true;
  }
  return 1;
}

function isRemark(word: string): boolean {
  return packaging.has(word) || directionWords.has(word) || /^(?:q\d{1,2}[hdw]?|\d{1,3}d)$/.test(word);
}

function takeSign(text: string, next: string | undefined, parts: Parts): 1 {
  if (text === '+') {
    parts.isMixture = true;
    parts.isOpen = true;
  }
  const isInName = text !== ';' && parts.isOpen && parts.name.length > 0 && formWord(next ?? '') === undefined;
  if (isInName) parts.name.push(text);
  return 1;
}

function isOfForm(text: string, { name, form, isOpen }: Parts): boolean {
  // Oil is part of the name in "fish oil", but not in "testosterone 200 mg/mL intramuscular oil".
  const isOil = /^oil$/i.test(text) && form.length === 0;
  const isOfName = isOpen && name.length > 0 && (isDeviceName(text) || isOil);
  const isJoin = /^(in|for)$/i.test(text) && form.length === 0;
  return formWord(text) !== undefined && !isOfName && !isJoin;
}

// "100-50-75" is a strength without a unit, but "70-30" is the name of a mixed insulin.
function isBareStrength(text: string): boolean {
  const numbers = /^\d[\d.]*(-\d[\d.]*)+$/.test(text) ? text.split('-').map(Number) : [];
  return numbers.length > 0 && !(numbers.length === 2 && numbers.reduce((sum, number) => sum + number, 0) === 100);
}

// Matches "2 pens" and "28 Day".
function isCount(text: string, next: string | undefined, isOpen: boolean): boolean {
  if (next === undefined || !/^#?\d{1,4}$/.test(text)) return false;
  return packaging.has(next.toLowerCase()) || (!isOpen && formWord(next) === 'noun');
}

function releaseIn({ releases, hours }: Parts): DrugReading['release'] {
  const merged = mergeReleases(
    releases.map(({ release }) => release),
    hours?.value,
  );
  const words = [releases[0]?.words, hours?.words].filter((one) => one !== undefined).join(' ');
  return merged === undefined ? undefined : { ...merged, words };
}

/**
 * The names in parentheses. The capitals in "adalimumab (HUMIRA)" mark a brand; in "Humira (adalimumab)" and
 * "methotrexate (anti-rheumatic)" the text does not show what kind of name it is.
 */
function namesIn(
  groups: readonly Group[],
  name: string,
): { brands: string[]; otherNames: string[]; doubtful: string[] } {
  const [brands, otherNames, doubtful]: [string[], string[], string[]] = [[], [], []];
  for (const { words: group, isBehind } of groups.filter(({ words }) => words.toLowerCase() !== name.toLowerCase())) {
    const isCapital = group === group.toUpperCase() && name !== name.toUpperCase();
    const isMarked = isCapital || (/^\p{Lu}/u.test(group) && /^\p{Ll}/u.test(name));
    const names = isMarked ? group.split(',').map((brand) => brand.trim()) : splitNames(group);
    (isMarked ? brands : otherNames).push(...names);
    if (isBehind || !isMarked) doubtful.push(...names);
  }
  return { brands: brands.filter((brand) => brand !== ''), otherNames, doubtful };
}
