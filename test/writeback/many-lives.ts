import { expect } from 'vitest';
import { judgeLife, type Life, live } from './schedules.ts';

const firstSeed = 20261121;

/** Lives so many cases at random, the same ones each time, and expects that each is kept to what its ledger says. */
export async function expectLives(lives: number, atLeast: { readonly retracted: number }): Promise<void> {
  const wrong: string[] = [];
  const seen = { kills: 0, lost: 0, retracted: 0 };
  for (let seed = firstSeed; seed < firstSeed + lives; seed += 1) {
    const life: Life = await live(seed);
    wrong.push(...judgeLife(life).map((complaint) => `seed ${seed} (${life.refusal}): ${complaint}`));
    seen.kills += life.kills;
    seen.lost += life.lost;
    seen.retracted += life.rows.filter(({ state }) => state === 'retracted').length;
  }
  expect(wrong).toEqual([]);
  // The schedules do what they are there for.
  expect(seen.kills).toBeGreaterThan(lives / 2);
  expect(seen.lost).toBeGreaterThan(lives / 2);
  expect(seen.retracted).toBeGreaterThanOrEqual(atLeast.retracted);
}
