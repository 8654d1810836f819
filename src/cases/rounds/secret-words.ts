/**
 * Words that label a credential, as parts of case-insensitive regular expressions. Add a new word here, and to the test
 * next to the others of its kind.
 */

/** What may separate the parts of a word: line breaks in a scan, underscores in a form. */
const gap = '[\\s_-]{0,3}';

/** Whatever follows these words is a credential. */
export const strongWords = [
  `pass${gap}(?:words?|codes?|phrases?|wd)`,
  'pwd?|p/w|otp',
  `(?:access|security|portal|verification|confirmation|reference|entry|fax|web|one${gap}time|api|login)${gap}` +
    '(?:codes?|keys?|tokens?)',
  `(?:your|my|the|a|access|security|portal|login|numeric|digit|secret)${gap}pins?`,
  `pins?${gap}(?:codes?|numbers?|no\\.)`,
  'p\\.i\\.n\\.',
  `user${gap}(?:names?|ids?)`,
  `log${gap}[io]n${gap}(?:names?|ids?)`,
  `(?:security|secret)${gap}(?:answers?|words?|phrases?)`,
  `code${gap}words?`,
].join('|');

/** After these words, a text is a credential only if it looks like one, or follows a colon or `is`. */
export const weakWords =
  'codes?|keys?|tokens?|secrets?|pins?|credentials?|' +
  `log${gap}(?:ins?|ons?)|sign${gap}(?:ins?|ons?)|(?:portal|web|session|entry)${gap}ids?`;

/** These words label a credential only directly before a colon: `Access: QX-4471`. */
export const accessWords = 'access|user|pass';

/** These words before `code`, `key` and the like show that the value is not an access code. */
export const codedThings =
  'icd(?:[ -]?\\d+)?(?:[ -]?(?:cm|pcs))?|cpt|hcpcs?|ndc|gpi|j|rxnorm|snomed|loinc|ms[ -]?drg|drg|' +
  'diagnos[ei]s|diagnostic|billing|procedure|drug|medication|product|service|treatment|revenue|modifier|zip|' +
  'postal|area|country|state|reason|' +
  'detail|place|pos|denial|deny|reject(?:ion)?|error|message|result|response|edit|claim|taxonomy|specialty|provider|' +
  'pharmacy|group|plan|benefit|dx|status|daw|override|condition|qualifier|full|bar|color|answer|building';

/** A field is sensitive if its name, without punctuation, contains one of these. */
export const fieldNames = [
  ...['password', 'passcode', 'passphrase', 'passwd', 'secret', 'token', 'credential', 'accesscode', 'accesskey'],
  ...['securitycode', 'apikey', 'username', 'userid', 'loginid', 'loginname', 'onetimecode'],
];
/** A field is sensitive if its name has one of these as a whole word. */
export const fieldWords = ['pin', 'key', 'code', 'pwd', 'pw', 'pass', 'otp', 'login', 'logon', 'auth'];

/** Words that may follow a label such as `password` and are not passwords. */
export const plainWords: ReadonlySet<string> = new Set(
  (
    'a about after an and any are as at attached before below blank box button by can case change changed clinical ' +
    'criteria does enclosed enter entered expired expires field fields findings first for form from has have ' +
    'if in information instructions into is issued it its line link listed local login may must na n/a needed ' +
    'next no none not of on one only or our page please portal protected provided questions required requirements ' +
    'reset screen see send sent set shall should site sites so that the their them then there they this to up upon ' +
    'used via was we website were when where which will with without you your'
  ).split(' '),
);
