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
    file: 'src/cases/facts.ts',
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
];
