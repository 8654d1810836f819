import { expect } from 'vitest';
import { judgeLife, type Life, live } from './schedules.ts';

const firstSeed = 20261140;

/** Where messages stand in the channels of a site. */
export const messageChannels: readonly (readonly [string, readonly string[]])[] = [
  ['behind documents', ['task+document', 'communication', 'worklist']],
  ['behind documents, without a Task', ['document', 'communication', 'worklist']],
  ['before documents', ['communication', 'document', 'worklist']],
  ['alone', ['communication', 'worklist']],
];

/** The life of this place among those of expectLives, which is kept to what its ledger says. */
export async function expectLife(place: number, channels?: readonly string[]): Promise<void> {
  expect(judgeLife(await live(firstSeed + place, channels))).toEqual([]);
}

/** Lives so many cases at random, the same ones each time, and expects that each is kept to what its ledger says. */
export async function expectLives(
  lives: number,
  atLeast: { readonly retracted: number },
  channels?: readonly string[],
): Promise<void> {
  const wrong: string[] = [];
  const seen = { kills: 0, lost: 0, retracted: 0 };
  for (let seed = firstSeed; seed < firstSeed + lives; seed += 1) {
    const life: Life = await live(seed, channels);
    wrong.push(...judgeLife(life).map((complaint) => `seed ${seed} (${life.refusal}): ${complaint}`));
    seen.kills += life.kills;
    seen.lost += life.lost;
    seen.retracted += life.rows.filter(({ state }) => state === 'retracted').length;
  }
  expect(wrong).toEqual([]);
  // The schedules do what they are there for; without a Task fewer writes can go wrong.
  const fewest = channels === undefined ? lives / 2 : 0;
  expect(seen.kills).toBeGreaterThan(fewest);
  expect(seen.lost).toBeGreaterThan(fewest);
  expect(seen.retracted).toBeGreaterThanOrEqual(atLeast.retracted);
}
