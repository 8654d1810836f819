import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openScene } from './support.ts';
test('try', async () => {
  const scene = await openScene('story-no-rxbin');
  const home = await scene.get(scene.home);
  console.log(home.status, home.headers, home.body.slice(0, 200));
  const page = await scene.get(`${scene.home}/orders/${scene.order}`);
  console.log(page.status, page.body.length, scene.log.lines);
  writeFileSync('/tmp/review.html', page.body);
  expect(page.status).toBe(200);
});
