import { describe, expect, test } from 'vitest';
import { CreatePriorAuthRequest } from '../../src/core/contract/documented.ts';
import { CreateEnrollmentRequest } from '../../src/core/contract/enrollment.ts';
import { DetailError, Envelope, WebhookEvent } from '../../src/core/contract/envelope.ts';
import { withoutNulls } from '../../src/core/contract/open-contract.ts';
import { CancelRequest } from '../../src/core/contract/parts.ts';
import { PriorAuthorization } from '../../src/core/contract/prior-authorization.ts';
import { enrollmentBody, priorAuthBody } from './sample.ts';

const problemsOf = (body: unknown) =>
  CreatePriorAuthRequest.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('what we send', () => {
  test('a complete body passes unchanged', () => {
    expect(CreatePriorAuthRequest.parse(priorAuthBody())).toEqual(priorAuthBody());
  });

  test('a misspelt key is a mistake of ours, at any depth', () => {
    const body = priorAuthBody();
    expect(problemsOf({ ...body, diagnosis: [] })).toEqual(['']);
    expect(problemsOf({ ...body, patient: { ...body.patient, firstname: 'X' } })).toEqual(['patient']);
    expect(problemsOf({ ...body, insurance_content: { ...body.insurance_content, rxbin: '1' } })).toEqual([
      'insurance_content',
    ]);
  });

  test.each(['first_name', 'last_name', 'internal_id', 'date_of_birth', 'gender', 'address'] as const)(
    'patient.%s blocks when missing',
    (key) => {
      const { [key]: _, ...patient } = priorAuthBody().patient;
      expect(problemsOf({ ...priorAuthBody(), patient })).toEqual([`patient.${key}`]);
    },
  );

  test.each([
    'drug_name',
    'strength',
    'dose_form',
    'route_of_administration',
    'quantity',
    'directions',
    'dispense_unit',
  ] as const)('prescription.%s blocks when missing', (key) => {
    const { [key]: _, ...prescription } = priorAuthBody().prescription;
    expect(problemsOf({ ...priorAuthBody(), prescription })).toEqual([`prescription.${key}`]);
  });

  test('null and "" are not values', () => {
    const body = priorAuthBody();
    expect(problemsOf({ ...body, patient: { ...body.patient, phone: null, first_name: ' ' } })).toEqual([
      'patient.first_name',
      'patient.phone',
    ]);
  });

  test('a birth date must be a full day that exists', () => {
    const withBirth = (date_of_birth: string) =>
      problemsOf({ ...priorAuthBody(), patient: { ...priorAuthBody().patient, date_of_birth } });
    expect(withBirth('2024-02-29')).toEqual([]);
    for (const wrong of ['1971', '1971-02', '2023-02-29', '02/28/1971'])
      expect(withBirth(wrong)).toEqual(['patient.date_of_birth']);
  });

  test('either a member number or a card image is needed', () => {
    const { insurance_content: _, ...uninsured } = priorAuthBody();
    expect(problemsOf(uninsured)).toEqual(['insurance_content.member_number']);
    expect(problemsOf({ ...uninsured, insurance: [] })).toEqual(['insurance_content.member_number']);
    expect(problemsOf({ ...uninsured, insurance: [{ file_content: 'iVBORw0KGgo=' }] })).toEqual([]);
    expect(problemsOf({ ...uninsured, insurance: [{ file_content: 'data:image/png;base64,iVBORw0KGgo=' }] })).toEqual([
      'insurance.0.file_content',
    ]);
  });

  test('diagnoses are ICD-10-CM codes with their dot, at least one', () => {
    const withCode = (code: string) => problemsOf(priorAuthBody('x', { diagnoses: [{ code }] }));
    for (const code of ['I10', 'M05.79', 'E11.9', 'M1A.0110', 'S72.001A', 'U07.1', 'Z3A.20'])
      expect(withCode(code)).toEqual([]);
    for (const code of ['m05.79', 'M0579', '714.0', '69896004', 'M05.', 'RA'])
      expect(withCode(code)).toEqual(['diagnoses.0.code']);
    expect(problemsOf(priorAuthBody('x', { diagnoses: [] }))).toEqual(['diagnoses']);
  });

  test('V17: an RxBIN has six digits, and is left out rather than sent in another way', () => {
    const withBin = (rx_bin: string) =>
      problemsOf(priorAuthBody('x', { insurance_content: { member_number: '1', rx_bin } }));
    for (const right of ['610014', '004336']) expect(withBin(right)).toEqual([]);
    for (const wrong of ['61001', '6100144', 'BIN001', '610 014', '６１００１４'])
      expect(withBin(wrong)).toEqual(['insurance_content.rx_bin']);
    const enrolled = { ...enrollmentBody().patient, insurance_details: { data: { rx_bin: 'BIN001' } } };
    const { error } = CreateEnrollmentRequest.safeParse({ ...enrollmentBody(), patient: enrolled });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['patient.insurance_details.data.rx_bin']);
  });

  test('V17: a number with a wrong check digit is no NPI', () => {
    const withNpi = (npi: string) =>
      problemsOf(priorAuthBody('x', { provider: { first_name: 'Ada', last_name: 'Muster', npi } }));
    expect(withNpi('1234567893')).toEqual([]);
    for (const wrong of ['1234567890', '123456789', '12345678933']) expect(withNpi(wrong)).toEqual(['provider.npi']);
  });

  test('a strength is a number with its unit, in both requests', () => {
    const withStrength = (strength: string) =>
      problemsOf(priorAuthBody('x', { prescription: { ...priorAuthBody().prescription, strength } }));
    const withDosage = (dosage: string) => {
      const prescription = { drug_name: 'Xeljanz', dosage, directions: 'Once daily' };
      const { error } = CreateEnrollmentRequest.safeParse({ ...enrollmentBody(), prescription });
      return error?.issues.map(({ path }) => path.join('.')) ?? [];
    };
    for (const right of ['5 MG', '50 MG/ML', '0.05 %', '10-325 mg', '1,000 units', '5 µg', '100 [iU]/mL'])
      expect([withStrength(right), withDosage(right)]).toEqual([[], []]);
    for (const wrong of ['banana', '10', '10 - 20', 'mg', 'mg 10'])
      expect([withStrength(wrong), withDosage(wrong)]).toEqual([['prescription.strength'], ['prescription.dosage']]);
  });

  test('a quantity is above zero', () => {
    const withQuantity = (quantity: unknown) =>
      problemsOf({ ...priorAuthBody(), prescription: { ...priorAuthBody().prescription, quantity } });
    expect(withQuantity(0.5)).toEqual([]);
    for (const wrong of [0, -1, 'ten', '']) expect(withQuantity(wrong)).toEqual(['prescription.quantity']);
  });

  test('an address in the US has a ZIP code; another country’s is not judged', () => {
    const { address } = priorAuthBody().patient;
    const withZip = (zip_postal_code: string, country = 'USA') =>
      problemsOf({
        ...priorAuthBody(),
        patient: { ...priorAuthBody().patient, address: { ...address, zip_postal_code, country } },
      });
    for (const right of ['62701', '62701-1234', '627011234', '00501']) expect(withZip(right)).toEqual([]);
    for (const wrong of ['ABC', '6270', '62701-12', '6270112345'])
      expect(withZip(wrong)).toEqual(['patient.address.zip_postal_code']);
    expect(withZip('K1A 0B1', 'Canada')).toEqual([]);
  });

  describe('[E12] one look asks for the country and what will be wrong with it', () => {
    const { country: _, ...address } = priorAuthBody().patient.address;
    const wrongWith = (parts: object) =>
      problemsOf({
        ...priorAuthBody(),
        patient: { ...priorAuthBody().patient, address: { ...address, ...parts } },
      });

    test.each([
      ['a state that is none, with a ZIP code', { state_province: 'XX', zip_postal_code: '62701' }, ['state_province']],
      ['a ZIP code that is none, with a state', { state_province: 'IL', zip_postal_code: 'ABC' }, ['zip_postal_code']],
      ['both right', { state_province: 'IL', zip_postal_code: '62701-1234' }, []],
      ['an address of Canada', { state_province: 'ON', zip_postal_code: 'K1A 0B1' }, []],
      ['an address of Britain', { state_province: 'Greater London', zip_postal_code: 'SW1A 1AA' }, []],
    ])('%s', (_name, parts, more) => {
      expect(wrongWith(parts).sort()).toEqual(['country', ...more].map((part) => `patient.address.${part}`));
    });

    test('a prescriber’s address, which needs no country, is not judged', () => {
      const { provider } = priorAuthBody();
      const { country: _country, ...rest } = provider.address ?? {};
      const body = { ...priorAuthBody(), provider: { ...provider, address: { ...rest, state_province: 'XX' } } };
      expect(problemsOf(body)).toEqual([]);
    });
  });

  test('a wrong ZIP code is named beside what else an address lacks', () => {
    const { street: _, ...address } = priorAuthBody().patient.address;
    const patient = { ...priorAuthBody().patient, address: { ...address, zip_postal_code: 'ABC', country: 'USA' } };
    expect(problemsOf({ ...priorAuthBody(), patient })).toEqual([
      'patient.address.street',
      'patient.address.zip_postal_code',
    ]);
  });

  test('datetimes of all four styles are sent as the strings they are', () => {
    for (const prescription_date of [
      '2026-10-05T00:00:00.000000',
      '2026-10-05T00:00:00',
      '2026-10-05T00:00:00Z',
      '2026-10-05T00:00:00.5-06:00',
    ]) {
      const body = { ...priorAuthBody(), prescription: { ...priorAuthBody().prescription, prescription_date } };
      expect(CreatePriorAuthRequest.parse(body).prescription.prescription_date).toBe(prescription_date);
    }
    expect(
      problemsOf({
        ...priorAuthBody(),
        prescription: { ...priorAuthBody().prescription, prescription_date: '2026-10-05' },
      }),
    ).toEqual(['prescription.prescription_date']);
  });

  test('an enrollment needs program and patient; everything else is optional', () => {
    expect(CreateEnrollmentRequest.parse(enrollmentBody())).toEqual(enrollmentBody());
    const wrong = CreateEnrollmentRequest.safeParse({ patient: { ...enrollmentBody().patient, gender: 'female' } });
    expect(wrong.error?.issues.map(({ path }) => path.join('.')).sort()).toEqual(['patient', 'programId']);
  });

  test('a cancellation has a reason', () => {
    expect(CancelRequest.safeParse({ cancellation_reason: '' }).success).toBe(false);
  });
});

describe('what we read', () => {
  const record = (more: Record<string, unknown> = {}) =>
    PriorAuthorization.parse(withoutNulls({ id: 'pa_1', status: 'processing', ...more }));

  test('id and status are enough', () => {
    expect(record()).toEqual({ id: 'pa_1', status: 'processing' });
    expect(PriorAuthorization.safeParse({ id: 'pa_1' }).success).toBe(false);
    expect(PriorAuthorization.safeParse({ id: '', status: 'processing' }).success).toBe(false);
  });

  test('unknown fields, statuses, codes and activity types survive', () => {
    const unknown = {
      status: 'awaiting_moon_phase',
      prescription_transfer: { state: 'x' },
      outcome: { result: 'Partly', detail_code: 'half', weight: 2 },
      activity_log: [{ id: 'a1', created_at: '2026-02-14T02:01:02', type: 'carrier_pigeon', details: { loft: 3 } }],
    };
    expect(record(unknown)).toMatchObject(unknown);
  });

  test('absent and null are the same', () => {
    const read = record({
      patient: { phone: null, first_name: 'A' },
      outcome: { result: 'Pending', detail: null, detail_code: null },
      url: null,
    });
    expect(read).toEqual({
      id: 'pa_1',
      status: 'processing',
      patient: { first_name: 'A' },
      outcome: { result: 'Pending' },
    });
  });

  test.each(['2024-02-14T05:46:07.764000', '2024-02-14T02:01:02', '2024-01-15T10:30:00Z', '2026-10-23T12:00:00+02:00'])(
    'the datetime %s keeps its string',
    (created_at) => {
      expect(record({ activity_log: [{ id: 'a', created_at }] }).activity_log?.[0]?.created_at).toBe(created_at);
    },
  );

  test('one field of an odd form does not hide the record', () => {
    const read = record({
      prescription: { quantity: '2', drug_name: 'X' },
      outcome: 'Approved',
      activity_log: [{ note: 'no id' }, { id: 'a', created_at: 't' }],
      insurance: {},
    });
    expect(read.prescription?.quantity).toBeUndefined();
    expect(read.prescription?.drug_name).toBe('X');
    expect(read.outcome).toBeUndefined();
    expect(read.activity_log).toMatchObject([{ id: 'a' }]);
    expect(read.insurance).toBeUndefined();
  });

  test('keys of the prototype have no effect', () => {
    const read = record(
      JSON.parse(
        '{"__proto__": {"polluted": true}, "patient": {"__proto__": {"polluted": true}, "constructor": ' +
          '{"prototype": {"polluted": true}}}}',
      ),
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(read, 'polluted')).toBeUndefined();
    expect(Reflect.get(read.patient ?? {}, 'polluted')).toBeUndefined();
  });

  test('both error bodies and the envelope are read', () => {
    expect(Envelope.parse({ status: 'error', data: null, error: { code: 'x', title: 'T' } })).toMatchObject({
      status: 'error',
      error: { code: 'x' },
    });
    expect(Envelope.parse({ data: { id: '1' } })).toMatchObject({ status: 'success', data: { id: '1' } });
    expect(DetailError.safeParse({ detail: 'text' }).success).toBe(true);
    expect(
      DetailError.safeParse({ detail: [{ loc: ['body', 'patient', 0], msg: 'm', type: 'missing' }] }).success,
    ).toBe(true);
    expect(DetailError.safeParse({ status: 'success' }).success).toBe(false);
  });

  test('a webhook of another kind is still an event', () => {
    expect(
      WebhookEvent.parse({ event_type: 'prior_authorization.provider_outreach_change', data: { attempt: 1 } }),
    ).toMatchObject({ data: { attempt: 1 } });
    expect(WebhookEvent.parse({ event_type: 'x', data: null }).data).toBeUndefined();
    expect(WebhookEvent.safeParse({ data: {} }).success).toBe(false);
  });
});
