import { expect, test } from 'vitest';
import { hasSecrets, maskedText, piecesOf } from '../../../src/cases/rounds/secrets.ts';

const shown = (text: string, name = 'text') => maskedText({ name, text }, '•••');

test.each([
  ['Log in with password: hunter2 and answer.', 'Log in with password: ••• and answer.'],
  ['Password swordfish', 'Password •••'],
  ['Your PIN is 4821.', 'Your PIN is •••.'],
  ['Access key: ABCD-1234', 'Access key: •••'],
  ['Key ZQ77-CANARY for the portal', 'Key ••• for the portal'],
  ['Use code 993 214 on the website.', 'Use code ••• ••• on the website.'],
  ['User ID: jdoe Password: Tr0ub4dor&3', 'User ID: ••• Password: •••'],
  ['passcode\nQWERTY', 'passcode\n•••'],
  ['pass\u00adword: canary', 'password: •••'],
  ['4821 is your PIN', '••• is your PIN'],
  ['Open https://payer.example/r?case=7&token=abc to answer', 'Open https://payer.example/r?••• to answer'],
  ['https://nurse:pw@payer.example/form', 'https://•••@payer.example/form'],
  ['https://payer.example/s/8f3kd93kd93kd9/start', 'https://payer.example/s/•••/start'],
])('is shown without its credentials: %s', (text, masked) => {
  expect(shown(text)).toBe(masked);
});

test.each([
  'Please send the ICD-10 code M06.9 and the CPT code 96372.',
  'Which drugs were tried? Please send chart notes of the last 6 months.',
  'The password for the portal will be sent to you.',
  'What was the key finding of the last visit?',
  'See https://payer.example/criteria/adalimumab for the criteria.',
  'Call 555-0100 before 5 pm.',
])('is shown whole: %s', (text) => {
  expect(shown(text)).toBe(text);
});

test.each(['password', 'portalPassword', 'access_code', 'PIN', 'user_name', 'api_key'])(
  'a field that is named %s is a credential as a whole',
  (name) => {
    expect(shown('anything at all', name)).toBe('•••');
  },
);

test.each(['diagnosis_code', 'zip_code', 'message', 'subject', 'reason_code'])(
  'a field that is named %s is none',
  (name) => {
    expect(shown('M06.9', name)).toBe('M06.9');
  },
);

test('the pieces of a text are the text', () => {
  const text = 'User ID: jdoe Password: x1! See https://a.example/?k=1';
  expect(
    piecesOf({ name: 'text', text })
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
  expect(hasSecrets([{ name: 'text', text }])).toBe(true);
  expect(hasSecrets([{ name: 'text', text: 'Please send notes.' }])).toBe(false);
});

test('a long text is read in the time that it takes to read it', () => {
  const text = `${'7'.repeat(200_000)} ${'code '.repeat(20_000)}${' '.repeat(50_000)}`;
  const start = performance.now();
  expect(piecesOf({ name: 'text', text }).length).toBeGreaterThan(0);
  expect(performance.now() - start).toBeLessThan(5000);
});
