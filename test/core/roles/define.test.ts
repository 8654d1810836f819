import { describe, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import { pathsOf } from '../../../src/core/roles/define.ts';
import {
  all,
  any,
  blocks,
  by,
  choose,
  every,
  first,
  follow,
  given,
  has,
  latest,
  not,
  otherDose,
  own,
  pick,
  readBy,
  reasons,
  when,
} from '../../../src/core/roles/index.ts';
import { overlayRoles, type RoleChanges, refusedChanges, withRules } from '../../../src/core/roles/role-change.ts';
import type { RoleRule } from '../../../src/core/roles/words.ts';
import { rules, tableOf, text, words } from './every-kind.ts';

const table = tableOf(rules);

describe('a table of roles', () => {
  test('knows what each role is filled from, itself and all that those are filled from', () => {
    const reads = Object.fromEntries(
      table.names.map((role) => [role, [...table.dependsOn(role)].toSorted().join(' ')]),
    );
    expect(reads).toEqual({
      patient: 'patient',
      order: 'order',
      payer: 'coverage order patient payer',
      concept: 'concept medication order',
      medication: 'medication order',
      dose: 'concept dose medication order',
      name: 'name patient',
      coverage: 'coverage order patient',
      anyone: 'anyone',
      supply: 'order supply',
      directions: 'concept directions dose medication order',
      drug: 'drug order',
      days: 'concept days dose medication order supply',
      encounter: 'encounter order',
      diagnosis: 'diagnosis encounter order patient',
      counted: 'counted drug order',
      site: 'site',
    });
    expect([...table.dependsOn('nobody')]).toEqual([]);
  });

  test('gives the roles behind a list of roles in its own order', () => {
    const namesOf = (roles: readonly string[]) => table.closureOf(roles).map((place) => table.names[place]);
    expect(namesOf(['payer', 'counted'])).toEqual(['patient', 'order', 'payer', 'coverage', 'drug', 'counted']);
    expect(namesOf(['nobody'])).toEqual([]);
    expect(table.places.get('order')).toBe(1);
    expect([table.has('order'), table.has('nobody')]).toEqual([true, false]);
  });

  test('knows of what type the nodes of each role are', () => {
    expect(table.types).toEqual({
      patient: ['Patient'],
      order: ['MedicationRequest'],
      payer: ['Organization'],
      concept: ['CodeableConcept'],
      medication: ['Medication'],
      dose: ['Dosage'],
      name: ['HumanName'],
      coverage: ['Coverage'],
      anyone: ['Organization'],
      supply: ['x'],
      directions: ['string'],
      drug: ['form', 'value'],
      days: ['integer'],
      encounter: ['Encounter'],
      diagnosis: ['CodeableConcept'],
      counted: ['integer'],
      site: ['country'],
    });
  });

  test('knows what each role may ask, and about which part', () => {
    const asked = Object.fromEntries(
      table.names.map((role) => [role, table.questions(role).map(({ severity, part }) => `${severity} ${part}`)]),
    );
    expect(asked).toEqual({
      patient: ['blocks a2', 'warns a5'],
      order: [],
      payer: [],
      concept: ['blocks undefined'],
      medication: [],
      dose: [],
      name: ['blocks undefined', 'blocks e4'],
      coverage: ['blocks undefined', 'warns f3', 'warns f10'],
      anyone: ['warns undefined'],
      supply: ['blocks g5'],
      directions: ['blocks undefined'],
      drug: ['blocks form', 'blocks form'],
      days: ['blocks undefined'],
      encounter: [],
      diagnosis: ['blocks undefined'],
      counted: ['warns l1'],
      site: [],
    });
    expect(table.questions('nobody')).toEqual([]);
  });

  test('knows what each role is read from', () => {
    const from = Object.fromEntries(
      table.names.map((role, place) => {
        const chains = table.readFrom[place]?.chains ?? [];
        return [role, chains.map((chain) => [chain.role, ...chain.elements].join('.'))];
      }),
    );
    expect(from).toMatchObject({
      patient: [],
      payer: ['coverage.payor'],
      concept: ['order.c1', 'medication.c2'],
      dose: ['order.d1'],
      name: ['patient.name'],
      coverage: [],
      supply: ['order.g1.g2', 'order.g1'],
      directions: ['dose'],
      drug: ['order.i1'],
      days: ['supply.j1'],
      diagnosis: [],
      counted: [],
    });
    expect(table.names.filter((_, place) => table.readFrom[place]?.isKept === true)).toEqual(['drug']);
  });
});

describe('every path of a rule', () => {
  const pathsIn = (rule: RoleRule | undefined) => {
    const paths = rule === undefined ? [] : pathsOf(rule);
    return [false, true].map((wanted) =>
      paths.flatMap(({ expression, relative }) => (relative === wanted ? [expression] : [])).join(' | '),
    );
  };

  test.each([
    ['patient', '', 'a1.exists() | a1 | a3 = 1 | a4 | a6.exists() | a6 | a7'],
    ['payer', '%coverage.payor', 'b1.exists() | b1'],
    ['concept', '%order.c1 | %medication.c2', 'c3'],
    ['dose', '%order.d1 | %order.d7 | %concept', 'd2.exists() | d2 | d3 | d4 | d5 | d6'],
    ['name', '%patient.name', 'e1.exists() | e1 | e2 | e6 | e7 | e3'],
    ['coverage', '%order.insurance', 'f1 | f2 | f4 | f5 | f6 | f7 | f8 | f9'],
    ['supply', '%order.g1', 'g2.exists() | g3 | g4'],
    ['directions', '%dose | %dose.h1 | %dose.h2 | %dose', ''],
    ['drug', '%order.i1', ''],
    ['days', '%supply.j1', ''],
    ['diagnosis', '%order.k1 | %order.k2', ''],
    ['counted', '', ''],
    ['site', '', ''],
  ])('%s', (role, start, inside) => {
    expect(pathsIn(rules[role])).toEqual([start, inside]);
  });

  test('also of tests within tests', () => {
    const test_ = any([all([when('a'), not(when('b'))]), otherDose('%c', '%d')], 'it is so');
    expect(pathsIn(pick(['x'], ['%patient'], { unless: [test_] }))).toEqual(['%patient | %c | %d', 'a | b']);
    const named = by('isOurs', 'It is ours.', () => true, 'it is ours');
    expect(pathsIn(pick(['x'], ['%patient'], { unless: [named] }))).toEqual(['%patient', '']);
  });
});

describe('a table is refused', () => {
  const refusalOf = (make: () => unknown): unknown => {
    try {
      make();
    } catch (error) {
      return error instanceof BridgeError ? { code: error.code, ...error.facts } : error;
    }
    return undefined;
  };

  test('that reads a role which is not there', () => {
    const roles = { patient: given('Patient'), name: pick(['HumanName'], ['%patient.name', '%nobody.x', '%other']) };
    expect(refusalOf(() => tableOf(roles))).toEqual({
      code: 'mapping_invalid',
      mapping: 'sample',
      role: 'name',
      reason: 'there is no role %nobody, %other',
    });
  });

  test.each([
    ['itself', { name: first(['x'], ['%name.x']) }, 'name'],
    ['itself through another', { a: first(['x'], ['%b.x']), b: first(['x'], ['%a.x']) }, 'a'],
    ['itself far behind', { a: first(['x'], ['%b']), b: first(['x'], ['%c']), c: first(['x'], ['%a']) }, 'a'],
  ] as const)('with a role that is filled from %s', (_, roles, role) => {
    expect(refusalOf(() => tableOf(roles))).toEqual({
      code: 'mapping_invalid',
      mapping: 'sample',
      role,
      reason: 'it is filled from itself',
    });
  });

  test('not with two roles that are filled from one', () => {
    const roles = {
      a: given('Patient'),
      b: first(['x'], ['%a.x']),
      c: first(['x'], ['%a.y', '%b.z']),
      d: first(['x'], ['%b', '%c', '%a']),
    };
    expect([...tableOf(roles).dependsOn('d')].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  const silent = [when('a.exists()', ' ')];
  const concepts = { concepts: '%order.k1', references: '%order.k2' };
  const open = { unless: [], unlessConcept: [], acceptUnless: [] };
  const proposeUnless = { always: [], ofEncounter: [], elsewhere: [] };
  const why = (changes: object) =>
    reasons({ stated: concepts, encounter: 'encounter', ...open, proposeUnless, ...changes });
  test.each<[string, RoleRule]>([
    ['a given one is ruled out', given('Patient', { unless: silent })],
    ['a given one warns', given('Patient', { warns: silent })],
    ['a followed one warns', follow('%order.x', ['Patient'], { warns: silent })],
    ['a part is ruled out', every(['x'], ['%order.x'], { unless: silent })],
    ['one part is ruled out', pick(['x'], ['%order.x'], { unless: silent })],
    ['a resource is ruled out', choose('Coverage', { unless: silent })],
    ['a reason is ruled out', why({ unless: silent })],
    ['a concept is ruled out', why({ unlessConcept: silent })],
    ['nothing is proposed', why({ proposeUnless: { ...proposeUnless, always: silent } })],
    ['a diagnosis of the visit is not', why({ proposeUnless: { ...proposeUnless, ofEncounter: silent } })],
    ['one of another visit is not', why({ proposeUnless: { ...proposeUnless, elsewhere: silent } })],
    ['a policy does not accept one', why({ acceptUnless: silent })],
  ])('without words where %s', (_, rule) => {
    const { patient = rule, order = rule, encounter = rule } = table.rules;
    expect(refusalOf(() => tableOf({ patient, order, encounter, x: rule }))).toEqual({
      code: 'mapping_invalid',
      mapping: 'sample',
      role: 'x',
      reason: 'a clause that people read has no words',
    });
  });
});

describe('what a site adds to a role', () => {
  const unless = words('s1');
  const asks = [blocks(when('s2'), 'Which?')];
  const prefer = [has(when('s3'))];
  const preferLast = [latest('s4')];
  const source = { label: 'site', path: '%order.s6', read: readBy(text, { aspect: 'form', member: 'value' }) };
  const ruleOf = (role: string, change: object) =>
    overlayRoles(table, 'sample@site', { [role]: change } as RoleChanges).rules[role];

  test.each([
    ['patient', { unless, asks }, ['unless', 'asks']],
    ['concept', { paths: ['%order.s5'], asks }, ['paths', 'asks']],
    ['supply', { paths: ['%order.s5'], asks }, ['paths', 'asks']],
    ['directions', { asks }, ['asks']],
    ['drug', { sources: [source] }, ['sources']],
    ['name', { paths: ['%order.s5'], unless, asks }, ['paths', 'unless', 'asks']],
    ['coverage', { unless, asks }, ['unless', 'asks']],
    ['dose', { paths: ['%order.s5'] }, ['paths']],
  ])('%s: comes behind what the table has: %j', (role, change, members) => {
    const [before, after] = [rules[role], ruleOf(role, change)];
    for (const member of members)
      expect(Reflect.get(Object(after), member), member).toEqual([
        ...(Reflect.get(Object(before), member) as readonly unknown[]),
        ...(Reflect.get(change, member) as readonly unknown[]),
      ]);
  });

  test.each(['dose', 'name', 'coverage'])('%s: is preferred before and behind what the table prefers', (role) => {
    const own = Reflect.get(Object(rules[role]), 'prefer') as readonly unknown[];
    expect(Reflect.get(Object(ruleOf(role, { prefer, preferLast })), 'prefer')).toEqual([
      ...prefer,
      ...own,
      ...preferLast,
    ]);
  });

  test('of paths may be tried first', () => {
    const rule = ruleOf('name', { pathsFirst: ['%order.s5'], paths: ['%order.s6'] });
    expect(Reflect.get(Object(rule), 'paths')).toEqual(['%order.s5', '%patient.name', '%order.s6']);
  });

  test('leaves the table’s own rules for its questions, also where two sites add', () => {
    const once = overlayRoles(table, 'one', { coverage: { prefer, unless } });
    const twice = overlayRoles(once, 'two', { coverage: { prefer: preferLast } });
    const { unless: ownUnless, prefer: ownPrefer } = rules.coverage as { unless: unknown; prefer: unknown };
    for (const one of [once, twice])
      expect(Reflect.get(Object(one.rules.coverage), 'own')).toEqual({ unless: ownUnless, prefer: ownPrefer });
    expect([once.name, twice.name]).toEqual(['one', 'two']);
    expect(table.rules).toEqual(rules);
  });

  test.each([
    ['nobody', { asks }, { role: 'nobody', reason: 'there is no role nobody' }],
    ['toString', { asks }, { role: 'toString', reason: 'there is no role toString' }],
    [
      'payer',
      { paths: ['%order.s5'] },
      { role: 'payer', word: 'paths', reason: 'a role that is followed takes no paths; nothing can be added to it' },
    ],
    [
      'concept',
      { unless },
      {
        role: 'concept',
        word: 'unless',
        reason: 'a role that is the first that is found takes no unless; a site may add paths, asks',
      },
    ],
    ['order', { unless }, { role: 'order', word: 'unless', reason: 'nothing rules this role out; use asks' }],
    [
      'name',
      { paths: ['%order.s5', '%patient.name'] },
      { role: 'name', word: 'paths', index: 1, reason: 'the role reads this path already' },
    ],
    [
      'name',
      { pathsFirst: ['%order.s5'], paths: ['%order.s5'] },
      { role: 'name', word: 'paths', index: 0, reason: 'the role reads this path already' },
    ],
  ])('%s does not take %j', (role, change, refused) => {
    const changes = { [role]: change } as RoleChanges;
    expect(refusedChanges(table, changes)).toEqual([refused]);
    expect(() => overlayRoles(table, 'sample@site', changes)).toThrow(BridgeError);
  });

  test.each([
    ['given', 'patient', ['paths', 'prefer', 'sources']],
    ['made of every part', 'dose', ['unless', 'asks']],
    ['picked', 'name', ['sources']],
    ['chosen', 'coverage', ['paths', 'pathsFirst', 'sources']],
    ['held together', 'supply', ['unless', 'pathsFirst']],
    ['joined', 'directions', ['paths', 'unless']],
    ['an agreement of sources', 'drug', ['asks', 'paths']],
    ['derived', 'days', ['asks']],
    ['the reason for the order', 'diagnosis', ['unless']],
    ['computed', 'counted', ['asks']],
    ['the bridge’s own', 'site', ['asks']],
  ])('a role that is %s takes no other word', (kind, role, refused) => {
    for (const word of refused)
      expect(refusedChanges(table, { [role]: { [word]: [] } as never }).map(({ reason }) => reason)).toEqual([
        expect.stringMatching(new RegExp(`^a role that is ${kind} takes no ${word}; `)),
      ]);
  });

  test('nothing, where a word is there without a value', () => {
    expect(refusedChanges(table, { payer: { paths: undefined }, order: { unless: undefined } })).toEqual([]);
  });

  test('other rules of the same words take the place of those of that name', () => {
    const other = withRules(table, 'other', { site: own('site', 'fax') });
    expect(other.rules).toEqual({ ...rules, site: own('site', 'fax') });
    expect(other.name).toBe('other');
  });
});
