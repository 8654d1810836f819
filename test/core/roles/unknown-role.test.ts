import { expect, test } from 'vitest';
import {
  all,
  any,
  blank,
  blocks,
  choose,
  coded,
  defineRoles,
  ended,
  every,
  first,
  follow,
  given,
  has,
  joined,
  labelled,
  last,
  lowest,
  namedBy,
  not,
  oneOf,
  otherDose,
  pick,
  pointsAt,
  pointsToSame,
  sameAs,
  says,
  together,
  twoDirections,
  when,
} from '../../../src/core/roles/index.ts';
import type { RoleRule } from '../../../src/core/roles/words.ts';

// A table of roles that names a role which is not there does not start, wherever it names it: its rule would be filled
// before what it reads, or from nothing.

const nobody = when('%nobody.exists()', 'nobody is there');
const asked = [blocks(nobody, 'Who?')];
const name = ['HumanName'];
const names = ['%patient.name'];

const reading = [
  oneOf('%nobody.status', ['active'], 'words'),
  coded('%nobody.type', ['DRUGPOL'], 'words'),
  says('%nobody.type', /dental/, 'words'),
  ended('%nobody.period', 'words'),
  blank(['name', '%nobody.name'], 'words'),
  pointsAt('%nobody.payor', ['Organization'], 'words'),
  pointsToSame('%nobody.payor', '%patient', 'words'),
  pointsToSame('payor', '%nobody', 'words'),
  twoDirections('%nobody', 'words'),
  otherDose('%nobody', '%patient', 'words'),
  otherDose('%patient', '%nobody', 'words'),
  any([labelled(), not(all([labelled(), nobody]))], 'words'),
  any([labelled(), not(all([labelled(), sameAs('%nobody')]))], 'words'),
  when('active', 'it is {%nobody.name}'),
];

test.each<[string, RoleRule]>([
  ['what rules out the resource that is named', given('Patient', { unless: [nobody] })],
  ['a question about the resource that is named', given('Patient', { asks: asked })],
  ['a warning about the resource that is named', given('Patient', { warns: [nobody] })],
  ['the path that is followed', follow('%nobody.payor', ['Organization'])],
  ['a warning about what is followed', follow('%patient.generalPractitioner', ['Practitioner'], { warns: [nobody] })],
  ['the second of several paths', first(name, [...names, '%nobody.name'])],
  ['a question about what comes first', first(name, names, { asks: asked })],
  ['what rules out one of all', every(name, names, { unless: [nobody] })],
  ['what puts one of all last', every(name, names, { lastly: [last(nobody)] })],
  ['the path of a part', pick(name, ['%nobody.name'])],
  ['what rules out a part', pick(name, names, { unless: [nobody] })],
  ['what is preferred of parts', pick(name, names, { prefer: [has(nobody)] })],
  ['what comes last of parts', pick(name, names, { prefer: [last(nobody)] })],
  ['what points to a part', pick(name, names, { prefer: [namedBy('%nobody.x', 'named')] })],
  ['the number by which parts are ordered', pick(name, names, { prefer: [lowest('%nobody.rank')] })],
  ['a question about a part', pick(name, names, { asks: asked })],
  ['what makes parts the same', pick(name, names, { same: ['%nobody.id'] })],
  ['what rules out a candidate', choose('Coverage', { unless: [sameAs('%nobody.insurance', 'it is another one')] })],
  ['what is preferred of candidates', choose('Coverage', { prefer: [has(nobody)] })],
  ['a question about a candidate', choose('Coverage', { asks: asked })],
  ['the name of a candidate', choose('Coverage', { label: ['%nobody.name'] })],
  ['what tells two candidates apart', choose('Coverage', { apart: ['%nobody.name'] })],
  ['which candidates are linked', choose('Coverage', { linked: { refused: 'linked', when: nobody, ask: asked[0]! } })],
  ['the elements of which one is taken', together(['Dosage'], ['%nobody.dosageInstruction'], 'text.exists()')],
  ['what makes an element the one', together(name, names, '%nobody.exists()')],
  ['a question about that element', together(name, names, 'text.exists()', { asks: asked })],
  ['the items whose texts are joined', joined('%nobody.dosageInstruction', ['text'])],
  ['a question about joined texts', joined('%patient.name', ['text'], asked)],
  ...reading.map((clause): [string, RoleRule] => [
    `a test of the kind ${clause.test.kind}`,
    given('Patient', { unless: [clause] }),
  ]),
])('a role that is not there is refused: %s', (_, rule) => {
  const rules = { patient: given('Patient'), role: rule };
  const judging = { isSensitive: () => false, tellsSensitive: () => false };
  expect(() => defineRoles('sample', rules, judging)).toThrow('there is no role %nobody');
});
