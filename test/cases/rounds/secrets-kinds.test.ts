import { expect, test } from 'vitest';
import { maskedText } from '../../../src/cases/rounds/secrets.ts';
import { createRandom, type Random } from '../../torture/random.ts';

// Credentials in free words, generated: each kind of word with each way to write what it names.

const shown = (text: string, name = 'text') => maskedText({ name, text }, '•••');

const named = [
  ...['password', 'pass word', 'pass-\nword', 'passcode', 'pass code', 'access code', 'access\ncode', 'access key'],
  ...['portal password', 'PIN', 'your PIN', 'PIN code', 'P.I.N.', 'security code', 'verification code', 'key'],
  ...['code', 'one-time code', 'confirmation code', 'reference key', 'reference login', 'entry code', 'fax key'],
  ...['user name', 'username', 'User ID', 'login', 'log-in', 'logon', 'login ID', 'token', 'access token', 'secret'],
  ...['API key', 'OTP', 'pwd', 'PW', 'credentials', 'passphrase', 'secret word', 'code word', 'security answer'],
];
const marks = [
  ...[
    ': ',
    ':',
    ' : ',
    ' = ',
    '=',
    ' - ',
    ' – ',
    ' — ',
    ' -> ',
    ' → ',
    ' is ',
    ' is: ',
    ' # ',
    ':\n',
    ':\n\n   ',
    '\t: ',
  ],
  ...[' | ', ' ........ : ', ' (case sensitive): ', ' for the portal is ', ' to answer this request: ', ': "', ' is “'],
  ...['</td><td>: ', '** : ', '": "', ' will be ', '： ', ' » '],
];
const cases = [
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
];
const letters = 'abcdefghkmnpqrstuvwxyz';
const values: readonly ((random: Random) => string)[] = [
  (random) => String(random.between(100_000, 999_999)),
  (random) => `${random.pick(['BX', 'QZ', 'KV'])}${random.between(10, 99)}${random.pick(['RT', 'MN'])}`,
  (random) => `${random.pick(['AB', 'CD'])}-${random.between(1000, 9999)}-${random.pick(['XY', 'ZQ'])}`,
  (random) => `${word(random, 6)}${random.between(1, 99)}!`,
  (random) => `${word(random, 5)}#${word(random, 3)}`,
  (random) => word(random, 9),
];
const before = ['', 'Please answer soon. ', 'To reply, open the portal.\n', 'Ms. Hartsfield takes 40 mg daily; '];
const behind = ['', '.', ' and answer by Dec 3, 2026.', '\nThank you.', '; call 217-555-0133.', ')', ', then send'];

// `the key - see below`: after such a word, and without a colon or a verb, any word could follow.
function isSure(name: string, mark: string): boolean {
  return (
    !['PIN', 'key', 'code', 'login', 'log-in', 'logon', 'reference login', 'token', 'secret', 'credentials'].includes(
      name,
    ) || /[:=#|→»>]|\bis\b|will be/.test(mark)
  );
}

function word(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick([...letters])).join('');
}

test('after every word for a credential, however it is written, what it names is not shown', () => {
  const random = createRandom(29);
  for (const name of named)
    for (const mark of marks)
      for (const make of isSure(name, mark) ? values : values.slice(0, -1)) {
        const value = make(random);
        const quote = /["“]$/.test(mark) ? '"' : '';
        const text = `${random.pick(before)}${random.pick(cases)(name)}${mark}${value}${quote}${random.pick(behind)}`;
        expect(shown(text), text).not.toContain(value);
      }
});

test('before the word that names it, a credential is not shown', () => {
  const random = createRandom(30);
  const ways = [
    (value: string, name: string) => `${value} is your ${name}.`,
    (value: string, name: string) => `Use ${value} as the ${name}.`,
    (value: string, name: string) => `Enter ${value} when you are asked for the ${name}.`,
    (value: string, name: string) => `“${value}” (${name})`,
    (value: string, name: string) => `${value} = ${name}`,
  ];
  for (const name of ['PIN', 'password', 'access code', 'passcode', 'Portal Key', 'login', 'CODE'])
    for (const way of ways)
      for (const make of values.slice(0, 4)) {
        const value = make(random);
        const text = way(value.replace('!', ''), name);
        expect(shown(text), text).not.toContain(value.replace('!', ''));
      }
});

test('in every column below such a word a table shows no credential, and the others as they are', () => {
  const random = createRandom(31);
  const rows = (cells: readonly (readonly string[])[], between: string) => cells.map((one) => one.join(between));
  for (const between of [' | ', '\t', '     '])
    for (const heading of ['Password', 'ACCESS CODE', 'PIN', 'User ID', 'Portal key'])
      for (const make of values) {
        const [one, other] = [make(random), make(random)];
        const cells = [
          ['Patient', heading, 'Drug'],
          ['Hartsfield', one, 'omalizumab 150 mg'],
          ['Lindholm', other, 'rimegepant 75 mg'],
        ];
        const text = ['Log in as follows', ...rows(cells, between), '', 'Thank you.'].join('\n');
        const masked = shown(text);
        expect(masked, text).not.toContain(one);
        expect(masked, text).not.toContain(other);
        expect(masked).toContain('omalizumab 150 mg');
        expect(masked).toContain('Lindholm');
      }
});

test.each([
  ['payer.example/reply?case=4711&token=QX77', 'payer.example/reply?•••'],
  ['HTTPS://PAYER.EXAMPLE/R?ID=QX77.', 'HTTPS://PAYER.EXAMPLE/R?•••'],
  ['https://payer.example/reply?case=\nQX77AB and so on', 'https://payer.example/reply?••• and so on'],
  ['https://nurse:p/w@payer.example/a', 'https://•••@payer.example/a'],
  ['https://payer.example/k/q7w8e9r0/form', 'https://payer.example/k/•••/form'],
  ['www.payer.example/#QX77', 'www.payer.example/#•••'],
  ['Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc', 'Authorization: Bearer •••'],
  ['Log in as jdoe-17 to answer.', 'Log in as ••• to answer.'],
  ['Login/password: jdoe / swordfish', 'Login/password: ••• / •••'],
  ['Password "blue sky 42" opens it', 'Password "•••" opens it'],
  ['Passphrase: correct horse battery staple', 'Passphrase: •••'],
  ['Access: QX-4471', 'Access: •••'],
  ['Use the PIN we mailed: 7731.', 'Use the PIN we mailed: •••.'],
  ['Web ID 88121 / PW Sunny!Day1', 'Web ID ••• / PW •••'],
  ['Key:BX7Q9K2M Last name: Loper', 'Key:••• Last name: Loper'],
  ['PIN 4 8 2 1, then #', 'PIN ••• ••• ••• •••, then #'],
  ['{"user":"jdoe","password":"hunter2"}', '{"user":"•••","password":"•••"}'],
])('is shown without its credentials: %s', (text, masked) => {
  expect(shown(text)).toBe(masked);
});

test.each([
  ...['passWord', 'pass_word', 'PIN1', 'oneTimeCode', 'loginId', 'reference key', 'Access Code', 'webLogin'],
  ...['confirmation-code', 'API-Key', 'accesscode', 'clientSecret'],
])('a field that is named %s is a credential', (name) => {
  expect(shown('anything', name)).toBe('•••');
});

test.each([
  'icd10Code',
  'ndc_code',
  'case_number',
  'reference_number',
  'phone',
  'dose',
  'denial-code',
  'placeOfService',
])('a field that is named %s is none', (name) => {
  expect(shown('M06.9', name)).toBe('M06.9');
});

const facts = [
  ...[
    'ICD-10 code M06.9',
    'ICD-10-CM codes M06.9, L40.50 and K50.90',
    'diagnosis code E66.01',
    'code L40.50 (psoriasis)',
  ],
  ...[
    'NDC 0074-0554-02',
    'NDC code 00074055402',
    'CPT code 96372',
    'HCPCS code J0135',
    'J code: J1745',
    'J-code J1745',
  ],
  ...['case number 4711-22', 'Case #: PA-123456', 'reference number 88-1204', 'Ref. no. 7781', 'case ID: 20261121'],
  ...['confirmation number 5512', 'authorization number A-551', 'member ID W1234567', 'group number 0042'],
  ...['call 217-555-0133', 'fax (217) 555-0144', 'phone: 1-800-555-0199', 'area code 217', 'ZIP code 62701'],
  ...['by Dec 3, 2026', 'on 11/21/2026', 'since 2026-11-01', 'last visit 03/04/2026'],
  ...['40 mg every 14 days', '150 mg/mL', '2.5 mg twice daily', 'HbA1c 9.1 %', 'PASI 12', 'DAS28 5.1', '75 mg tablets'],
  ...['RxBIN 610020, PCN ADV, group RX1234', 'denial code 75', 'reject code: 70', 'place of service code 11'],
];
const sentences = [
  (fact: string) => `Please send chart notes about ${fact}.`,
  (fact: string) => `${fact}\nPlease answer.`,
  (fact: string) => `We need the following: ${fact}; thank you.`,
  (fact: string) => `Is this right? ${fact}`,
  (fact: string) => `| Item | Value |\n| needed | ${fact} |`,
];

test('codes of diseases and drugs, numbers of cases, phones, dates and doses are shown in any sentence', () => {
  for (const fact of facts)
    for (const sentence of sentences)
      for (const text of [sentence(fact), sentence(fact).toUpperCase()]) expect(shown(text), text).toBe(text);
});

test.each([
  `Dear Dr. Loper,

We have received your prior authorization request for Humira (adalimumab) 40 mg/0.4 mL, NDC 0074-0554-02, for
diagnosis code M06.9. Reference number: 2026-118842. Member ID: W123456789. Case ID 4417-22.

To complete our review we need, by 12/03/2026:
1. Chart notes of the last 6 months, with DAS28 and CRP (date and value).
2. Which DMARDs were tried, from when to when, and the reason each was stopped.
3. The billing code (J0135 or CPT 96372) and the place of service code.

Fax to (217) 555-0144 or call 1-800-555-0199, option 2. Key findings may be summarized in a letter.`,
  `PRIOR AUTHORIZATION: ADDITIONAL INFORMATION REQUESTED
Patient: Imogen Hartsfield    DOB: 03/14/1985    Case number: PA-4711
Drug: omalizumab 150 mg    ICD-10 code: L50.1    Quantity: 2 per 28 days
Please confirm the dose of the antihistamine, e.g. cetirizine 10 mg, and how long it was taken (weeks).
The codes M06.9 and L50.1 are both on the form. Which one is the primary diagnosis code?
Do not send passwords or other personal data by fax. A password for the portal is not required.
Sign in to the portal to see your message, or login at https://payer.example/policies/omalizumab-policy-2026.
The PIN site infection of May 2026 is not in question.`,
  `Hello, this is the pharmacy benefit manager. Your patient takes rimegepant 75 mg. Reject code 75, message code 7X.
Was a triptan tried? Key criteria: two triptans, at least 30 days each. How many headache days a month, before and
now? Our phone is 555-0100; the login page is not available today. Codes J1745 and 96413 do not apply.`,
])('an ordinary letter of a payer is shown whole: %#', (letter) => {
  expect(shown(letter)).toBe(letter);
});
