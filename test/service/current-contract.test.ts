import { describe, expect, test } from 'vitest';
import { CreateCodedPriorAuthRequest, CreatePriorAuthRequest, MockResult } from '../../src/core/contract/current.ts';
import { CreatePriorAuthRequest as DocumentedRequest } from '../../src/core/contract/documented.ts';
import { contractFor, priorAuthContracts } from '../../src/core/contract/profiles.ts';
import { codedBody, currentBody, priorAuthBody } from './sample.ts';

const problemsOf = (body: unknown, schema = contractFor('current', body)) =>
  schema.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];
const prescription = (changes: object) => ({
  ...currentBody(),
  prescription: { ...currentBody().prescription, ...changes },
});
const pdf = Buffer.from('%PDF-1.7 invented').toString('base64');

describe('the profile current', () => {
  test('takes the drug by its name, or by its NDC', () => {
    expect(CreatePriorAuthRequest.parse(currentBody())).toEqual(currentBody());
    expect(CreateCodedPriorAuthRequest.parse(codedBody())).toEqual(codedBody());
  });

  test('refuses what the interface document alone has, and the other way round', () => {
    expect(problemsOf(priorAuthBody())).toEqual(['prescription', 'provider.address']);
    expect(problemsOf({ ...currentBody(), is_training_data: true })).toEqual(['']);
    expect(problemsOf(currentBody(), contractFor('documented', currentBody()))).toEqual(['prescription.dispense_unit']);
  });

  test.each(['drug_name', 'strength', 'dose_form', 'route_of_administration', 'quantity', 'days_supply'] as const)(
    'prescription.%s blocks when missing',
    (key) => {
      expect(problemsOf(prescription({ [key]: undefined }))).toEqual([`prescription.${key}`]);
    },
  );

  test('a quantity that is not whole, a form or a route off the lists, and a missing date are refused', () => {
    expect(problemsOf(prescription({ quantity: 7.5 }))).toEqual(['prescription.quantity']);
    expect(problemsOf(prescription({ quantity: 0 }))).toEqual(['prescription.quantity']);
    expect(problemsOf(prescription({ dose_form: 'melt' }))).toEqual(['prescription.dose_form']);
    expect(problemsOf(prescription({ route_of_administration: 'by drone' }))).toEqual([
      'prescription.route_of_administration',
    ]);
    expect(problemsOf(prescription({ prescription_date: undefined }))).toEqual(['prescription.prescription_date']);
  });

  test('of the prescriber’s address each part may be missing, not all of it', () => {
    const { address: _, ...provider } = currentBody().provider;
    expect(problemsOf({ ...currentBody(), provider })).toEqual(['provider.address']);
  });

  test.each([
    ['00074-0554-02', true],
    ['00074055402', true],
    ['0074-0554-02', true],
    ['0074055402', false],
    ['adalimumab', false],
  ])('the NDC %s is taken: %j', (ndc, taken) => {
    expect(problemsOf(codedBody(ndc))).toEqual(taken ? [] : ['prescription.ndc']);
  });

  test('an item of evidence is what it says or a PDF, never both and never another file', () => {
    const problems = (item: object) =>
      problemsOf({ ...currentBody(), evidence: [{ title: 'Note', date_created: '2026-11-01T00:00:00', ...item }] });
    expect(problems({ content: { text: 'x' } })).toEqual([]);
    expect(problems({ asset: { file_content: pdf } })).toEqual([]);
    expect(problems({ asset: { file_content: pdf }, content: { text: 'x' } })).toEqual(['evidence.0.content']);
    expect(problems({})).toEqual(['evidence.0.content']);
    expect(problems({ asset: { file_content: Buffer.from('GIF89a').toString('base64') } })).toEqual([
      'evidence.0.asset.file_content',
    ]);
  });

  test('a new request names the earlier one; an appeal has a letter', () => {
    const letter = { title: 'Appeal', date_created: '2026-11-21T00:00:00', asset: { file_content: pdf } };
    expect(
      problemsOf({
        ...currentBody(),
        resubmission_info: { previous_prior_auth_request_id: 'pa_1', note: 'New labs' },
        appeal_details: { appeal_letter: letter, is_urgent: true },
      }),
    ).toEqual([]);
    expect(problemsOf({ ...currentBody(), resubmission_info: { note: 'New labs' } })).toEqual([
      'resubmission_info.previous_prior_auth_request_id',
    ]);
    expect(problemsOf({ ...currentBody(), appeal_details: { is_urgent: true } })).toEqual([
      'appeal_details.appeal_letter',
    ]);
  });

  test.each([
    [2, []],
    [4, ['priority']],
    ['high', ['priority']],
  ])('the priority %j is one of 0 to 3', (priority, problems) => {
    expect(problemsOf({ ...currentBody(), priority })).toEqual(problems);
  });

  test('a mock result is one of four, told apart by its result', () => {
    expect(MockResult.safeParse({ result: 'Not Submitted' }).success).toBe(true);
    expect(MockResult.safeParse({ result: 'Approved', client_code: 'X' }).success).toBe(false);
    expect(MockResult.safeParse({ result: 'approved' }).success).toBe(false);
  });
});

test('each profile has a contract and a mapping of its own for each way to name the drug', () => {
  expect(priorAuthContracts.map(({ profile, prescription: form, mapping }) => [profile, form, mapping])).toEqual([
    ['documented', 'named', 'prior-auth'],
    ['current', 'named', 'prior-auth-current'],
    ['current', 'coded', 'prior-auth-coded'],
  ]);
  expect(contractFor('documented', codedBody())).toBe(DocumentedRequest);
});
