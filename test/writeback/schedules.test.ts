import { expect, test } from 'vitest';
import { expectLife, expectLives, messageChannels } from './many-lives.ts';
import { live } from './schedules.ts';

// schedules.long.test.ts takes ten times as many.
const lives = 30;

test(`${lives} random lives of a case end with one Task and each document once, or the ledger says more`, () =>
  expectLives(lives, { retracted: 1 }));

test.each(messageChannels)(
  `${lives / 2} random lives with messages %s end with one summary, or the ledger says more`,
  (_, channels) => expectLives(lives / 2, { retracted: 0 }, channels),
);

const [behindDocuments, , beforeDocuments] = messageChannels.map(([, channels]) => channels);

// Of the three hundred: what goes wrong in none of the few above.
test.each([
  ['a Task written twice, whose first copy comes after the second was found', [34, 204, 250], undefined],
  ['a letter written twice, whose first copy comes after the second was found', [125], behindDocuments],
  ['a message written twice, whose first copy comes after the second was found', [41, 281], beforeDocuments],
  ['a Task that says less than its request once it was created', [167], undefined],
  ['a Task that is found after its answer was lost and says something older', [101], behindDocuments],
] as const)('a random life with %s ends with one [E11]', async (_, places, channels) => {
  for (const place of places) await expectLife(place, channels);
});

test('a seed gives the same life again', async () => {
  const [first, second] = [await live(7), await live(7)];
  expect(second.rows).toEqual(first.rows);
  expect(second.ehr.calls).toEqual(first.ehr.calls);
});
