import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { openScene, type Scene } from '../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

const css = readFileSync(new URL('../../../src/web/assets/bridge.css', import.meta.url), 'utf8');

/** What the lines that unfold say to be done, while they are folded and once they are open. */
function acts(html: string): (readonly [string, string])[] {
  const words = /<span class="act"><span class="if-folded">([^<]*)<\/span><span class="if-open">([^<]*)<\/span>/g;
  return [...html.matchAll(words)].map(([, folded = '', open = '']) => [folded, open]);
}

test('a line that unfolds says to hide once it is open, to screen readers too', async () => {
  scene = await openScene('story-snomed-only');
  const review = `${scene.home}/orders/${scene.order}`;
  const page = (await scene.get(`${review}?answers=1`)).body;
  expect(new Set(acts(page).map((words) => words.join()))).toEqual(new Set(['Show,Hide', 'Edit,Hide', 'Add,Hide']));
  expect(page.match(/<summary[^>]*>(?:(?!<\/summary>).)*<span class="act">(?!<span class="if-folded">)/gs)).toBeNull();
  expect(css).toMatch(
    /details\[open\] > summary \.if-folded,\s*details:not\(\[open\]\) > summary \.if-open \{\s*display: none;\s*\}/,
  );
});
