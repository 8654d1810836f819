import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { describeRoles } from '../../../src/core/roles/describe.ts';
import { preferenceWords, testWords, tieWords } from '../../../src/core/roles/describe-clauses.ts';
import { formatRoles } from '../../../src/core/roles/describe-text.ts';
import {
  advises,
  all,
  any,
  blank,
  by,
  choose,
  coded,
  defineRoles,
  ended,
  every,
  first,
  follow,
  future,
  given,
  has,
  labelled,
  last,
  latest,
  lowest,
  namedBy,
  namedDraft,
  not,
  oneOf,
  only,
  otherDose,
  own,
  pick,
  pointsAt,
  pointsToSame,
  sameAs,
  says,
  sensitive,
  twoDirections,
  undated,
  unreadModifier,
  uses,
  when,
} from '../../../src/core/roles/index.ts';
import { ask, blocks, type RoleRules } from '../../../src/core/roles/words.ts';

const rules: RoleRules = {
  site: own('site', 'country'),
  patient: given('Patient', { warns: [when('active = false', 'The record is not active.')] }),
  name: pick(['HumanName'], ['%patient.name'], {
    unless: [ended('period', 'it ended on {period.end}')],
    prefer: [uses('official', 'usual'), only(when("use = 'official'"), 'it is not official')],
    asks: [advises(when("use = 'temp'"), 'The name is temporary.', 'family')],
    tie: ask('Which name?', { part: 'family' }),
  }),
  coverage: choose('Coverage', { asks: [blocks(when('order.empty()'), 'In which order?')] }),
};
const letter = {
  name: 'letter',
  questionPlace: ({ role, part }: { role: string; part?: string }) =>
    role === 'name' ? { target: part === 'family' ? 'to.last_name' : 'to', leaves: [] } : undefined,
};
const described = describeRoles({ name: 'sample', rules }, [letter]);
const roleOf = (name: string) => described.roles.find(({ role }) => role === name);

describe('a description of roles', () => {
  test('has one row a role, in the order of the table, with how it is filled and from what', () => {
    expect(described.roles.map(({ role, kind, from }) => [role, kind, from])).toEqual([
      ['site', 'own', ['site: country']],
      ['patient', 'given', ['the Patient that the request names']],
      ['name', 'pick', ['`%patient.name`']],
      ['coverage', 'choose', ['every Coverage of the patient']],
    ]);
  });

  test('says what rules a candidate out, in the words that people read and by what it looks at', () => {
    expect(roleOf('name')?.unless).toEqual([
      { words: 'it ended on {period.end}', test: '`period` is over' },
      { words: 'it is not official', test: "not (`use = 'official'`)" },
    ]);
  });

  test('says what is preferred, in order, and what happens to equals', () => {
    expect(roleOf('name')?.prefer).toEqual([
      '`use` in the order official, usual; any other use is out',
      "only, where there is one: `use = 'official'`",
    ]);
    expect(roleOf('coverage')?.prefer).toEqual(['of equal ones none']);
  });

  test('says each question with its part, when it is asked, and the leaf of each mapping that it stands at', () => {
    expect(roleOf('name')?.asks).toEqual([
      {
        severity: 'warns',
        part: 'family',
        message: 'The name is temporary.',
        when: "`use = 'temp'`",
        at: ['letter to.last_name'],
      },
      {
        severity: 'blocks',
        part: 'family',
        message: 'Which name?',
        when: 'equal ones say different things',
        at: ['letter to.last_name'],
      },
    ]);
    expect(roleOf('coverage')?.asks[0]?.at).toEqual([]);
  });

  test('as text it has lists of the roles, of their questions and of the named functions', () => {
    const text = formatRoles(described);
    expect(text).toContain(
      '- `%name`\n  - Filled by: pick\n  - From: `%patient.name`\n  - Not one:\n    - it ended on {period.end} ' +
        '(`period` is over)\n',
    );
    expect(text).toContain(
      "- `%name`\n  - Part: family\n  - Asked when: `use = 'temp'`\n  - Question: The name is temporary. (warns)\n" +
        '  - Stands at: `letter to.last_name`\n',
    );
    expect(text).toContain(
      '- `%coverage`\n  - Asked when: `order.empty()`\n  - Question: In which order?\n  - Stands at: not asked\n',
    );
    expect(text).toContain('## Named functions (0)');
  });
});

test('a named function is listed wherever a rule rules out, prefers, asks or warns by it', () => {
  const named = (name: string) => by(name, `The sentence of ${name}.`, () => true, name);
  const asks = (name: string) => [blocks(named(name), 'Which?')];
  const ranked = (name: string) => [has(named(name))];
  const { functions } = describeRoles(
    {
      name: 'sample',
      rules: {
        patient: given('Patient', { unless: [named('a1')], asks: asks('a2'), warns: [named('a3')] }),
        payer: follow('%coverage.payor', ['Organization'], { warns: [named('b1')] }),
        dose: every(['Dosage'], ['%order.dosageInstruction'], { unless: [named('c1')], prefer: ranked('c2') }),
        name: pick(['HumanName'], ['%patient.name'], { unless: [named('d1')], prefer: ranked('d2'), asks: asks('d3') }),
        coverage: choose('Coverage', { unless: [named('e1')], prefer: ranked('e2'), asks: asks('e3') }),
        concept: first(['CodeableConcept'], ['%order.medication'], { asks: asks('f1') }),
      },
    },
    [],
  );
  expect(functions.map(({ name }) => name).join(' ')).toBe('a1 a2 a3 b1 c1 c2 d1 d2 d3 e1 e2 e3 f1');
});

describe('an analyst reads each test in words', () => {
  const active = oneOf('status', ['active', 'draft']);
  const drug = coded('type', ['DRUGPOL', 'PUBLICPOL']);
  test.each([
    [active, '`status` is not active or draft'],
    [drug, '`type` has the code DRUGPOL or PUBLICPOL'],
    [says('type', /dental/i), '`type` says `/dental/i`'],
    [future('period'), '`period` has not begun'],
    [undated('period'), '`period` has a start or an end that is no date'],
    [blank(['name', 'text']), 'no text at `name`, `text`'],
    [pointsAt('payor', ['Patient', 'Organization']), '`payor` points to a Patient or Organization'],
    [sameAs('%order.insurance'), 'it is what `%order.insurance` points to'],
    [pointsToSame('payor', '%payer'), 'its `payor` is what `%payer` points to'],
    [labelled(), 'it carries a sensitivity label'],
    [sensitive(), 'its labels, codes or words tell of a sensitive category'],
    [namedDraft(), 'a draft that the request names'],
    [unreadModifier(), 'a modifier element of it could not be read'],
    [twoDirections('dosage'), '`text` and `patientInstruction` of `dosage` certainly say two doses or times'],
    [otherDose('dosage', '%drug'), 'the directions of `dosage` certainly say another dose or time than its elements'],
    [any([active, drug]), '`status` is not active or draft or `type` has the code DRUGPOL or PUBLICPOL'],
    [
      all([labelled(), any([sensitive(), namedDraft()])]),
      'it carries a sensitivity label and (its labels, codes or words tell of a sensitive category or a draft that ' +
        'the request names)',
    ],
    [not(labelled()), 'not (it carries a sensitivity label)'],
    [by('isPlan', 'The plan is one.', () => true), 'by isPlan'],
  ])('%#: %j', ({ test: looked }, words) => {
    expect(testWords(looked)).toBe(words);
  });

  test.each([
    [has(labelled('labelled')), 'first: labelled (it carries a sensitivity label)'],
    [last(labelled()), 'last: it carries a sensitivity label'],
    [lowest('rank', undefined, { none: 1 }), 'the lowest `rank` first, none counts as 1'],
    [lowest('rank'), 'the lowest `rank` first'],
    [latest('period.start'), 'the latest `period.start` first'],
    [namedBy('%order.insurance', 'the order names it'), 'first: what `%order.insurance` points to'],
  ])('and what comes first: %#', (preference, words) => {
    expect(preferenceWords(preference)).toBe(words);
  });

  test('and what happens to equals', () => {
    expect([tieWords({ kind: 'first' }), tieWords({ kind: 'none' }), tieWords(ask('Which?'))]).toEqual([
      'of equal ones the first',
      'of equal ones none',
      undefined,
    ]);
  });
});

test('a refusal without words does not start', () => {
  const silent = { order: given('MedicationRequest', { unless: [when('doNotPerform = true')] }) };
  expect(() => defineRoles('sample', silent, { isSensitive: () => false, tellsSensitive: () => false })).toThrow(
    'a clause that people read has no words',
  );
});

describe('the roles of this project', () => {
  const all = [...Object.values(mappings['prior-auth']), ...Object.values(mappings.enrollment)];
  const { roles, functions } = describeRoles(mappings.roles, all);

  test('every blocking question stands at a leaf of some mapping', () => {
    const lost = roles.flatMap(({ role, asks }) =>
      asks.filter(({ severity, at }) => severity === 'blocks' && at.length === 0).map(({ message }) => [role, message]),
    );
    expect(lost).toEqual([]);
  });

  test('the question about a strength stands where each body has the strength', () => {
    const asked = roles.find(({ role }) => role === 'drug')?.asks.find(({ part }) => part === 'strength');
    expect(asked?.at).toEqual([
      'prior-auth prescription.strength',
      'prior-auth-current prescription.strength',
      'prior-auth-coded prescription.extra.strength',
      'prior-auth@valley prescription.strength',
      'enrollment prescription.dosage',
      'enrollment@valley prescription.dosage',
    ]);
  });

  test('what no word can say is few functions, none of them over forty lines', () => {
    expect(functions.length).toBeLessThanOrEqual(11);
    expect(functions.filter(({ lines }) => lines > 40)).toEqual([]);
  });

  test('every named function has a sentence of its own', () => {
    expect(functions.map(({ sentence }) => sentence).filter((sentence) => sentence.length < 15)).toEqual([]);
    expect(new Set(functions.map(({ sentence }) => sentence)).size).toBe(functions.length);
  });
});
