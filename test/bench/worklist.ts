import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/store/types.ts';

/** Cases of a practice, for what the first page of its worklist costs. */

const families = ['Lindholm', 'Okafor', 'Applewhite', 'Renner', 'Castellano', 'Whitlock', 'Amari', 'Osei'];
const drugs = ['Ozempic 1 mg pen', 'Qsymia 15 mg', 'Otezla 30 mg', 'Cosentyx 150 mg', 'Humira 40 mg'];

/** Puts that many drafts of different patients into the store: of one owner, or of seven. */
export async function fillWorklist(store: Store, site: string, cases: number, owner?: string): Promise<void> {
  for (let made = 0; made < cases; made += 1) {
    const [patient, order] = [`Patient/${randomUUID()}`, `MedicationRequest/${randomUUID()}`];
    const family = families[made % families.length];
    const head = {
      patient,
      order,
      launch: 'none',
      banner: { name: `Person ${made} ${family}` },
      title: drugs[made % drugs.length],
      owner: owner ?? `Practitioner/${made % 7}`,
      users: {},
    };
    await store.cases.open({ site, kind: 'prior-auth', patient, order }, () => ({
      id: randomUUID(),
      columns: { state: 'draft', attempt: 0, unwritten: false, waiting: false },
      keys: { patient, order },
      head,
      draft: { edits: {}, answers: {} },
    }));
  }
}

/** The middle of the times that `ask` takes, in milliseconds. */
export async function medianMs(times: number, ask: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await ask();
    taken.push(performance.now() - start);
  }
  return taken.sort((one, other) => one - other)[Math.floor(times / 2)] ?? Number.NaN;
}
