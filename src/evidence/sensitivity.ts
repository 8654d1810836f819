import type { CodeableConcept, Coding, FhirResource } from 'fhir/r4.js';
import { systems } from '../fhir/systems.ts';

/** Security labels that mark nothing out of the ordinary: confidentiality low to normal, test data, a search's summary. */
const ordinaryLabels = new Set(['U', 'L', 'M', 'N', 'HTEST', 'SUBSETTED']);

// HL7 v3 Confidentiality, and the InformationSensitivityPolicy codes of v3 ActCode
const labels: Readonly<Record<string, string>> = {
  R: 'restricted',
  V: 'very restricted',
  ETH: 'substance use',
  SUD: 'substance use',
  ETHUD: 'substance use',
  OPIOIDUD: 'substance use',
  ALC: 'substance use',
  '42CFRPart2': 'substance use (42 CFR Part 2)',
  PSY: 'mental health',
  PSYTHPN: 'psychotherapy notes',
  MH: 'mental health',
  BH: 'behavioral health',
  EMOTDIS: 'mental health',
  COGN: 'cognitive disability',
  DVD: 'developmental disability',
  HIV: 'HIV',
  STD: 'sexually transmitted disease',
  SEX: 'sexual and reproductive health',
  SDV: 'violence and abuse',
  VIO: 'violence and abuse',
  GDIS: 'genetic disease',
  SCA: 'sickle cell',
  TBOO: 'taboo',
  PHY: 'the physician asked for care with it',
  PRS: 'the patient asked for care with it',
  CEL: 'celebrity',
  EMP: 'employee',
  LOCIS: 'location',
};

/** Chapters and blocks of ICD-10-CM whose meaning is certain. */
const icd10: readonly { readonly pattern: RegExp; readonly category: string }[] = [
  { pattern: /^(B20|Z21|R75|B97\.?35|O98\.?7|Z11\.?4|Z71\.?7|Z83\.?0)/, category: 'HIV' },
  { pattern: /^(F1[0-9]|Z71\.?[45]|O99\.?3[123]|R78\.?[0-6]|T40|K70|G62\.?1|I42\.?6)/, category: 'substance use' },
  { pattern: /^(F|Z04\.?6|Z91\.?5|T14\.?91|R45\.?8|X7[1-9]|X8[0-3])/, category: 'mental health' },
  { pattern: /^(A5[0-9]|A6[0-4]|Z20\.?2|Z11\.?3)/, category: 'sexually transmitted disease' },
  { pattern: /^(O|Z3[0-9]|N97|N46|N96|Z64\.?0|Z97\.?5)/, category: 'reproductive health' },
  { pattern: /^(T74|T76|Z69|Y07|Z91\.?41)/, category: 'violence and abuse' },
];

/** LOINC codes of sensitive tests and documents. */
export const sensitiveLoinc: Readonly<Record<string, string>> = {
  ...categorised('HIV', '7917-8 56888-1 75622-1 25836-8 20447-9 24467-3 89365-1 7918-6 5221-7 30361-0 29893-5 68961-2'),
  ...categorised(
    'substance use',
    '75626-2 82667-7 5640-8 5643-2 11246-6 70146-6 8237-0 3397-7 3879-4 19295-5 3349-8 3426-4 72109-2 82666-9',
  ),
  ...categorised('mental health', '44249-1 44261-6 55757-9 55758-7 69737-5 70274-6 89204-2 71354-5 72106-8 34788-0'),
  ...categorised(
    'reproductive health',
    '2106-3 2118-8 2110-5 19080-1 21198-7 80384-1 82810-3 11449-6 11778-8 8665-2 11996-6',
  ),
  ...categorised('sexually transmitted disease', '21613-5 43304-5 24111-7 43305-2 20507-0 20508-8 5292-8'),
};

/** Ingredients that tell of nothing else (RxNorm names, the salt left out). */
const ingredients: readonly { readonly pattern: RegExp; readonly category: string }[] = [
  {
    pattern:
      /\b(abacavir|atazanavir|bictegravir|cabotegravir|darunavir|dolutegravir|doravirine|efavirenz|elvitegravir|emtricitabine|etravirine|fostemsavir|ibalizumab|lamivudine|lenacapavir|maraviroc|nevirapine|raltegravir|rilpivirine|zidovudine)\b/i,
    category: 'HIV',
  },
  { pattern: /\b(acamprosate|buprenorphine|disulfiram|lofexidine|methadone|naltrexone)\b/i, category: 'substance use' },
  {
    pattern:
      /\b(aripiprazole|asenapine|brexpiprazole|cariprazine|chlorpromazine|clozapine|esketamine|fluphenazine|haloperidol|iloperidone|lithium|lumateperone|lurasidone|olanzapine|paliperidone|perphenazine|quetiapine|risperidone|ziprasidone|zuranolone)\b/i,
    category: 'mental health',
  },
  {
    pattern:
      /\b(clomiphene|desogestrel|drospirenone|ethinyl estradiol|etonogestrel|follitropin|levonorgestrel|menotropins|mifepristone|norelgestromin|norethindrone|norgestimate|norgestrel|ulipristal)\b/i,
    category: 'reproductive health',
  },
];

/** Their common brands in the US, as notes and orders write them. */
const brands: readonly { readonly pattern: RegExp; readonly category: string }[] = [
  {
    pattern:
      /\b(apretude|atripla|biktarvy|cabenuva|cimduo|combivir|complera|delstrigo|descovy|dovato|edurant|emtriva|epivir|epzicom|evotaz|genvoya|intelence|isentress|juluca|kaletra|odefsey|pifeltro|prezcobix|prezista|reyataz|rukobia|selzentry|stribild|sunlenca|sustiva|symfi|symtuza|temixys|tivicay|triumeq|trizivir|trogarzo|truvada|viramune|vocabria|yeztugo|ziagen)\b/i,
    category: 'HIV',
  },
  {
    pattern:
      /\b(antabuse|brixadi|campral|dolophine|lucemyra|methadose|revia|sublocade|suboxone|subutex|vivitrol|zubsolv)\b/i,
    category: 'substance use',
  },
  {
    pattern:
      /\b(abilify|aristada|caplyta|clozaril|cobenfy|fanapt|geodon|haldol|invega|latuda|lithobid|lybalvi|perseris|rexulti|risperdal|saphris|secuado|seroquel|spravato|uzedy|vraylar|zurzuvae|zyprexa)\b/i,
    category: 'mental health',
  },
  {
    pattern:
      /\b(clomid|depo-?provera|follistim|gonal-?f|kyleena|liletta|menopur|mifeprex|mirena|nexplanon|nuvaring|plan b one-step|skyla|yasmin)\b/i,
    category: 'reproductive health',
  },
];

/** Words that people write for what no code tells. A word too many only leaves an item without a suggestion. */
const words: readonly { readonly pattern: RegExp; readonly category: string }[] = [
  { pattern: /\bhiv\b|human immunodeficiency|\baids\b/i, category: 'HIV' },
  {
    pattern:
      /psych(?!rometr)|mental health|behaviou?ral health|depressi(on|ve)|bipolar|schizo|suicid|anxiety|ptsd|post.?traumatic/i,
    category: 'mental health',
  },
  {
    pattern:
      /substance (use|abuse|dependen|misuse)|addict|alcohol|opioid (use|abuse|depend)|drug (abuse|dependence|screen)|overdose|(un)?healthy drug use|misus(e|es)|cocaine|cannabi|heroin|methadone/i,
    category: 'substance use',
  },
  {
    pattern: /pregnan|abortion|miscarriage|contracept|fertility|obstetric|antenatal|prenatal|fetal|steriliz/i,
    category: 'reproductive health',
  },
  { pattern: /syphilis|gonorrh|chlamydia|sexually transmitted|venereal/i, category: 'sexually transmitted disease' },
  {
    pattern: /\babuse\b|domestic violence|intimate partner|sexual assault|\brape\b|victim of/i,
    category: 'violence and abuse',
  },
];

/** The sensitive category that a resource's security labels, codes or words tell; undefined when nothing does. A category is a reason never to suggest, not a diagnosis. */
export function sensitivityOf(
  resource: FhirResource,
  ...concepts: readonly (CodeableConcept | string | undefined)[]
): string | undefined {
  const labelled = [...(resource.meta?.security ?? []), ...documentLabels(resource)]
    .map(labelCategory)
    .find((category) => category !== undefined);
  if (labelled !== undefined) return labelled;
  for (const concept of concepts) {
    const category =
      typeof concept === 'string'
        ? sensitiveWords(concept)
        : concept === undefined
          ? undefined
          : conceptCategory(concept);
    if (category !== undefined) return category;
  }
  return undefined;
}

function documentLabels(resource: FhirResource): Coding[] {
  return resource.resourceType === 'DocumentReference'
    ? (resource.securityLabel ?? []).flatMap(({ coding }) => coding ?? [])
    : [];
}

// A label that is not known marks something all the same.
function labelCategory({ code, display }: Coding): string | undefined {
  if (code === undefined) return display === undefined ? undefined : 'a security label';
  return ordinaryLabels.has(code) ? undefined : (labels[code] ?? 'a security label');
}

function conceptCategory({ coding = [], text }: CodeableConcept): string | undefined {
  for (const { system, code, display } of coding) {
    const byCode =
      code === undefined
        ? undefined
        : system === systems.loinc
          ? sensitiveLoinc[code]
          : isIcd10(system)
            ? icd10.find(({ pattern }) => pattern.test(code.toUpperCase()))?.category
            : undefined;
    const category = byCode ?? sensitiveWords(display);
    if (category !== undefined) return category;
  }
  return sensitiveWords(text);
}

function isIcd10(system: string | undefined): boolean {
  return system === systems.icd10 || system === systems.icd10who || system === 'urn:oid:2.16.840.1.113883.6.90';
}

const drugsAndWords = [...words, ...ingredients, ...brands];

/** The sensitive category that a text's words tell, names of drugs among them. */
export function sensitiveWords(text: string | undefined): string | undefined {
  return text === undefined ? undefined : drugsAndWords.find(({ pattern }) => pattern.test(text))?.category;
}

/** What anyone is told who takes the drug, and so tells nothing of the patient. */
const cautions = /\b(avoid|no|without|not (drink|take|use)|if)\b[^.;]{0,40}?\b(alcohol|pregnan\w*)/gi;

/** `sensitiveWords` of what the patient is told to do; a caution against alcohol or in pregnancy is none. */
export function sensitiveDirections(text: string | undefined): string | undefined {
  return sensitiveWords(text?.replace(cautions, ''));
}

function categorised(category: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, category]));
}
