import type { QuestionRow } from '../src/core/answers/cells-for.ts';

/**
 * Maps the text of a payer's question to the cells of the answers sheet that answer it. Rows are tried in order; once a
 * row has matched words, later rows cannot match them. If no row matches, a person chooses. Written from the kinds of
 * questions that payers ask and from general payer language; no payer's text is used.
 */

const source = 'kinds of payer questions and general payer language, in our own words; not reviewed';
const review = 'none';

function phrases(...parts: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${parts.join('|')})(?![\p{L}\d])`, 'giu');
}

/** Matches two parts with at most `words` words between them. */
const within = (first: string, words: number, second: string): string =>
  String.raw`(?:${first})(?:[\s,/-]+[\p{L}\d'’.%-]+){0,${words}}[\s,/-]+(?:${second})`;

/** Matches two parts with at most this many characters between them, in either order, even across sentences. */
const near = (one: string, characters: number, other: string): string => {
  const gap = `.{0,${characters}}`;
  return String.raw`(?:${one})\b${gap}\b(?:${other})|(?:${other})\b${gap}\b(?:${one})`;
};

// Includes the abbreviations used on forms and faxes: pt, mbr, meds, tx, rx, dx, hx.
const patient =
  '(?:the |this |your )?(?:patient|pt|member|mbr|beneficiary|enrollee|recipient|individual|child|he|she|they)';
const drugs =
  '(?:(?:drug|medication|med|medicine|agent|product|treatment|alternative|regimen)(?:s|\\(s\\))?|' +
  'therap(?:y|ies)|tx|rx)';
const classes =
  '(?:biologics?|dmards?|nsaids?|statins?|(?:topical |inhaled |oral )?(?:cortico)?steroids?|inhibitors?|' +
  'antidepressants?|antihistamines?|antibiotics?|triptans?|stimulants?|opioids?|insulins?|inhalers?|preventives?|' +
  'generics?)';
/** Words for the requested drug other than its name. */
const requested = String.raw`(?:this|the requested|requested|the same) (?:${drugs}|[\p{L}-]+)`;
const preferred =
  '(?:non-?)?(?:prefer+ed|formulary)|prefers|drug list|covered (?:options?|alternatives?|drugs?)|generics?|' +
  'brand(?:ed)?(?:[- ]name)?|alternatives?|equivalents?|biosimilars?|step (?:requirement|edit|protocol)|' +
  "(?:prior authorization|non-?pa)|(?:n['’]t|not) need (?:a )?pa";
const why = 'why|reasons?|reasoning|expla(?:in|nation)|rationale|justif(?:y|ication)|what is the problem';
const notAnother =
  "can(?:not|['’]t| not)|not (?:be|an option|adequate|appropriate|suitable|possible)|inappropriate|unsuitable|" +
  'substituted|less effective|rather than|instead of|separate(?:ly)?';

export const questionRows: readonly QuestionRow[] = [
  {
    cells: ['signature'],
    words: phrases('signatures?', 'sign(?:ed)? (?:and date(?:d)?|here|below)', within('signed', 3, 'by')),
    whole: true,
    example: 'Prescriber signature and date',
    source,
    review,
  },
  {
    cells: ['attestation'],
    words: phrases(
      'attest(?:s|ed|ation)?|certif(?:y|ies|ication)|acknowledge[sd]?|affirm[s]?|i (?:confirm|agree|understand)',
      '(?:prescriber|provider|physician|patient|member)s? (?:also )?(?:confirms?|agrees?|understands?|has agreed)',
      'rems|risk evaluation and mitigation|restricted (?:distribution )?program(?:me)?',
      within('enrolled|enrollment|registered|participat(?:e|es|ing)', 6, 'program(?:me)?|registry'),
      '(?:prescription (?:drug )?)?monitoring program(?:me)?|pdmp|pmp',
      'counsel(?:ed|ing|led|ling)?|educated|informed consent|(?:pain|opioid|treatment) (?:agreement|contract)',
      within('risks?', 3, 'benefits?|discussed|explained|reviewed'),
      'expedited|urgent(?:ly)?|life or health|jeopardize[sd]?',
      within(`(?:will|does) ${patient}|will be|will`, 3, 'monitor(?:ed)?|adhere|comply'),
    ),
    whole: true,
    example: 'Does the prescriber attest that the information is correct?',
    source,
    review,
  },
  {
    cells: ['on-label'],
    words: phrases(
      "(?:fda|food and drug administration)[- ]?(?:approved|labell?ed|label|labell?ing)?['’s]*(?: indications?)?",
      '(?:on|off)[- ]label|labell?ed (?:use|indication)|package insert|prescribing information|compendi(?:a|um)',
      'medically[- ]accepted(?: indication)?|approved (?:use|indication|label)|(?:product |drug |the )?label(?:l?ing)?',
    ),
    unless: phrases(
      within('(?:fda|food and drug administration)[- ](?:cleared|approved|authorized)', 3, 'tests?|assays?'),
    ),
    example: 'Is the use in line with the FDA-approved labeling?',
    source,
    review,
  },
  {
    cells: ['rationale', 'trials'],
    words: phrases(
      near(`${why}|details to support|clinical harm`, 160, preferred),
      near(why, 160, notAnother),
      `${within('tier(?:ing)?', 2, 'exception')}|not (?:be )?as effective`,
      within(
        "(?:can|could|should)(?:not|n['’]t| not)|unable to|not (?:able|appropriate|suitable)",
        10,
        '(?:non-?)?preferred|formulary|generic|biosimilar',
      ),
      near(preferred, 100, 'transitioned|switched|changed to|moved|appropriate for|unsuitable'),
    ),
    example: 'Please explain why a preferred alternative cannot be used.',
    source,
    review,
  },
  {
    cells: ['rationale'],
    words: phrases(
      'rationale|med(?:ical(?:ly)?)? necess(?:ity|ary)|justif(?:y|ies|ication)|why|elaborate',
      'reason(?:s|ing)?(?!.{0,30}(?:discontinu|stopp|chang|fail|intoler|unsuccess))',
      '(?:explain|describe) (?:the|your|any) (?:need|reason(?:s|ing)?)|clinical harm|harm of',
      '(?:additional|other|further) (?:clinical )?(?:information|comments?|details)',
      'supporting (?:statement|information)|letter of',
      'anything else|supports? (?:the|this|your) request|comments?',
    ),
    example: 'Provide the medical necessity for this drug.',
    source,
    review,
  },
  {
    cells: ['therapy'],
    words: phrases(
      within(
        `how (?:long|many (?:days|weeks|months|years)) (?:has|have|had) ${patient}`,
        2,
        `been|(?:taken|used|received) ${requested}`,
      ),
      within(`(?:has|have|had|is|was) ${patient}`, 4, `(?:on|taking|using|taken|used) ${requested}`),
      within(`(?:has|have|had) ${patient}`, 6, `the requested ${drugs}|of the requested`),
      within('date|when|day', 4, '(?:first|last) (?:took|taken|received|used|given|infused|injected)'),
      'date of (?:the )?(?:first|last|most recent) (?:dose|fill|infusion|injection|administration|treatment)',
      within('(?:start(?:ed)?|beg[au]n|initiated)', 6, 'hospital(?:ization)?|in-?patient|emergency'),
    ),
    example: 'How long has the patient been on the requested medication?',
    source,
    review,
  },
  {
    cells: ['trials'],
    words: phrases(
      'tried|try|trials?|fail(?:ed|ure|ures|s)?|step[- ](?:therapy|tx|edit|protocol)|refractory(?: to)?',
      'ineffective|unsuccessful(?:ly)?',
      within(
        'inadequate(?:ly)?|insufficient|suboptimal|lack of|partial|poor|not|no|loss of|lost|incomplete',
        2,
        'respon(?:se|d|ded|ding|sive)|efficacy|control(?:led)?|relief|benefit|improvement|results?',
      ),
      within(
        'previous(?:ly)?|prior(?! (?:to|auth))|past|earlier|formerly|before',
        3,
        `${drugs}|${classes}|treated|used?|taken|received|prescribed|attempted`,
      ),
      within('(?:history|hx) of', 3, `use|treatment|therapy|trying|taking`),
      within(
        `(?:has|have|had|did) ${patient}`,
        3,
        'tak(?:en|e)|used?|receive[d]?|been (?:treated|on)|undergone|completed?|attempted',
      ),
      within(
        '(?:which|what|list|name|document)(?: all| any| other| the)*',
        4,
        `(?:other )?(?:${drugs}|${classes})(?: (?:have|has|were|was))?(?: been)? ` +
          '(?:tried|used|taken|attempted|failed|prescribed)',
      ),
      within('other', 2, `${drugs} (?:have|has|were|was)`),
      // The doses of other drugs are listed with their trials.
      `doses? of (?:the |an? |any |each )?(?:other |prior |previous |earlier |first |last )*${classes}`,
      within('doses? of', 5, 'tried|failed|taken before|used before'),
      'dates? and (?:doses?|duration|length|outcomes?|reasons?)',
      'dates? (?:of (?:use|trial|treatment)|used|taken|tried)|treatment history|(?:drug|medication|med) (?:history|hx)',
      within('how long (?:was|were)', 5, 'taken|used|tried|given|continued'),
      'what happen\\w*|took|step \\d|drug names?|outcomes?(?! measures?)|max(?:imum|imally)?[- ]tolerated(?: doses?)?',
      within('reasons? (?:for|of|why)', 4, 'discontinu(?:ed|ing|ation)|stopp(?:ed|ing)|chang(?:e|ed|ing)'),
      'discontinued|stopped|(?:was|were) any.{0,100}(?:used|tried|taken)',
      '(?:used|taken|tried) (?:in|within|during) the (?:last|past)',
      'first[- ]line|conventional (?:therapy|treatment|systemic)',
    ),
    // No cell of the sheet is about treatments that are not drugs.
    unless: phrases(
      'clinical trial',
      'diets?|dietary|exercise|lifestyle|physical therapy|physiotherapy|behavio(?:u)?ral|psychotherapy',
    ),
    example: 'Has the patient tried and failed methotrexate for at least 90 days?',
    source,
    review,
  },
  {
    cells: ['intolerance'],
    words: phrases(
      'intoleran(?:t|ces?)|(?:not|un)[ -]?able to tolerate|tolerat(?:e|ed|ion)|contra-?indicat(?:ions?|ed)',
      'allerg(?:y|ies|ic)|hypersensitiv(?:e|ity)|adverse (?:drug )?(?:reactions?|effects?|events?)|side[- ]effects?',
    ),
    unless: phrases('allergic (?:rhinitis|asthma|conjunctivitis)'),
    example: 'Does the patient have an allergy or contraindication to the alternatives?',
    source,
    review,
  },
  {
    cells: ['response'],
    words: phrases(
      'gone (?:down|up)|went (?:down|up)|fewer|declin(?:ed?|ing)|less (?:frequent|often)',
      '(?:before|prior) (?:vs[.]?|versus|and|/) ?(?:after|current|now|most recent)|while on',
      near('(?:before|prior to|pre-?) ?(?:therapy|treatment|tx|starting)', 60, 'most recent|current|now|latest'),
      'respon(?:se|ses|ded|ding)|improv(?:ed?|ement|ements|ing)|benefit(?:ed|ing|ted)?|baseline|pre-?treatment',
      within(
        '(?:before|since|after) (?:starting|beginning|initiat(?:ing|ion)(?: of)?|the start of|treatment|therapy)',
        4,
        'compared|and (?:now|current)',
      ),
      within(
        'compared|relative|change[ds]?|reduc(?:ed|tion)|decrease[ds]?|increase[ds]?|difference',
        6,
        'since|from|before|prior|baseline|start|therapy|treatment|while',
      ),
      within('lost|loss(?: of)?|gained', 6, 'weight|pounds|kg|lbs?|%'),
      'since (?:the )?(?:start|beginning|initiation|last)|starting and current|before and after',
      within('(?:at|before) (?:the )?(?:start|beginning|initiation)', 6, 'and (?:current|now|most recent|today)'),
      'working|effective(?:ness)?|efficacy|disease (?:progression|stability|stabilization)|stabiliz(?:ed|ation)',
      'maintained',
      'positive clinical|clinical(?:ly)? (?:meaningful|significant)|(?:achieved|sustained) (?:remission|response)',
      'remission',
    ),
    unless: phrases('(?:pharmacy|medical) benefit|buy[- ]and[- ]bill'),
    example: 'How did the patient respond compared with baseline?',
    source,
    review,
  },
  {
    cells: ['therapy'],
    words: phrases(
      'new (?:start|to (?:this |the )?(?:therapy|treatment|drug|medication)|therapy|patient|request|prescription)',
      'continu(?:e|es|ed|ing|ation)|renewal|re-?authorization',
      'initial (?:request|therapy|treatment|authorization|start)|naive',
      within(
        'current(?:ly)?|already|presently|now',
        3,
        'taking|on|using|receiving|treated with|stable on|established on|started',
      ),
      within('established|stable|stabilized|maintained', 2, 'on'),
      within(
        `(?:when|date|day|since when)`,
        8,
        'start(?:ed)?|beg[aiu]n|initiat(?:ed|ion)|first (?:dose|fill|taken|given|used)|commenced?',
      ),
      'start date|date of (?:the )?(?:first|last) (?:dose|fill)|samples?|last (?:dose|filled)',
      '(?:gap|interruption|lapse)s? in (?:therapy|treatment)',
      within('how long', 2, `has ${patient}|have they|been (?:on|taking|using|receiving)`),
      `restart(?:ed|ing)?|resum(?:e|ed|ing)`,
    ),
    unless: phrases(
      'continuous (?:positive|glucose)',
      '(?:pa|prior authorization|authorization|approval|case|reference) (?:number|#)',
    ),
    example: 'Is this new to therapy, or is it continued?',
    source,
    review,
  },
  {
    cells: ['concurrent'],
    words: phrases(
      'in combination|combin(?:ed|ing|ation) with|concurrent(?:ly)?|concomitant(?:ly)?|simultaneous(?:ly)?',
      'together|along with|alongside',
      'co-?(?:administered|prescribed|prescription)|dual therapy|add(?:ed)?[- ]on|adjunct(?:ive)?(?: to)?',
      'at the same time|on top of',
      within(
        'another|any (?:other)?|other',
        2,
        `${drugs} (?:now|currently|at this time|being taken)|biologics?|opioids?|benzodiazepines?|` +
          `inhibitors?(?: now| currently)?`,
      ),
      'current (?:med(?:ication)?s?|drugs|regimen|medication list)|background (?:therapy|treatment)|duplicat(?:e|ion)',
      within('used|given|taken', 1, 'with another|with other|with any'),
    ),
    example: 'Will it be used in combination with another biologic?',
    source,
    review,
  },
  {
    cells: ['place'],
    words: phrases(
      within('where', 6, 'given|administered|infused|injected|received|dispensed|treated'),
      '(?:site|place|location|setting) of (?:care|administration|service|treatment|infusion)|treatment setting',
      within('administered|given|infused|injected', 2, 'in|at|by'),
      'infusion (?:center|centre|suite|site|clinic)|home infusion|at home',
      'self[- ]?(?:administer|inject)(?:ed|s|ing|ion)?',
      '(?:dispensing |specialty |retail |mail[- ]order )?pharmacy|in-?patient|out-?patient|facility',
      'long[- ]term care',
      "(?:physician|doctor|prescriber|provider)['’]?s? office|nursing (?:home|facility)|hospital",
    ),
    unless: phrases('hospital(?:ized|ization|izations)', 'pharmacy benefit|medical benefit|buy[- ]and[- ]bill'),
    example: 'Where will the drug be administered?',
    source,
    review,
  },
  {
    cells: ['specialty'],
    words: phrases(
      'special(?:i?ty|i?ties|ists?|izes?|izing)|board[- ]certified|in consultation|consult(?:ed|ation|ant|ing)?',
      '(?:prescribed|ordered|written|recommended|managed) by|referred (?:by|to)',
      '(?:type of|which) (?:prescriber|provider|physician)',
      String.raw`\p{L}*(?:ologists?|iatrists?)|(?:transplant|sleep|pain|infectious disease) (?:doctor|physician)`,
    ),
    example: 'Is the drug prescribed by or in consultation with a specialist?',
    source,
    review,
  },
  {
    cells: ['dose'],
    words: phrases(
      within(
        '(?:how many|number of) (?:weeks|months|days|fills|cycles)',
        6,
        'requested|needed|planned|expected|anticipated|prescribed',
      ),
    ),
    example: 'How many months of therapy are requested?',
    source,
    review,
  },
  {
    cells: ['severity'],
    words: phrases(
      'sever(?:e|ity)|moderate(?:ly)?(?:[- ]to[- ]severe(?:ly)?)?|stag(?:e|es|ing)|scores?|scales?|extent|grades?',
      'class(?:ification)?|disease activity',
      'pasi|easi|scorad|iga|pga|dlqi|edss|das28|das-28|cdai|sdai|rapid3|basdai|asdas|haq(?:-di)?|nyha|mayo|cdai',
      'hbi|harvey[- ]bradshaw',
      'midas|hit-?6|phq-?9|gad-?7|ham-?d|madrs|panss|bprs|ymrs|asrs|vanderbilt|moca|mmse|act|acq|cat score|mmrc',
      'hurley|uas7?|fibrosis|cirrhosis|child[- ]pugh|ecog|gold|epworth',
      '(?:percent|percentage|%|amount) (?:of )?(?:the )?(?:body surface(?: area)?|bsa)',
      '(?:body surface area|bsa) (?:involved|affected|involvement)',
      within(
        'how many|number of|frequency of|how often|how frequent(?:ly)?',
        4,
        'attacks?|headaches?|migraines?|headache days|migraine days|exacerbations?|relapses?|flares?|' +
          'seizures?|episodes?|bleeds?|fractures?|hospitalizations?|infections?|lesions?|nodules?|joints?|' +
          'symptoms?',
      ),
      'joint counts?|(?:headache|migraine) days|exacerbations?|relapses?|ejection fraction|lvef',
      'pain (?:level|intensity|rating)|affected (?:areas?|joints?)',
      'fev1?|forced expiratory|percent predicted|forced vital capacity|fvc|walk (?:test|distance)|ahi',
      'apnea[- ]hypopnea',
    ),
    unless: phrases('class of drugs|(?:drug|therapeutic|same|pharmacologic(?:al)?) class'),
    example: 'How severe is the disease, by score or stage?',
    source,
    review,
  },
  {
    cells: ['tests'],
    words: phrases(
      'test(?:s|ed|ing)?|labs?|laborator(?:y|ies)|results?|screen(?:s|ed|ing|ings)?|levels?|values?|counts?',
      'titers?|cultures?|biops(?:y|ies)|patholog(?:y|ical)|panel',
      '(?:hb|hemoglobin )?a1c|hemoglobin|hematocrit|hgb|ldl(?:-c)?|hdl|cholesterol|triglycerides?|lipids?|glucose',
      'egfr|gfr|creatinine|alt|ast|liver (?:function|enzymes?)|lfts?|bilirubin|albumin',
      'platelets?|neutrophils?|anc|wbc|cbc|eosinophils?|lymphocytes?|ige|immunoglobulins?|ig[agm]|crp|c-reactive',
      'esr|sed(?:imentation)? rate|rheumatoid factor|anti-?ccp|ana|hla-?b27',
      'tuberculosis|tb|quantiferon|ppd|t-?spot|hep(?:atitis)?(?: ?[abc])?|antigens?|hbsag',
      'hcv|hbv|hiv|jc[v ]?(?:virus)?|viral load|rna',
      'genotyp(?:e|ing|ic)|mutations?|genetic|gene|variants?|antibod(?:y|ies)|serolog(?:y|ic)',
      'creatine kinase|ck|cpk|calprotectin|troponin|(?:nt-?pro)?bnp|ammonia|complement|tryptase|cortisol',
      'prolactin|fsh|estradiol|magnesium|g6pd|tpmt|cyp\\w*|pd-?l1|her2|egfr mutation|brca|feno|procalcitonin',
      'lactate|amylase|lipase|d-?dimer|fibrinogen|haptoglobin|reticulocytes?|methylmalonic acid|homocysteine',
      'folate|protein|c-?peptide|insulin level|lipoprotein',
      '(?:mcg|mg|ng|pg|g|u|iu|mu|mmol|meq|cells|copies)/(?:dl|l|ml|g|mm3|mcl|ul)|confirmed by|proven by',
      '(?:eye|vision|dental|skin|physical|neurological|pelvic|foot|hearing) exam(?:ination)?s?|laparoscop(?:y|ic)',
      'bronchoscopy|arthroscopy|sigmoidoscopy|mammogra(?:m|phy)|pap smear|emg|eeg|oct|skin (?:prick )?test',
      'stress test|lumbar puncture|catheterization|scans?',
      'ferritin|tsat|transferrin(?: saturation)?|iron (?:level|studies)|t-?scores?|dxa|dexa',
      'bone (?:mineral )?density|bmd|frax|bone age|igf-?1|growth hormone (?:stimulation|level)',
      'mri|ct(?: scan)?|x-?rays?|imaging|ultrasound|echo(?:cardiogra(?:m|phy))?|ekg|ecg|qtc?',
      'polysomnogra(?:m|phy)|sleep study|spirometry|endoscop(?:y|ic)|colonoscopy|angiogra(?:m|phy)',
      'radiograph(?:ic|s)?',
      'inr|vitamin [bd]\\w*|testosterone|tsh|psa|potassium|sodium|calcium|phosph(?:ate|orus)|uric acid|urine',
      'urate|sweat chloride|factor (?:viii|ix|vii) (?:level|activity)|inhibitor titer|drug screen|pregnancy test',
      'blood pressure|vital signs?|oxygen saturation',
    ),
    example: 'What is the most recent hemoglobin A1c, and when was it measured?',
    source,
    review,
  },
  {
    cells: ['patient'],
    words: phrases(
      'ages?|aged|years? (?:of age|old)|years|old(?:er)?|younger|date of birth|birth ?date|dob|adults?',
      'pediatric|adolescents?|minors?',
      within(
        `(?:is|was) ${patient}`,
        2,
        String.raw`(?:under|over|above|below|at least|younger than|older than) \d{1,2}`,
      ),
      'sex|gender|male|female|(?:body )?weight|weigh(?:s|ed)?|height|tall|bmi|body mass(?: index)?',
      'body surface area|bsa|obes(?:e|ity)|overweight',
    ),
    unless: phrases('last \\d+ years?|past \\d+ years?|bone age|pack[- ]years'),
    parts: [
      { name: 'Birth date', asked: /\b(?:date of birth|birth ?date|dob)\b/i, said: /\bborn\b/ },
      { name: 'Sex', asked: /\b(?:sex|gender)\b/i, said: /\b(?:fe)?male\b|\bother\b/ },
      {
        name: 'Weight',
        asked: /\b(?:weight|weighs?|wt)\b(?![- ](?:related|loss|gain|based|management|control|reduc))/i,
        said: /^weight\b/,
      },
      { name: 'Height', asked: /\b(?:height|tall|ht)\b/i, said: /^height\b/ },
      { name: 'BMI', asked: /\b(?:bmi|body mass(?: index)?)\b/i, said: /^BMI\b/ },
      { name: 'Body surface area', asked: /\bbody surface area\b/i, said: /^body surface area\b/ },
    ],
    example: 'Is the patient 18 years of age or older?',
    source,
    review,
  },
  {
    cells: ['dose'],
    words: phrases(
      'dos(?:e|es|age|ages|ing)|quantit(?:y|ies)|strengths?|directions?|sig|refills?|titrat(?:e|ed|ion|ing)',
      'loading|maintenance|induction',
      "days['’]? supply|day supply|supply|(?:length|duration) of (?:the )?(?:therapy|treatment|use|need|" +
        'authorization|course)|(?:expected|anticipated|planned|requested|intended|proposed) (?:length|duration|' +
        'course)',
      within('how (?:long|many (?:weeks|months|days))', 3, 'will|is|should|do you|expected|planned|needed|requested'),
      within(
        'how (?:many|much)|number of|amount of',
        3,
        'tablets?|capsules?|pills?|vials?|pens?|syringes?|units|ml|mg|mcg|injections?|doses|inhalers?|' +
          'patches|tubes?|grams?|boxes|kits?|packs?|infusions?',
      ),
      'mme|interval|mg (?:per|/) ?kg|formulation|dosage form|route|how often|frequency|schedule|regimen',
    ),
    unless: phrases('dose of (?:methotrexate|metformin|statins?)|hcpcs|j-?codes?|billing units?'),
    example: 'What dose, quantity and days’ supply are requested?',
    source,
    review,
  },
  {
    cells: ['diagnosis'],
    words: phrases(
      'diagnos(?:is|es|ed|tic)|dx|icd(?:-?10)?(?:-cm)?|indications?|onset|comorbid(?:ity|ities)?',
      'conditions? (?:being|for which|to be) ?(?:treated)?',
      within(
        '(?:used|prescribed|requested|ordered|given|needed|indicated|intended)',
        3,
        'for(?! (?:an? |the |this |your |our )?(?:prior authorization|authorization|pa|review|request))|to treat',
      ),
      within('being treated|treatment|treating|treat', 1, 'for|of'),
    ),
    example: 'What is the diagnosis, with its ICD-10 code?',
    source,
    review,
  },
  {
    cells: ['dose'],
    words: phrases(
      'per (?:day|week|month|dose|fill|28 days|30 days)|milligrams?|mg(?:/kg)?(?:/day)?|mcg',
      '(?:twice|once|three times) (?:a|per) (?:day|week|month)|daily',
    ),
    last: true,
    example: 'More than 200 mg per day?',
    source,
    review,
  },
  {
    cells: ['diagnosis'],
    words: phrases(
      within(
        `(?:does|do|has|have|is|was) ${patient}`,
        2,
        'have|had|history|suffer(?:s|ing)?|experienced?|at (?:high |increased )?risk|with',
      ),
      'history of|documented|documentation of|presence of|evidence of|confirmed|disease|disorder|syndrome|condition',
    ),
    unless: phrases(
      'family history',
      'swallow(?:ing)?|caregivers?|insurance|coverage|transportation|refrigerat(?:e|or|ion)',
    ),
    last: true,
    example: 'Does the patient have a history of stroke?',
    source,
    review,
  },
];
