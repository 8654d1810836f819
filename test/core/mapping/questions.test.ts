import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compilePath } from '../../../src/core/fhirpath/compile.ts';
import type { Question, Roles } from '../../../src/core/mapping/input.ts';
import type { Plan } from '../../../src/core/mapping/plan/plan.ts';
import { placeOfQuestion } from '../../../src/core/mapping/plan/question-places.ts';
import { readsOf } from '../../../src/core/mapping/plan/reads.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { isWithin } from '../../../src/core/mapping/target.ts';
import { defineMapping, type Mapping, overlay } from '../../../src/core/mapping/words/define.ts';
import { constant, each, from, omit } from '../../../src/core/mapping/words/rules.ts';

/** Which role is read to fill which, as a table of roles would say it. */
const reads: Readonly<Record<string, readonly string[]>> = {
  order: [],
  patient: [],
  name: ['patient'],
  address: ['patient'],
  contact: ['patient'],
  recordNumber: ['patient'],
  medication: ['order'],
  drug: ['medication', 'order'],
  supply: ['order'],
  dose: ['order'],
  directions: ['dose'],
  prescriberRole: ['order'],
  prescriber: ['order', 'prescriberRole'],
  prescriberName: ['prescriber'],
  prescriberNpi: ['prescriber'],
  coverage: ['patient', 'order'],
  payer: ['coverage'],
  memberNumber: ['coverage'],
  diagnosis: ['order'],
  programId: [],
  site: [],
  submission: [],
};
const strengths = [{ part: 'strength', severity: 'blocks' as const }];

function rolesOf(questions: Readonly<Record<string, ReturnType<Roles['questions']>>> = {}): Roles {
  const dependsOn = (role: string): Set<string> =>
    new Set([role, ...(reads[role] ?? []).flatMap((other) => [...dependsOn(other)])]);
  return {
    names: Object.keys(reads),
    has: (role) => Object.hasOwn(reads, role),
    dependsOn,
    questions: (role) => questions[role] ?? [],
  };
}

const text = z.string().optional();
const address = z.strictObject({ street: text, city: text, country: text }).optional();
const place = (role: string) => ({
  street: from(`%${role}.line[0]`),
  city: from(`%${role}.city`),
  country: from(`%${role}.country`, '%site.country'),
});

const PriorAuth = z.strictObject({
  diagnoses: z.array(z.strictObject({ code: z.string() })).optional(),
  patient: z.strictObject({
    first_name: text,
    last_name: text,
    internal_id: text,
    date_of_birth: text,
    phone: text,
    kind: text,
    address,
  }),
  insurance_content: z
    .strictObject({ member_number: text, payer_name: text, rx_bin: text, client_name: text })
    .optional(),
  prescription: z.strictObject({
    drug_name: text,
    strength: text,
    quantity: text,
    unit: text,
    directions: text,
    written: text,
    extra: z.strictObject({ rxnorm: text, submission_id: text }).optional(),
  }),
  provider: z.strictObject({ first_name: text, last_name: text, npi: text, fax: text }),
  priority: text,
});

const priorAuth = defineMapping(
  'prior-auth',
  PriorAuth,
  {
    diagnoses: each('%diagnosis', { code: from('coding.where(system = %icd10).code') }),
    patient: {
      first_name: from('%name.given.first()'),
      last_name: from('%name.family'),
      internal_id: from('%recordNumber.value'),
      date_of_birth: from('%patient.birthDate'),
      phone: from("%contact.where(system = 'phone').value"),
      kind: constant('person', 'there is no other'),
      address: place('address'),
    },
    insurance_content: {
      member_number: from('%memberNumber.value'),
      payer_name: from('%payer.name', '%coverage.payor.display'),
      rx_bin: from("%coverage.class.where(type.coding.exists(code = 'rxbin')).value"),
      client_name: omit('not known'),
    },
    prescription: {
      drug_name: from('%drug.name'),
      strength: from('%drug.strength'),
      quantity: from('%supply.quantity.value'),
      unit: from('%supply.quantity'),
      directions: from('%directions.text'),
      written: from('%order.authoredOn'),
      extra: { rxnorm: from('%drug.rxnorm'), submission_id: from('%submission.id') },
    },
    provider: {
      first_name: from('%prescriberName.given.first()'),
      last_name: from('%prescriberName.family'),
      npi: from('%prescriberNpi.value'),
      fax: from("%prescriber.telecom.where(system = 'fax').value", '%site.fax'),
    },
    priority: omit('a person chooses it'),
  },
  { roles: rolesOf({ drug: strengths }) },
);

const Enrollment = z.strictObject({
  programId: text,
  patient: z.strictObject({
    last_name: text,
    date_of_birth: text,
    address,
    insurance_details: z
      .strictObject({ data: z.strictObject({ payer: text, number: text }).optional(), assets: text })
      .optional(),
  }),
  prescription: z.strictObject({ drug_name: text, dosage: text, directions: text }).optional(),
});

const enrollment = defineMapping(
  'enrollment',
  Enrollment,
  {
    programId: from('%programId'),
    patient: {
      last_name: from('%name.family'),
      date_of_birth: from('%patient.birthDate'),
      address: place('address'),
      insurance_details: {
        data: { payer: from('%payer.name'), number: from('%memberNumber.value') },
        assets: omit('no patient file is published'),
      },
    },
    prescription: {
      drug_name: from('%drug.name'),
      dosage: from('%drug.strength'),
      directions: from('%directions.text'),
    },
  },
  { roles: rolesOf({ drug: strengths }) },
);

function targetOf<T>(mapping: Mapping<T>, role: string, part?: string): string | undefined {
  return mapping.questionPlace(part === undefined ? { role } : { role, part })?.target;
}

describe('what an expression reads of roles', () => {
  const read = (expression: string) =>
    readsOf(compilePath(expression).tree).map(({ role, members }) => [role, ...members].join('.'));

  test('is the members under the role, without filters, indexes and types', () => {
    expect(read('%name.given.first()')).toEqual(['name.given']);
    expect(read('%order.medication.ofType(CodeableConcept).text')).toEqual(['order.medication.text']);
    expect(read('%address.line[0]')).toEqual(['address.line']);
  });

  test('holds what filters look at, of the filtered element and of other roles', () => {
    expect(read("%coverage.class.where(type.coding.exists(code = 'rxbin')).value")).toEqual([
      'coverage.class.type.coding.code',
      'coverage.class.type.coding',
      'coverage.class.value',
    ]);
    expect(read('%patient.identifier.where(system = %site.mrnSystem).value')).toEqual([
      'patient.identifier.system',
      'site.mrnSystem',
      'patient.identifier.value',
    ]);
  });

  test('ends at a reference: what it points to is no part of the role', () => {
    expect(read('%coverage.policyHolder.resolve().name')).toEqual(['coverage.policyHolder']);
  });

  test('knows no system URI as a role', () => {
    expect(read('%drug.coding.where(system = %rxnorm).code')).toEqual(['drug.coding.system', 'drug.coding.code']);
  });
});

describe('a question of a role stands', () => {
  test('at the one leaf that reads it', () => {
    expect(targetOf(priorAuth, 'prescriberNpi')).toBe('provider.npi');
    expect(targetOf(enrollment, 'programId')).toBe('programId');
  });

  test('at the leaf that reads its part, whatever that mapping calls it', () => {
    expect(targetOf(priorAuth, 'drug', 'strength')).toBe('prescription.strength');
    expect(targetOf(enrollment, 'drug', 'strength')).toBe('prescription.dosage');
    expect(targetOf(priorAuth, 'name', 'family')).toBe('patient.last_name');
  });

  test('at the smallest part that holds the leaves that read it', () => {
    expect(targetOf(priorAuth, 'address')).toBe('patient.address');
    expect(targetOf(priorAuth, 'drug')).toBe('prescription');
    expect(targetOf(priorAuth, 'supply', 'quantity')).toBe('prescription');
  });

  test('at the whole part when every leaf of it that is read from the chart depends on the role', () => {
    expect(targetOf(priorAuth, 'order')).toBe('prescription');
    expect(targetOf(priorAuth, 'coverage')).toBe('insurance_content');
    expect(targetOf(priorAuth, 'patient')).toBe('patient');
    expect(targetOf(enrollment, 'patient')).toBe('patient');
  });

  test('where the roles that depend on it are read, when no leaf reads it', () => {
    expect(targetOf(enrollment, 'coverage')).toBe('patient.insurance_details');
    expect(targetOf(enrollment, 'order')).toBe('prescription');
    expect(targetOf(priorAuth, 'prescriberRole')).toBe('provider');
    expect(targetOf(priorAuth, 'medication', 'code')).toBe('prescription');
  });

  test('at a list, never at the leaf of one of its items', () => {
    expect(targetOf(priorAuth, 'diagnosis')).toBe('diagnoses');
    expect(targetOf(priorAuth, 'diagnosis', 'coding')).toBe('diagnoses');
  });

  test('at a leaf that reads around its part, when none reads the part itself', () => {
    expect(targetOf(priorAuth, 'supply', 'quantity.value')).toBe('prescription.quantity');
    expect(targetOf(priorAuth, 'supply', 'quantity.unit')).toBe('prescription.unit');
  });

  test('nowhere, when nothing reads it', () => {
    expect(targetOf(enrollment, 'prescriberNpi')).toBeUndefined();
    expect(targetOf(priorAuth, 'drug', 'release')).toBeUndefined();
  });
});

/** A small generator of its own, so that the charts are the same in every run. */
function dealer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

test('over any body: it holds its readers, and what it holds more than them depends on the role', () => {
  const names = ['a', 'b', 'c', 'd', 'site'];
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const deal = dealer(seed);
    const needs = names.map((_, index) => names.slice(0, index).filter(() => deal(3) === 0));
    const dependsOn = (role: string): Set<string> =>
      new Set([role, ...(needs[names.indexOf(role)] ?? []).flatMap((other) => [...dependsOn(other)])]);
    const targets = Array.from({ length: 3 + deal(6) }, (_, index) =>
      [deal(2), deal(2), index]
        .slice(deal(3))
        .map((key) => `k${key}`)
        .join('.'),
    ).filter(
      (target, index, all) =>
        !all.some((other, at) => at !== index && (isWithin(other, target) || isWithin(target, other))),
    );
    const leaves = targets.map((target) => ({ target, reads: [{ role: names[deal(5)] ?? 'a', members: ['x'] }] }));
    const used = [...new Set(leaves.flatMap((leaf) => leaf.reads.map(({ role }) => role)))];
    const plan = { leaves, roles: used } as unknown as Plan; // where a question goes depends on nothing else
    const role = names[deal(4)] ?? 'a';
    const found = placeOfQuestion(plan, { names, has: () => true, dependsOn, questions: () => [] }, { role });

    const direct = leaves.filter((leaf) => leaf.reads.some((read) => read.role === role));
    const depending = leaves.filter((leaf) => leaf.reads.some((read) => dependsOn(read.role).has(role)));
    const readers = direct.length > 0 ? direct : depending;
    expect(found === undefined).toBe(readers.length === 0);
    if (found === undefined) continue;
    const isInside = ({ target }: { target: string }) => isWithin(target, found.target);
    const tops = new Set(readers.map(({ target }) => target.split('.')[0]));
    expect(tops.size === 1 ? readers.every(isInside) : readers.some(isInside)).toBe(true);
    const around = found.target.split('.').slice(0, -1).join('.');
    const strange = (within: string) =>
      leaves.some(
        (leaf) =>
          isWithin(leaf.target, within) &&
          leaf.reads.every((read) => read.role !== 'site' && !dependsOn(read.role).has(role)),
      );
    if (around !== '') expect(strange(around)).toBe(true);
    const steps = readers.filter(isInside).map(({ target }) => target.slice(found.target.length + 1).split('.')[0]);
    if (new Set(steps).size < 2 && steps[0] !== '') expect(strange(found.target)).toBe(false);
  }
});

describe('a mapping with roles', () => {
  const Drug = z.strictObject({ name: text });
  const define = (severity: 'blocks' | 'warns' = 'blocks') =>
    defineMapping(
      'drug',
      Drug,
      { name: from('%drug.name') },
      {
        roles: rolesOf({ drug: [{ part: 'strength', severity }] }),
      },
    );

  test('is refused when a blocking question has no leaf that takes it, with role and part', () => {
    expect(() => define()).toThrow(
      expect.objectContaining({
        code: 'mapping_invalid',
        facts: expect.objectContaining({ mapping: 'drug', role: 'drug', part: 'strength' }),
      }),
    );
  });

  test('stands when the question only warns', () => {
    expect(define('warns').name).toBe('drug');
  });

  test('cannot be laid over so that a blocking question is lost', () => {
    const lost = () => overlay(priorAuth, 'prior-auth@site', { prescription: { strength: omit('the name says it') } });
    expect(lost).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ role: 'drug', part: 'strength' }) }),
    );
  });

  test('takes the questions of what its roles depend on, though it does not read those itself', () => {
    const roles = rolesOf({ order: [{ severity: 'blocks' }] });
    const mapping = defineMapping('drug', Drug, { name: from('%drug.name') }, { roles });
    expect(targetOf(mapping, 'order')).toBe('name');
  });

  test('is refused when an expression reads a role that does not exist', () => {
    expect(() => defineMapping('drug', Drug, { name: from('%drgu.name') }, { roles: rolesOf() })).toThrow(
      'no such role',
    );
  });
});

describe('a question in a run', () => {
  const order = {
    value: { authoredOn: '2026-01-02' },
    source: { resource: 'MedicationRequest/1', path: 'MedicationRequest' },
  };
  const drug = { value: { name: 'Humira', strength: '40 MG' } };
  const asked = (question: Partial<Question>, edits = {}) =>
    runMapping(
      priorAuth,
      {
        root: (role) => ({ nodes: role === 'order' ? [order] : role === 'drug' ? [drug] : [] }),
        resolve: () => undefined,
        questions: () => [
          { role: 'drug', severity: 'blocks', reason: 'choice', message: 'Which one?', looks: [], ...question },
        ],
      },
      { edits },
    ).gaps.filter(({ message }) => message === 'Which one?');

  test('about a part of a role is answered at its leaf, and the leaf is empty until then', () => {
    expect(asked({ part: 'strength' }).map(({ target }) => target)).toEqual(['prescription.strength']);
    expect(asked({ part: 'strength' }, { 'prescription.strength': '80 MG' })).toEqual([]);
    expect(asked({ part: 'strength' }, { 'prescription.drug_name': 'Humira' })).toHaveLength(1);
  });

  test('about several leaves is answered by one that reads the role, not by another leaf of the same part', () => {
    expect(asked({}).map(({ target }) => target)).toEqual(['prescription']);
    expect(asked({}, { 'prescription.directions': 'daily' })).toHaveLength(1);
    expect(asked({}, { 'prescription.drug_name': 'Humira' })).toEqual([]);
  });

  test('about an order that is none is not put right by an entry in one field of it', () => {
    const none = { role: 'order', reason: 'invalid' as const };
    expect(asked(none, { 'prescription.written': '2026-01-03' })).toHaveLength(1);
    expect(asked(none, { 'prescription.drug_name': 'Humira' })).toHaveLength(1);
  });

  test('about a list is answered by an entry in one of its items', () => {
    const wrong = { role: 'diagnosis', reason: 'invalid' as const };
    expect(asked(wrong)).toHaveLength(1);
    expect(asked(wrong, { 'diagnoses[0].code': 'K50.90' })).toEqual([]);
  });

  test('that no leaf takes is not asked', () => {
    expect(asked({ part: 'release' })).toEqual([]);
  });
});
