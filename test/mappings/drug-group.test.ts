import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { drugTargets } from '../../src/core/contract/groups.ts';

const codes = /[.](rxnorm|ndc)$/;
const all = [...Object.values(mappings['prior-auth']), ...Object.values(mappings.enrollment)];
const followers = all.flatMap(({ name, plan, followers }) =>
  followers.filter(({ target }) => codes.test(target)).map((follower) => ({ name, plan, ...follower })),
);

test('each code of a drug follows every leaf that names the drug in words', () => {
  expect(followers.length).toBeGreaterThan(4);
  for (const { name, plan, target, follows } of followers) {
    const leaves = plan.leaves.map((leaf) => leaf.target);
    const words = drugTargets.filter((leaf) => leaves.includes(leaf) && !codes.test(leaf));
    expect({ name, target, follows: [...follows.targets].toSorted() }).toEqual({
      ...{ name, target },
      follows: words.toSorted(),
    });
  }
});
