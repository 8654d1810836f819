import type { DrugClassRow } from '../../src/core/evidence/knowledge.ts';

/**
 * What reviewers of a drug class commonly ask for. It decides only which findings of the chart are suggested, never
 * what is sent or what is true: a drug without a row suggests nothing. Names are ingredients in small letters, the
 * first word of a name with a salt. `asks` are names of lab concepts.
 */

const source =
  'compiled from drug labels and general knowledge of what plans ask for; no single document is cited; not reviewed';
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

export const drugClasses: readonly DrugClassRow[] = [
  {
    name: 'immunomodulators for inflammatory disease',
    drugs: immunomodulators,
    before: [
      ...immunomodulators,
      ...list(
        'acitretin azathioprine budesonide calcipotriene clobetasol cyclosporine hydroxychloroquine leflunomide',
        'mercaptopurine mesalamine methotrexate methylprednisolone prednisone sulfasalazine balsalazide betamethasone',
        'halobetasol tacrolimus triamcinolone',
      ),
    ],
    asks: [
      ...screens,
      'C-reactive protein',
      'Erythrocyte sedimentation rate',
      'Rheumatoid factor',
      'Anti-CCP antibody',
      'HLA-B27',
      'DAS28',
      'CDAI',
      'PASI',
      'Mayo score',
    ],
    source,
    review,
  },
  {
    name: 'biologics for asthma and eczema',
    drugs: list(
      'abrocitinib benralizumab dupilumab lebrikizumab mepolizumab nemolizumab omalizumab reslizumab tezepelumab',
      'tralokinumab',
    ),
    before: list(
      'abrocitinib benralizumab dupilumab lebrikizumab mepolizumab nemolizumab omalizumab reslizumab tezepelumab',
      'tralokinumab beclomethasone betamethasone budesonide ciclesonide clobetasol crisaborole cyclosporine',
      'fluticasone formoterol mometasone montelukast pimecrolimus prednisone ruxolitinib salmeterol tacrolimus',
      'tiotropium triamcinolone umeclidinium vilanterol zafirlukast',
    ),
    asks: [
      'Eosinophils',
      'Eosinophils per 100 leukocytes',
      'Immunoglobulin E',
      'FEV1',
      'FEV1 of predicted',
      'FEV1/FVC',
      'EASI',
    ],
    source,
    review,
  },
  {
    name: 'glucose-lowering and weight-loss drugs',
    drugs: list(
      'alogliptin bexagliflozin canagliflozin dapagliflozin dulaglutide empagliflozin ertugliflozin exenatide',
      'insulin linagliptin liraglutide pramlintide saxagliptin semaglutide sitagliptin sotagliflozin tirzepatide',
      'phentermine orlistat',
    ),
    before: list(
      'acarbose alogliptin canagliflozin dapagliflozin dulaglutide empagliflozin ertugliflozin exenatide',
      'glimepiride glipizide glyburide insulin linagliptin liraglutide lixisenatide metformin nateglinide',
      'pioglitazone repaglinide saxagliptin semaglutide sitagliptin tirzepatide bupropion orlistat phentermine',
      'topiramate',
    ),
    asks: ['Hemoglobin A1c', 'Body mass index', 'Body weight', 'eGFR'],
    source,
    review,
  },
  {
    name: 'lipid-lowering drugs after statins',
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
    drugs: list('atogepant eptinezumab erenumab fremanezumab galcanezumab rimegepant ubrogepant onabotulinumtoxina'),
    before: list(
      'amitriptyline atenolol atogepant candesartan divalproex eletriptan eptinezumab erenumab fremanezumab',
      'galcanezumab metoprolol naratriptan nortriptyline onabotulinumtoxina propranolol rimegepant rizatriptan',
      'sumatriptan timolol topiramate valproate valproic venlafaxine zolmitriptan',
    ),
    asks: [],
    source,
    review,
  },
  {
    name: 'multiple sclerosis',
    drugs: [
      'dimethyl fumarate',
      ...list(
        'alemtuzumab cladribine diroximel fingolimod glatiramer interferon natalizumab ocrelizumab ofatumumab',
        'ozanimod peginterferon ponesimod siponimod teriflunomide ublituximab',
      ),
    ],
    before: [
      'dimethyl fumarate',
      ...list(
        'alemtuzumab cladribine diroximel fingolimod glatiramer interferon natalizumab ocrelizumab ofatumumab',
        'ozanimod peginterferon ponesimod siponimod teriflunomide ublituximab',
      ),
    ],
    asks: ['Hepatitis B surface antigen', 'Hepatitis B core antibody', 'Lymphocyte count', 'JC virus antibody'],
    source,
    review,
  },
  {
    name: 'hepatitis C antivirals',
    drugs: list('glecaprevir ledipasvir sofosbuvir velpatasvir elbasvir'),
    before: list('glecaprevir ledipasvir sofosbuvir velpatasvir elbasvir ribavirin peginterferon'),
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
    drugs: list('abaloparatide denosumab romosozumab teriparatide zoledronic'),
    before: list('alendronate denosumab ibandronate raloxifene risedronate teriparatide zoledronic'),
    asks: ['Bone density T-score', 'Vitamin D', 'Calcium'],
    source,
    review,
  },
  {
    name: 'heart failure',
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
    drugs: list('somatropin somapacitan lonapegsomatropin somatrogon'),
    before: list('somatropin'),
    asks: ['IGF-1', 'Body height', 'Body weight'],
    source,
    review,
  },
  {
    name: 'testosterone',
    drugs: list('testosterone'),
    before: list('testosterone'),
    asks: ['Testosterone', 'Free testosterone', 'Hemoglobin'],
    source,
    review,
  },
  {
    name: 'erythropoietin and iron',
    drugs: list('epoetin darbepoetin ferumoxytol'),
    before: list('epoetin darbepoetin iron ferrous'),
    asks: ['Hemoglobin', 'Ferritin', 'Transferrin saturation', 'eGFR'],
    source,
    review,
  },
];
