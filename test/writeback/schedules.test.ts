import { expect, test } from 'vitest';
import { judgeLife, type Life, live } from './schedules.ts';

const lives = 300;
const firstSeed = 20261121;

test(`${lives} random lives of a case end with one Task and each document once, or the ledger says more`, async () => {
  const wrong: string[] = [];
  const seen = { kills: 0, lost: 0, retracted: 0, lives: 0 };
  for (let seed = firstSeed; seed < firstSeed + lives; seed += 1) {
    const life: Life = await live(seed);
    wrong.push(...judgeLife(life).map((complaint) => `seed ${seed} (${life.refusal}): ${complaint}`));
    seen.lives += 1;
    seen.kills += life.kills;
    seen.lost += life.lost;
    seen.retracted += life.rows.filter(({ state }) => state === 'retracted').length;
  }
  expect(wrong).toEqual([]);
  // The schedules do what they are there for.
  expect(seen.kills).toBeGreaterThan(lives / 2);
  expect(seen.lost).toBeGreaterThan(lives / 2);
  expect(seen.retracted).toBeGreaterThan(10);
}, 600_000);

test('a seed gives the same life again', async () => {
  const [first, second] = [await live(7), await live(7)];
  expect(second.rows).toEqual(first.rows);
  expect(second.ehr.calls).toEqual(first.ehr.calls);
});
