import { readChart } from '../../../src/ehr/chart/read-chart.ts';
import { openScene } from '../../web/support.ts';
import { roundTripEhr } from './round-trip-ehr.ts';
import type { Measured, Wanted } from './row.ts';

/** From the launched session to the draft, counted in round trips to an EHR that takes its time for each answer. */
export async function launchNumbers({ size }: Wanted): Promise<Measured[]> {
  const measured: Measured[] = [];
  // the first page of a process compiles what makes it
  await draft(0, true);
  for (const delayMs of size === 'short' ? [50] : [50, 150, 600]) {
    const one = await draft(delayMs, true);
    const other = await draft(delayMs, false);
    measured.push({
      name: `launch to draft, ${delayMs} ms an answer`,
      ratio: one.rounds,
      peers: {
        'by the clock': one.milliseconds / delayMs,
        'without _include': other.rounds,
        'without _include, by the clock': other.milliseconds / delayMs,
      },
    });
  }
  return measured;
}

async function draft(delayMs: number, includes: boolean): Promise<{ rounds: number; milliseconds: number }> {
  const scene = await openScene('everything-in-the-chart-is-complete', (deps) => ({ ...deps, readChart }));
  try {
    const ehr = roundTripEhr(scene.resources, { base: scene.smart.launch.iss, includes, delayMs });
    scene.smart.api = () => ehr.api;
    const start = performance.now();
    const page = await scene.get(`${scene.home}/orders/${scene.order}`);
    const milliseconds = performance.now() - start;
    if (!page.body.includes('id="review"')) throw new Error(`no draft: ${page.status}`);
    return { rounds: ehr.rounds(), milliseconds };
  } finally {
    await scene.app.close();
  }
}
