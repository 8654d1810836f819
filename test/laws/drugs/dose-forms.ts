/**
 * How one dose form of RxNorm is printed, typed and dispensed. `{route}` stands for the route that the order states.
 */
export interface DoseFormWords {
  /** As First Databank prints it, behind the strength: `tablet,extended release 24 hr`, `subcutaneous syringe`. */
  readonly printed: string;
  /** First Databank's abbreviation, as EHRs show it: `Tb24`, `Syrg`. */
  readonly short: string;
  /** As Medi-Span prints it, the route first: `Subcutaneous Solution Prefilled Syringe`. */
  readonly mediSpan: string;
  readonly typed: string;
  /** Words of the service's list that such a wording alone may mean, beside those of the product. */
  readonly also?: readonly string[];
  /** How the strength is written: as it stands, in the whole container, per 5 mL, in percent. */
  readonly measure: 'plain' | 'container' | 'spoon' | 'percent';
  /** The unit of what is dispensed, how much, and directions that fit. */
  readonly unit: string;
  readonly quantity: number;
  readonly directions: string;
}

const tablets = { measure: 'plain', unit: 'tablet', quantity: 30, directions: 'Take 1 tablet once daily' } as const;
const capsules = { measure: 'plain', unit: 'capsule', quantity: 30, directions: 'Take 1 capsule once daily' } as const;
const liquid = { measure: 'spoon', unit: 'mL', quantity: 120, directions: 'Take 5 mL once daily' } as const;
const packets = { measure: 'plain', unit: 'pack', quantity: 30, directions: 'Take once daily' } as const;
const films = { measure: 'plain', unit: 'film', quantity: 30, directions: 'Use 1 film once daily' } as const;
const pieces = { measure: 'plain', unit: 'pack', quantity: 1, directions: 'Use 1 once daily' } as const;
const injections = { measure: 'container', unit: 'mL', quantity: 2, directions: 'Inject once every 2 weeks' } as const;
const grams = { measure: 'percent', unit: 'g', quantity: 30, directions: 'Apply a thin layer twice daily' } as const;
const milliliters = { measure: 'percent', unit: 'mL', quantity: 30, directions: 'Use twice daily' } as const;
const sprays = { measure: 'plain', unit: 'mL', quantity: 15, directions: 'Use 1 spray twice daily' } as const;
const inhalers = { measure: 'plain', unit: 'inhaler', quantity: 1, directions: 'Inhale 2 puffs twice daily' } as const;
const patches = { unit: 'patch', quantity: 4, directions: 'Apply 1 patch and change it as told' } as const;

/**
 * By the dose form as RxNorm names it; a longer name stands before one that it ends with. The printed words and
 * abbreviations were seen in public code and data:
 * First Databank's in a table of dose forms with their abbreviations (a Java client of NewCrop's drug file: Tb24, Tb12,
 * TbER, TbEC, TbDL, TbSO, TbEF, Chew, Subl, Cp24, CpER, CpDR, Susp, Su12, Soln, Syrg, InPn, Supp, HFAA, AePB, Mist,
 * Lozg, LozH, PtMd, PTSW, PTWK, PT72, PT24, Crea, Oint, Lotn, Enem, PwPk), in a list of form words of an EHR
 * (`tablet,delayed release (DR/EC)`, `recon soln`, `pen injector kit`, `solution for nebulization`, `adhesive
 * patch,medicated`), in a report over Epic's Clarity (`ADALIMUMAB 40 MG/0.4 ML SUBCUTANEOUS PEN KIT`, `INFLIXIMAB 100
 * MG INTRAVENOUS SOLUTION`, `OXYCODONE ER 10 MG TABLET,CRUSH RESISTANT,EXTENDED RELEASE`) and in a FHIR answer of
 * athenahealth (`albuterol sulfate HFA 90 mcg/actuation aerosol inhaler`); Medi-Span's in lists of what patients take
 * (`bupropion hcl er (xl) 150 mg oral tablet extended release 24 hour`, `fluticasone propionate 50 mcg/act nasal
 * suspension`, `triamcinolone acetonide 0.1 % external cream`, `pulmicort flexhaler 90 mcg/act inhalation aerosol
 * powder breath activated`, `Keytruda Intravenous Solution Reconstituted 50 MG`, `Tresiba FlexTouch Subcutaneous
 * Solution Pen-injector`).
 */
export const doseForms: Readonly<Record<string, DoseFormWords>> = {
  'Tablet for Oral Suspension': words(
    'tablet for oral suspension',
    'TbSO',
    'Oral Tablet Soluble',
    'tabs for susp',
    tablets,
  ),
  'Chewable Tablet': words('chewable tablet', 'Chew', 'Oral Tablet Chewable', 'chew tabs', tablets),
  'Effervescent Oral Tablet': words(
    'effervescent tablet',
    'TbEF',
    'Oral Tablet Effervescent',
    'effervescent tabs',
    tablets,
  ),
  'Disintegrating Oral Tablet': words('disintegrating tablet', 'TbDL', 'Oral Tablet Disintegrating', 'odt', tablets),
  'Extended Release Oral Tablet': words(
    'tablet,extended release{hours}',
    'Tb{hh}',
    'Oral Tablet Extended Release{Hours}',
    'tabs',
    tablets,
  ),
  'Delayed Release Oral Tablet': words(
    'tablet,delayed release',
    'TbEC',
    'Oral Tablet Delayed Release',
    'dr tabs',
    tablets,
  ),
  'Sublingual Tablet': words('sublingual tablet', 'Subl', 'Sublingual Tablet', 'sl tabs', tablets),
  'Buccal Tablet': words('buccal tablet', 'buccal Tab', 'Buccal Tablet', 'buccal tabs', tablets),
  'Oral Tablet': words('tablet', 'Tab', 'Oral Tablet', 'tabs', tablets),
  'Extended Release Oral Capsule': words(
    'capsule,extended release{hours}',
    'Cp{hh}',
    'Oral Capsule Extended Release{Hours}',
    'caps',
    capsules,
  ),
  'Delayed Release Oral Capsule': words(
    'capsule,delayed release',
    'CpDR',
    'Oral Capsule Delayed Release',
    'dr caps',
    capsules,
  ),
  'Oral Capsule': words('capsule', 'Cap', 'Oral Capsule', 'caps', capsules),
  'Granules for Oral Suspension': words('oral granules for suspension', 'GrPk', 'Oral Granules', 'granules', packets),
  'Oral Granules': words('oral granules in packet', 'GrPk', 'Oral Granules', 'granules', packets),
  'Powder for Oral Solution': words('oral powder in packet', 'oral PwPk', 'Oral Powder', 'powder packets', packets),
  'Oral Powder': words('oral powder', 'oral Powd', 'Oral Powder', 'oral powder', {
    ...packets,
    unit: 'g',
    directions: 'Take once daily',
  }),
  'Extended Release Suspension': words(
    'suspension,extended release{hours}',
    'Su{hh}',
    'Oral Suspension Extended Release',
    'susp',
    liquid,
  ),
  'Oral Suspension': words('oral suspension', 'oral Susp', 'Oral Suspension', 'susp', liquid),
  'Oral Solution': words('oral solution', 'oral Soln', 'Oral Solution', 'oral soln', liquid),
  'Oral Lozenge': words('lozenge', 'Lozg', 'Mouth/Throat Lozenge', 'lozenges', pieces),
  'Oral Paste': words('oral paste', 'oral Pste', 'Mouth/Throat Paste', 'oral paste', grams),
  'Oral Gel': words('oral gel', 'oral Gel', 'Mouth/Throat Gel', 'oral gel', grams),
  'Oral Ointment': words('oral ointment', 'oral Oint', 'Mouth/Throat Ointment', 'oral oint', grams),
  'Oral Film': words('oral film', 'oral Film', 'Oral Film', 'films', films),
  'Buccal Film': words('buccal film', 'buccal Film', 'Buccal Film', 'buccal film', films),
  'Sublingual Film': words('sublingual film', 'SL Film', 'Sublingual Film', 'sl film', films),
  'Vaginal Film': words('vaginal film', 'vaginal Film', 'Vaginal Film', 'vag film', films),
  'Vaginal Gel': words('vaginal gel', 'vaginal Gel', 'Vaginal Gel', 'vag gel', grams),
  'Prefilled Syringe': words(
    '{route} syringe',
    'Syrg',
    '{Route} Solution Prefilled Syringe',
    'prefilled syringe',
    injections,
  ),
  'Auto-Injector': words('{route} pen injector', 'PnIj', '{Route} Solution Auto-injector', 'autoinjector', injections),
  'Pen Injector': words('{route} pen injector', 'PnIj', '{Route} Solution Pen-injector', 'pen', injections),
  Cartridge: words('{route} cartridge', 'Crtg', '{Route} Solution Cartridge', 'cartridge', injections),
  'Injectable Solution': {
    ...words('{route} solution', 'injection Soln', '{Route} Solution', 'inj', injections),
    also: ['solution'],
  },
  'Injectable Suspension': {
    ...words('{route} suspension', 'injection Susp', '{Route} Suspension', 'inj', injections),
    also: ['suspension'],
  },
  Injection: {
    ...words('{route} solution', '{route} Soln', '{Route} Solution', 'inj', injections),
    also: ['solution'],
  },
  'Medicated Patch': words('topical patch', 'PtMd', 'External Patch', 'patch', { ...patches, measure: 'percent' }),
  'Transdermal System': words('{often}transdermal patch', '{pt}', 'Transdermal Patch{Often}', 'patch', {
    ...patches,
    measure: 'plain',
  }),
  'Mucous Membrane Topical Solution': words(
    'mucosal solution',
    'mucosal Soln',
    'Mouth/Throat Solution',
    'mucosal soln',
    milliliters,
  ),
  'Medicated Liquid Soap': words('topical soap', 'Soap', 'External Soap', 'soap', milliliters),
  'Medicated Pad': words('topical pad', 'topical Pads', 'External Pad', 'pads', { ...pieces, measure: 'percent' }),
  'Topical Cream': words('topical cream', 'Crea', 'External Cream', 'cream', grams),
  'Topical Ointment': words('topical ointment', 'Oint', 'External Ointment', 'oint', grams),
  'Topical Gel': words('{topical} gel', '{topical} Gel', '{Topical} Gel', 'gel', grams),
  'Topical Lotion': words('lotion', 'Lotn', 'External Lotion', 'lotion', milliliters),
  'Topical Solution': words('topical solution', 'topical Soln', 'External Solution', 'topical soln', milliliters),
  'Topical Spray': words('topical spray', 'topical Spry', 'External Spray', 'topical spray', milliliters),
  'Topical Foam': words('topical foam', 'topical Foam', 'External Foam', 'foam', grams),
  'Ophthalmic Solution': words('eye drops', 'ophthalmic Drop', 'Ophthalmic Solution', 'eye drops', milliliters),
  'Ophthalmic Ointment': words('eye ointment', 'ophthalmic Oint', 'Ophthalmic Ointment', 'eye oint', grams),
  'Otic Solution': words('ear drops', 'otic Drop', 'Otic Solution', 'ear drops', milliliters),
  'Rectal Suppository': words('rectal suppository', 'Supp', 'Rectal Suppository', 'supp', pieces),
  'Rectal Cream': words('rectal cream', 'rectal Crea', 'Rectal Cream', 'rectal cream', grams),
  'Rectal Gel': words('rectal gel', 'rectal Gel', 'Rectal Gel', 'rectal gel', grams),
  'Rectal Ointment': words('rectal ointment', 'rectal Oint', 'Rectal Ointment', 'rectal oint', grams),
  Enema: words('enema', 'Enem', 'Rectal Enema', 'enema', { ...milliliters, measure: 'plain' }),
  'Metered Dose Nasal Spray': {
    ...words('nasal spray', 'nasal Spry', 'Nasal Solution', 'nasal spray', sprays),
    also: ['solution'],
  },
  'Nasal Spray': { ...words('nasal spray', 'nasal Spry', 'Nasal Liquid', 'nasal spray', sprays), also: ['liquid'] },
  'Nasal Solution': words('nasal solution', 'nasal Soln', 'Nasal Solution', 'nasal soln', {
    ...sprays,
    measure: 'percent',
  }),
  'Mucosal Spray': words('{route} spray', '{route} Spry', '{Route} Spray', '{route} spray', sprays),
  'Inhalation Spray': {
    ...words('mist for inhalation', 'Mist', 'Inhalation Aerosol Solution', 'inhaler', inhalers),
    also: ['aerosol', 'inhalation'],
  },
  'Metered Dose Inhaler': {
    ...words('HFA aerosol inhaler', 'HFAA', 'Inhalation Aerosol', 'inhaler', inhalers),
    also: ['aerosol'],
  },
  'Dry Powder Inhaler': {
    ...words('powder for inhalation', 'AePB', 'Inhalation Aerosol Powder Breath Activated', 'inhaler', inhalers),
    also: ['aerosol', 'powder'],
  },
  'Inhalation Solution': words(
    'solution for nebulization',
    'Nebu Soln',
    'Inhalation Nebulization Solution',
    'neb soln',
    { ...milliliters, measure: 'plain', directions: 'Inhale 1 vial twice daily' },
  ),
  'Drug Implant': words('{route} implant', '{route} Impl', '{Route} Implant', 'implant', {
    ...pieces,
    unit: 'unit',
    directions: 'Insert 1 implant every 6 months',
  }),
  'Irrigation Solution': words('irrigation solution', 'irrigation Soln', 'Irrigation Solution', 'irrigation soln', {
    ...milliliters,
    measure: 'plain',
  }),
};

function words(
  printed: string,
  short: string,
  mediSpan: string,
  typed: string,
  rest: Pick<DoseFormWords, 'measure' | 'unit' | 'quantity' | 'directions'>,
): DoseFormWords {
  return { printed, short, mediSpan, typed, ...rest };
}
