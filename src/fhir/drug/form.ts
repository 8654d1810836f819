import { remembered } from '../remembered.ts';

/**
 * Families of dose forms: forms of two families are two products, forms of one family may only be named with more or
 * fewer words.
 */
export type FormFamily =
  | 'tablet'
  | 'capsule'
  | 'solid'
  | 'lozenge'
  | 'film'
  | 'gum'
  | 'suppository'
  | 'insert'
  | 'ring'
  | 'implant'
  | 'patch'
  | 'inhaler'
  | 'spray'
  | 'injection'
  | 'enema'
  | 'liquid'
  | 'powder'
  | 'cream'
  | 'ointment'
  | 'gel'
  | 'lotion'
  | 'foam'
  | 'paste'
  | 'shampoo'
  | 'soap'
  | 'pad'
  | 'oil'
  | 'gas'
  | 'pack'
  | 'any';

/** What the words of a dose form say. */
export interface Form {
  readonly family: FormFamily;
  /** `chewable`, `disintegrating`, `effervescent`, `for suspension`: tablets that differ from plain ones. */
  readonly kinds: readonly string[];
  /**
   * `pen`, `syringe`, `vial`, `cartridge` of an injection; `metered`, `dry powder` of an inhaler; `suspension`,
   * `solution` of a liquid.
   */
  readonly device?: string | undefined;
  /** `oral`, `ophthalmic`: the route that the form names. */
  readonly route?: string | undefined;
}

type Word = readonly [family: FormFamily, device?: string];

const nouns: Readonly<Record<string, Word>> = {
  'suppository suppositories supp': ['suppository'],
  'patch patches tpatch': ['patch'],
  'inhaler inhalers diskus respimat ellipta': ['inhaler'],
  'aerosol aero hfa': ['inhaler', 'metered'],
  'spray sprays': ['spray'],
  'pen pens pen-injector autoinjector autoinjectors auto-injector auto-injectors injector injectors': [
    'injection',
    'pen',
  ],
  'pnij pnkt sensoready sureclick kwikpen solostar flexpen flextouch': ['injection', 'pen'],
  'syringe syringes sosy pskt': ['injection', 'syringe'],
  'cartridge cartridges': ['injection', 'cartridge'],
  'injection injections injectable soln-inj inj': ['injection'],
  'enema enemas': ['enema'],
  'tablet tablets tab tabs tbl tbdp tbec tb24 tb12 ortab tablet(s) tab(s) odt caplet caplets': ['tablet'],
  'capsule capsules cap caps cpdr cp24 cp12 orcap sprinkle capsule(s) cap(s)': ['capsule'],
  'pill pills': ['solid'],
  'lozenge lozenges troche': ['lozenge'],
  'film films strip strips': ['film'],
  gum: ['gum'],
  'insert inserts': ['insert'],
  'ring rings': ['ring'],
  'implant implants': ['implant'],
  cream: ['cream'],
  'ointment oint': ['ointment'],
  'gel jelly': ['gel'],
  lotion: ['lotion'],
  foam: ['foam'],
  paste: ['paste'],
  shampoo: ['shampoo'],
  soap: ['soap'],
  'pad pads swab swabs': ['pad'],
  oil: ['oil'],
  gas: ['gas'],
  'suspension susp susr': ['liquid', 'suspension'],
  'solution soln sol syrup elixir': ['liquid', 'solution'],
  'emulsion liquid concentrate drops drop': ['liquid'],
  'powder granules granule pellet pellets powd packet packets': ['powder'],
  'vial vials': ['liquid', 'vial'],
  'kit kits pack': ['pack'],
  'product system mouthwash': ['any'],
  inhalant: ['inhaler'],
};

const kinds: Readonly<Record<string, string>> = {
  chewable: 'chewable',
  chew: 'chewable',
  chewtab: 'chewable',
  disintegrating: 'disintegrating',
  dispersible: 'disintegrating',
  odt: 'disintegrating',
  orodispersible: 'disintegrating',
  tbdp: 'disintegrating',
  disintab: 'disintegrating',
  effervescent: 'effervescent',
  soluble: 'for suspension',
};

const routes: Readonly<Record<string, string>> = {
  oral: 'oral',
  orally: 'oral',
  po: 'oral',
  ortab: 'oral',
  orcap: 'oral',
  sublingual: 'sublingual',
  buccal: 'buccal',
  ophthalmic: 'ophthalmic',
  eye: 'ophthalmic',
  otic: 'otic',
  ear: 'otic',
  nasal: 'nasal',
  intranasal: 'nasal',
  rectal: 'rectal',
  vaginal: 'vaginal',
  transdermal: 'transdermal',
  topical: 'topical',
  inhalation: 'inhalation',
  inhaler: 'inhalation',
  inhalers: 'inhalation',
  intravenous: 'intravenous',
  iv: 'intravenous',
  subcutaneous: 'subcutaneous',
  subcut: 'subcutaneous',
  intramuscular: 'intramuscular',
  im: 'intramuscular',
  intrauterine: 'intrauterine',
  intrathecal: 'intrathecal',
  intravitreal: 'intravitreal',
  urethral: 'urethral',
  transmucosal: 'transmucosal',
};

const modifiers = new Set(
  (
    'film-coated coated hard soft prefilled pre-filled metered dose dry medicated augmented single-dose ' +
    'multi-dose single multi mucosal mucous membrane irrigation intraperitoneal for in jet drug'
  ).split(' '),
);

const deviceNames = new Set(
  'hfa diskus respimat ellipta sensoready sureclick kwikpen solostar flexpen flextouch odt'.split(' '),
);

/** true for a word that brands put behind their name: Proventil HFA, Lantus SoloStar. */
export function isDeviceName(word: string): boolean {
  return deviceNames.has(word.toLowerCase());
}

// The first that a form has decides: a tablet for a suspension is a tablet, a pen with a solution an injection.
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
  'pack',
  'any',
];

const words = new Map<string, Word>(
  Object.entries(nouns).flatMap(([list, word]) => list.split(' ').map((one): [string, Word] => [one, word])),
);

/** What a word is in the words of a dose form: a noun that names one, a route, or another word that belongs to one. */
export function formWord(word: string): 'noun' | 'route' | 'modifier' | undefined {
  const plain = word.toLowerCase();
  if (words.has(plain)) return 'noun';
  if (Object.hasOwn(routes, plain)) return 'route';
  return Object.hasOwn(kinds, plain) || modifiers.has(plain) ? 'modifier' : undefined;
}

const longest = 200;

/**
 * What the words of a form say; undefined where none of them names a form or a route.
 *
 * @example formOf('Prefilled Syringe') // { family: 'injection', kinds: [], device: 'syringe' }
 */
export function formOf(text: string | undefined): Form | undefined {
  return text === undefined || text.length > longest ? undefined : readForm(text);
}

const readForm = remembered((text): Form | undefined => {
  const all = text
    .toLowerCase()
    .split(/[\s,/()]+/)
    .filter((word) => word !== '');
  const found = all.flatMap((word) => {
    const one = words.get(word);
    return one === undefined ? [] : [one];
  });
  const routed = all.flatMap((word) =>
    Object.hasOwn(routes, word) && routes[word] !== undefined ? [routes[word]] : [],
  );
  const isInjected = all.includes('injection') || all.includes('injectable');
  const family =
    decides.find((one) => found.some(([other]) => other === one)) ?? (routed.length > 0 ? 'any' : undefined);
  if (family === undefined) return undefined;
  const own = isInjected && (family === 'liquid' || family === 'powder' || family === 'any') ? 'injection' : family;
  const devices = found
    .filter(([other]) => other === family || own === 'injection')
    .flatMap(([, device]) => (device === undefined ? [] : [device]));
  return {
    family: own,
    kinds: [
      ...new Set(all.flatMap((word) => (Object.hasOwn(kinds, word) && kinds[word] !== undefined ? [kinds[word]] : []))),
    ],
    device: deviceOf(own, devices, all),
    route: routeOf(routed, all),
  };
});

function deviceOf(family: FormFamily, devices: readonly string[], all: readonly string[]): string | undefined {
  if (family === 'inhaler' && all.includes('dry')) return 'dry powder';
  if (family === 'inhaler' && all.includes('metered')) return 'metered';
  const wanted = ['pen', 'syringe', 'cartridge', 'vial', 'suspension', 'solution', 'metered'];
  const device = wanted.find((one) => devices.includes(one));
  const saysNothing = family === 'injection' && (device === 'suspension' || device === 'solution');
  return saysNothing ? undefined : device;
}

// What is inhaled through the mouth is inhaled.
function routeOf(routed: readonly string[], all: readonly string[]): string | undefined {
  if (routed.includes('inhalation')) return 'inhalation';
  if (routed.includes('transmucosal')) return 'transmucosal';
  // An oral gel or ointment is put on the gums; a tablet for an oral suspension is not said to be swallowed.
  const isUncertain = all.includes('for') || all.some((word) => /^(gel|ointment|paste|spray|foam|cream)$/.test(word));
  return routed[0] === 'oral' && isUncertain ? undefined : routed[0];
}

const wornOrPlaced = /\b(patch|patches|transdermal|system|ring|implant|insert|intrauterine)\b/i;

/** true for a form whose strength is stated by the hour: a patch, a vaginal ring, an implant. */
export function isGivenByTheHour(form: string | undefined): boolean {
  return wornOrPlaced.test(form ?? '');
}

/**
 * `same` also where one form is merely less specific: tablet and Oral Tablet, injection and Auto-Injector, pen and
 * Auto-Injector.
 */
export function compareForms(left: Form, right: Form): 'same' | 'differs' {
  if (left.family === 'any' || right.family === 'any') return 'same';
  if (!fits(left, right) && !fits(right, left)) return 'differs';
  const isSameDevice = left.device === undefined || right.device === undefined || left.device === right.device;
  if (!isSameDevice && left.family === right.family) return 'differs';
  return 'same';
}

// What a less specific family may stand for.
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

function fits(general: Form, special: Form): boolean {
  if (general.family === special.family) return true;
  if (covers[general.family]?.includes(special.family) !== true) return false;
  // "Oral Solution" is no name for an injection, "solution" may be.
  const isRouted = general.route !== undefined && general.family !== 'pack' && general.family !== 'solid';
  return !isRouted || special.family === 'inhaler' || (special.route !== undefined && general.route === special.route);
}

/**
 * `differs` where one form is a chewable, disintegrating or effervescent tablet and the other says in a whole dose
 * form that it is a plain one.
 */
export function compareKinds(left: Form, right: Form): 'same' | 'differs' {
  if (left.kinds.length === 0 && right.kinds.length === 0) return 'same';
  if (left.kinds.length > 0 && right.kinds.length > 0)
    return left.kinds.some((kind) => right.kinds.includes(kind)) ? 'same' : 'differs';
  const plain = left.kinds.length === 0 ? left : right;
  return isWhole(plain) ? 'differs' : 'same';
}

/** true for a form as RxNorm states it, which would name its release if it had one: `Oral Tablet`, but not `tablet`. */
export function isWhole(form: Form): boolean {
  return form.route === 'oral' && ['tablet', 'capsule', 'liquid'].includes(form.family);
}
