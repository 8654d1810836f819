import type { SensitivityTables } from '../../src/fhir/sensitivity.ts';

/**
 * What is never sent or shown unasked: security labels, codes, drugs and words. A row too many costs a suggestion; it
 * is no diagnosis. Tables are looked through in their order, and within a table the first row that fits tells the
 * category.
 */

const confidentiality = 'HL7 v3 code system Confidentiality, version 2018-08-12 (FHIR R4)';
const actCode = 'HL7 v3 code system ActCode, InformationSensitivityPolicy, version 2018-08-12 (FHIR R4)';
const icd10cm = 'ICD-10-CM 2026 tabular list, chapters and blocks by their titles; put together by us, not reviewed';
const loincNames = 'LOINC codes picked by the names of their terms; compiled from general knowledge, not reviewed';
const labels = 'compiled from drug labels; not reviewed';
const written = 'compiled from general knowledge; not reviewed';
const review = 'none';

const list = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));
const names = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split('|'));

export const sensitivity: SensitivityTables = {
  ordinaryLabels: [
    // unrestricted, low, moderate, normal
    { keys: list('U L M N'), source: confidentiality, review },
    // test data; a search result that shows a part of the resource
    { keys: ['HTEST'], source: 'HL7 v3 code system ActReason, version 2018-08-12 (FHIR R4)', review },
    {
      keys: ['SUBSETTED'],
      source: 'HL7 v3 code system ObservationValue, version 2018-08-12 (FHIR R4, search, _summary)',
      review,
    },
  ],
  labels: [
    { category: 'restricted', keys: ['R'], source: confidentiality, review },
    { category: 'very restricted', keys: ['V'], source: confidentiality, review },
    { category: 'substance use', keys: list('ETH SUD ETHUD OPIOIDUD ALC'), source: actCode, review },
    { category: 'substance use (42 CFR Part 2)', keys: ['42CFRPart2'], source: actCode, review },
    { category: 'mental health', keys: list('PSY MH EMOTDIS'), source: actCode, review },
    { category: 'psychotherapy notes', keys: ['PSYTHPN'], source: actCode, review },
    { category: 'behavioral health', keys: ['BH'], source: actCode, review },
    { category: 'cognitive disability', keys: ['COGN'], source: actCode, review },
    { category: 'developmental disability', keys: ['DVD'], source: actCode, review },
    { category: 'HIV', keys: ['HIV'], source: actCode, review },
    { category: 'sexually transmitted disease', keys: ['STD'], source: actCode, review },
    { category: 'sexual and reproductive health', keys: ['SEX'], source: actCode, review },
    { category: 'violence and abuse', keys: list('SDV VIO'), source: actCode, review },
    { category: 'genetic disease', keys: ['GDIS'], source: actCode, review },
    { category: 'sickle cell', keys: ['SCA'], source: actCode, review },
    { category: 'taboo', keys: ['TBOO'], source: actCode, review },
    { category: 'the physician asked for care with it', keys: ['PHY'], source: actCode, review },
    { category: 'the patient asked for care with it', keys: ['PRS'], source: actCode, review },
    { category: 'celebrity', keys: ['CEL'], source: actCode, review },
    { category: 'employee', keys: ['EMP'], source: actCode, review },
    { category: 'location', keys: ['LOCIS'], source: actCode, review },
  ],
  icd10: [
    { category: 'HIV', keys: list('B20 Z21 R75 B9735 O987 Z114 Z717 Z830'), source: icd10cm, review },
    {
      category: 'substance use',
      keys: list(
        'F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 Z714 Z715 O9931 O9932 O9933 R780 R781 R782 R783 R784 R785',
        'R786 T40 K70 G621 I426',
      ),
      source: icd10cm,
      review,
    },
    {
      category: 'mental health',
      keys: list('F Z046 Z915 T1491 R458 X71 X72 X73 X74 X75 X76 X77 X78 X79 X80 X81 X82 X83'),
      source: icd10cm,
      review,
    },
    {
      category: 'sexually transmitted disease',
      keys: list('A50 A51 A52 A53 A54 A55 A56 A57 A58 A59 A60 A61 A62 A63 A64 Z202 Z113'),
      source: icd10cm,
      review,
    },
    {
      category: 'reproductive health',
      keys: list('O Z30 Z31 Z32 Z33 Z34 Z35 Z36 Z37 Z38 Z39 N97 N46 N96 Z640 Z975'),
      source: icd10cm,
      review,
    },
    { category: 'violence and abuse', keys: list('T74 T76 Z69 Y07 Z9141'), source: icd10cm, review },
  ],
  loinc: [
    {
      category: 'HIV',
      keys: list('7917-8 56888-1 75622-1 25836-8 20447-9 24467-3 89365-1 7918-6 5221-7 30361-0 29893-5 68961-2'),
      source: loincNames,
      review,
    },
    {
      category: 'substance use',
      keys: list(
        '75626-2 82667-7 5640-8 5643-2 11246-6 70146-6 8237-0 3397-7 3879-4 19295-5 3349-8 3426-4 72109-2',
        '82666-9',
      ),
      source: loincNames,
      review,
    },
    {
      category: 'mental health',
      keys: list('44249-1 44261-6 55757-9 55758-7 69737-5 70274-6 89204-2 71354-5 72106-8 34788-0'),
      source: loincNames,
      review,
    },
    {
      category: 'reproductive health',
      keys: list('2106-3 2118-8 2110-5 19080-1 21198-7 80384-1 82810-3 11449-6 11778-8 8665-2 11996-6'),
      source: loincNames,
      review,
    },
    {
      category: 'sexually transmitted disease',
      keys: list('21613-5 43304-5 24111-7 43305-2 20507-0 20508-8 5292-8'),
      source: loincNames,
      review,
    },
  ],
  words: [
    { category: 'HIV', patterns: [/\bhiv\b/i, /human immunodeficiency/i, /\baids\b/i], source: written, review },
    {
      category: 'mental health',
      patterns: [
        /psych(?!rometr)/i,
        /mental health/i,
        /behaviou?ral health/i,
        /depressi(on|ve)/i,
        /bipolar|schizo|suicid|anxiety|ptsd|post.?traumatic/i,
      ],
      source: written,
      review,
    },
    {
      category: 'substance use',
      patterns: [
        /substance (use|abuse|dependen|misuse)/i,
        /opioid (use|abuse|depend)/i,
        /drug (abuse|dependence|screen)/i,
        /(un)?healthy drug use|misus(e|es)|addict|overdose/i,
        /alcohol|cocaine|cannabi|heroin|methadone/i,
      ],
      source: written,
      review,
    },
    {
      category: 'reproductive health',
      patterns: [/pregnan|abortion|miscarriage|contracept|fertility|obstetric|antenatal|prenatal|fetal|steriliz/i],
      source: written,
      review,
    },
    {
      category: 'sexually transmitted disease',
      patterns: [/syphilis|gonorrh|chlamydia|sexually transmitted|venereal/i],
      source: written,
      review,
    },
    {
      category: 'violence and abuse',
      patterns: [/\babuse\b|domestic violence|intimate partner|sexual assault|\brape\b|victim of/i],
      source: written,
      review,
    },
  ],
  // Ingredients that tell of nothing else (RxNorm names, the salt left out), then their common brands in the US as
  // notes and orders write them.
  drugs: [
    {
      category: 'HIV',
      keys: names(
        'abacavir|atazanavir|bictegravir|cabotegravir|darunavir|dolutegravir|doravirine|efavirenz',
        'elvitegravir|emtricitabine|etravirine|fostemsavir|ibalizumab|lamivudine|lenacapavir|maraviroc',
        'nevirapine|raltegravir|rilpivirine|zidovudine',
      ),
      source: labels,
      review,
    },
    {
      category: 'substance use',
      keys: names('acamprosate|buprenorphine|disulfiram|lofexidine|methadone|naltrexone'),
      source: labels,
      review,
    },
    {
      category: 'mental health',
      keys: names(
        'aripiprazole|asenapine|brexpiprazole|cariprazine|chlorpromazine|clozapine|esketamine|fluphenazine',
        'haloperidol|iloperidone|lithium|lumateperone|lurasidone|olanzapine|paliperidone|perphenazine',
        'quetiapine|risperidone|ziprasidone|zuranolone',
      ),
      source: labels,
      review,
    },
    {
      category: 'reproductive health',
      keys: names(
        'clomiphene|desogestrel|drospirenone|ethinyl estradiol|etonogestrel|follitropin|levonorgestrel',
        'menotropins|mifepristone|norelgestromin|norethindrone|norgestimate|norgestrel|ulipristal',
      ),
      source: labels,
      review,
    },
    {
      category: 'HIV',
      keys: names(
        'apretude|atripla|biktarvy|cabenuva|cimduo|combivir|complera|delstrigo|descovy|dovato|edurant',
        'emtriva|epivir|epzicom|evotaz|genvoya|intelence|isentress|juluca|kaletra|odefsey|pifeltro|prezcobix',
        'prezista|reyataz|rukobia|selzentry|stribild|sunlenca|sustiva|symfi|symtuza|temixys|tivicay|triumeq',
        'trizivir|trogarzo|truvada|viramune|vocabria|yeztugo|ziagen',
      ),
      source: labels,
      review,
    },
    {
      category: 'substance use',
      keys: names(
        'antabuse|brixadi|campral|dolophine|lucemyra|methadose|revia|sublocade|suboxone|subutex|vivitrol',
        'zubsolv',
      ),
      source: labels,
      review,
    },
    {
      category: 'mental health',
      keys: names(
        'abilify|aristada|caplyta|clozaril|cobenfy|fanapt|geodon|haldol|invega|latuda|lithobid|lybalvi',
        'perseris|rexulti|risperdal|saphris|secuado|seroquel|spravato|uzedy|vraylar|zurzuvae|zyprexa',
      ),
      source: labels,
      review,
    },
    {
      category: 'reproductive health',
      keys: names(
        'clomid|depo-?provera|follistim|gonal-?f|kyleena|liletta|menopur|mifeprex|mirena|nexplanon|nuvaring',
        'plan b one-step|skyla|yasmin',
      ),
      source: labels,
      review,
    },
  ],
};
