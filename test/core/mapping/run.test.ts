import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BridgeError } from '../../../src/core/errors.ts';
import type { Question } from '../../../src/core/mapping/input.ts';
import type { Edits, Gap } from '../../../src/core/mapping/result.ts';
import { describeMapping } from '../../../src/core/mapping/review/describe-mapping.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { defineMapping, overlay } from '../../../src/core/mapping/words/define.ts';
import {
  type Agrees,
  concat,
  each,
  following,
  from,
  omit,
  type Transform,
} from '../../../src/core/mapping/words/rules.ts';
import { diagnoses, diagnosisNode, number, order, patient, Request, sample, sampleInput } from './sample.ts';

const whole = {
  patient: {
    last_name: 'Birke',
    birth_date: '1971-02-03',
    gender: 'not_specified',
    address: { city: 'Lakeside', country: 'US' },
  },
  quantity: 30,
  diagnoses: [{ code: 'K50.90' }],
  pharmacy: { name: 'Corner Pharmacy', country: 'US' },
  extra: { rxnorm: '1', channel: 'bridge' },
  phone: '555-0100',
};

function provenanceOf(target: string, parts = {}, edits = {}) {
  return runMapping(sample, sampleInput(parts), { edits }).provenance.find((entry) => entry.target === target);
}

function gapsOf(parts = {}, edits = {}) {
  return runMapping(sample, sampleInput(parts), { edits }).gaps.map(
    ({ target, severity, reason }) => `${target} ${severity} ${reason}`,
  );
}

// What a gap says is made when it is read.
function plain(gaps: readonly Gap[]): Gap[] {
  return JSON.parse(JSON.stringify(gaps));
}

describe('a complete chart', () => {
  test('becomes a body that the schema accepts', () => {
    const result = runMapping(sample, sampleInput());
    expect(result).toMatchObject({ status: 'complete', body: whole, gaps: [] });
    expect(result.status === 'complete' && result.body).toEqual(whole);
  });

  test('has one provenance for every leaf, and none else', () => {
    expect(runMapping(sample, sampleInput()).provenance.map((entry) => entry.target)).toEqual([
      'patient.last_name',
      'patient.birth_date',
      'patient.gender',
      'patient.address.city',
      'patient.address.country',
      'quantity',
      'diagnoses[0].code',
      'pharmacy.name',
      'pharmacy.country',
      'extra.rxnorm',
      'extra.channel',
      'phone',
    ]);
  });

  test('gives the same result every time', () => {
    expect(runMapping(sample, sampleInput())).toEqual(runMapping(sample, sampleInput()));
  });
});

describe('provenance', () => {
  test('of a chart value names resource, version, indexed path, expression, rule and what was not taken', () => {
    expect(provenanceOf('phone')).toEqual({
      target: 'phone',
      kind: 'chart',
      rule: 'sample',
      expression: "%patient.telecom.where(system = 'phone').value",
      source: { resource: 'Patient/p1', version: '2', path: 'Patient.telecom[0].value' },
      others: 1,
    });
  });

  test('of a part that chart/ chose begins at that part and carries the reason of the choice', () => {
    expect(provenanceOf('patient.last_name')).toMatchObject({
      source: { resource: 'Patient/p1', version: '2', path: 'Patient.name[0].family' },
      note: 'the current name',
    });
  });

  test('of a value whose meaning changed is derived, with the reason', () => {
    expect(provenanceOf('patient.gender')).toMatchObject({
      kind: 'derived',
      transform: 'gender',
      note: 'unknown in the chart',
    });
  });

  test('of a value through a reference is that of the resource it points to', () => {
    expect(provenanceOf('pharmacy.name')).toMatchObject({
      kind: 'chart',
      source: { resource: 'Organization/o1', path: 'Organization.name' },
    });
  });

  test('of a value inside something made of a resource as a whole is that resource', () => {
    const made = {
      nodes: [
        { value: { family: 'Birke' }, source: { resource: 'Patient/p1', path: 'Patient' }, whole: true as const },
      ],
    };
    expect(provenanceOf('patient.last_name', { name: made })).toMatchObject({
      source: { resource: 'Patient/p1', path: 'Patient' },
    });
  });

  test('of a site value and of a constant have no source', () => {
    expect(provenanceOf('patient.address.country')).toEqual({
      target: 'patient.address.country',
      kind: 'site',
      rule: 'sample',
      expression: '%site.country',
    });
    expect(provenanceOf('extra.channel')).toEqual({
      target: 'extra.channel',
      kind: 'constant',
      rule: 'sample',
      note: 'tells who sends',
    });
  });

  test('of an answer that a person gave is entered', () => {
    expect(
      provenanceOf('diagnoses[0].code', { diagnosis: { kind: 'entered', nodes: [{ value: diagnoses.crohn }] } }),
    ).toMatchObject({ kind: 'entered' });
  });
});

describe('sources in order', () => {
  test('the chart’s country wins over the site’s', () => {
    expect(
      provenanceOf('patient.address.country', {
        patient: { ...patient, address: [{ city: 'Lakeside', country: 'CA' }] },
      }),
    ).toMatchObject({ kind: 'chart' });
  });

  test('a later source answers when an earlier one has nothing, or nothing that its transform takes', () => {
    const first = {
      ...order,
      dispenseRequest: { quantity: { value: 'thirty' }, initialFill: { quantity: { value: 4 } } },
    };
    expect(provenanceOf('quantity', { order: first })).toMatchObject({
      expression: '%order.dispenseRequest.initialFill.quantity.value',
    });
  });

  test('a blank text is no value', () => {
    expect(
      provenanceOf('phone', {
        patient: {
          ...patient,
          telecom: [
            { system: 'phone', value: ' ' },
            { system: 'phone', value: '555-0101' },
          ],
        },
      }),
    ).toMatchObject({ source: { path: 'Patient.telecom[1].value' } });
  });
});

describe('gaps', () => {
  test('a missing leaf says how far every look got', () => {
    const result = runMapping(
      sample,
      sampleInput({ order: { ...order, dispenseRequest: { quantity: { unit: 'tablet' } } } }),
    );
    expect(result.status).toBe('incomplete');
    expect(plain(result.gaps)[0]).toEqual({
      target: 'quantity',
      severity: 'blocks',
      reason: 'missing',
      message: 'Quantity is missing.',
      looks: [
        {
          expression: '%order.dispenseRequest.quantity.value',
          steps: [
            { step: 'MedicationRequest', items: 1 },
            { step: 'dispenseRequest', items: 1 },
            { step: 'quantity', items: 1 },
            { step: 'value', items: 0 },
          ],
        },
        {
          expression: '%order.dispenseRequest.initialFill.quantity.value',
          steps: [
            { step: 'MedicationRequest', items: 1 },
            { step: 'dispenseRequest', items: 1 },
            { step: 'initialFill', items: 0 },
          ],
        },
      ],
    });
  });

  test('a required part that is missing is named leaf by leaf', () => {
    expect(gapsOf({ patient: { ...patient, address: [] } })).toEqual(['patient.address.city blocks missing']);
    expect(gapsOf({ patient: { ...patient, address: [] }, site: {}, organization: null })).toEqual([
      'patient.address.city blocks missing',
      'patient.address.country blocks missing',
    ]);
  });

  test('an optional part of which only defaults are known is left out and is no gap', () => {
    const result = runMapping(sample, sampleInput({ organization: null }));
    expect(result.status === 'complete' && result.body.pharmacy).toBeUndefined();
    expect(result.gaps).toEqual([]);
  });

  test('an optional part that is partly known asks for the rest', () => {
    expect(gapsOf({ site: {}, patient: { ...patient, address: [{ city: 'Lakeside', country: 'US' }] } })).toEqual([
      'pharmacy.country blocks missing',
    ]);
  });

  test('a value that the schema refuses is invalid and stays in the draft, and the message does not say it', () => {
    const result = runMapping(sample, sampleInput({ patient: { ...patient, birthDate: '1971-02' } }));
    expect(plain(result.gaps)).toEqual([
      {
        target: 'patient.birth_date',
        severity: 'blocks',
        reason: 'invalid',
        message: 'Patient: birth date: a full date (YYYY-MM-DD) is expected.',
        looks: [],
      },
    ]);
    expect(result.status === 'incomplete' && result.draft.patient?.birth_date).toBe('1971-02');
  });

  test('a required value that no transform takes is uncertain, with the refusal', () => {
    const result = runMapping(
      sample,
      sampleInput({ order: { ...order, dispenseRequest: { quantity: { value: '30' } } } }),
    );
    expect(result.gaps[0]).toMatchObject({
      target: 'quantity',
      severity: 'blocks',
      reason: 'uncertain',
      why: 'not_positive',
      message: 'Quantity: a number above zero is needed. Enter it.',
      looks: [
        {
          refused: [
            {
              why: 'not_positive',
              value: '30',
              source: { resource: 'MedicationRequest/r1', path: 'MedicationRequest.dispenseRequest.quantity.value' },
            },
          ],
        },
        {},
      ],
    });
  });

  test('an optional value that no transform takes warns, so that it does not vanish silently', () => {
    expect(gapsOf({ patient: { ...patient, gender: 'divers' } })).toEqual(['patient.gender warns uncertain']);
  });

  test('a value masked by data-absent-reason says so', () => {
    const masked = {
      ...patient,
      birthDate: undefined,
      _birthDate: {
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'masked' }],
      },
    };
    expect(runMapping(sample, sampleInput({ patient: masked })).gaps[0]).toMatchObject({
      target: 'patient.birth_date',
      reason: 'uncertain',
      why: 'masked',
      looks: [{ refused: [{ why: 'masked' }] }],
    });
  });

  test('an empty list points at the list and shows what its items lacked', () => {
    const result = runMapping(sample, sampleInput({ diagnosis: { nodes: [diagnosisNode(diagnoses.snomedOnly)] } }));
    expect(plain(result.gaps)).toEqual([
      {
        target: 'diagnoses',
        severity: 'blocks',
        reason: 'missing',
        message: 'Diagnoses are missing.',
        looks: [
          { expression: '%diagnosis', steps: [{ step: '%diagnosis', items: 1 }] },
          {
            expression: 'coding.where(system = %icd10).code',
            steps: [
              { step: 'coding', items: 1 },
              { step: 'where(system = %icd10)', items: 0 },
            ],
          },
        ],
      },
    ]);
  });

  test('entries of a list that could not be used are counted', () => {
    const result = runMapping(
      sample,
      sampleInput({
        diagnosis: { nodes: [diagnosisNode(diagnoses.snomedOnly), diagnosisNode(diagnoses.crohn, 'k2')] },
      }),
    );
    expect(result.status === 'complete' && result.body.diagnoses).toEqual([{ code: 'K50.90' }]);
    expect(result.gaps).toMatchObject([
      {
        target: 'diagnoses',
        severity: 'warns',
        reason: 'uncertain',
        message: 'Diagnoses: 1 of 2 entries found could not be used.',
      },
    ]);
  });

  test('an invalid item of a list points into the list', () => {
    expect(
      gapsOf({
        diagnosis: {
          nodes: [
            diagnosisNode(diagnoses.crohn),
            diagnosisNode({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: '555.9' }] }),
          ],
        },
      }),
    ).toEqual(['diagnoses[1].code blocks invalid']);
  });

  test('when nothing was chosen for a role, the search for it is shown', () => {
    const search = [{ expression: 'Condition', steps: [{ step: 'of the order', items: 0 }] }];
    expect(runMapping(sample, sampleInput({ diagnosis: { nodes: [], looks: search } })).gaps[0]?.looks).toEqual([
      { expression: '%diagnosis', steps: [{ step: '%diagnosis', items: 0 }] },
      ...search,
    ]);
  });

  test('advice on an absent leaf is missing, on a present one advice; both only warn', () => {
    expect(gapsOf({ patient: { ...patient, telecom: [] } })).toEqual(['phone warns missing']);
  });

  test('data that an expression cannot be answered on is a gap, not an exception', () => {
    const mapping = defineMapping('strict', Request.pick({ phone: true }).required(), {
      phone: from("%patient.name.given.startsWith('A')"),
    });
    const result = runMapping(mapping, sampleInput({ patient: { ...patient, name: [{ given: ['A', 'B'] }] } }));
    expect(result.gaps).toMatchObject([
      {
        target: 'phone',
        reason: 'uncertain',
        why: 'several_values',
        looks: [{ refused: [{ words: '2 items where one is expected' }] }],
      },
    ]);
  });
});

describe('proposals and questions', () => {
  const proposed = {
    kind: 'proposed' as const,
    nodes: [
      diagnosisNode(diagnoses.crohn),
      diagnosisNode({ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'K51.00' }] }, 'k2'),
    ],
  };

  test('proposed values are in the draft and block once until a person confirms', () => {
    const result = runMapping(sample, sampleInput({ diagnosis: proposed }));
    expect(result).toMatchObject({
      status: 'incomplete',
      draft: { diagnoses: [{ code: 'K50.90' }, { code: 'K51.00' }] },
      gaps: [{ target: 'diagnoses', severity: 'blocks', reason: 'unconfirmed' }],
    });
    expect(result.provenance.filter((entry) => entry.kind === 'proposed').map((entry) => entry.target)).toEqual([
      'diagnoses[0].code',
      'diagnoses[1].code',
    ]);
  });

  test('edits that cover every proposed leaf confirm', () => {
    expect(gapsOf({ diagnosis: proposed }, { 'diagnoses[0].code': 'K50.90' })).toEqual([
      'diagnoses blocks unconfirmed',
    ]);
    expect(gapsOf({ diagnosis: proposed }, { 'diagnoses[0].code': 'K50.90', 'diagnoses[1].code': null })).toEqual([]);
    expect(gapsOf({ diagnosis: proposed }, { diagnoses: [{ code: 'K50.90' }] })).toEqual([]);
  });

  test('a question is a gap until an edit fills its target', () => {
    const question = {
      role: 'diagnosis',
      severity: 'blocks' as const,
      reason: 'choice' as const,
      message: 'Which one?',
      looks: [],
      options: [{ value: 'K50.90', label: 'Crohn' }],
    };
    const input = sampleInput({ diagnosis: { nodes: [] }, questions: [question] });
    const asked = runMapping(sample, input);
    expect(asked.gaps).toMatchObject([
      {
        target: 'diagnoses',
        reason: 'choice',
        message: 'Which one?',
        options: [{ value: 'K50.90' }],
        looks: [{ expression: '%diagnosis' }],
      },
    ]);
    expect(runMapping(sample, input, { edits: { 'diagnoses[0].code': 'K50.90' } })).toMatchObject({
      status: 'complete',
      gaps: [],
    });
    expect(runMapping(sample, input, { edits: { 'diagnoses[0].code': '' } }).gaps).toHaveLength(1);
  });
});

test('several questions about one place all stay', () => {
  const about = (message: string) => ({
    role: 'diagnosis',
    severity: 'blocks' as const,
    reason: 'choice' as const,
    message,
    looks: [],
  });
  const result = runMapping(
    sample,
    sampleInput({ diagnosis: { nodes: [] }, questions: [about('First?'), about('Second?')] }),
  );
  expect(result.gaps.map((gap) => gap.message)).toEqual(['First?', 'Second?']);
});

describe('edits', () => {
  test('an edit wins over the chart, keeps what it replaced, and is validated', () => {
    expect(provenanceOf('phone', {}, { phone: '555-0199' })).toEqual({
      target: 'phone',
      kind: 'entered',
      rule: 'sample',
      replaces: '555-0100',
    });
    expect(gapsOf({}, { 'patient.birth_date': '3 Feb' })).toEqual(['patient.birth_date blocks invalid']);
  });

  test.each([
    ['phone', undefined],
    ['patient.gender', 'derived'],
    ['patient.address.country', 'site'],
    ['extra.channel', 'constant'],
  ] as const)(
    'an edit of %s says of which kind the value was that it replaces, unless the chart had it: %s',
    (target, kind) => {
      expect(provenanceOf(target, {}, { [target]: 'female' })?.replacedKind).toBe(kind);
    },
  );

  test('what a person clears says so as well', () => {
    const { provenance } = runMapping(sample, sampleInput(), { edits: { 'patient.address.country': null } });
    expect(provenance.find(({ target }) => target === 'patient.address.country')).toEqual({
      ...{ target: 'patient.address.country', kind: 'entered', rule: 'sample' },
      ...{ replaces: 'US', replacedKind: 'site', note: 'cleared by a person' },
    });
  });

  test('null and blank clear, and the provenance keeps what was there', () => {
    const result = runMapping(sample, sampleInput(), { edits: { phone: null, quantity: ' ' } });
    expect(result).toMatchObject({
      status: 'incomplete',
      gaps: [
        { target: 'quantity', reason: 'missing' },
        { target: 'phone', severity: 'warns' },
      ],
    });
    expect(result.provenance.filter((entry) => entry.kind === 'entered')).toEqual([
      { target: 'phone', kind: 'entered', rule: 'sample', replaces: '555-0100', note: 'cleared by a person' },
      { target: 'quantity', kind: 'entered', rule: 'sample', replaces: 30, note: 'cleared by a person' },
    ]);
  });

  test('the text of a form becomes a number where one is wanted, and stays text when it is none', () => {
    expect(runMapping(sample, sampleInput(), { edits: { quantity: '12.5' } })).toMatchObject({
      status: 'complete',
      body: { quantity: 12.5 },
    });
    expect(gapsOf({}, { quantity: 'a dozen' })).toEqual(['quantity blocks invalid']);
  });

  test('what a person wrote in another kind than the field takes is told by the kind that it takes', () => {
    const told = (edits: Record<string, string>) =>
      runMapping(sample, sampleInput(), { edits }).gaps.map(({ message }) => message);
    expect(told({ quantity: 'a dozen' })).toEqual(['Quantity: a number is expected.']);
    expect(told({ 'diagnoses[0].rank': '1.5' })).toEqual(['Diagnoses: 1 rank: a whole number is expected.']);
    expect(told({ is_test: 'perhaps' })).toEqual(['Is test: yes or no is expected.']);
  });

  test('lists are addressed by the index of the rules: change, add, remove', () => {
    const edits = { 'diagnoses[0].code': null, 'diagnoses[2].code': 'K51.00' };
    const result = runMapping(sample, sampleInput(), { edits });
    expect(result.status === 'complete' && result.body.diagnoses).toEqual([{ code: 'K51.00' }]);
    expect(result.provenance.find((entry) => entry.target === 'diagnoses[0].code')).toEqual({
      target: 'diagnoses[0].code',
      kind: 'entered',
      rule: 'sample',
    });
  });

  test('an edit of another kind than the field gives a draft and a gap, never a failure', () => {
    for (const entered of [{}, { code: 'K50.90' }, 'K50.90', 7, [null]])
      expect(runMapping(sample, sampleInput(), { edits: { diagnoses: entered } }).status).toBe('incomplete');
  });

  test('a whole part can be entered, also one that the mapping omits', () => {
    const result = runMapping(sample, sampleInput({ organization: null }), {
      edits: { pharmacy: { name: 'Other', country: 'US' }, is_test: true },
    });
    expect(result.status === 'complete' && [result.body.pharmacy, result.body.is_test]).toEqual([
      { name: 'Other', country: 'US' },
      true,
    ]);
  });

  test('a field that the target does not have is refused by the schema, a text that is no field by the bridge', () => {
    expect(gapsOf({}, { 'patient.shoe_size': '9' })).toEqual(['patient.shoe_size blocks invalid']);
    for (const target of ['', '[0]', 'a..b', '__proto__.x', 'patient.constructor', 'x[99999]', 'a b'])
      expect(() => runMapping(sample, sampleInput(), { edits: { [target]: 'x' } })).toThrow(BridgeError);
  });
});

test('a leaf that a blocking question is about stays empty until an edit answers it', () => {
  const question = {
    role: 'patient',
    part: 'telecom',
    severity: 'blocks' as const,
    reason: 'choice' as const,
    message: 'Which one?',
    looks: [],
  };
  const input = sampleInput({ questions: [question] });
  const asked = runMapping(sample, input);
  expect(asked.status === 'incomplete' && asked.draft.phone).toBeUndefined();
  expect(asked.provenance.map(({ target }) => target)).not.toContain('phone');
  expect(runMapping(sample, input, { edits: { phone: '555-0101' } })).toMatchObject({
    status: 'complete',
    body: { phone: '555-0101' },
    gaps: [],
  });
  const onlyTold = runMapping(sample, sampleInput({ questions: [{ ...question, severity: 'warns' }] }));
  expect(onlyTold).toMatchObject({
    status: 'complete',
    body: { phone: '555-0100' },
    gaps: [{ target: 'phone', severity: 'warns' }],
  });
});

describe('a leaf that follows others', () => {
  const Drug = z.strictObject({ name: z.string(), form: z.string().optional(), code: z.string().optional() });
  const coding = '%order.medication.ofType(CodeableConcept).coding';
  const silent: Agrees = { name: 'silent', sentence: 'sent only where it says the same', call: () => undefined };
  const mapping = defineMapping('drug', Drug, {
    name: from("'Humira'"),
    form: from('%order.form'),
    code: following({ targets: ['name', 'form'], agrees: silent }, from(`${coding}.code`)),
  });
  const run = (edits: Edits) => runMapping(mapping, sampleInput(), { edits });

  test('is sent while nobody changed those, in whatever spelling they stand', () => {
    expect(run({})).toMatchObject({ body: { name: 'Humira', code: '1' } });
    expect(run({ name: ' humira' })).toMatchObject({ body: { name: 'humira', code: '1' } });
  });

  test('is left out when a person changed one, and the provenance says what and why', () => {
    const result = run({ name: 'Hyrimoz' });
    expect(result).toMatchObject({ status: 'complete', body: { name: 'Hyrimoz' } });
    expect(result.status === 'complete' && result.body).not.toHaveProperty('code');
    expect(result.provenance.find(({ target }) => target === 'code')).toEqual({
      target: 'code',
      kind: 'entered',
      rule: 'drug',
      replaces: '1',
      note: 'left out, since a person changed name',
    });
  });

  test('is sent when a person only added what the chart did not say, or entered it with its own value', () => {
    expect(run({ form: 'pen' })).toMatchObject({ body: { form: 'pen', code: '1' } });
    expect(run({ name: 'Hyrimoz', code: '2' })).toMatchObject({ body: { name: 'Hyrimoz', code: '2' } });
  });

  test('is left out when it says something else than what a person entered, whatever the chart said', () => {
    const says = (answer: boolean | undefined) =>
      defineMapping('drug', Drug, {
        name: from('%patient.telecom.value'),
        form: from('%order.form'),
        code: following({ targets: ['name'], agrees: { ...silent, call: () => answer } }, from(`${coding}.code`)),
      });
    const code = (answer: boolean | undefined, questions: readonly Question[] = []) => {
      const result = runMapping(says(answer), sampleInput({ questions }), { edits: { name: '555-0100' } });
      return result.status === 'complete' ? result.body.code : 'incomplete';
    };
    const asked: Question = {
      role: 'patient',
      part: 'telecom',
      severity: 'blocks',
      reason: 'choice',
      message: 'Which one?',
      looks: [],
    };
    expect([true, undefined, false].map((answer) => code(answer))).toEqual(['1', '1', undefined]);
    expect([true, undefined, false].map((answer) => code(answer, [asked]))).toEqual(['1', undefined, undefined]);
  });

  test('cannot follow what has no rule', () => {
    expect(() =>
      defineMapping('wrong', Drug, {
        name: from("'x'"),
        form: omit('none'),
        code: following({ targets: ['shape'], agrees: silent }, from("'1'")),
      }),
    ).toThrow(BridgeError);
  });

  test('tells so in the table of the mapping', () => {
    expect(describeMapping(mapping).find(({ to }) => to === 'code')?.reason).toBe(
      'beside what a person entered for name, form: sent only where it says the same (silent)',
    );
  });
});

describe('what is sent is clean', () => {
  const Note = z.strictObject({ title: z.string(), content: z.record(z.string(), z.unknown()).optional() });
  const whole: Transform<Record<string, unknown>> = {
    name: 'whole',
    apply: (value) => ({ value: value as Record<string, unknown> }),
  };
  const mapping = defineMapping('note', Note, {
    title: from('%patient.name.text'),
    content: from(whole, '%patient.contact'),
  });
  const run = (text: string, contact?: object, edits = {}) =>
    runMapping(mapping, sampleInput({ patient: { name: [{ text }], contact } }), { edits });

  test('of the chart: nothing unseen, no blank around it, line breaks stay', () => {
    expect(run('Fen\u200bwick\u0000 \r\n\u202eAda ')).toMatchObject({ body: { title: 'Fenwick\nAda' } });
  });

  test('inside a whole value too', () => {
    const contact = { lines: ['a\u0000b', { text: ' c ' }], count: 2 };
    expect(run('Ada', contact)).toMatchObject({ body: { content: { lines: ['ab', { text: 'c' }], count: 2 } } });
  });

  test('of a person: what cannot be seen is no entry', () => {
    expect(run('Ada', undefined, { title: 'Gr\u00ad\u200face ' })).toMatchObject({ body: { title: 'Grace' } });
    expect(run('Ada', undefined, { title: '\u200b \u0000' }).gaps).toMatchObject([{ target: 'title' }]);
  });

  test('so that a text of nothing visible is none', () => {
    expect(run('\u200b\u0000').gaps).toMatchObject([{ target: 'title', reason: 'missing' }]);
  });
});

describe('lists of values and of several sources', () => {
  const Letter = z.strictObject({
    lines: z.array(z.strictObject({ title: z.string(), code: z.string().optional() })).optional(),
    names: z.array(z.number()).optional(),
  });
  const mapping = defineMapping('letter', Letter, {
    lines: concat(
      each('%diagnosis.coding', { title: from('code'), code: from('code') }),
      each('%patient.telecom', { title: from('value'), code: omit('a number has none') }),
    ),
    names: each('%patient.telecom', from(number, 'rank')),
  });

  test('concat() gives the items of its lists one after the other, each with its own source', () => {
    const result = runMapping(mapping, sampleInput());
    expect(result).toMatchObject({
      status: 'complete',
      body: { lines: [{ title: 'K50.90', code: 'K50.90' }, { title: '555-0100' }, { title: '555-0101' }] },
    });
    expect(result.provenance.map(({ target, source }) => `${target} ${source?.path}`)).toEqual([
      'lines[0].title Condition.code.coding[0].code',
      'lines[0].code Condition.code.coding[0].code',
      'lines[1].title Patient.telecom[0].value',
      'lines[2].title Patient.telecom[1].value',
    ]);
  });

  test('a list of single values holds those that could be used and counts the others', () => {
    const telecom = [{ rank: 2 }, { rank: 'first' }, { value: '555-0100' }];
    const result = runMapping(mapping, sampleInput({ patient: { ...patient, telecom } }));
    expect(result).toMatchObject({ status: 'complete', body: { names: [2] } });
    expect(result.gaps.find(({ target }) => target === 'names')).toMatchObject({
      severity: 'warns',
      message: 'Names: 2 of 3 entries found could not be used.',
    });
  });

  test('an edit inside an item keeps the rules of the list that the item is of', () => {
    const result = runMapping(mapping, sampleInput(), {
      edits: { 'lines[1].title': '555-0199', 'lines[0].code': null },
    });
    expect(result).toMatchObject({
      body: { lines: [{ title: 'K50.90' }, { title: '555-0199' }, { title: '555-0101' }] },
    });
    expect(result.provenance.find(({ target }) => target === 'lines[1].title')).toMatchObject({ replaces: '555-0100' });
  });
});

test('a role that nobody filled is a mistake in the mapping, not missing data', () => {
  const mapping = defineMapping('wrong', Request.pick({ phone: true }), { phone: from('%nobody.telecom') });
  expect(() => runMapping(mapping, sampleInput())).toThrow('there is no such role');
});

describe('the order of the rules', () => {
  const schema = z.strictObject({ a: z.string().optional(), b: z.strictObject({ c: z.string(), d: z.string() }) });
  const written = defineMapping('written', schema, {
    b: { d: from("'3'"), c: from("'2'") },
    a: omit('not sent'),
  });
  const chart = sampleInput();

  test('is no matter: a body has its keys in the order of its contract', () => {
    expect(JSON.stringify(runMapping(written, chart))).toContain('"body":{"b":{"c":"2","d":"3"}}');
  });

  test('nor is that of an overlay', () => {
    const changed = overlay(written, 'changed', { a: from("'1'") });
    expect(JSON.stringify(runMapping(changed, chart))).toContain('"body":{"a":"1","b":{"c":"2","d":"3"}}');
  });
});
