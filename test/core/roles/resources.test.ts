import { describe, expect, test } from 'vitest';
import { advises, follow, given, oneOf, own, when } from '../../../src/core/roles/index.ts';
import type { Given } from '../../../src/core/roles/words.ts';
import { runOf, saidOf } from './filled.ts';

// The resources that a request names, what references lead to, and what no chart holds.

const ordered = (more: object = {}) => ({
  resourceType: 'MedicationRequest',
  id: 'o',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p' },
  medicationCodeableConcept: { text: 'adalimumab' },
  ...more,
});

describe('the resource that the request names', () => {
  const options: Partial<Given> = {
    unless: [oneOf('status', ['active'], 'it is {status}')],
    refused: { severity: 'blocks', reason: 'invalid', message: 'The order cannot be used: {reason}.' },
    asks: [advises(when("intent = 'plan'"), 'It is a plan.')],
    warns: [when("priority = 'stat'", 'It is urgent ({priority}).'), when('note.exists()', 'It has a note.')],
    label: ['medication.text', 'intent'],
  };
  const orderOf = (more: object = {}, changes: Partial<Given> = {}) => {
    const run = runOf({ order: given('MedicationRequest', { ...options, ...changes }) }, [ordered(more)]);
    return { ...saidOf(run, 'order'), refusal: run.refusal('order') };
  };

  test('fills its role, and its warnings are told', () => {
    expect(orderOf({ priority: 'stat' })).toMatchObject({
      nodes: ['MedicationRequest/o MedicationRequest'],
      chosen: 'MedicationRequest/o',
      reason: 'the one that was named',
      candidates: [['MedicationRequest/o', 'adalimumab, order', true, 'the one that was named']],
      questions: [],
      refusal: undefined,
      warnings: ['It is urgent (stat).'],
    });
  });

  test('fills it also where something rules it out, which is asked; then nothing more is told', () => {
    expect(orderOf({ status: 'draft', priority: 'stat', intent: 'plan' })).toMatchObject({
      nodes: ['MedicationRequest/o MedicationRequest'],
      chosen: 'MedicationRequest/o',
      candidates: [['MedicationRequest/o', 'adalimumab, plan', false, 'it is draft']],
      questions: [
        { severity: 'blocks', reason: 'invalid', message: 'The order cannot be used: it is draft.' },
        { severity: 'warns', message: 'It is a plan.' },
      ],
      refusal: 'it is draft',
      warnings: [],
    });
  });

  test('is not asked about where the table asks nothing of what is ruled out', () => {
    const { questions, refusal } = orderOf({ status: 'draft' }, { refused: undefined as never });
    expect({ questions, refusal }).toEqual({ questions: [], refusal: 'it is draft' });
  });

  test('is without a name where none of its labels has words', () => {
    expect(orderOf({}, { label: ['note.text'] }).candidates[0]?.[1]).toBe('without a name');
  });

  test.each([
    ['is not here', { order: 'MedicationRequest/gone' }],
    ['is of another type', { order: 'Patient/p' }],
  ])('is missed where it %s', (_, request) => {
    const run = runOf({ order: given('MedicationRequest', options) }, [], request);
    expect(saidOf(run, 'order')).toMatchObject({
      nodes: [],
      looks: ['MedicationRequest (0)'],
      chosen: undefined,
      questions: [],
      warnings: ['The MedicationRequest resource is not among the resources.'],
    });
  });
});

describe('what a reference leads to', () => {
  const who = (id: string, more: object = {}) => ({ resourceType: 'Practitioner', id, ...more });
  const team = { resourceType: 'Organization', id: 't' };
  const rule = follow('%order.requester', ['Practitioner'], {
    missing: 'The prescriber {reference|who is not named} is not here.',
    warns: [when('active = false', 'The prescriber has left.')],
  });
  const requesterOf = (requester: object | undefined, resources: readonly object[] = [], request: object = {}) =>
    saidOf(runOf({ requester: rule }, [ordered({ requester }), ...resources], request), 'requester');

  test('fills the role, and its warnings are told', () => {
    expect(requesterOf({ reference: 'Practitioner/d' }, [who('d', { active: false })])).toMatchObject({
      nodes: ['Practitioner/d Practitioner'],
      looks: [],
      questions: [],
      warnings: ['The prescriber has left.'],
    });
    expect(requesterOf({ reference: 'Practitioner/d' }, [who('d')]).warnings).toEqual([]);
  });

  test('is told where it is not here', () => {
    expect(requesterOf({ reference: 'Practitioner/d' })).toMatchObject({
      nodes: [],
      looks: ['%order.requester (1) > resolve() (0)'],
      warnings: ['The prescriber MedicationRequest/o is not here.'],
    });
  });

  test('is not told as missing where resources of its type were not read', () => {
    const requester = { reference: 'Practitioner/d' };
    expect(requesterOf(requester, [], { unread: ['Practitioner'] }).warnings).toEqual([]);
    expect(requesterOf(requester, [], { unread: ['Coverage'] }).warnings).toHaveLength(1);
  });

  test('is nothing where there is no reference, or one of words alone', () => {
    expect(requesterOf(undefined)).toMatchObject({
      nodes: [],
      looks: ['%order.requester (0) > resolve() (0)'],
      warnings: [],
    });
    expect(requesterOf({ display: 'Dr. Loper' })).toMatchObject({
      looks: ['%order.requester (1) > resolve() (0)'],
      warnings: [],
    });
  });

  test('is told where it is of another type', () => {
    expect(requesterOf({ reference: 'Organization/t' }, [team]).looks).toEqual([
      '%order.requester (1) > resolve() (0): it is a Organization, not Practitioner',
    ]);
  });

  test('is the first of several that leads anywhere', () => {
    const roles = { payer: follow('%order.insurance', ['Organization']) };
    const insurance = [{ reference: 'Coverage/gone' }, { reference: 'Organization/t' }];
    const run = runOf(roles, [ordered({ insurance }), team]);
    expect(saidOf(run, 'payer')).toMatchObject({ nodes: ['Organization/t Organization'], warnings: [] });
    expect(saidOf(runOf(roles, [ordered({ insurance: insurance.slice(0, 1) })]), 'payer').warnings).toEqual([]);
  });
});

describe('what no chart holds', () => {
  test('is what the site states of its own, key by key', () => {
    const site = { country: 'USA', fax: undefined, timeZone: 'America/Chicago' };
    expect(saidOf(runOf({ site: own('site', 'country', 'fax', 'mrnSystem') }, [], { site }), 'site')).toMatchObject({
      nodes: [{ country: 'USA' }],
      kind: 'site',
    });
  });

  test('is our id of the case, once there is one', () => {
    const roles = { submission: own('submission', 'id') };
    expect(saidOf(runOf(roles, [], { submission: 'case-1' }), 'submission')).toMatchObject({
      nodes: [{ id: 'case-1' }],
      kind: 'site',
    });
    expect(saidOf(runOf(roles, []), 'submission').nodes).toEqual([]);
  });
});

describe('a role of a type that the EHR did not give', () => {
  const rules = {
    requester: follow('%order.requester', ['Practitioner'], { missing: 'The prescriber is not here.' }),
    status: given('MedicationRequest'),
  };
  const requester = { reference: 'Practitioner/d' };

  test('says so before how it was looked for', () => {
    const run = runOf(rules, [ordered({ requester })], { unread: ['Practitioner', 'Coverage'] });
    expect(saidOf(run, 'requester')).toMatchObject({
      nodes: [],
      looks: ['Practitioner (0): Practitioner could not be read from the EHR', '%order.requester (1) > resolve() (0)'],
      questions: [],
      warnings: [],
    });
  });

  test('says nothing of it where it is filled, and where another type is missing', () => {
    const run = (unread: readonly string[], resources: readonly object[] = []) =>
      saidOf(runOf(rules, [ordered({ requester }), ...resources], { unread }), 'requester').looks;
    expect(run(['Practitioner'], [{ resourceType: 'Practitioner', id: 'd' }])).toEqual([]);
    expect(run(['Coverage'])).toEqual(['%order.requester (1) > resolve() (0)']);
  });
});
