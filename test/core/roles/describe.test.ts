import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import type { Agree } from '../../../src/core/roles/agree.ts';
import { describeRoles } from '../../../src/core/roles/describe.ts';
import { preferenceWords, testWords, tieWords } from '../../../src/core/roles/describe-clauses.ts';
import { formatRoles } from '../../../src/core/roles/describe-text.ts';
import {
  advises,
  agree,
  all,
  any,
  asksBetween,
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
  joined,
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
  reasons,
  sameAs,
  says,
  sensitive,
  together,
  twoDirections,
  undated,
  unreadModifier,
  uses,
  when,
} from '../../../src/core/roles/index.ts';
import type { Reasons } from '../../../src/core/roles/reasons.ts';
import { ask, blocks, type Choose, type RoleRules } from '../../../src/core/roles/words.ts';
import { rules as everyKind, tableOf } from './every-kind.ts';

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

describe('a role of each kind', () => {
  const unasked = { name: 'letter', questionPlace: () => undefined };
  const { roles, functions } = describeRoles(tableOf(everyKind), [unasked]);
  const of = (name: string) => roles.find(({ role }) => role === name);
  const askedIn = (name: string) =>
    of(name)?.asks.map(({ severity, part, message, when: asked }) => [severity, part, message, asked]);

  test('is filled from what its rule says', () => {
    expect(Object.fromEntries(roles.map(({ role, from }) => [role, from]))).toMatchObject({
      patient: ['the Patient that the request names'],
      payer: ['`%coverage.payor` to Organization'],
      concept: ['`%order.c1`', '`%medication.c2`'],
      dose: ['`%order.d1`'],
      coverage: ['every Coverage of the patient'],
      anyone: ['every Organization'],
      supply: ['`%order.g1`', 'the first with `g2.exists()`'],
      directions: ['`%dose`, of each `h1` else `h2`'],
      drug: ['order: `%order.i1` by text'],
      days: ['by days, beside `%supply.j1`'],
      diagnosis: ['`%order.k1`', '`%order.k2`', 'else problems of the patient, to be confirmed'],
      counted: ['by count'],
      site: ['site: country'],
    });
  });

  test('says what rules a candidate out', () => {
    const hasOne = (name: string) => ({ words: `it has {${name}|none}`, test: `\`${name}.exists()\`` });
    expect(Object.fromEntries(roles.map(({ role, unless }) => [role, unless]))).toMatchObject({
      patient: [hasOne('a1')],
      payer: [],
      dose: [hasOne('d2')],
      name: [hasOne('e1')],
      coverage: [
        { words: 'it is another', test: 'its `f1` is what `%order.insurance` points to' },
        { words: 'it is linked', test: 'it is of a record that `Patient.link` names' },
      ],
      anyone: [],
      diagnosis: [
        hasOne('k3'),
        hasOne('k4'),
        { ...hasOne('k5'), words: 'not proposed: it has {k5|none}' },
        { ...hasOne('k6'), words: 'not proposed of the order’s encounter: it has {k6|none}' },
        { ...hasOne('k7'), words: 'not proposed of another encounter or none: it has {k7|none}' },
        { ...hasOne('k8'), words: 'never accepted by the site’s policy: it has {k8|none}' },
      ],
    });
  });

  test('says what comes first', () => {
    expect(Object.fromEntries(roles.map(({ role, prefer }) => [role, prefer]))).toMatchObject({
      dose: [
        '`use` in the order unmarked; any other use is out',
        'first: {d4} (`d3`)',
        'the lowest `d5` first',
        'the latest `d6` first',
        'first: what `%order.d7` points to',
        'last: it is what `%concept` points to',
      ],
      name: ['last: `e2`'],
      coverage: ['first: x (`f2` has the code x)'],
      anyone: [],
      diagnosis: [],
    });
    const ofEquals = describeRoles({ name: 'sample', rules: { name: pick(['HumanName'], ['%patient.name']) } }, []);
    expect(ofEquals.roles[0]?.prefer).toEqual(['of equal ones the first']);
  });

  test('says what it asks', () => {
    expect(askedIn('patient')).toEqual([
      ['blocks', 'a2', '{reason}', 'something rules it out'],
      ['warns', 'a5', '{a4}', '`a3 = 1`'],
    ]);
    expect(askedIn('concept')).toEqual([['blocks', undefined, 'Which?', '`c3`']]);
    expect(askedIn('name')).toEqual([
      ['blocks', undefined, '{e7|none} {said} {reference}', '`e6`'],
      ['blocks', 'e4', 'Which?', 'equal ones say different things'],
    ]);
    expect(askedIn('coverage')).toEqual([
      ['blocks', undefined, 'Which of {f6}?', '`f4` says `/x/`, and another that fits is y'],
      ['warns', 'f3', 'Two.', 'equal ones say different things'],
      ['warns', 'f10', 'Which?', 'a linked record has one, and this one has not: `f9` is over'],
    ]);
    expect(askedIn('anyone')).toEqual([['warns', undefined, 'None is used.', 'equal ones say different things']]);
    expect(askedIn('supply')).toEqual([['blocks', 'g5', '{g4}', 'no `g3` that is sent as text']]);
    expect(askedIn('drug')).toEqual([
      ['blocks', 'form', 'Which?', 'two sources differ'],
      ['blocks', 'form', 'Which?', 'one source says it of itself'],
    ]);
    expect(askedIn('days')).toEqual([['blocks', undefined, 'Which?', 'what is stated differs from what is derived']]);
    expect(askedIn('diagnosis')).toEqual([
      ['blocks', undefined, 'Which ICD-10-CM code?', 'no stated reason has a single code'],
    ]);
    expect(askedIn('counted')).toEqual([['warns', 'l1', 'asked by count', undefined]]);
    expect(askedIn('payer')).toEqual([]);
  });

  test('says what it asks of sources, and of a candidate beside another without words', () => {
    const sources = { told: 'It says so.', unknown: 'Nobody knows.', part: 'name' };
    const { sources: from, compare, keys } = everyKind.drug as Agree;
    const beside = asksBetween(when('a'), when('b'), 'Which?');
    const other = describeRoles(
      {
        name: 'sample',
        rules: {
          drug: agree({ sources: from, compare, keys, aspects: { form: sources } }),
          coverage: choose('Coverage', { asks: [beside] }),
        },
      },
      [],
    );
    expect(
      other.roles[0]?.asks.map(({ severity, part, message, when: asked }) => [severity, part, message, asked]),
    ).toEqual([
      ['warns', 'name', 'It says so.', 'one source says it'],
      ['warns', 'name', 'Nobody knows.', 'nothing tells whether two sources agree'],
    ]);
    expect(other.roles[1]?.asks[0]?.when).toBe('`a`, and another that fits is of the other kind');
  });

  test('says what it warns of', () => {
    expect(Object.fromEntries(roles.map(({ role, tells }) => [role, tells]))).toMatchObject({
      patient: [{ words: 'it has {a6|none}', test: '`a6.exists()`' }],
      payer: [
        { words: 'No {reference}.', test: 'what it refers to is not here' },
        { words: 'it has {b1|none}', test: '`b1.exists()`' },
      ],
      medication: [],
      name: [],
    });
  });

  test('names its functions, each once, with the roles that call it', () => {
    expect(functions.map(({ name, sentence, roles: callers }) => [name, sentence, callers])).toEqual([
      ['days', 'the days', ['days']],
      ['count', 'counts', ['counted']],
    ]);
    expect(roles.filter((one) => one.functions.length > 0).map((one) => [one.role, one.functions])).toEqual([
      ['days', ['days']],
      ['counted', ['count']],
    ]);
    const isOurs = by('isOurs', 'It is ours.', () => true, 'it is ours');
    const judged = {
      patient: given('Patient', { unless: [isOurs, not(isOurs, 'it is theirs')] }),
      name: pick(['HumanName'], ['%patient.name'], { unless: [any([isOurs, all([isOurs])], 'it is ours')] }),
    };
    expect(describeRoles({ name: 'sample', rules: judged }, []).functions.map((one) => [one.name, one.roles])).toEqual([
      ['isOurs', ['patient', 'name']],
    ]);
  });
});

test('a named function is listed also where sources, reasons and linked records are judged by it', () => {
  const named = (name: string) => by(name, `The sentence of ${name}.`, () => true, name);
  const call = { sentence: 'reads', call: () => [] };
  const { stated, encounter } = everyKind.diagnosis as Reasons;
  const { linked } = everyKind.coverage as Choose;
  const { functions } = describeRoles(
    {
      name: 'sample',
      rules: {
        drug: agree({
          sources: [{ label: 'a', path: '%order.x', read: { name: 'a1', ...call } }],
          compare: { name: 'a2', ...call },
          beside: { name: 'a3', sentence: 'writes', call: (readings) => readings },
          aspects: {},
          keys: [],
        }),
        dose: every(['Dosage'], ['%order.d1'], { lastly: [last(named('b1'))] }),
        coverage: choose('Coverage', {
          asks: [asksBetween(named('c1'), named('c2'), 'Which?')],
          linked: { ...linked!, when: named('c3') },
        }),
        supply: together(['x'], ['%order.g1'], 'g2', { asks: [blocks(named('d1'), 'Which?')] }),
        directions: joined('%dose', ['text'], [blocks(named('e1'), 'Which?')]),
        diagnosis: reasons({
          stated,
          encounter,
          unless: [named('f1')],
          unlessConcept: [named('f2')],
          proposeUnless: { always: [named('f3')], ofEncounter: [named('f4')], elsewhere: [named('f5')] },
          acceptUnless: [named('f6')],
        }),
      },
    },
    [],
  );
  expect(functions.map(({ name }) => name).join(' ')).toBe('a1 a2 a3 b1 c1 c2 c3 d1 e1 f1 f2 f3 f4 f5 f6');
});
