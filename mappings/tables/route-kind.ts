import type { Route } from '../../src/core/contract/lists.ts';

/**
 * The kind of route that patient directions certainly state. They state no more than a kind: `inject` may mean under
 * the skin or into a muscle, and `under the tongue` is taken as by mouth.
 */
export type RouteKind = Extract<
  Route,
  'oral' | 'parenteral' | 'ophthalmic' | 'otic' | 'nasal' | 'rectal' | 'vaginal' | 'topical' | 'inhalation'
>;

/** The kind of each route; routes without a kind are never contradicted. */
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
 * Groups of routes that two parts of one order may use for the same route: on the skin, in the mouth, `parenteral` for
 * any needle.
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

/** Phrases that state a kind of route. They match lowercase text only. */
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
 * used under the tongue or in the vagina, a capsule inhaled, and the content of a vial drunk or nebulized; those are
 * not checked.
 */
export const routesNotOfForm: Readonly<Record<string, readonly RouteKind[]>> = {
  tablet: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'topical', 'inhalation'],
  capsule: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'topical'],
  injection: ['nasal', 'rectal', 'vaginal', 'topical', 'otic'],
  patch: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'rectal', 'vaginal', 'inhalation'],
  suppository: ['parenteral', 'ophthalmic', 'otic', 'nasal', 'topical', 'inhalation'],
  inhaler: ['parenteral', 'ophthalmic', 'otic', 'rectal', 'vaginal', 'topical'],
};
