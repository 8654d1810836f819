import type { PlaceWords } from '../../src/core/answers/knowledge.ts';

const gives =
  String.raw`(?:giv(?:e|es|en|ing)|administ\w+|inject\w*|infus\w+|dos(?:e|es|ed|ing)|treat(?:ment|ments|ed)?|shots?|` +
  'tak(?:e|es|en)|appl(?:y|ied)|used?)';

// Activities at a place other than giving the drug.
const besides =
  String.raw`(?:train\w*|teach\w*|taught|educat\w*|instruct\w*|counsel\w*|demonstrat\w*|review\w*|adjust\w*|` +
  String.raw`titrat\w*|chang\w*|check\w*|monitor\w*|follow\w*|visits?|labs?|call\w*|seen|test\w*|draw\w*)`;

const noun =
  '(?:home|house|residence|office|clinic|practice|hospital|hospice|facility|department|school|ward|' +
  'pharmacy|cent(?:er|re)|(?:infusion|dialysis|treatment|day|care|outpatient|oncology) ' +
  '(?:room|suite|unit|chair))';
const notBeside =
  String.raw`(?!\s*\/|\s+(?:of|hours|stock|glucose|blood|bp|monitor\w*|med(?:s|ications?)|oxygen|phone|supply|` +
  'delivery))';
const joints = '(?:then|and|to|from|by|after|before|for|with|see|call|visit|follow)';
const at = String.raw`[\s,(]+(?:in|at|inside|within)\s+(?:(?!${joints}\b)[\w'’.-]+\s+){0,4}?${noun}\b${notBeside}`;

export const places: PlaceWords = {
  stated: [
    new RegExp(String.raw`\b${gives}\b(?:[\s,]+(?!${besides}\b)[\w'’.-]+){0,6}?${at}`, 'i'),
    new RegExp(String.raw`\bself[- ]?(?:inject|admin|infus)\w*(?! ${besides}\b)`, 'i'),
    new RegExp(
      String.raw`\b(?:(?:at|in)[- ])?(?:home|office|clinic|hospital|facility)[- ](?:administ\w+|infus\w+|inject\w+|` +
        String.raw`given)\b(?! (?:${besides}|pharmacy|company|provider|agency|orders?|coverage|set|pump)\b)`,
      'i',
    ),
    new RegExp(
      String.raw`\b(?:home health|home care|clinic|office|hospital|facility|` +
        String.raw`infusion (?:center|suite|clinic))(?: \w+)? ` +
        '(?:to|will) (?:give|administer|infuse|inject)\\b',
      'i',
    ),
    /\bfor (?:home|office|clinic|in-office|in-clinic|at-home) (?:use|administration|infusion|injection)\b/i,
    new RegExp(String.raw`\b${gives} by (?:an? |the )?(?:visiting|home(?: (?:health|care|infusion))?) nurses?\b`, 'i'),
    /\b(?:site of care|(?:place|location) of (?:administration|service|care|infusion))\b\s*[:=-]?\s*\w/i,
    /\bPOS\b\s*(?:code\s*)?[:#=]?\s*\d\d\b/,
  ],
  doubted: new RegExp(
    String.raw`\?|n['’]t\b|\b(?:if|may|might|could|can|cannot|would|maybe|perhaps|possibl[ey]|probabl[ey]|likely|` +
      'either|or|unless|until|once (?:approved|able|stable)|when (?:able|possible|approved)|' +
      String.raw`prefer\w*|want\w*|wish\w*|request\w*|` +
      String.raw`consider\w*|discuss\w*|plan\w*|hop(?:e|es|ing)|options?|optional|eligible|able|unable|willing|` +
      String.raw`tbd|to be determined|unknown|unclear|unsure|pending|not|no|never|without|refus\w*|declin\w*|` +
      String.raw`instead|rather|vs|versus|learn\w*|taught|trained|comfortable)\b`,
    'i',
  ),
  earlier: new RegExp(
    String.raw`\b(?:was|were|had|has been|have been|previous\w*|prior|last|earlier|former\w*|history|used to|` +
      String.raw`received|so far)\b|\b\d{1,2}\/\d{1,2}\b|\b20\d\d\b`,
    'i',
  ),
  ofOthers: new RegExp(
    String.raw`\b(?:samples?|prescriptions?|scripts?|rx|handouts?|information|literature|coupons?|vouchers?|cards?|` +
      String.raw`consent\w*|containers?|forms?|kits?|advice|advised|referr\w*|deliver\w*|ship\w*|mail\w*|` +
      String.raw`pick(?:ed)? up|premedicat\w*|vaccin\w*|immuniz\w*)\b`,
    'i',
  ),
  // These words are removed first: "To be given at home by mother after teaching" does state a place.
  training: /\bafter (?:[\w-]+ ){0,3}(?:training|teaching|education|instruction)\b/gi,
  source:
    'words for the places of the CMS place of service code set (office, home, school, hospital outpatient, ' +
    'infusion at home or in a center, nursing facility), compiled from general knowledge; not reviewed',
  review: 'none',
};
