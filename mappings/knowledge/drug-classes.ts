import type { DrugClassRow } from '../../src/core/evidence/knowledge.ts';

/**
 * Classes of drugs by mechanism of action, and groups of drugs that treat similar diseases, with what reviewers
 * commonly ask for.
 *
 * A group has only drugs whose US label names the row's disease and use: a drug for acute migraine is not in the group
 * for its prevention. A drug without a row gets no suggestions. Names are lowercase ingredients; a name with a salt is
 * reduced to its first word. `asks` names lab concepts. `asksOf` names tests that are asked for only with some diseases
 * or drugs of a group.
 */

const source =
  'drugs by the indications of their US labels (section 1); what comes before them and what is asked from general ' +
  'knowledge of plans; no single document is cited; not reviewed';
const mechanism =
  'mechanism of action in the US labels (section 12.1) from general knowledge; none is cited; not reviewed';
const atc = (group: string, read = 'from general knowledge, its index was not read') =>
  `group ${group} of the ATC classification of the WHO, as far as its drugs are used so in the US; ${read}; ` +
  'not reviewed';
const review = 'none';

const list = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

const screens = [
  'Tuberculosis screen',
  'Hepatitis B surface antigen',
  'Hepatitis B core antibody',
  'Hepatitis B surface antibody',
  'Hepatitis C antibody',
];
const immunomodulators = list(
  'abatacept adalimumab anakinra anifrolumab apremilast baricitinib belimumab bimekizumab brodalumab canakinumab',
  'certolizumab deucravacitinib etanercept golimumab guselkumab infliximab ixekizumab mirikizumab natalizumab',
  'ozanimod etrasimod risankizumab rituximab sarilumab secukinumab spesolimab tildrakizumab tocilizumab tofacitinib',
  'upadacitinib ustekinumab vedolizumab',
);

const asthmaBiologics = list('benralizumab dupilumab mepolizumab omalizumab reslizumab tezepelumab');
const eczemaDrugs = list('abrocitinib dupilumab lebrikizumab nemolizumab tralokinumab');
const multipleSclerosis = [
  // Full names, because other interferons are for hepatitis or immunodeficiency.
  ...['dimethyl fumarate', 'interferon beta', 'peginterferon beta'],
  ...list(
    'alemtuzumab cladribine diroximel fingolimod glatiramer natalizumab ocrelizumab ofatumumab ozanimod ponesimod',
    'siponimod teriflunomide ublituximab',
  ),
];

// Excludes nasal sprays, creams and capsules of the same ingredients.
const inhaled = new RegExp(
  String.raw`^(?!.*\b(?:nasal|nostrils?|nose)\b).*\b(?:inhal|puffs?\b|nebul|hfa\b|respules?\b|respimat|ellipta|` +
    'diskus|flexhaler|twisthaler)',
  'i',
);

const ofNatalizumab = {
  tests: ['JC virus antibody'],
  drugs: ['natalizumab'],
  source:
    'the US label of natalizumab (boxed warning, section 5.1: progressive multifocal leukoencephalopathy); from ' +
    'general knowledge, not reviewed',
};

export const drugClasses: readonly DrugClassRow[] = [
  {
    name: 'immunomodulators for inflammatory disease',
    kind: 'group',
    // Leaves out C (cancer) and G (multiple sclerosis).
    diagnoses: list('D E H I K L M N R'),
    drugs: immunomodulators,
    before: [
      ...immunomodulators,
      ...list(
        'acitretin azathioprine budesonide calcipotriene clobetasol cyclosporine hydroxychloroquine leflunomide',
        'mercaptopurine mesalamine methotrexate methylprednisolone prednisone sulfasalazine balsalazide betamethasone',
        'halobetasol tacrolimus triamcinolone',
      ),
    ],
    asks: [...screens, 'C-reactive protein', 'Erythrocyte sedimentation rate', 'DAS28', 'CDAI', 'PASI', 'Mayo score'],
    asksOf: [
      {
        tests: ['Rheumatoid factor'],
        diagnoses: list('M05 M06 M08 L40.5'),
        source:
          'a criterion of the ACR/EULAR 2010 classification of rheumatoid arthritis, of ILAR 2001 for juvenile ' +
          'arthritis and, where negative, of CASPAR 2006 for psoriatic arthritis; from general knowledge, not reviewed',
      },
      {
        tests: ['Anti-CCP antibody'],
        diagnoses: list('M05 M06'),
        source:
          'a criterion of the ACR/EULAR 2010 classification of rheumatoid arthritis; from general knowledge, ' +
          'not reviewed',
      },
      {
        tests: ['HLA-B27'],
        diagnoses: list('M08 M45 M46'),
        source:
          'a criterion of the ASAS 2009 classification of axial spondyloarthritis and of ILAR 2001 for juvenile ' +
          'arthritis; from general knowledge, not reviewed',
      },
      ofNatalizumab,
    ],
    source,
    review,
  },
  {
    name: 'biologics for asthma',
    kind: 'group',
    diagnoses: list('J45 J82'),
    drugs: asthmaBiologics,
    before: [
      ...asthmaBiologics,
      ...list(
        'beclomethasone budesonide ciclesonide fluticasone formoterol mometasone montelukast prednisone salmeterol',
        'tiotropium umeclidinium vilanterol zafirlukast',
      ),
    ],
    asks: [
      'Eosinophils',
      'Eosinophils per 100 leukocytes',
      'Immunoglobulin E',
      'FEV1',
      'FEV1 of predicted',
      'FEV1/FVC',
    ],
    source,
    review,
  },
  {
    name: 'systemic drugs for atopic dermatitis',
    kind: 'group',
    diagnoses: ['L20'],
    drugs: eczemaDrugs,
    before: [
      ...eczemaDrugs,
      ...list(
        'betamethasone clobetasol crisaborole cyclosporine fluticasone mometasone pimecrolimus prednisone',
        'ruxolitinib tacrolimus triamcinolone',
      ),
    ],
    asks: ['EASI'],
    source,
    review,
  },
  {
    name: 'biologics for chronic spontaneous urticaria',
    kind: 'group',
    // The label leaves out hives caused by cold, pressure, heat or an allergy.
    diagnoses: list('L50.1 L50.8 L50.9'),
    drugs: ['omalizumab'],
    before: list('cetirizine desloratadine fexofenadine hydroxyzine levocetirizine loratadine'),
    asks: [],
    source:
      'the US label of omalizumab (Xolair, section 1: chronic spontaneous urticaria of patients who remain ' +
      'symptomatic despite H1 antihistamine treatment), as xolairhcp.com and xolair.com quote it; which ingredients ' +
      'are H1 antihistamines for it, and its ICD-10-CM codes, from general knowledge; not reviewed',
    review,
  },
  {
    name: 'glucose-lowering drugs',
    kind: 'group',
    diagnoses: list('E08 E09 E10 E11 E13 O24 R73'),
    drugs: list(
      'alogliptin bexagliflozin canagliflozin dapagliflozin dulaglutide empagliflozin ertugliflozin exenatide',
      'insulin linagliptin liraglutide pramlintide saxagliptin semaglutide sitagliptin sotagliflozin tirzepatide',
    ),
    before: list(
      'acarbose alogliptin canagliflozin dapagliflozin dulaglutide empagliflozin ertugliflozin exenatide',
      'glimepiride glipizide glyburide insulin linagliptin liraglutide lixisenatide metformin nateglinide',
      'pioglitazone repaglinide saxagliptin semaglutide sitagliptin tirzepatide',
    ),
    asks: ['Hemoglobin A1c', 'eGFR'],
    source,
    review,
  },
  {
    name: 'weight-loss drugs',
    kind: 'group',
    diagnoses: list('E65 E66 R63.5 Z68'),
    drugs: list('liraglutide orlistat phentermine semaglutide tirzepatide'),
    before: list('bupropion liraglutide orlistat phentermine semaglutide tirzepatide topiramate'),
    asks: ['Body mass index', 'Body weight'],
    source,
    review,
  },
  {
    name: 'lipid-lowering drugs after statins',
    kind: 'group',
    drugs: list('alirocumab bempedoic evinacumab evolocumab icosapent inclisiran lomitapide'),
    before: list(
      'atorvastatin ezetimibe fluvastatin lovastatin pitavastatin pravastatin rosuvastatin simvastatin colesevelam',
      'fenofibrate niacin bempedoic alirocumab evolocumab',
    ),
    asks: ['LDL cholesterol', 'Total cholesterol', 'Triglycerides'],
    source,
    review,
  },
  {
    name: 'migraine prevention',
    kind: 'group',
    diagnoses: ['G43'],
    use: 'regular',
    drugs: list('atogepant eptinezumab erenumab fremanezumab galcanezumab onabotulinumtoxina rimegepant'),
    before: list(
      'amitriptyline atenolol atogepant candesartan divalproex eptinezumab erenumab fremanezumab galcanezumab',
      'metoprolol nortriptyline onabotulinumtoxina propranolol timolol topiramate valproate valproic',
      'venlafaxine',
    ),
    asks: [],
    source,
    review,
  },
  {
    name: 'acute treatment of migraine',
    kind: 'group',
    diagnoses: ['G43'],
    use: 'as needed',
    drugs: list('lasmiditan rimegepant ubrogepant zavegepant'),
    before: list('almotriptan eletriptan frovatriptan naratriptan rizatriptan sumatriptan zolmitriptan'),
    asks: [],
    source,
    review,
  },
  {
    name: 'multiple sclerosis',
    kind: 'group',
    diagnoses: list('G35 G36 G37'),
    drugs: multipleSclerosis,
    before: multipleSclerosis,
    asks: ['Hepatitis B surface antigen', 'Hepatitis B core antibody', 'Lymphocyte count'],
    asksOf: [ofNatalizumab],
    source,
    review,
  },
  {
    name: 'hepatitis C antivirals',
    kind: 'group',
    drugs: list('glecaprevir ledipasvir sofosbuvir velpatasvir elbasvir'),
    before: [...list('glecaprevir ledipasvir sofosbuvir velpatasvir elbasvir ribavirin'), 'peginterferon alfa'],
    asks: [
      'Hepatitis C RNA',
      'Hepatitis C antibody',
      'Hepatitis B surface antigen',
      'eGFR',
      'Alanine aminotransferase',
      'Platelet count',
    ],
    source,
    review,
  },
  {
    name: 'osteoporosis',
    kind: 'group',
    diagnoses: list('M80 M81 M85'),
    drugs: list('abaloparatide denosumab romosozumab teriparatide zoledronic'),
    before: list('alendronate denosumab ibandronate raloxifene risedronate teriparatide zoledronic'),
    asks: ['Bone density T-score', 'Vitamin D', 'Calcium'],
    source,
    review,
  },
  {
    name: 'heart failure',
    kind: 'group',
    diagnoses: list('I11 I13 I42 I50 I51'),
    drugs: list('sacubitril vericiguat ivabradine'),
    before: list(
      'bisoprolol candesartan captopril carvedilol enalapril lisinopril losartan metoprolol ramipril sacubitril',
      'spironolactone eplerenone valsartan',
    ),
    asks: ['Ejection fraction', 'NT-proBNP', 'BNP', 'Potassium', 'eGFR'],
    source,
    review,
  },
  {
    name: 'growth hormone',
    kind: 'class',
    drugs: list('somatropin somapacitan lonapegsomatropin somatrogon'),
    before: list('somatropin'),
    asks: ['IGF-1', 'Body height', 'Body weight'],
    source,
    review,
  },
  {
    name: 'testosterone',
    kind: 'class',
    drugs: list('testosterone'),
    before: list('testosterone'),
    asks: ['Testosterone', 'Free testosterone', 'Hemoglobin'],
    source,
    review,
  },
  {
    name: 'erythropoiesis-stimulating agents',
    kind: 'class',
    drugs: list('epoetin darbepoetin'),
    before: list('epoetin darbepoetin iron ferrous'),
    asks: ['Hemoglobin', 'Ferritin', 'Transferrin saturation'],
    asksOf: [
      {
        tests: ['eGFR'],
        diagnoses: list('D63.1 I12 I13 N18'),
        source:
          'the US labels (section 1) name the anemia of chronic kidney disease; that eGFR is asked from general ' +
          'knowledge; not reviewed',
      },
    ],
    source,
    review,
  },
  {
    name: 'intravenous iron',
    kind: 'class',
    drugs: ['ferumoxytol'],
    before: list('iron ferrous'),
    asks: ['Hemoglobin', 'Ferritin', 'Transferrin saturation'],
    source,
    review,
  },
  byMechanism('TNF inhibitors', 'adalimumab certolizumab etanercept golimumab infliximab'),
  byMechanism('JAK inhibitors', 'abrocitinib baricitinib tofacitinib upadacitinib'),
  byMechanism('interleukin-17 inhibitors', 'bimekizumab brodalumab ixekizumab secukinumab'),
  byMechanism('interleukin-23 inhibitors', 'guselkumab mirikizumab risankizumab tildrakizumab'),
  byMechanism('interleukin-6 inhibitors', 'sarilumab tocilizumab'),
  byMechanism('interleukin-5 inhibitors', 'benralizumab mepolizumab reslizumab'),
  byMechanism('interleukin-13 inhibitors', 'lebrikizumab tralokinumab'),
  byMechanism('sphingosine 1-phosphate receptor modulators', 'etrasimod fingolimod ozanimod ponesimod siponimod'),
  byMechanism('anti-CD20 antibodies', 'ocrelizumab ofatumumab rituximab ublituximab'),
  byMechanism(
    'GLP-1 and GIP/GLP-1 receptor agonists',
    'dulaglutide exenatide liraglutide lixisenatide semaglutide tirzepatide',
  ),
  byMechanism(
    'SGLT2 inhibitors',
    'bexagliflozin canagliflozin dapagliflozin empagliflozin ertugliflozin sotagliflozin',
  ),
  byMechanism('DPP-4 inhibitors', 'alogliptin linagliptin saxagliptin sitagliptin'),
  byMechanism('insulins', 'insulin'),
  byMechanism('PCSK9 antibodies', 'alirocumab evolocumab'),
  byMechanism('CGRP antibodies', 'eptinezumab erenumab fremanezumab galcanezumab'),
  byMechanism('gepants', 'atogepant rimegepant ubrogepant zavegepant'),
  byMechanism('statins', 'atorvastatin fluvastatin lovastatin pitavastatin pravastatin rosuvastatin simvastatin'),
  byMechanism('direct factor Xa inhibitors', 'apixaban edoxaban rivaroxaban'),
  byMechanism('low-molecular-weight heparins', 'dalteparin enoxaparin'),
  byMechanism(
    'second-generation antipsychotics',
    'aripiprazole asenapine brexpiprazole cariprazine clozapine iloperidone lumateperone lurasidone olanzapine ' +
      'paliperidone quetiapine risperidone ziprasidone',
  ),
  byMechanism('xanthine oxidase inhibitors', 'allopurinol febuxostat'),
  byMechanism(
    'CNS stimulants',
    'amphetamine dexmethylphenidate dextroamphetamine lisdexamfetamine methamphetamine methylphenidate ' +
      'serdexmethylphenidate',
  ),
  {
    name: 'inhaled corticosteroids',
    kind: 'class',
    drugs: list('beclomethasone budesonide ciclesonide flunisolide fluticasone mometasone'),
    says: inhaled,
    before: [],
    asks: [],
    source: atc('R03BA (glucocorticoids, inhalants)', 'as rxreasoner.com/atccodes/R03BA lists it'),
    review,
  },
  {
    name: 'opioid analgesics',
    kind: 'class',
    // Leaves out F, because buprenorphine and methadone also treat opioid use disorder (F11).
    diagnoses: list('A B C D E G H I J K L M N O Q R S T Z'),
    drugs: list(
      'buprenorphine butorphanol codeine fentanyl hydrocodone hydromorphone levorphanol meperidine methadone morphine',
      'oxycodone oxymorphone pentazocine tapentadol tramadol',
    ),
    before: [],
    asks: [],
    source: atc('N02A (opioids), with codeine of R05DA and methadone of N07BC,'),
    review,
  },
  {
    name: 'antipsychotics',
    kind: 'group',
    diagnoses: list('F G R'),
    drugs: list(
      'aripiprazole asenapine brexpiprazole cariprazine chlorpromazine clozapine fluphenazine haloperidol iloperidone',
      'loxapine lumateperone lurasidone molindone olanzapine paliperidone perphenazine pimavanserin pimozide',
      'quetiapine risperidone thioridazine thiothixene trifluoperazine xanomeline ziprasidone',
    ),
    before: [],
    asks: [],
    source: atc('N05A (antipsychotics), without lithium and prochlorperazine,'),
    review,
  },
  {
    name: 'topical retinoids',
    kind: 'class',
    // Skin only, because oral tretinoin treats leukemia.
    diagnoses: ['L'],
    drugs: list('adapalene tazarotene tretinoin trifarotene'),
    before: [],
    asks: [],
    source: atc('D10AD (retinoids for topical use in acne), with tazarotene of D05AX,'),
    review,
  },
  {
    name: 'anticoagulants',
    kind: 'group',
    drugs: list('apixaban dabigatran dalteparin edoxaban enoxaparin fondaparinux heparin rivaroxaban warfarin'),
    before: [],
    asks: [],
    source: atc('B01A (antithrombotic agents), of its vitamin K antagonists, heparins and direct inhibitors those,'),
    review,
  },
  {
    name: 'drugs for daytime sleepiness',
    kind: 'group',
    diagnoses: ['G47'],
    drugs: list('armodafinil modafinil oxybate pitolisant solriamfetol'),
    before: list('armodafinil modafinil'),
    asks: [],
    source,
    review,
  },
];

// A class has no `asks`: only a group lists the tests that reviewers ask for.
function byMechanism(name: string, drugs: string): DrugClassRow {
  return { name, kind: 'class', drugs: list(drugs), before: [], asks: [], source: mechanism, review };
}
