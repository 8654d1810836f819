import { isDamaged } from '../../fhir/text/damage.ts';
import { memoized } from '../../text-cache.ts';
import { type DoseAmount, isSameAmount, isTimes, unitName, unitWords } from './dose-unit.ts';
import { everyHours, inDays, inWeeks, isSameRate, type Rate } from './rate.ts';
import { sigWords } from './sig-words.ts';

/** What plain English directions state for certain. Anything they leave open is absent. */
export interface SigReading {
  /**
   * One dose, as a count or a volume: 2 tablets, 5 mL. The unit is `any` when the text has only a number ("take 1
   * daily").
   */
  readonly dose?: DoseAmount | undefined;
  /** One dose as a mass: 20 mg in "2 tablets (20 mg total)". */
  readonly mass?: DoseAmount | undefined;
  /** The mass of one piece: 10 mg in "one 10 mg tablet". */
  readonly strength?: DoseAmount | undefined;
  readonly rate?: Rate | undefined;
  /** The number of days after which the directions end: 10 in "for 10 days". */
  readonly totalDays?: number | undefined;
  readonly isAsNeeded: boolean;
  /** The amount or the time is a range: "1 to 2 tablets", "every 4-6 hours". */
  readonly isRange: boolean;
  /** The dose changes, ends, or is left to a person: a taper, a loading dose, "until", "alternate". */
  readonly changes: boolean;
  /** A part about numbers or times was not understood. The amount, rate and days are then absent. */
  readonly isUnread: boolean;
}

// In characters. Directions are a sentence or two, so a longer text is not read.
const longest = 1000;

/**
 * Reads English directions for the patient (the sig). Undefined when they state no amount or time.
 *
 * @example readSig('Take 2 tablets (20 mg total) by mouth 2 (two) times daily.')
 * // { dose: { value: 2, unit: 'tablet' }, mass: { value: 20, unit: 'mg' }, rate: { times: 2, days: 1 }, ... }
 */
export function readSig(text: string | undefined): SigReading | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  if (text.length > longest) return { ...silent, isUnread: true };
  return readWords(text);
}

const readWords = memoized((text): SigReading | undefined => {
  if (isDamaged(text)) return { ...silent, isUnread: true };
  const words = new Words(sigWords(text));
  const isAsNeeded = words.take(asNeeded).length > 0;
  words.take(harmless);
  const changes = words.take(changing).length > 0;
  const isRange = words.take(range).length > 0;
  const totals = readTotals(words);
  const rates = readRates(words);
  const amounts = readAmounts(words, rates.named);
  const isUnread = totals.isUnread || rates.isUnread || amounts.isUnread || words.holds(unread, foreign);
  if (isUnread) return { isAsNeeded, isRange, changes, isUnread };
  const { dose, mass, strength } = amounts;
  const { totalDays } = totals;
  const reading = { dose, mass, strength, rate: rates.rate, totalDays, isAsNeeded, isRange, changes, isUnread };
  return Object.values(reading).some((part) => part !== undefined && part !== false) ? reading : undefined;
});

const silent = { isAsNeeded: false, isRange: false, changes: false, isUnread: false };

class Words {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  has(part: string): boolean {
    return this.#rest.includes(part);
  }

  holds(...patterns: readonly RegExp[]): boolean {
    return patterns.some((each) => this.#rest.search(each) >= 0);
  }

  /** Removes and returns every match of the pattern. A mark in place of each match keeps the words around it apart. */
  take(pattern: RegExp): RegExpExecArray[] {
    // Directions are read for every order and most patterns do not match, so one pass does the work of `matchAll` and
    // `replace`.
    pattern.lastIndex = 0;
    let match = pattern.exec(this.#rest);
    if (match === null) return [];
    const found: RegExpExecArray[] = [];
    let kept = '';
    let from = 0;
    while (match !== null) {
      found.push(match);
      kept += `${this.#rest.slice(from, match.index)} | `;
      from = pattern.lastIndex;
      match = pattern.exec(this.#rest);
    }
    this.#rest = kept + this.#rest.slice(from);
    return found;
  }
}

const number = '(\\d{1,6}(?:\\.\\d{1,4})?)(?!\\d)';
const pattern = (source: string) => new RegExp(source, 'g');

const asNeeded = /\b(?:prn|(?:as|if|when|where|only if) (?:needed|required|necessary))\b/g;
const range = pattern(`\\b${number}(?: [a-z]+)? ?(?:-|–|to|or) ?${number}(?![\\d.])|\\b(?:up to|at least|at most)\\b`);
const changing = pattern(
  `\\b(?:${[
    'loading|starter|titrat\\w*|taper\\w*|then|thereafter|followed by|(?:induction|maintenance) (?:dose|phase)',
    'increas\\w*|decreas\\w*|reduc\\w*|escalat\\w*|adjust\\w*|until|unless|except|alternat\\w*|skip\\w*|hold',
    'starting|maximum|max|exceed|more than|sliding|scale|cycle|off|single dose|if|when|while|during|only|not|never',
    'stop|avoid|flares?|weekdays?|weekends?|ne+d\\w*|prn|weeks? 0|days? 0',
  ].join('|')})\\b`,
);
const harmless = pattern(
  [
    `\\b${number} (?:minutes?|mins?|hours?|hrs?) (?:before|after|prior to|following)(?= )`,
    `\\b(?:with|in) (?:a (?:full )?glass|(?:at least )?${number} (?:ounces?|oz|ml)) of (?:water|liquid|fluid|juice)\\b`,
    '\\bat (?:about )?the same time (?:each|every) day\\b',
    '\\bas directed\\b',
    // the mass of a salt's element or base is not the strength of the drug
    `\\b${number} (?:mg|mcg|g) (?:of )?(?:elemental(?: [a-z]+)?|(?:[a-z]+ )?base)\\b`,
  ].join('|'),
);
// Words about amounts or times. If one remains after all patterns, the directions were not understood.
const unread = pattern(
  `\\d|%|/|\\b(?:an?|per) (?:day|week)\\b|\\b(?:${[
    'days?|daily|weeks?|weekly|months?|monthly|years?|hours?|hourly|hrs?|minutes?|every|each|both|other|times?|once',
    'twice|thrice|half|quarter|double|divided|second|third|noon|meals?|mornings?|evenings?|nights?|tablets?|capsules?',
    'tabs?|caps|kg|bi ?weekly|bi ?monthly|fortnight\\w*|semi\\w*|quarterly|od|bd|tds|qds|eod|mwf|tiw|biw|mane|nocte',
    'q[a-z]{0,3}',
  ].join('|')})\\b`,
);
// Directions in other languages are not read. These are Spanish words and letters that English does not use.
const spanish = 'veces|vez|cada|diari[ao]s?|dias?|horas?|semanas?|noches?|tabletas?|capsulas?|pastillas?|tomar|tome';
const foreign = new RegExp(`[^\\p{ASCII}\\P{L}]|\\b(?:${spanish})\\b`, 'gu');

const total = pattern(`\\b(?:for|x|times)(?: the next)? ${number} (day|week)s?\\b`);

function readTotals(words: Words): { readonly totalDays?: number; readonly isUnread: boolean } {
  const found = words.take(total);
  const days = found.map(([, count, unit]) => Number(count) * (unit === 'week' ? 7 : 1));
  const [totalDays] = days;
  return totalDays === undefined ? { isUnread: false } : { totalDays, isUnread: days.length > 1 };
}

interface Rates {
  readonly rate?: Rate;
  /** The number of times of day in the text: 2 for "in the morning and at bedtime". */
  readonly named: number;
  readonly isUnread: boolean;
}

const often = `(?:${number} (?:times?|x)|(once|twice|thrice))`;
const counts: Readonly<Record<string, number>> = { once: 1, twice: 2, thrice: 3 };

type ReadRate = (parts: RegExpMatchArray) => Rate | undefined;

// Each row has a word of the phrase, the phrase, and its rate. Searching the word first is faster; specific phrases
// come before the phrases that they contain.
const stated: readonly (readonly [string, RegExp, ReadRate])[] = [
  ['other day', /\bevery other day\b/g, () => ({ times: 1, days: 2 })],
  ['second day', /\bevery second day\b/g, () => ({ times: 1, days: 2 })],
  ['qod', /\bqod\b/g, () => ({ times: 1, days: 2 })],
  ['other week', /\bevery other week\b/g, () => inWeeks(1, 2)],
  ['every', pattern(`\\bevery ${number} (?:hours?|hrs?|h)\\b`), ([, hours]) => everyHours(Number(hours))],
  ['every', pattern(`\\bevery ${number} days?\\b`), ([, days]) => inDays(1, Number(days))],
  ['every', pattern(`\\bevery ${number} (?:weeks?|wks?)\\b`), ([, weeks]) => inWeeks(1, Number(weeks))],
  [
    'da',
    pattern(`\\b${often} ?(?:daily|an? day|per day|each day|every day|/ ?day)(?![a-z])`),
    ([, count, word]) => inDays(countOf(count, word), 1),
  ],
  [
    'week',
    pattern(`\\b${often} ?(?:weekly|an? week|per week|each week|every week|/ ?week)(?![a-z])`),
    ([, count, word]) => inWeeks(countOf(count, word), 1),
  ],
  ['bid', /\bbid\b/g, () => ({ times: 2, days: 1 })],
  ['tid', /\btid\b/g, () => ({ times: 3, days: 1 })],
  ['qid', /\bqid\b/g, () => ({ times: 4, days: 1 })],
  ['week', /\b(?:weekly|every week|each week)\b/g, () => inWeeks(1, 1)],
];
const bareDaily = /\b(?:daily|every day|each day|qd|a day|per day)\b/g;
const weekdays = /\b(?:(?:every|each|on) )?(mon|tues|wednes|thurs|fri|satur|sun)days?\b/g;

function readRates(words: Words): Rates {
  const explicit = stated.flatMap(([stem, phrase, rateOf]) =>
    words.has(stem) ? words.take(phrase).map((parts) => rateOf(parts) ?? 'unread') : [],
  );
  const isDaily = words.take(bareDaily).length > 0;
  const days = new Set(words.take(weekdays).map(([, day]) => day)).size;
  const parts = readPartsOfDay(words);
  const named = parts.count;
  const [first, ...others] = explicit;
  const isTwofold = others.some(
    (other) => other === 'unread' || first === 'unread' || !isSameRate(other, first as Rate),
  );
  if (first === 'unread' || isTwofold || parts.isUnread) return { named, isUnread: true };
  const rate = first ?? rateOfDays({ isDaily, days, named });
  if (rate === undefined) return { named, isUnread: false };
  return { rate, named, isUnread: !fits(rate, { isDaily, days, named }) };
}

interface NamedTimes {
  /** "Daily" or "every day" without another rate. */
  readonly isDaily: boolean;
  /** The number of days of the week in the text. */
  readonly days: number;
  readonly named: number;
}

function rateOfDays({ isDaily, days, named }: NamedTimes): Rate | undefined {
  if (days > 0) return inWeeks(days, 1);
  if (named > 0) return { times: named, days: 1 };
  return isDaily ? { times: 1, days: 1 } : undefined;
}

// Whether the days and times of day agree with the rate.
function fits(rate: Rate, { isDaily, days, named }: NamedTimes): boolean {
  if (isDaily && rate.days > 1) return false;
  if (days > 0 && !(rate.times === days && rate.days % 7 === 0)) return false;
  if (named === 0) return true;
  return named === 1 ? rate.times === 1 || days > 0 : rate.days === 1 && rate.times === named;
}

const partOfDay: Readonly<Record<string, string>> = {
  ...{ morning: 'morning', mornings: 'morning', breakfast: 'morning', am: 'morning', qam: 'morning' },
  ...{ noon: 'noon', midday: 'noon', lunch: 'noon', lunchtime: 'noon', afternoon: 'afternoon' },
  ...{ evening: 'evening', evenings: 'evening', dinner: 'evening', supper: 'evening', pm: 'evening', qpm: 'evening' },
  ...{ night: 'night', nights: 'night', nightly: 'night', bedtime: 'night', bed: 'night', hs: 'night', qhs: 'night' },
};
const clockTime = /\b(?:at )?(\d{1,2}(?::[0-5]\d)?) ?(am|pm)\b/g;
const dayPart = pattern(`\\b(?:(?:every|each|the) )?(${Object.keys(partOfDay).join('|')})\\b`);

function readPartsOfDay(words: Words): { readonly count: number; readonly isUnread: boolean } {
  const clock = words.take(clockTime).map(([, hour, half]) => `${hour} ${half}`);
  const parts = words.take(dayPart).map(([, part]) => partOfDay[part ?? ''] ?? '');
  const isTwofold = [clock, parts].some((named) => new Set(named).size !== named.length);
  words.take(/\b(?:with|before|after|between) (?:meals?|a meal|food)\b/g);
  return { count: clock.length + parts.length, isUnread: isTwofold || (clock.length > 0 && parts.length > 0) };
}

interface Amounts extends Pick<SigReading, 'dose' | 'mass' | 'strength'> {
  readonly isUnread: boolean;
}

const masses = unitWords.filter((word) => ['mg', 'mcg', 'g'].includes(unitName(word) ?? ''));
const mass = `(${masses.join('|')})`;
const piece = `(${unitWords.filter((word) => !masses.includes(word)).join('|')})`;
// Words that may follow a number without a unit. Any other word may be an unknown unit, such as teaspoons or
// millimoles.
const afterNumber = '(?:by|po|orally|oral|via|under|with|in|into|at|on|for|before|after|daily|every)';
const verb = '(?:take|takes|give|use|apply|inject|inhale|instill|chew|swallow|insert|place|dissolve)';

const phrases = {
  /** Example: two 10 mg tablets */
  countOfStrength: pattern(`\\b${number} ${number} ${mass} ${piece}\\b`),
  /** Example: 600 mg = 2 capsules */
  equation: pattern(`\\b${number} ${mass} = ${number} ${piece}\\b`),
  /** Example: 10 mg tablet */
  strength: pattern(`\\b${number} ${mass} ${piece}\\b`),
  /** Example: 2 tablets */
  count: pattern(`\\b${number} ${piece}\\b`),
  /** Example: a tablet */
  article: pattern(`\\b(?:a|an) ${piece}\\b`),
  /** Example: 20 mg */
  mass: pattern(`\\b${number} ${mass}\\b(?! ?/)`),
  /** Example: take 1 daily */
  bare: pattern(`(?:\\b${verb} |^)${number}(?= *(?:$|\\||${afterNumber}\\b))`),
};

function readAmounts(words: Words, named: number): Amounts {
  const ofStrength = words.take(phrases.countOfStrength);
  const equations = words.take(phrases.equation);
  const strengths = [
    ...ofStrength.map(([, , value, unit]) => amountOf(value, unit)),
    ...words.take(phrases.strength).map(([, value, unit]) => amountOf(value, unit)),
  ];
  const doses = [
    ...ofStrength.map(([, count, , , word]) => amountOf(count, word)),
    ...equations.map(([, , , count, word]) => amountOf(count, word)),
    ...words.take(phrases.count).map(([, count, word]) => amountOf(count, word)),
    ...words.take(phrases.article).map(([, word]) => amountOf('1', word)),
  ];
  const masses = [...equations, ...words.take(phrases.mass)].map(([, value, unit]) => amountOf(value, unit));
  const bare = words.take(phrases.bare).map(([, count]) => amountOf(count, 'any'));
  return together([...doses, ...bare], masses, strengths, named);
}

// The same dose may be stated once for each time of day, or once for all of them.
function together(
  doses: readonly DoseAmount[],
  wholes: readonly DoseAmount[],
  strengths: readonly DoseAmount[],
  named: number,
): Amounts {
  const [dose] = doses;
  const [whole] = wholes;
  const [strength] = strengths;
  const isTwofold = [doses, wholes, strengths].some((amounts) =>
    amounts.some((amount) => !isSameAmount(amount, amounts[0] ?? amount)),
  );
  const isRepeated = [doses, wholes].some(({ length }) => length > 1 && length !== named);
  const isOff =
    dose !== undefined && whole !== undefined && strength !== undefined && !isTimes(whole, strength, dose.value);
  return { dose, mass: whole, strength, isUnread: isTwofold || isRepeated || isOff };
}

function amountOf(value: string | undefined, word: string | undefined): DoseAmount {
  return { value: Number(value), unit: unitName(word) ?? 'any' };
}

function countOf(count: string | undefined, word: string | undefined): number {
  return counts[word ?? ''] ?? Number(count);
}
