import type { SensitiveWordsRow } from '../../src/core/fhir/sensitivity.ts';

const source = 'compiled from general knowledge; not reviewed';
const review = 'none';

// Aids for daily living, and terms of ECGs, laboratories and pharmacology, that share a word with a sensitive category.
const aidsToLive =
  'walking|hearing|listening|visual|vision|mobility|ambulat(?:ory|ion)|gait|sleep|decision|teaching|memory|adaptive|' +
  'assistive|communication|orthopa?edic|toileting|bathing|dressing|compliance|dosing|bowel|digestive|auditory|' +
  'speech|educational|feeding|transfer|shower|bath|bathroom|positioning|first';
const aidsInCapitals = aidsToLive.toUpperCase();
const depressable =
  'st(?:[\\s/-]{0,3}(?:t|segments?|waves?|elevations?|changes|or|and|nor|no)){0,4}|pr(?:[\\s-]segment)?|' +
  'j[\\s-]?point|t[\\s-]?waves?|marrow|cns|nervous system|respirat(?:ory|ion)|ventilatory|breathing|' +
  'myocardial|cardiac|circulatory|immune|hematologic|platelet|reflex|sternal|skull|nail|tongue|tibial|plateau|' +
  'growth|freezing[\\s-]point|inbreeding|cortical|spreading|electrical';
const depressedPart =
  's?\\s(?:of|in)\\s(?:the\\s)?(?:st\\b|leads?|(?:inferior|lateral|anterior|septal|precordial|chest|limb)\\b|' +
  'v\\d|avl|avf|bone|marrow|respirat|breathing|cns\\b|central nervous|myocard|cardiac|ventric|sternum|skull|tibia|' +
  'platelet|immun|reflex)';
const alcoholOfProducts =
  'benzyl|cetyl|stearyl|cetostearyl|cetearyl|isopropyl|polyvinyl|phenyle?thyl|oleyl|lanolin|wool|rubbing|dehydrated';

const beforeTablet = 'MG|MCG|GM?|MEQ|UNITS?|ORAL|ER|XR|SR|DR|EC|HCL|SODIUM|mg|mcg|oral|sodium';

/**
 * Words of sensitive categories. An abbreviation is included if clinical notes use it with only one meaning; it must be
 * in capitals if the lowercase form is another word. An abbreviation with a second common meaning (STD: short-term
 * disability) is included only together with words that make it certain, or left out.
 */
export const sensitiveWords: readonly SensitiveWordsRow[] = [
  {
    category: 'HIV',
    patterns: [
      /\bhiv(?![a-z])/i,
      /human immunodeficiency|acquired immun(?:o|e)[\s-]?deficiency/i,
      new RegExp(`\\bAIDS\\b(?<!\\b(?:${aidsInCapitals})\\s{1,3}AIDS)(?!\\s(?:IN|TO|WITH|FOR)\\b)`),
      new RegExp(
        String.raw`^\W*aids\W*$|\baids[\s-](?:defining|related|dementia|wasting|patient)|` +
          String.raw`\b(?:history of|hx(?: of|:)?|h\/o|has|had|have|having|diagnosed with|dx(?: of|:)?|` +
          '(?:living|patient|pt|person|people) with|due to|dying of|died of|' +
          String.raw`full[\s-]?blown|advanced)\saids\b`,
        'i',
      ),
      /antiretroviral/i,
      /\bPrEP\b|\bCD4\b|\bPLWHA?\b|\bPLHIV\b|\bHAART\b|\bcART\b|\bARVs?\b|\bU=U\b/,
      new RegExp(
        String.raw`\b(?:[Oo]n|ON|[Ss]tart(?:s|ed|ing)?|[Rr]estarted|[Ii]nitiat(?:ed|ing|e)|[Cc]ontinu(?:es?|ed|ing)|` +
          String.raw`[Tt]aking|[Aa]dheren(?:t|ce) (?:to|with))\sART\b(?!\s(?:[Ll]ine|LINE)\b)|` +
          String.raw`\bART[\s-](?:regimen|naive|naïve|experienced|adherence|since)\b`,
      ),
    ],
    source,
    review,
  },
  {
    category: 'mental health',
    patterns: [
      /psych(?!rometr)/i,
      /mental (health|illness|disorder)|mentally ill/i,
      /behaviou?ral (health|medicine|therap)/i,
      new RegExp(`depressi(?:on|ve)(?<!\\b(?:${depressable})[\\s-]{1,3}depressi(?:on|ve))(?!${depressedPart})`, 'i'),
      new RegExp(
        String.raw`depressed (?:mood|affect)|\b(?:feel(?:s|ing)?|felt|mood(?:: | is | was | )?|clinically|becam?e) ?` +
          String.raw`depressed\b`,
        'i',
      ),
      /bipolar|schizo|suicid|anxiety|ptsd|post.?traumatic|dysthymi|cyclothymi/i,
      /self.?harm|eating disorder|anorexia nervosa|bulimi|panic (disorder|attack)|obsessive.compulsive/i,
      /personality disorder|hallucinat|delusion|\bmani(a|c)\b|electroconvulsive/i,
      /gender (dysphoria|identity disorder)/i,
      /attention.deficit|\badhd\b|\bphq[\s-]?(?:\d|a\b)|\bgad[\s-]?[27]\b|patient health questionnaire/i,
      // scores of mood, anxiety, psychosis, compulsion, trauma and suicide, by their abbreviations and names
      /\bMADRS\b|\bHAM[\s-]?[AD]\b|\bH[AD]RS\b|\bHRSD\b|\bBDI\b(?![\s/-]*TDI)|\bC-?SSRS\b|\bYMRS\b|\bPANSS\b|\bBPRS\b/,
      /\bQIDS\b|\bIDS-(?:SR|C)\b|\bEPDS\b|\bCES-?D\b|\bGDS-(?:15|30)\b|\bC?Y-?BOCS\b|\bPCL-[5CM]\b|\bCAPS-5\b|\bASRS\b/,
      /\bCDRS\b|\bMDQ\b|\bEDE-?Q\b|\bLSAS\b|\bBHS score\b/,
      /montgomery.{1,3}[aå]sberg|\bhamilton rating|\bbeck (?:hopelessness|scale|inventory)/i,
      /positive and negative syndrome/i,
      /yale.?brown|mood disorder questionnaire|abnormal involuntary movement/i,
      /vanderbilt (?:adhd|assessment|rating|parent|teacher)|\bconners\W{0,3}(?:\d|rating|scale|parent|teacher)/i,
      // Excludes MDD as maximum daily dose, and GAD as an antibody.
      /\bMDD\b(?!\s*(?:[:=]|of|is)?\s*\(?\d)/,
      /\bGAD\b(?<!(?:[Aa]nti|ANTI)[\s-]?GAD)(?![\s-]*(?:6[57]|A[Bb]\b|[Aa]b\b|[Aa]nti|ANTI|[Aa]uto|AUTO|[Ee]nhanc))/,
      /\bSPMI\b|\bSI\s?\/\s?HI\b/,
    ],
    source,
    review,
  },
  {
    category: 'cognitive disability',
    patterns: [/mini.?mental|montreal cognitive|mini-?cog\b|clinical dementia rating/i, /\bMMSE\b|\bMoCA\b|\bSLUMS\b/],
    source,
    review,
  },
  {
    category: 'developmental disability',
    patterns: [/\bautis(m|tic)|intellectual disabilit/i],
    source,
    review,
  },
  {
    category: 'substance use',
    patterns: [
      /substance.(use|abuse|dependen|misuse)/i,
      /(opioid|opiate) (use|abuse|depend|misuse|withdrawal)/i,
      /drug (abuse|dependence|screen|use disorder|rehab)|\b(iv|intravenous|injecti(on|ng)) drug us/i,
      /(un)?healthy drug use|misus(e|es)|addict|overdose|detoxif|\bdetox\b|chemical dependenc|sobriety/i,
      // excludes a nonalcoholic liver, a wipe, and an ingredient of a product
      new RegExp(
        String.raw`alcohol(?<!non-?\s?alcohol)(?<!\b(?:${alcoholOfProducts})\s{1,3}alcohol)` +
          String.raw`(?!s?[\s-]*(?:swab|wipe|pad|prep|free|based))`,
        'i',
      ),
      /\betoh\b(?!\s*(?:swab|wipe|pad|prep))/i,
      /cocaine|cannabi|marijuana|heroin|methamphetamine|methadone|\bnarcan\b/i,
      /\b(SUD|OUD|AUD|MOUD|IVDU|IVDA|PWID|PWUD|CIWA)\b/,
      // Scores such as AUDIT and COWS, but not an audit of a chart or cows' milk.
      /\bAUDIT-?(?:C|10)\b|^\W*AUDIT\W*$|\bAUDIT (?:total )?(?:score|questionnaire)\b|\bDAST\b|\bCRAFFT\b|\bSOAPP\b/,
      /\bCOWS\b(?!['’]?\sMILK)|\bCAGE(?:-AID)? (?:score|questionnaire)\b/,
      /opioid risk tool/i,
      /\b(AA|NA) meeting|\b[Nn]arcotics [Aa]nonymous/,
    ],
    source,
    review,
  },
  {
    category: 'reproductive health',
    patterns: [
      /pregnan|abortion|miscarriage|contracept|fertility|obstetric|antenatal|prenatal|steriliz/i,
      /fetal(?! h(a)?emoglobin)/i,
      /gyna?ecolog|\bob.?gyn\b|family planning|planned parenthood|birth control|\biud\b|\bivf\b|in vitro fertili/i,
      /postpartum|antepartum|postnatal|gestation|eclampsia|childbirth|women.?s health/i,
      // the pregnancy test, by the hormone that it measures
      /\b(?:β|b|beta)?-?hcg\b|choriogonadotropin|chorionic gonadotropin/i,
      /vasectom|tubal ligation|morning[\s-]after pill/i,
      /\bEAB\b|\bVTOP\b|\bBTL\b|\bOCPs?\b|\bG\d{1,2}\s?P\d{1,4}\b/,
      // Excludes TAB as short for tablet.
      new RegExp(
        String.raw`\b[TS]AB\b(?<!(?:\d|\b(?:${beforeTablet}))\s?[TS]AB)\s?` +
          String.raw`(?:x\s?\d|(?:in\s)?(?:19|20)\d\d\b(?!-))`,
      ),
      /\bD\s?&\s?C\b(?!\s(?:red|yellow|blue|green|orange|violet|no)\b)/i,
      // Excludes "plan B" if it means another plan.
      new RegExp(
        String.raw`\b(?:took|taken|takes|taking|used|using|given|received|requests?|dispensed) plan b\b(?!:)|` +
          String.raw`\bplan b (?:was )?(?:taken|given|pill|one[\s-]step|otc|yesterday|(?:in )?20\d\d|x\s?\d)`,
        'i',
      ),
    ],
    source,
    review,
  },
  {
    category: 'sexual and reproductive health',
    patterns: [/gender[\s-](affirm|confirm|incongruen|transition|reassign)|\btrans(gender|sexual)/i],
    source,
    review,
  },
  {
    category: 'sexually transmitted disease',
    patterns: [
      /syphilis|gonorrh|chlamydia|sexually transmitted|venereal|trichomon|genital (herpes|wart)|sexual health/i,
      /\b(RPR|VDRL)\b|\bGC\/CT\b/,
    ],
    source,
    review,
  },
  {
    category: 'violence and abuse',
    patterns: [
      // excludes abuse-deterrent formulations
      /\babuse\b(?![\s-]?deterr)|domestic violence|intimate partner|sexual(ly)? (assault|abuse)|\brape\b|molest/i,
      /\bHARK\b/,
      /victim of|human trafficking|\bSANE exam/i,
    ],
    source,
    review,
  },
];
