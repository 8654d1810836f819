import { formOf, formWord, isDeviceName } from './form.ts';
import { numberPattern, writtenNumber } from './number.ts';
import { type DrugReading, readingOf } from './reading.ts';
import { mergeReleases, type Release, releaseOf } from './release.ts';
import { compareStrengths, type Strength } from './strength.ts';
import { type Amount, perPattern, unitOf, unitPattern } from './unit.ts';

/** A number (or several: `5-325 mg`, `0.25-35 mg-mcg`) with its unit, and what it is per. */
const quantity = new RegExp(
  `(${numberPattern}(?:[-/]${numberPattern}){0,4})[\\s-]?(million )?(${unitPattern}(?:-${unitPattern}){0,4})(?![\\p{L}\\d])` +
    `(?:(?:\\s?/\\s?|\\s+per\\s+)(?:(${numberPattern})\\s?)?(${perPattern})(?![\\p{L}\\d]))?`,
  'iuy',
);
const other = /[()[\]{}]|[,;+]|[-/](?=\s?[\d.])|[^\s()[\]{},;+]+/uy;

interface Quantity {
  readonly words: string;
  readonly numbers: readonly string[];
  readonly units: readonly string[];
  readonly isMillions: boolean;
  readonly per: { readonly number: string | undefined; readonly unit: string } | undefined;
  /** `mg/kg`: a dose, no strength. */
  readonly isDose: boolean;
}

type Token =
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'word'; readonly text: string; readonly isGlued: boolean };

// Words of a package or of nobody's interest: "2 pens", "8 tablets", "28 Day Pack", "60 count".
const packaging = new Set(
  'count ct day days per box boxes carton cartons package packages bottle bottles pack packs kit kits starter titration maintenance refill of x x1 each ea single use patient brand generic name extra strength citrate-free cf (cf) unit-dose usp tablets capsules pens syringes vials patches'.split(
    ' ',
  ),
);
const groupsOfNoInterest =
  /^(product|substance|qualifier value|medicinal product|clinical drug|brand|generic|over the counter|otc|brand name|usp|cf)$/i;
const joins = new Set(['and', '/', '-', '&', 'with']);
const noDrug =
  /^(prescribed )?(medication|medications|medicine|drug|drugs|compound|compounded|unknown|other|misc|see|patient|supply|supplies)$/i;
const classWords =
  /\b(inhibitors|agents|blockers|antagonists|agonists|diuretics|antibiotics|analogues|derivatives|preparations|combinations|antibacterials|glucocorticoids|corticosteroids)\b/i;

/** What another text than a name of RxNorm's grammar says: an order's text, an NDC's display. Undefined where no drug is named in it. */
export function readOrderText(text: string, words = text): DrugReading | undefined {
  const bare = text
    .replace(/^product containing (only|precisely) /i, '')
    .replace(/ in (oral|parenteral) dose form$/i, '');
  const { inline, groups } = takeGroups(tokensOf(bare));
  const parts = sort(inline);
  const { brands, aliases } = namesIn(groups, parts.name);
  const name = parts.name
    .join(' ')
    .replace(/ \(/g, '(')
    .replace(/[\s,/&-]+$/, '');
  if (!isName(name) && brands.length === 0) return undefined;
  const strength = strengthOf(parts, splitNames(name).length);
  const form = parts.form.join(' ');
  const hasNoun = parts.form.some((word) => formWord(word) === 'noun');
  const release = mergeReleases(parts.releases, parts.hours);
  const isNamed = isName(name);
  return readingOf({
    words,
    source: 'text',
    ingredients: isNamed ? [...splitNames(name), ...aliases] : aliases,
    brands,
    ...strength,
    form: hasNoun ? form : undefined,
    route: formOf(form)?.route,
    release: release === undefined ? undefined : { ...release, words: parts.releaseWords.join(' ') },
    isCertain:
      isNamed && parts.rest.length === 0 && strength.note === undefined && (strength.amounts.length > 0 || hasNoun),
  });
}

function isName(name: string): boolean {
  return /\p{L}{2}/u.test(name) && !noDrug.test(name) && !classWords.test(name);
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    quantity.lastIndex = at;
    other.lastIndex = at;
    const found = quantity.exec(text);
    if (found !== null) {
      at = quantity.lastIndex;
      const isDose = /^\s?\/\s?[a-z]/i.test(text.slice(at, at + 3));
      if (isDose) at += /^\s?\/\s?[^\s,()]*/.exec(text.slice(at, at + 40))?.[0].length ?? 0;
      tokens.push({ kind: 'quantity', quantity: { ...quantityOf(found), isDose } });
      continue;
    }
    const word = other.exec(text);
    at = word === null ? at + 1 : other.lastIndex;
    if (word !== null)
      tokens.push({ kind: 'word', text: word[0], isGlued: start > 0 && !/\s/.test(text[start - 1] ?? ' ') });
  }
  return tokens;
}

function quantityOf([words, numbers = '', million, units = '', number, per]: RegExpExecArray): Omit<
  Quantity,
  'isDose'
> {
  return {
    words: words.trim(),
    numbers: numbers.split(/[-/]/),
    units: unitOf(units) === undefined ? units.split('-') : [units],
    isMillions: million !== undefined,
    per: per === undefined ? undefined : { number, unit: per },
  };
}

// What stands in parentheses is a name ("(HUMIRA)"), a remark of no interest ("(product)"), or belongs to the text ("(3 mL)").
function takeGroups(tokens: readonly Token[]): { inline: Token[]; groups: string[] } {
  const [inline, groups]: [Token[], string[]] = [[], []];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    const closes = token?.kind === 'word' && /^[([{]$/.test(token.text) ? closing(tokens, index) : undefined;
    if (token === undefined) continue;
    if (closes === undefined) {
      if (token.kind === 'quantity' || !/^[()[\]{}]$/.test(token.text)) inline.push(token);
      continue;
    }
    const inside = tokens.slice(index + 1, closes);
    const said = wordsIn(inside);
    if (isMark(token, said)) inline.push({ kind: 'word', text: `(${said})`, isGlued: true });
    else if (said === undefined || !isNameLike(inside))
      inline.push(...(groupsOfNoInterest.test(said ?? '') ? [] : inside));
    else if (!groupsOfNoInterest.test(said)) groups.push(said);
    index = closes;
  }
  return { inline, groups };
}

function wordsIn(tokens: readonly Token[]): string | undefined {
  const words = tokens.flatMap((token) => (token.kind === 'word' ? token.text : []));
  return words.length === 0 || words.length < tokens.length ? undefined : words.join(' ').replaceAll(' , ', ',');
}

// HUMIRA(CF): a part of the name.
function isMark(open: Token, said: string | undefined): boolean {
  return open.kind === 'word' && open.isGlued && /^[A-Z]{1,4}$/.test(said ?? '');
}

// "(LANTUS SOLOSTAR)" is a name, "(pen injector)" a form, "(ER)" a kind of release.
function isNameLike([first]: readonly Token[]): boolean {
  return first?.kind === 'word' && formWord(first.text) === undefined && releaseOf(first.text) === undefined;
}

function closing(tokens: readonly Token[], from: number): number | undefined {
  for (let index = from + 1; index < tokens.length && index < from + 20; index += 1) {
    const token = tokens[index];
    if (token?.kind === 'word' && /^[)\]}]$/.test(token.text)) return index;
    if (token?.kind === 'word' && /^[([{]$/.test(token.text)) return undefined;
  }
  return undefined;
}

interface Parts {
  readonly name: string[];
  readonly form: string[];
  readonly releases: Release[];
  readonly releaseWords: string[];
  readonly quantities: Quantity[];
  readonly rest: string[];
  hours: number | undefined;
  isMixture: boolean;
}

function sort(tokens: readonly Token[]): Parts {
  const parts: Parts = {
    name: [],
    form: [],
    releases: [],
    releaseWords: [],
    quantities: [],
    rest: [],
    hours: undefined,
    isMixture: false,
  };
  let isOpen = true;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) continue;
    if (token.kind === 'quantity') {
      takeQuantity(token.quantity, parts);
      isOpen = isOpen && parts.name.length === 0;
      continue;
    }
    const next = tokens[index + 1];
    const nextWord = next?.kind === 'word' ? next.text : undefined;
    if (isCount(token.text, nextWord)) {
      index += 1;
      isOpen = isOpen && parts.name.length === 0;
      continue;
    }
    const release = releaseOf(token.text, nextWord);
    if (release !== undefined) {
      parts.releases.push(release.release);
      parts.releaseWords.push(release.words === 2 ? `${token.text} ${nextWord}` : token.text);
      index += release.words - 1;
      isOpen = isOpen && parts.name.length === 0;
    } else isOpen = takeWord(token.text, nextWord, isOpen, parts);
  }
  return parts;
}

function takeQuantity(found: Quantity, parts: Parts): void {
  const [number = ''] = found.numbers;
  const isHours = found.per === undefined && unitOf(found.units[0] ?? '')?.unit === 'hour';
  if (!isHours) parts.quantities.push(found);
  else if (number === '12' || number === '24') {
    parts.hours = Number(number);
    parts.releaseWords.push(found.words);
  }
}

/** Puts one word where it belongs; returns whether the next word may still be one of the name. */
function takeWord(text: string, next: string | undefined, isOpen: boolean, parts: Parts): boolean {
  const isStart = isOpen && parts.name.length === 0;
  if (text === '+') parts.isMixture = true;
  if (/^[,;+]$/.test(text)) {
    if (isOpen && text === ',' && parts.name.length > 0 && formWord(next ?? '') === undefined) parts.name.push(text);
    return isOpen;
  }
  const kind = formWord(text);
  const isOfName = isOpen && !isStart && isDeviceName(text);
  if (kind !== undefined && !isOfName && !(/^(in|for)$/i.test(text) && parts.form.length === 0)) {
    parts.form.push(text);
    return isStart;
  }
  if (packaging.has(text.toLowerCase()) && !isStart) return false;
  if (isOpen) parts.name.push(text);
  else if (!joins.has(text.toLowerCase())) parts.rest.push(text);
  return isOpen;
}

// "2 pens", "28 Day"
function isCount(text: string, next: string | undefined): boolean {
  return (
    /^#?\d{1,4}$/.test(text) && next !== undefined && (packaging.has(next.toLowerCase()) || formWord(next) === 'noun')
  );
}

/** "ingredient (BRAND)", as Epic writes, and "Brand (ingredient)". */
function namesIn(groups: readonly string[], name: readonly string[]): { brands: string[]; aliases: string[] } {
  const [brands, aliases]: [string[], string[]] = [[], []];
  const outside = name.join(' ');
  for (const group of groups) {
    if (group.toLowerCase() === outside.toLowerCase()) continue;
    const isIngredient = group === group.toLowerCase() && outside !== outside.toLowerCase();
    if (isIngredient) {
      if (brands.length === 0 && outside !== '') brands.push(outside);
      aliases.push(...splitNames(group));
    } else brands.push(...group.split(',').map((brand) => brand.trim()));
  }
  return { brands: brands.filter((brand) => brand !== ''), aliases };
}

/** The ingredients of `drospirenone-ethinyl estradiol`, `sacubitril/valsartan`, `losartan and hydrochlorothiazide`; `beta-1a` and `adalimumab-adaz` stay whole. */
export function splitNames(name: string): string[] {
  return name
    .split(/ \/ |\/(?=\p{L}{4})| (?:and|with|&) |(?<=\p{Ll}{4})-(?=\p{Ll}{5}|pot )/u)
    .map((one) => one.replace(/ ,/g, ',').trim())
    .filter((one) => one !== '');
}

type StrengthParts = Pick<DrugReading, 'strength' | 'isDerived' | 'note' | 'amounts' | 'possible' | 'holds'>;

const none = (note?: string, possible: readonly (readonly Strength[])[] = []): StrengthParts => ({
  isDerived: false,
  amounts: [],
  possible,
  note,
});

function strengthOf({ quantities, isMixture }: Parts, ingredients: number): StrengthParts {
  if (quantities.some(({ isDose }) => isDose)) return none('a dose or a rate, no strength');
  const [first, ...more] = quantities.filter((one) => !isVolume(one));
  const volumes = quantities.filter(isVolume);
  if (first === undefined) return none(volumes.length > 0 ? 'a volume alone, no strength' : undefined);
  if (isMixture) return none('a mixture of several');
  const sizes = more.filter((one) => isPackSize(one, first));
  const strengths = [first, ...more.filter((one) => !sizes.includes(one))];
  const unclear = strengths.flatMap(({ numbers, units }) =>
    numbers.filter((number) => textOf(number, units) === undefined),
  );
  if (unclear.length > 0)
    return none(
      `“${unclear[0]}” may be two numbers`,
      ([0, -1] as const).map((at) => strengths.flatMap((one) => amountsOf(one, at))),
    );
  const amounts = strengths.map((one) => amountsOf(one, 0));
  const [one = []] = amounts;
  const isSaidTwice = amounts.every((each) => compareStrengths(sameMeasure(one), sameMeasure(each)) === 'same');
  const used = isSaidTwice ? strengths.slice(0, 1) : strengths;
  if (used.length > 1 && used.length !== ingredients) return none('several strengths');
  const hold = volumes.length === 1 && volumes[0] !== undefined ? amountsOf(volumes[0], 0)[0]?.amount : undefined;
  return {
    strength: used.map(wordsOf).join(' / '),
    isDerived: false,
    amounts: used.flatMap((each) => amountsOf(each, 0)),
    possible: [],
    holds: hold,
  };
}

const sameMeasure = (amounts: readonly Strength[]) => ({ amounts, isMeasured: false });

function isVolume({ units, per }: Quantity): boolean {
  const { unit } = unitOf(units[0] ?? '') ?? {};
  return per === undefined && (unit === 'mL' || unit === 'actuation');
}

// "1 % cream 30 g": the tube, not the strength.
function isPackSize({ units, per }: Quantity, first: Quantity): boolean {
  const isConcentration = first.per !== undefined || first.units[0] === '%';
  return isConcentration && per === undefined && /^(g|gm|gram|grams|kg)$/i.test(units[0] ?? '');
}

function textOf(number: string, units: readonly string[]): string | undefined {
  return writtenNumber(number, unitOf(units[0] ?? '')?.unit === 'unit').text;
}

// Numbers without dividers and with a decimal point, everything else as it stands.
function wordsOf({ words, numbers, units }: Quantity): string {
  return numbers.reduce((text, number) => text.replace(number, textOf(number, units) ?? number), words);
}

function amountsOf({ numbers, units, per, isMillions }: Quantity, at: 0 | -1): Strength[] {
  const below = per === undefined ? undefined : amountOf(per.number ?? '1', per.unit, 0);
  const above = numbers.flatMap((number, index) => amountOf(number, units[index] ?? units.at(-1) ?? '', at) ?? []);
  const scaled = isMillions ? above.map(({ value, unit }) => ({ value: value * 1e6, unit })) : above;
  // "800 mg/160 mg" are two ingredients, "10 mg/1 g" is a concentration.
  const isSecond =
    per?.number !== undefined && below?.unit === 'mg' && per.unit.toLowerCase() === units[0]?.toLowerCase();
  if (isSecond && below !== undefined) return [...scaled, below].map((amount) => ({ amount }));
  return scaled.map((amount) => ({ amount, per: below }));
}

function amountOf(number: string, word: string, at: 0 | -1): Amount | undefined {
  const base = unitOf(word);
  const value = base === undefined ? undefined : writtenNumber(number, base.unit === 'unit').values.at(at);
  return base === undefined || value === undefined || value === 0
    ? undefined
    : { value: value * base.factor, unit: base.unit };
}
