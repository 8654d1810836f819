/**
 * What reviewers of a drug class commonly ask for. It decides only which facts of the chart are suggested, never what is sent or what is true:
 * a drug without a row simply suggests nothing.
 */
export interface DrugClass {
  readonly name: string;
  /** The ordered drug belongs to the class when its ingredients match. */
  readonly drugs: RegExp;
  /** Ingredients of treatments that usually come first. */
  readonly before: RegExp;
  /** Concepts of lab-concepts.ts. */
  readonly asks: readonly string[];
}

const screens = [
  'Tuberculosis screen',
  'Hepatitis B surface antigen',
  'Hepatitis B core antibody',
  'Hepatitis B surface antibody',
  'Hepatitis C antibody',
];
const immunomodulators = [
  'abatacept adalimumab anakinra anifrolumab apremilast baricitinib belimumab bimekizumab brodalumab canakinumab certolizumab deucravacitinib etanercept golimumab guselkumab',
  'infliximab ixekizumab mirikizumab natalizumab ozanimod etrasimod risankizumab rituximab sarilumab secukinumab spesolimab tildrakizumab tocilizumab tofacitinib upadacitinib ustekinumab vedolizumab',
].join(' ');
const asthmaAndEczema =
  'abrocitinib benralizumab dupilumab lebrikizumab mepolizumab nemolizumab omalizumab reslizumab tezepelumab tralokinumab';
const glucoseLowering =
  'acarbose alogliptin canagliflozin dapagliflozin dulaglutide empagliflozin ertugliflozin exenatide glimepiride glipizide glyburide insulin linagliptin liraglutide lixisenatide metformin nateglinide pioglitazone repaglinide saxagliptin semaglutide sitagliptin tirzepatide';
const sclerosis =
  'alemtuzumab cladribine dimethyl fumarate diroximel fingolimod glatiramer interferon natalizumab ocrelizumab ofatumumab ozanimod peginterferon ponesimod siponimod teriflunomide ublituximab';

export const drugClasses: readonly DrugClass[] = [
  {
    name: 'immunomodulators for inflammatory disease',
    drugs: anyOf(immunomodulators),
    before: anyOf(
      `${immunomodulators} acitretin azathioprine budesonide calcipotriene clobetasol cyclosporine hydroxychloroquine leflunomide mercaptopurine mesalamine methotrexate methylprednisolone prednisone sulfasalazine balsalazide betamethasone halobetasol tacrolimus triamcinolone`,
    ),
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
  },
  {
    name: 'biologics for asthma and eczema',
    drugs: anyOf(asthmaAndEczema),
    before: anyOf(
      `${asthmaAndEczema} beclomethasone betamethasone budesonide ciclesonide clobetasol crisaborole cyclosporine fluticasone formoterol mometasone montelukast pimecrolimus prednisone ruxolitinib salmeterol tacrolimus tiotropium triamcinolone umeclidinium vilanterol zafirlukast`,
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
  },
  {
    name: 'glucose-lowering and weight-loss drugs',
    drugs: anyOf(
      'alogliptin bexagliflozin canagliflozin dapagliflozin dulaglutide empagliflozin ertugliflozin exenatide insulin linagliptin liraglutide pramlintide saxagliptin semaglutide sitagliptin sotagliflozin tirzepatide phentermine orlistat',
    ),
    before: anyOf(`${glucoseLowering} bupropion orlistat phentermine topiramate`),
    asks: ['Hemoglobin A1c', 'Body mass index', 'Body weight', 'eGFR'],
  },
  {
    name: 'lipid-lowering drugs after statins',
    drugs: anyOf('alirocumab bempedoic evinacumab evolocumab icosapent inclisiran lomitapide'),
    before: anyOf(
      'atorvastatin ezetimibe fluvastatin lovastatin pitavastatin pravastatin rosuvastatin simvastatin colesevelam fenofibrate niacin bempedoic alirocumab evolocumab',
    ),
    asks: ['LDL cholesterol', 'Total cholesterol', 'Triglycerides'],
  },
  {
    name: 'migraine prevention',
    drugs: anyOf('atogepant eptinezumab erenumab fremanezumab galcanezumab rimegepant ubrogepant onabotulinumtoxina'),
    before: anyOf(
      'amitriptyline atenolol atogepant candesartan divalproex eletriptan eptinezumab erenumab fremanezumab galcanezumab metoprolol naratriptan nortriptyline onabotulinumtoxina propranolol rimegepant rizatriptan sumatriptan timolol topiramate valproate valproic venlafaxine zolmitriptan',
    ),
    asks: [],
  },
  {
    name: 'multiple sclerosis',
    drugs: anyOf(sclerosis),
    before: anyOf(sclerosis),
    asks: ['Hepatitis B surface antigen', 'Hepatitis B core antibody', 'Lymphocyte count', 'JC virus antibody'],
  },
  {
    name: 'hepatitis C antivirals',
    drugs: anyOf('glecaprevir ledipasvir sofosbuvir velpatasvir elbasvir'),
    before: anyOf('glecaprevir ledipasvir sofosbuvir velpatasvir elbasvir ribavirin peginterferon'),
    asks: [
      'Hepatitis C RNA',
      'Hepatitis C antibody',
      'Hepatitis B surface antigen',
      'eGFR',
      'Alanine aminotransferase',
      'Platelet count',
    ],
  },
  {
    name: 'osteoporosis',
    drugs: anyOf('abaloparatide denosumab romosozumab teriparatide zoledronic'),
    before: anyOf('alendronate denosumab ibandronate raloxifene risedronate teriparatide zoledronic'),
    asks: ['Bone density T-score', 'Vitamin D', 'Calcium'],
  },
  {
    name: 'heart failure',
    drugs: anyOf('sacubitril vericiguat ivabradine'),
    before: anyOf(
      'bisoprolol candesartan captopril carvedilol enalapril lisinopril losartan metoprolol ramipril sacubitril spironolactone eplerenone valsartan',
    ),
    asks: ['Ejection fraction', 'NT-proBNP', 'BNP', 'Potassium', 'eGFR'],
  },
  {
    name: 'growth hormone',
    drugs: anyOf('somatropin somapacitan lonapegsomatropin somatrogon'),
    before: anyOf('somatropin'),
    asks: ['IGF-1', 'Body height', 'Body weight'],
  },
  {
    name: 'testosterone',
    drugs: anyOf('testosterone'),
    before: anyOf('testosterone'),
    asks: ['Testosterone', 'Free testosterone', 'Hemoglobin'],
  },
  {
    name: 'erythropoietin and iron',
    drugs: anyOf('epoetin darbepoetin ferumoxytol'),
    before: anyOf('epoetin darbepoetin iron ferrous'),
    asks: ['Hemoglobin', 'Ferritin', 'Transferrin saturation', 'eGFR'],
  },
];

/** The classes that the ordered drug's ingredients belong to. */
export function classesOf(drug: string): readonly DrugClass[] {
  const name = drug.toLowerCase();
  return drugClasses.filter(({ drugs }) => drugs.test(name));
}

function anyOf(names: string): RegExp {
  return new RegExp(`\\b(${[...new Set(names.split(' '))].join('|')})(?![a-z])`);
}
