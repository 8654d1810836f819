import type { SensitivityTables } from '../../src/core/fhir/sensitivity.ts';
import { sensitiveDepartments } from './sensitive-codes/departments.ts';
import { sensitiveIcd10 } from './sensitive-codes/icd10cm.ts';
import { sensitiveLoinc } from './sensitive-codes/loinc.ts';
import { sensitiveNotes } from './sensitive-codes/loinc-notes.ts';
import { ordinaryCodes } from './sensitive-codes/ordinary.ts';
import { sensitiveSnomed } from './sensitive-codes/snomed.ts';
import { sensitiveWords } from './sensitive-words.ts';

/**
 * Data that is never sent or shown without a person's request: security labels, codes, drugs and words. A row that
 * matches too much only costs a suggestion; it never states a diagnosis. Tables are searched in this order, and the
 * first matching row of a table determines the category.
 */

const confidentiality = 'HL7 v3 code system Confidentiality, version 2018-08-12 (FHIR R4)';
const actCode = 'HL7 v3 code system ActCode, InformationSensitivityPolicy, version 2018-08-12 (FHIR R4)';
const labels = 'compiled from drug labels; not reviewed';
const review = 'none';

const list = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));
const names = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split('|'));

export const sensitivity: SensitivityTables = {
  ordinaryLabels: [
    // unrestricted, low, moderate, normal
    { keys: list('U L M N'), source: confidentiality, review },
    // HTEST marks test data. SUBSETTED marks a search result with only a part of the resource.
    {
      keys: ['HTEST'],
      source: 'HL7 v3 code system ActReason, version 2018-08-12 (FHIR R4)',
      review,
    },
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
  icd10: sensitiveIcd10,
  icd10Shapes: [
    {
      category: 'mental health',
      // poisoning, toxic effect or asphyxiation whose sixth character (or fifth before an X) means self-harm
      patterns: [/^T(3[6-9]|[45]\d|6[0-5]|71)(..2|.2(X|$))/],
      source: 'ICD-10-CM order file, January 2021 (CDC and CMS): every title of T36 to T71 with intentional self-harm',
      review,
    },
  ],
  codes: [...sensitiveLoinc, ...sensitiveNotes, ...sensitiveSnomed, ...sensitiveDepartments],
  ordinaryCodes,
  notices: [
    {
      category: 'substance use (42 CFR Part 2)',
      patterns: [
        /\b42\s*c\.?\s*f\.?\s*r\.?,?\s*((part|pt\.?|§+|sec(tion|\.)?)\s*)?2(?!\d)/i,
        /\btitle\s+42\b[^.]{0,80}\bpart\s+2\b/i,
        /\bpart[\s-]*(2|ii|two)[\s-]+(program|records?\b|protected|covered)/i,
        /federal\s+confidentiality\s+(rules|regulations|laws?)/i,
        /confidentiality\s+of\s+(alcohol\s+and\s+drug\s+abuse|substance\s+use\s+disorder)/i,
        /290dd-?2/i,
      ],
      source:
        '42 CFR 2.32(a)(1) and (2): the statements of 1987, 2018, 2020 and 2024, and the title and authority ' +
        'of Part 2; ' +
        'ecfr.gov of September 2020, law.cornell.edu/cfr/text/42/2.32 of 2018, compliancecosmos.org of 2024',
      review,
    },
    {
      category: 'a notice against disclosure',
      patterns: [
        /prohibit(s|ed)?\s+(you\s+)?from\s+(making\s+any\s+(further|other)|using\s+or\s+disclosing|further\s+disclos)/i,
        /(prohibition\s+(on|of|against)|prohibits?)\s+(unauthorized\s+(use\s+or\s+)?|re-?\s?)disclosure/i,
        /re-?\s?disclosure\s+(is\s+)?prohibited/i,
      ],
      source: '42 CFR 2.32(a)(1) and (2) and its heading “Prohibition on re-disclosure”; states’ laws use like words',
      review,
    },
  ],
  words: sensitiveWords,
  // Ingredients used only for this category (RxNorm names without the salt), followed by their common US brands as
  // written in notes and orders.
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
