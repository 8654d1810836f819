/**
 * Words that identify nobody in any text: words for plans and numbers, dose forms and units, results, and salts of
 * drugs. A listed word that is part of a name in the chart is still replaced.
 */
const plans = `
  aca account assistance basic benefit benefits bin bronze card care carrier choice classic commercial company copay
  coupon coverage dental dependent discount drug employee employees employer epo exchange family federal goodrx
  government group health hmo id identification individual insurance insured insurer long managed manufacturer medicaid
  medical medicare medicine medigap member membership military no none number pay payer pcn pharmacy plan plus policy
  pos ppo prescription primary private program public regular routing rx rxbin rxgroup rxgrp rxid rxpcn savings
  secondary self selfpay silver singlecare spouse standard state subscriber
  supplement supplemental term tertiary tricare uninsured va veterans vision welfare workers`;
const numbers = `
  account dea driver license medical mrn national npi number provider record social security ssn identifier upin`;
const forms = `
  abdominal actuation aerosol amniotic ampul ampule applicator applicators arterial articular augmented auricular
  auto autoinjector bag beads bottle buccal by cap caplet caps capsule capsules cartridge cavernosum cement chewable
  chewing cloth coated concentrate conjunctival conventional cream crystal crystals culture cutaneous dart delayed
  device diaphragm disc disintegrating dispersible disk dose doses douche dressing drops each ear effervescent electro
  elixir
  emulsion endocervical endosinusial endotracheal enema enteral enteric epidural extended extra extracorporeal
  extract eye filled film films foam for gel generator globule graft granules gum hard hemodialysis implant in
  infiltration inhalant inhalation inhaled inhaler inhalers injectable injection injector insert interstitial intra
  intraarticular intrabiliary intrabronchial intrabursal intracameral intracanalicular intracardiac
  intracartilaginous intracaudal intracavernous intracavitary intracerebral intracisternal intracorneal intracoronal
  intracoronary intracorporus intracranial intradermal intradiscal intraductal intraduodenal intradural
  intraepicardial intraepidermal intraesophageal intragastric intragingival intrahepatic intraileal intralesional
  intralingual intraluminal intralymphatic intramammary intramedullary intrameningeal intramuscular intranasal
  intranodal intraocular intraomentum intraovarian intrapericardial intraperitoneal intrapleural intraprostatic
  intrapulmonary intraruminal intrasinal intraspinal intrasynovial intratendinous intratesticular intrathecal
  intrathoracic intratubular intratumor intratympanic intrauterine intravascular intravenous intraventricular
  intravesical intravitreal iontophoresis irrigant irrigation jelly kit laryngeal liner liniment liquid litre lotion
  lozenge medicated membrane metered millilitre millilitres mouth mouthwash mucosal mucous nasal nasogastric
  nebulizer occlusive odt ointment ophthalmic oral orally oropharyngeal osmosis otic pack packet packing packs
  parenteral paste pastille patch patches pellet pen pens per percutaneous periarticular peridural perineural
  periodontal pill pills plaster poultice powder pre prefilled prolonged puff puffs rectal rectally release
  respiratory retrobulbar ring rinse route salve shampoo skin soap soft solution sponge spray sprays sprinkle stick
  strip subarachnoid subconjunctival subcut subcutaneous subcutaneously subgingival sublingual submucosal subretinal
  suppository suprachoroidal suspension suture swab syringe syringes syrup system tab tablet tablets tabs tampon
  tape tbl technique tincture tissue topical topically tract transdermal transendocardial transmucosal
  transplacental transtracheal transtympanic troche tube ureteral urethral use vaginal vaginally vial vials wafer`;
const units = `
  actuations cm count day days dl g gm gram grams h hour hours hr hrs international iu kg l lb liter liters mcg meq mg
  microgram micrograms milligram milligrams milliliter milliliters min minute minutes ml mmol mo month months ng percent
  ug unit units usp week weeks wk year years`;
const drugs = `
  and compound compounded drug drugs elemental fe insulin medication medications medicine misc mixture or other patient
  prescribed see supplies supply take unknown with`;
const devices = `
  diskus ellipta flexhaler flexpen flextouch handihaler hfa kwikpen penfill pushtouch pushtronex respimat sensoready
  solostar sureclick turbuhaler twisthaler`;
const routes = `id im inh inj ip it iv nas ng od os ou otc pca peg po pr prn pv sc sl sq subq td tid top`;
const sensitive = `
  abacavir abilify abortion abuse acamprosate addict addicted addiction aids alcohol alcoholic alcoholism antabuse
  antenatal anxiety apretude aristada asenapine assault atazanavir atripla behavioral bictegravir biktarvy bipolar
  brexpiprazole brixadi buprenorphine cabenuva cabotegravir campral cannabis caplyta cariprazine chlamydia
  chlorpromazine cimduo clomid clomiphene clozapine clozaril cobenfy cocaine combivir complera contraception
  contraceptive darunavir delstrigo dependence depression depressive descovy desogestrel disulfiram dolophine
  dolutegravir domestic doravirine dovato drospirenone edurant efavirenz elvitegravir emtricitabine emtriva epivir
  epzicom esketamine ethinyl etonogestrel etravirine evotaz fanapt fertility fetal fluphenazine follistim
  follitropin fostemsavir genvoya geodon gonal gonorrhea haldol haloperidol heroin hiv human ibalizumab iloperidone
  immunodeficiency intelence intimate invega isentress juluca kaletra kyleena lamivudine latuda lenacapavir
  levonorgestrel liletta lithium lithobid lofexidine lucemyra lumateperone lurasidone lybalvi maraviroc menopur
  menotropins mental methadone mifeprex mifepristone mirena miscarriage misuse naltrexone nevirapine nexplanon
  norelgestromin norethindrone norgestimate norgestrel nuvaring obstetric odefsey olanzapine opioid overdose
  paliperidone partner perphenazine perseris pifeltro pregnancy pregnant prenatal prezcobix prezista provera
  psychiatric psychiatrist psychiatry psychologist psychology psychosis psychotherapy ptsd raltegravir rexulti
  reyataz rilpivirine risperdal risperidone rukobia saphris schizophrenia screen secuado selzentry seroquel sexual
  sexually skyla spravato sterilization stribild sublocade suboxone substance subutex suicidal suicide sunlenca
  sustiva symfi symtuza syphilis temixys tivicay transmitted traumatic triumeq trizivir trogarzo truvada ulipristal
  uzedy venereal victim violence viramune vivitrol vocabria vraylar yasmin yeztugo ziagen zidovudine ziprasidone
  zubsolv zuranolone zurzuvae zyprexa adhd antiretroviral autism bulimia cfr confidentiality detox disclosure
  disclosures eclampsia gestation gynecology iud ivf marijuana methamphetamine panic part postpartum prohibits protected
  records redisclosure sobriety unauthorized`;
const findings = `
  abnormal absent amended borderline comment comments community confirmed corrected detected elevated encounter
  equivocal final high inconclusive indeterminate inpatient item laboratory list low negative non normal not office
  outpatient pending positive preliminary present problem quantity reactive refuted review text trace unconfirmed
  undetected visit vital within`;
const salts = `
  acetate acid calcium chloride citrate hydrochloride magnesium maleate mesylate mixture phosphate potassium sodium
  succinate sulfate tartrate`;

export const publicWords: ReadonlySet<string> = setOf(
  plans,
  numbers,
  forms,
  units,
  routes,
  findings,
  salts,
  sensitive,
  drugs,
  devices,
);

/**
 * Words that mark data as sensitive. They are kept even in free text, so that the recorded chart is protected like the
 * original.
 */
export const sensitiveMarks: ReadonlySet<string> = setOf(sensitive);

/** Whether a word is a number of at most four digits, with or without a unit: `40`, `500mcg`. */
export function isAmountWord(word: string): boolean {
  const [, unit] = /^\d{1,4}([a-z]{0,4})$/.exec(word) ?? [];
  return unit !== undefined && (unit === '' || publicUnitWords.has(unit));
}

export const publicUnitWords: ReadonlySet<string> = setOf(forms, units);

/**
 * Codes of HL7, of the Source of Payment Typology and of a plan's contact types that are kept in any system, besides
 * the codes of FHIR itself.
 */
export const publicCodes: ReadonlySet<string> = new Set(
  `DRUGPOL EHCPOL HIP HMO PPO POS MCPOL PUBLICPOL SUBSIDIZ MEDICAID MEDICARE SELFPAY DENTPRG DENTAL DENT VISPOL LTC DIS
  LIFE UMBRL AUTOPOL HIRISK MR NPI PRN SS MB MC DL PI F M UN UNK OTH ASKU NI rxbin rxpcn rxgroup rxid group plan
  subgroup subplan class subclass sequence self spouse child parent common other injured pay RXBIN RXPCN RXGROUP RXID
  GROUP PLAN 122 81 82 2 21 211 MARKETING SUMMARY FORMULARY PROVIDER`.split(/\s+/),
);

function setOf(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.trim().split(/\s+/)));
}
