import type { Route } from '../../src/core/contract/lists.ts';

/**
 * What directions certainly say of how a drug is given, in words that patients are told: only the kind. `inject` may be
 * under the skin or into a muscle, and `under the tongue` is by mouth for whoever reads only that.
 */
export type RouteKind = Extract<
  Route,
  'oral' | 'parenteral' | 'ophthalmic' | 'otic' | 'nasal' | 'rectal' | 'vaginal' | 'topical' | 'inhalation'
>;

/** The kind of the routes that are of one; every other route contradicts nothing. */
export const routeKinds: Readonly<Partial<Record<Route, RouteKind>>> = {
  oral: 'oral',
  enteral: 'oral',
  nasogastric: 'oral',
  buccal: 'oral',
  sublingual: 'oral',
  oropharyngeal: 'oral',
  dental: 'oral',
  periodontal: 'oral',
  parenteral: 'parenteral',
  subcutaneous: 'parenteral',
  intramuscular: 'parenteral',
  intravenous: 'parenteral',
  intradermal: 'parenteral',
  ophthalmic: 'ophthalmic',
  conjunctival: 'ophthalmic',
  otic: 'otic',
  'auricular (otic)': 'otic',
  nasal: 'nasal',
  rectal: 'rectal',
  vaginal: 'vaginal',
  topical: 'topical',
  transdermal: 'topical',
  cutaneous: 'topical',
  percutaneous: 'topical',
  inhalation: 'inhalation',
  'respiratory (inhalation)': 'inhalation',
};

/**
 * Words that two parts of one order use for the same route: what is put on the skin, what is dissolved in the mouth,
 * `parenteral` for any needle.
 */
export const routesAlike: readonly (readonly Route[])[] = [
  ['topical', 'transdermal', 'cutaneous', 'percutaneous'],
  ['inhalation', 'respiratory (inhalation)'],
  ['otic', 'auricular (otic)'],
  ['epidural', 'peridural'],
  ['oral', 'oropharyngeal'],
  ...(['subcutaneous', 'intramuscular', 'intravenous', 'intradermal'] as const).map((route): readonly Route[] => [
    'parenteral',
    route,
  ]),
];

const into = '(?:in|into|to) (?:the |each |both |affected |right |left )*';

/** Phrases that say a kind, in small letters. */
export const routePhrases: Readonly<Record<RouteKind, RegExp>> = {
  oral: /\b(?:by mouth|orally|po|p\.o\.|under the tongue|sublingually)(?![a-z])/,
  parenteral:
    /\b(?:inject|subcutaneous(?:ly)?|subq|subcut|under the skin|intramuscular(?:ly)?|intravenous(?:ly)?)(?![a-z])/,
  ophthalmic: new RegExp(`\\b${into}eyes?\\b`),
  otic: new RegExp(`\\b${into}ears?\\b`),
  nasal: new RegExp(`\\b${into}(?:nostrils?|nose)\\b|\\bintranasally\\b`),
  rectal: /\b(?:rectally|per rectum|into the rectum)\b/,
  vaginal: /\b(?:vaginally|per vagina|into the vagina)\b/,
  topical: /\b(?:topically|to (?:the )?(?:affected areas?|skin|scalp|face))\b/,
  inhalation: /\b(?:inhale|nebulizer|nebulized)\b/,
};

/**
 * The kinds of route that a form is never for, by the intended sites of forms (EDQM Standard Terms). A tablet may be
 * put under the tongue or into the vagina, a capsule be inhaled, and what is in a vial be drunk or nebulized: those are
 * not judged.
 */
export const routesNotOfForm: Readonly<Record<string, readonly RouteKind[]>> = {
  tablet: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'topical', 'inhalation'],
  capsule: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'topical'],
  injection: ['nasal', 'rectal', 'vaginal', 'topical', 'otic'],
  patch: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'rectal', 'vaginal', 'inhalation'],
  suppository: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'topical', 'inhalation'],
  inhaler: ['parenteral', 'ophthalmic', 'otic', 'rectal', 'vaginal', 'topical'],
};
