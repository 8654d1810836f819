import { afterAll, beforeAll, expect, test } from 'vitest';
import { worklistRules } from '../../src/cases/worklist-entry.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { openScene } from '../web/support.ts';
import { fillWorklist, medianMs } from './worklist.ts';

// A measure, and no test of the suite: npm run bench -- worklist. To put in 10,000 cases takes minutes.
const many = Number(process.env.WORKLIST_CASES ?? 0);

let backend: Backend;
let store: Store;

beforeAll(async () => {
  if (many === 0) return;
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules });
});
afterAll(async () => {
  await store?.close();
  await backend?.close();
});

test.skipIf(many === 0)(
  `the first page of ${many} cases takes at most four times the server time of ten`,
  async () => {
    await fillWorklist(store, 'small', 10);
    await fillWorklist(store, 'large', many);
    const scene = await openScene('story-complete', (deps) => ({
      ...deps,
      worklist: store.worklist,
      audit: store.audit,
    }));
    const { site } = scene.smart.launch;
    const page = async (id: string) => {
      scene.smart.launch = { ...scene.smart.launch, site: { ...site, id } };
      return scene.get(`${scene.home}/worklist`);
    };
    expect((await page('large')).body.match(/<th scope="row">/g)).toHaveLength(25);
    expect((await page('small')).body.match(/<th scope="row">/g)).toHaveLength(10);
    // In turns, so that what else the machine does falls on both.
    const ratios: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const small = await medianMs(5, () => page('small'));
      const large = await medianMs(5, () => page('large'));
      ratios.push(large / small);
    }
    const ratio = ratios.sort((one, other) => one - other)[2]!;
    process.stdout.write(`worklist: first page of ${many} cases at ${ratio.toFixed(2)} times that of ten\n`);
    expect(ratio).toBeLessThan(4);
    await scene.app.close();
  },
  600_000,
);
