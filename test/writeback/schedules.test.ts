import { expect, test } from 'vitest';
import { expectLives, messageRungs } from './many-lives.ts';
import { live } from './schedules.ts';

// schedules.long.test.ts takes ten times as many.
const lives = 30;

test(`${lives} random lives of a case end with one Task and each document once, or the ledger says more`, () =>
  expectLives(lives, { retracted: 1 }));

test.each(messageRungs)(
  `${lives / 2} random lives with messages %s end with one summary, or the ledger says more`,
  (_, rungs) => expectLives(lives / 2, { retracted: 0 }, rungs),
);

test('a seed gives the same life again', async () => {
  const [first, second] = [await live(7), await live(7)];
  expect(second.rows).toEqual(first.rows);
  expect(second.ehr.calls).toEqual(first.ehr.calls);
});
