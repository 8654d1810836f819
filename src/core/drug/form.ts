import { memoized } from '../text-cache.ts';
import {
  type FormFamily,
  type FormNoun,
  formWord,
  isByNeedle,
  nounOf,
  routeOfWord,
  spellOutForms,
  termOrder,
} from './form-words.ts';
import { takeRelease } from './release.ts';

export interface FormReading {
  readonly family: FormFamily;
  readonly device?: string | undefined;
  /** The route in the words of the form: `oral`, `ophthalmic`. */
  readonly route?: string | undefined;
}

// Families by priority: a tablet for a suspension is a tablet, and a pen with a solution is an injection.
const decides: readonly FormFamily[] = [
  'suppository',
  'patch',
  'inhaler',
  'spray',
  'enema',
  'tablet',
  'capsule',
  'solid',
  'injection',
  'lozenge',
  'ring',
  'implant',
  'insert',
  'gum',
  'shampoo',
  'soap',
  'pad',
  'cream',
  'ointment',
  'gel',
  'lotion',
  'foam',
  'paste',
  'oil',
  'gas',
  'film',
  'liquid',
  'powder',
  'device',
  'pack',
  'any',
];

const longest = 200;

/**
 * Reads the words of a form. Undefined when none of the words is a form or a route.
 *
 * @example formOf('Prefilled Syringe') // { family: 'injection', device: 'syringe' }
 */
export function formOf(text: string | undefined): FormReading | undefined {
  return text === undefined || text.length > longest ? undefined : readForm(text);
}

const readForm = memoized((text): FormReading | undefined => readWords(wordsOf(text))?.form);

function wordsOf(text: string): string[] {
  return spellOutForms(text)
    .toLowerCase()
    .split(/[\s,/()]+/)
    .filter((word) => word !== '');
}

function readWords(all: readonly string[]): { form: FormReading; nouns: readonly FormNoun[] } | undefined {
  const routed = [...new Set(all.flatMap((word) => routeOfWord(word) ?? []))];
  const isInjected = all.some((word) => nounOf(word)?.term === 'injection');
  const nouns = all.flatMap((word) => nounOf(word) ?? []);
  // an oral syringe only measures the dose, and a drug for inhalation may come in a vial
  const isOtherwise = !isInjected && routed.some((route) => !isByNeedle(route));
  const found = isOtherwise ? nouns.filter(({ device }) => device === undefined || !containers.has(device)) : nouns;
  const family = familyOf(found, all) ?? (routed.length > 0 ? 'any' : undefined);
  if (family === undefined) return undefined;
  const isByInjection = isInjected || (routed.length > 0 && routed.every(isByNeedle)) || isVial(found);
  const own = isByInjection && mayBeInjected(family, found) && (isInjected || family !== 'any') ? 'injection' : family;
  const devices = found
    .filter((noun) => noun.family === family || own === 'injection')
    .flatMap(({ device }) => device ?? []);
  const form: FormReading = {
    family: own,
    device: deviceOf(own, devices, all),
    route: routeOf(routed, all),
  };
  return {
    form,
    nouns: found.filter((noun) => noun.family === family || (own === 'injection' && noun.family === own)),
  };
}

const containers = new Set(['pen', 'syringe', 'cartridge', 'ampule', 'vial']);

function familyOf(found: readonly FormNoun[], all: readonly string[]): FormFamily | undefined {
  if (all.includes('transdermal') && all.includes('system')) return 'patch';
  return decides.find((family) => found.some((noun) => noun.family === family));
}

// A vial without another route is for injection.
function isVial(found: readonly FormNoun[]): boolean {
  return found.some(({ device }) => device === 'vial');
}

function mayBeInjected(family: FormFamily, found: readonly FormNoun[]): boolean {
  if (family === 'powder') return found.every(({ term }) => term !== 'pellet');
  return family === 'liquid' || family === 'oil' || family === 'any';
}

function deviceOf(family: FormFamily, devices: readonly string[], all: readonly string[]): string | undefined {
  if (family === 'inhaler' && (all.includes('dry') || all.includes('powder'))) return 'dry powder';
  if (family === 'inhaler' && all.includes('metered')) return 'metered';
  const wanted = ['pen', 'syringe', 'cartridge', 'ampule', 'vial', 'suspension', 'solution', 'metered'];
  const device = wanted.find((one) => devices.includes(one));
  const saysNothing = family === 'injection' && (device === 'suspension' || device === 'solution');
  return saysNothing ? undefined : device;
}

function routeOf(routed: readonly string[], all: readonly string[]): string | undefined {
  // In "oral inhalation", the route is inhalation.
  if (routed.includes('inhalation')) return 'inhalation';
  // A drug for a mucous membrane is not applied to the skin. "Oral Transmucosal Lozenge" has two routes, and an order
  // may state either.
  if (routed.length > 1 || (routed[0] === 'topical' && all.includes('membrane'))) return undefined;
  // An oral gel or ointment is applied to the gums. A "solution for oral syringe" may or may not be swallowed.
  const isUncertain =
    (all.includes('for') && !isDrunk(all)) || all.some((word) => onGums.has(nounOf(word)?.family ?? 'any'));
  return routed[0] === 'oral' && isUncertain ? undefined : routed[0];
}

const onGums = new Set<FormFamily>(['gel', 'ointment', 'paste', 'spray', 'foam', 'cream']);

// Matches "Tablet for Oral Suspension" and "oral granules for suspension", but not "solution for oral syringe".
function isDrunk(all: readonly string[]): boolean {
  return forLiquid.test(all.join(' '));
}

/** Words of a tablet, powder or granules that are dissolved in water and drunk. */
export const forLiquid = /\bfor (?:oral )?(?:susp(?:ension)?|sol(?:utio)?n?)\b/i;

/**
 * The normalized name of a form, as in the table of the service's dose forms: `injection` for "Subcutaneous Solution
 * Pen-injector", `tablet` for "TB24", `vaginal tablet`. Undefined for an ambiguous form, or when a word does not belong
 * to a form.
 */
export function formTerm(text: string): string | undefined {
  return text.length > longest ? undefined : readTerm(text);
}

const readTerm = memoized((text): string | undefined => {
  const words = takeRelease(wordsOf(text).join(' ')).rest.filter((word) => !isOfTime(word));
  const read = words.every((word) => formWord(word) !== undefined) ? readWords(words) : undefined;
  if (read === undefined) return undefined;
  const { family, route } = read.form;
  if (family === 'injection' || family === 'patch') return family;
  // "powder for oral suspension" is still a powder
  const powder = words.includes('for') ? words.find((word) => nounOf(word)?.family === 'powder') : undefined;
  const nouns = powder === undefined ? read.nouns : [nounOf(powder)];
  const term = termOrder.find((one) => nouns.some((noun) => noun?.term === one));
  if (term === 'aerosol' && route === 'inhalation') return 'inhaler';
  return route === 'vaginal' && (term === 'tablet' || term === 'suppository') ? `vaginal ${term}` : term;
});

// Words for a duration or frequency, as in "Extended Release 24 Hour" or "Patch Twice Weekly".
function isOfTime(word: string): boolean {
  return /^(\d\d?|hr|hour|hours|weekly|semiweekly|twice|daily)$/.test(word);
}

const wornOrPlaced = /\b(patch|patches|transdermal|system|ring|implant|insert|intrauterine)\b/i;

/** Whether the strength of the form is stated per hour, as for a patch, a vaginal ring or an implant. */
export function isGivenByTheHour(form: string | undefined): boolean {
  return wornOrPlaced.test(form ?? '');
}

/** Also `same` when one form is less specific: tablet and Oral Tablet, injection and Auto-Injector. */
export function compareForms(left: FormReading, right: FormReading): 'same' | 'differs' {
  if (left.family === 'any' || right.family === 'any') return 'same';
  if (!fits(left, right) && !fits(right, left)) return 'differs';
  const isSameDevice = left.device === undefined || right.device === undefined || left.device === right.device;
  if (!isSameDevice && left.family === right.family) return 'differs';
  return 'same';
}

// The specific families that a general family may mean.
const covers: Readonly<Partial<Record<FormFamily, readonly FormFamily[]>>> = {
  solid: ['tablet', 'capsule'],
  pack: [
    'tablet',
    'capsule',
    'injection',
    'patch',
    'powder',
    'ring',
    'implant',
    'liquid',
    'solid',
    'inhaler',
    'gel',
    'cream',
  ],
  powder: ['injection', 'liquid', 'inhaler'],
  liquid: ['injection', 'spray', 'enema', 'lotion', 'oil'],
  film: ['patch'],
  spray: ['inhaler'],
};

function fits(general: FormReading, special: FormReading): boolean {
  if (general.family === special.family) return true;
  if (covers[general.family]?.includes(special.family) !== true) return false;
  // "Oral Solution" cannot mean an injection, but "solution" can.
  const isRouted = general.route !== undefined && general.family !== 'pack' && general.family !== 'solid';
  return !isRouted || special.family === 'inhaler' || (special.route !== undefined && general.route === special.route);
}

/**
 * Whether the form is written as RxNorm writes it, such as `Oral Tablet` instead of `tablet`. RxNorm states a release
 * if there is one, so a form without a release has none.
 */
export function isWhole(form: FormReading): boolean {
  return form.route === 'oral' && ['tablet', 'capsule', 'liquid'].includes(form.family);
}
