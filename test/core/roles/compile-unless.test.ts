import { describe, expect, it } from 'vitest';
import { todayAt } from '../../../src/core/fhir/time/today.ts';
import { Item } from '../../../src/core/fhirpath/item.ts';
import type { Clause } from '../../../src/core/roles/clauses.ts';
import { compileClause } from '../../../src/core/roles/compile-clauses.ts';
import { compileUnless } from '../../../src/core/roles/compile-unless.ts';
import type { Facts } from '../../../src/core/roles/facts.ts';
import { all, any, blank, coded, ended, future, not, oneOf, says, when } from '../../../src/core/roles/index.ts';

// what these clauses look at
const facts = {
  today: todayAt(new Date('2026-11-21T15:00:00Z'), undefined),
  environment: { variable: () => [], resolve: () => undefined },
} as unknown as Facts;

const plan = "class.where(type.coding.exists(code = 'plan'))";
const clauses: readonly Clause[] = [
  oneOf('status', ['active'], 'it is {status|without a status}'),
  ended('period', 'it is over'),
  future('period', 'it has not begun'),
  any([coded('type', ['pay']), says('type', /self/i), says(`${plan}.name`, /self/i)], 'it is self-pay'),
  when('modifierExtension.exists()', 'it is modified'),
  any([says(`${plan}.value`, /card/i), all([says('type.coding.code', /card/i), not(coded('type', ['x']))])], 'a card'),
  blank(['payor'], 'it has no payer'),
];

const elements = {
  status: ['active', 'draft', undefined],
  period: [undefined, { end: '2026-11-20' }, { start: '2027-01-01' }],
  type: [undefined, { text: 'Self' }, { coding: [{ code: 'PAY' }, { code: 'card' }] }],
  class: [
    undefined,
    [{ type: { coding: [{ code: 'group' }] }, value: 'card' }],
    [{ type: { coding: [{ code: 'plan' }] }, value: 'a card', name: 'Self' }],
    [{ type: { coding: [{ code: 'plan' }] }, valueString: 'a card' }],
  ],
  modifierExtension: [undefined, [{ url: 'u' }]],
  payor: [undefined, 'Evergreen'],
};

/** Every combination of the elements. */
function resources(): object[] {
  return Object.entries(elements).reduce<object[]>(
    (made, [name, values]) => made.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{ resourceType: 'Coverage' }],
  );
}

function subjectOf(value: unknown) {
  return { item: new Item(value, {}), reference: 'Coverage/c' };
}

describe('clauses that rule a candidate out', () => {
  it('say together what the first of them says that holds by itself', () => {
    const unless = compileUnless(clauses);
    const alone = clauses.map(compileClause);
    for (const resource of resources()) {
      const subject = subjectOf(resource);
      const first = alone.find(({ holds }) => holds(subject, facts))?.words(subject, facts);
      expect(unless(subject, facts), JSON.stringify(resource)).toBe(first);
    }
  });

  it.each([
    ['it is draft', { status: 'draft', period: { end: '2026-01-01' }, type: { text: 'self' } }],
    ['it is over', { status: 'active', period: { end: '2026-01-01' }, type: { text: 'self' } }],
    ['it is self-pay', { status: 'active', type: { text: 'self' }, modifierExtension: [{ url: 'u' }] }],
    ['it has no payer', { status: 'active' }],
    [undefined, { status: 'active', payor: 'Evergreen' }],
  ])('%j', (words, resource) => expect(compileUnless(clauses)(subjectOf(resource), facts)).toBe(words));
});
