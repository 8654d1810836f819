import { defineRoles } from '../../../src/core/roles/define.ts';
import {
  advises,
  agree,
  ask,
  asksBetween,
  blocks,
  choose,
  coded,
  computed,
  derive,
  ended,
  every,
  first,
  follow,
  given,
  has,
  joined,
  last,
  latest,
  leave,
  lowest,
  namedBy,
  oneOf,
  own,
  pick,
  pointsToSame,
  readBy,
  reasons,
  refusedBy,
  sameAs,
  sameValue,
  says,
  together,
  twoDirections,
  unmarked,
  uses,
  warn,
  when,
} from '../../../src/core/roles/index.ts';
import type { RoleRules } from '../../../src/core/roles/words.ts';

const options = { isSensitive: () => false, tellsSensitive: () => false };
export const tableOf = (rules: RoleRules) => defineRoles('sample', rules, options);
export const text = { name: 'text', apply: (value: unknown) => ({ value }) };
export const words = (...names: readonly string[]) =>
  names.map((name) => when(`${name}.exists()`, `it has {${name}|none}`));

/** One rule of each kind, with every member that it may have. */
export const rules: RoleRules = {
  patient: given('Patient', {
    unless: words('a1'),
    refused: { severity: 'blocks', reason: 'invalid', message: '{reason}', part: 'a2' },
    asks: [advises(when('a3 = 1'), '{a4}', 'a5')],
    warns: words('a6'),
    label: ['a7'],
  }),
  order: given('MedicationRequest'),
  payer: follow('%coverage.payor', ['Organization'], { missing: 'No {reference}.', warns: words('b1') }),
  concept: first(['CodeableConcept'], ['%order.c1', '%medication.c2'], { asks: [blocks(when('c3'), 'Which?')] }),
  medication: follow('%order.medication', ['Medication']),
  dose: every(['Dosage'], ['%order.d1'], {
    unless: words('d2'),
    prefer: [uses(unmarked), has(when('d3', '{d4}'))],
    lastly: [lowest('d5'), latest('d6'), namedBy('%order.d7', 'named'), last(sameAs('%concept'))],
  }),
  name: pick(['HumanName'], ['%patient.name'], {
    unless: words('e1'),
    prefer: [last(when('e2'))],
    same: ['e3'],
    tie: ask('Which?', { part: 'e4', option: 'e5' }),
    asks: [blocks(when('e6'), '{e7|none} {said} {reference}')],
  }),
  coverage: choose('Coverage', {
    unless: [pointsToSame('f1', '%order.insurance', 'it is another')],
    prefer: [has(coded('f2', ['x'], 'x'))],
    tie: warn('Two.', 'f3'),
    asks: [asksBetween(says('f4', /x/, 'x'), oneOf('f5', ['x'], 'y'), 'Which of {f6}?')],
    label: ['f7'],
    apart: ['f8'],
    linked: {
      refused: 'it is linked',
      when: ended('f9'),
      ask: { severity: 'warns', reason: 'choice', message: 'Which?', part: 'f10' },
    },
  }),
  anyone: choose('Organization', { of: 'anyone', tie: leave('None is used.') }),
  supply: together(['x'], ['%order.g1'], 'g2.exists()', {
    asks: [blocks(refusedBy(text, 'g3'), '{g4}', 'choice', 'g5')],
  }),
  directions: joined('%dose', ['h1', 'h2'], [blocks(twoDirections('%dose'), '{said}', 'choice')]),
  drug: agree({
    sources: [{ label: 'order', path: '%order.i1', read: readBy(text, { aspect: 'form', member: 'value' }) }],
    compare: sameValue('form'),
    aspects: { form: { differ: 'Which?' }, kind: { alone: 'Which?', part: 'form' } },
    keys: ['form', 'value'],
  }),
  days: derive({
    types: ['integer'],
    reads: ['supply', 'dose'],
    derive: { name: 'days', sentence: 'the days', call: () => ({ refused: 'none' }) },
    stated: '%supply.j1',
    read: text,
    differ: 'Which?',
    sources: { stated: '{stated}', derived: '{note}' },
  }),
  encounter: follow('%order.encounter', ['Encounter']),
  diagnosis: reasons({
    stated: { concepts: '%order.k1', references: '%order.k2' },
    unless: words('k3'),
    unlessConcept: words('k4'),
    encounter: 'encounter',
    proposeUnless: { always: words('k5'), ofEncounter: words('k6'), elsewhere: words('k7') },
    acceptUnless: words('k8'),
  }),
  counted: computed({
    types: ['integer'],
    reads: ['drug'],
    fill: { name: 'count', sentence: 'counts', call: () => ({ root: { nodes: [] } }) },
    questions: [{ severity: 'warns', part: 'l1' }],
  }),
  site: own('site', 'country'),
};
