/**
 * The words of dose forms as charts, labels, RxNorm and the drug files of EHRs write them. Readers of drug texts and
 * the table of the service's dose forms both use this list.
 *
 * Sources: RxNorm dose forms (NLM, RxNorm Technical Documentation, appendix 2), FDA's dosage forms in NCIt, and
 * Medi-Span's list of dosage forms. Abbreviations in drug files: Penn Medicine's TURBO project
 * (uphs_term_expansions.md) and class MedForm of a client for NewCrop's drug file. Rows marked `inferred` follow the
 * pattern of the others; no source lists them.
 */

/**
 * Families of dose forms. Forms of two families are two products. Forms of one family may be the same form, named more
 * or less precisely.
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
  | 'device'
  | 'pack'
  | 'any';

export interface FormNoun {
  /** The normalized word for all spellings: `tablet` for "tabs". */
  readonly term: string;
  readonly family: FormFamily;
  /**
   * An injection: `pen`, `syringe`, `vial`, `cartridge`, `ampule`. An inhaler: `metered`, `dry powder`. A liquid:
   * `suspension`, `solution`.
   */
  readonly device?: string;
}

type Row = readonly [spellings: string, family: FormFamily, device?: string];

// The first spelling is the term. If a form has several of these words, the first row counts.
const nounRows: readonly Row[] = [
  ['suppository suppositories supp', 'suppository'],
  ['patch patches patch(es) tpatch', 'patch'],
  ['inhaler inhalers inhl diskus respimat ellipta', 'inhaler'],
  ['aerosol aerosols aero hfa', 'inhaler', 'metered'],
  ['spray sprays spry spra mist', 'spray'],
  [
    'pen pens pen-injector pen-injectors autoinjector autoinjectors auto-injector auto-injectors injector injectors ' +
      'jet-injector sensoready sureclick kwikpen solostar flexpen flextouch',
    'injection',
    'pen',
  ],
  ['syringe syringes syringe(s) prsyr syrg syr pfs', 'injection', 'syringe'],
  ['cartridge cartridges crtg cartrdg', 'injection', 'cartridge'],
  ['ampule ampules ampul ampuls ampoule ampoules amp', 'injection', 'ampule'],
  ['injection injections injectable soln-inj inj injctn infusion infusions ivpb piggyback', 'injection'],
  ['enema enemas enem', 'enema'],
  ['tablet tablets tab tabs tbl ortab tablet(s) tab(s) odt caplet caplets', 'tablet'],
  ['capsule capsules cap caps orcap sprinkle sprinkles capsule(s) cap(s) softgel softgels', 'capsule'],
  ['pill pills', 'solid'],
  ['lozenge lozenges lozg lozh', 'lozenge'],
  ['troche troches troc', 'lozenge'],
  ['film films', 'film'],
  ['strip strips strp', 'film'],
  ['gum', 'gum'],
  ['insert inserts insr', 'insert'],
  ['ring rings', 'ring'],
  ['implant implants impl', 'implant'],
  ['cream creams crea crm', 'cream'],
  ['ointment ointments oint', 'ointment'],
  ['gel gels', 'gel'],
  ['jelly', 'gel'],
  ['lotion lotions lotn', 'lotion'],
  ['foam', 'foam'],
  ['paste pste', 'paste'],
  ['shampoo sham', 'shampoo'],
  ['soap', 'soap'],
  ['pad pads', 'pad'],
  ['swab swabs', 'pad'],
  ['oil', 'oil'],
  ['gas', 'gas'],
  ['suspension suspensions susp', 'liquid', 'suspension'],
  ['solution solutions soln sol nebu nebule nebules', 'liquid', 'solution'],
  ['syrup syrp', 'liquid', 'solution'],
  ['elixir elix', 'liquid', 'solution'],
  ['emulsion emulsions emul', 'liquid'],
  ['drops drop', 'liquid'],
  ['concentrate conc', 'liquid'],
  ['liquid liqd', 'liquid'],
  ['vial vials vial(s)', 'liquid', 'vial'],
  ['powder powders powd', 'powder'],
  ['pellet pellets', 'powder'],
  ['granules granule gran', 'powder'],
  ['packet packets', 'powder'],
  ['kit kits', 'pack'],
  ['pack pak', 'pack'],
  ['inhalant', 'any'],
  ['mouthwash', 'any'],
  ['rinse rinses', 'any'],
  ['tincture tinc', 'any'],
  ['wafer wafers', 'any'],
  ['bead beads', 'any'],
  ['crystal crystals crys', 'any'],
  ['tape', 'any'],
  ['liniment', 'any'],
  ['salve', 'any'],
  ['sponge sponges', 'any'],
  ['tampon tampons', 'any'],
  ['douche', 'any'],
  ['product', 'any'],
  ['system', 'any'],
  ['device devices devi', 'device'],
  ['miscellaneous misc', 'device'],
];

const nouns = new Map(
  nounRows.flatMap(([spellings, family, device]) => {
    const all = spellings.split(' ');
    const noun: FormNoun = { term: all[0] ?? '', family, ...(device === undefined ? {} : { device }) };
    return all.map((spelling): [string, FormNoun] => [spelling, noun]);
  }),
);

/** Terms by priority for a form with several terms: "concentrate solution" is a solution. */
export const termOrder: readonly string[] = [...new Set([...nouns.values()].map(({ term }) => term))];

// A dispersible tablet is a tablet for a suspension (EDQM), but in drug files TBDP is a tablet that dissolves on the
// tongue.
const kindRows: Readonly<Record<string, string>> = {
  chewable: 'chewable chew chewtab chewables',
  disintegrating: 'disintegrating odt orodispersible disintab',
  effervescent: 'effervescent',
  'for suspension': 'soluble',
  'disintegrating|for suspension': 'dispersible',
  sprinkle: 'sprinkle sprinkles',
};

/** Words for routes. The first word of each list is the service's word. */
const routeRows: readonly string[] = [
  'oral orally po ortab orcap',
  'sublingual sl',
  'buccal',
  'ophthalmic ophth opth ophthalmically eye eyes',
  'otic ear ears',
  'nasal intranasal',
  'rectal rectally',
  'vaginal vaginally vag',
  'transdermal',
  'topical topically external externally',
  'inhalation inhaler inhalers inhl inhalant nebulization nebulizer nebulized nebu neb nebs nebule nebules',
  'intravenous intravenously iv ivpb intraven',
  'subcutaneous subcutaneously subcut subq sc sq sub-q subcutan',
  'intramuscular intramuscularly im intramusc',
  'intradermal',
  'intrathecal',
  'intravitreal',
  'intracameral',
  'intra-articular intraarticular',
  'intralesional',
  'intracavernosal intracavernous',
  'epidural',
  'intrauterine',
  'urethral',
  'transmucosal',
  'oropharyngeal',
];

/** Routes by needle. A liquid, powder or oil for one of these routes is an injection. */
const byNeedle = new Set(
  (
    'intravenous subcutaneous intramuscular intradermal intrathecal intravitreal intracameral intra-articular ' +
    'intralesional intracavernosal epidural'
  ).split(' '),
);

const byWord = (rows: readonly (readonly [string, string])[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([value, spellings]) => spellings.split(' ').map((word): [string, string] => [word, value])));

const kinds = byWord(Object.entries(kindRows));
const routes = byWord(routeRows.map((row): [string, string] => [row.split(' ')[0] ?? '', row]));

const modifiers = new Set(
  (
    'film-coated coated chewing hard soft prefilled pre-filled metered dose dry medicated augmented single-dose ' +
    'multi-dose single multi mucosal mucous membrane irrigation intraperitoneal for in jet drug auto viscous ' +
    'adhesive medicate reconstituted recon reconst reconstitution breath activated breath-activated ' +
    'liquid-filled filled particles premix premixed mouth throat'
  ).split(' '),
);

const deviceNames = new Set(
  'hfa diskus respimat ellipta sensoready sureclick kwikpen solostar flexpen flextouch odt'.split(' '),
);

/** Whether brand names end with this word, as in Proventil HFA and Lantus SoloStar. */
export function isDeviceName(word: string): boolean {
  return deviceNames.has(word.toLowerCase());
}

/** The role of a word in a dose form. Undefined for a word that does not belong to a form. */
export function formWord(word: string): 'noun' | 'route' | 'modifier' | undefined {
  const plain = word.toLowerCase();
  if (nouns.has(plain)) return 'noun';
  if (routes.has(plain)) return 'route';
  return kinds.has(plain) || modifiers.has(plain) ? 'modifier' : undefined;
}

export function nounOf(word: string): FormNoun | undefined {
  return nouns.get(word);
}

/** The kinds of form that a lowercase word may mean, such as `chewable`, `disintegrating` or `for suspension`. */
export function kindsOf(word: string): readonly string[] {
  return kinds.get(word)?.split('|') ?? [];
}

export function routeOfWord(word: string): string | undefined {
  return routes.get(word);
}

export function isByNeedle(route: string): boolean {
  return byNeedle.has(route);
}

// Four-letter codes in drug files.
const codes: Readonly<Record<string, string>> = {
  aepb: 'aerosol powder breath-activated',
  aebs: 'aerosol breath-activated', // inferred
  aers: 'aerosol solution',
  aerp: 'aerosol powder', // inferred
  hfaa: 'aerosol inhaler', // inferred
  dsdv: 'inhaler powder', // inferred
  chew: 'chewable tablet',
  tbdp: 'disintegrating tablet',
  tbdl: 'disintegrating tablet',
  tbld: 'disintegrating tablet',
  tbef: 'effervescent tablet', // inferred
  tbso: 'soluble tablet', // inferred
  subl: 'sublingual tablet',
  tb24: 'tablet extended release 24 hr', // inferred
  tb12: 'tablet extended release 12 hr', // inferred
  tber: 'tablet extended release', // inferred
  tbcr: 'tablet extended release',
  tbec: 'tablet delayed release',
  tbpk: 'tablet pack', // inferred
  cp24: 'capsule extended release 24 hr', // inferred
  cp12: 'capsule extended release 12 hr', // inferred
  cper: 'capsule extended release', // inferred
  cpcr: 'capsule extended release',
  cpdr: 'capsule delayed release',
  cpep: 'capsule delayed release',
  cpsp: 'sprinkle capsule', // inferred
  dspk: 'pack', // inferred
  pnij: 'pen injector', // inferred
  pnkt: 'pen injector kit', // inferred
  inpn: 'pen injector', // inferred
  sopn: 'solution pen injector',
  supn: 'suspension pen injector', // inferred
  atij: 'auto-injector', // inferred
  atin: 'auto-injector', // inferred
  atkt: 'auto-injector kit', // inferred
  soaj: 'solution auto-injector', // inferred
  soct: 'solution cartridge', // inferred
  prsy: 'prefilled syringe', // inferred
  sosy: 'solution prefilled syringe',
  susy: 'suspension prefilled syringe', // inferred
  pskt: 'prefilled syringe kit',
  sykt: 'syringe kit', // inferred
  solr: 'reconstituted solution',
  susr: 'reconstituted suspension',
  su12: 'suspension extended release 12 hr',
  su24: 'suspension extended release 24 hr',
  pwpk: 'powder packet',
  grpk: 'granules packet',
  ptch: 'patch',
  ptmd: 'patch',
  ptsw: 'patch',
  pt24: 'patch', // inferred
  pt72: 'patch', // inferred
  ptwk: 'patch', // inferred
  pttw: 'patch', // inferred
};

// Two capitals before a four-letter code, or before another form word in capitals, are the route: "500 MG OR TABS", "1
// % EX CREA".
const routeCodes: Readonly<Record<string, string>> = {
  OR: 'oral',
  IJ: 'injection', // inferred
  EX: 'topical',
  OP: 'ophthalmic',
  OT: 'otic', // inferred
  NA: 'nasal',
  IN: 'inhalation', // inferred
  RE: 'rectal', // inferred
  VA: 'vaginal', // inferred
  TD: 'transdermal', // inferred
  MT: 'mucous membrane', // inferred
};

// Phrases in drug files that do not change the form: how often a patch is changed, where a rinse is used, tablets in a
// pack, a pen for insulin.
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(?:twice |semi-?|bi-?)?weekly (?=(?:transdermal )?patch)/gi, ''],
  [/(?<=\bpatch) (?:twice |semi-?|bi-?)?weekly\b/gi, ''],
  [/\bmouth\/throat\b/gi, 'oropharyngeal'],
  [/\bin an? (?:dose )?pack(et)?\b/gi, 'pack$1'],
  [/\binsulin (?=pens?\b(?! needles?))(?<=\d.{0,200})/gi, ''],
];

const code = /(?<![\p{L}\d-])[a-z]{2}[a-z\d]{2}(?![\p{L}\d-])/giu;
const routeCode = /(?<=[\p{L}%)] )(OR|IJ|EX|OP|OT|NA|IN|RE|VA|TD|MT) (?=([A-Z][A-Z\d]{2,3})(?![\p{L}\d]))/gu;

/**
 * Spells out the abbreviated forms of drug files in a text.
 *
 * @example spellOutForms('dulaglutide 1.5 mg/0.5 mL PnIj') // 'dulaglutide 1.5 mg/0.5 mL pen injector'
 */
export function spellOutForms(text: string): string {
  const routed = text.replace(routeCode, (all: string, route: string, form: string) => {
    const known = Object.hasOwn(codes, form.toLowerCase()) || nouns.has(form.toLowerCase());
    return known ? `${routeCodes[route] ?? route} ` : all;
  });
  const spelled = routed.replace(code, (word) => {
    const plain = word.toLowerCase();
    return Object.hasOwn(codes, plain) ? (codes[plain] ?? word) : word;
  });
  return phrases.reduce((words, [phrase, plain]) => words.replace(phrase, plain), spelled);
}
