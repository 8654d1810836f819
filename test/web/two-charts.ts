import { BridgeError } from '../../src/core/errors.ts';
import type { Launch } from '../../src/ehr/smart/types.ts';
import type { Deps } from '../../src/web/http/deps.ts';
import { launchId, type Scene, session, story } from './support.ts';

/** Two charts that are open in one browser, each in a launch of its own, with an order whose request is complete. */
export const charts = {
  [launchId]: { story: 'story-complete', patient: 'complete-patient', order: 'complete-order' },
  'launch-one-of-this-browser-000002': {
    story: 'story-medication-contained',
    patient: 'contained-patient',
    order: 'contained-order',
  },
} as const;
type ChartLaunch = keyof typeof charts;

export const chartLaunches = Object.keys(charts) as readonly ChartLaunch[];
export const chartCookies = chartLaunches.map((id) => ({ name: `__Host-bridge-${id}`, value: session }));

/** Reads the chart of the patient who is asked for. */
export const readTwoCharts: NonNullable<Deps['readChart']> = async (_, { patient }) => {
  const chart = Object.values(charts).find((each) => patient.endsWith(each.patient));
  const entries = story(chart?.story ?? '').map((resource) => ({ resource }));
  return { entries, rounds: 1, warnings: [], forbidden: [], unread: [] };
};

/** Lets the browser of a scene own both launches. */
export function openTwoCharts({ smart }: Pick<Scene, 'smart'>): void {
  Object.assign(smart, {
    own: async (sent: ReadonlyMap<string, string>) => chartLaunches.filter((id) => sent.has(id)),
    open: async (id: ChartLaunch): Promise<Launch> => {
      const chart = charts[id];
      if (chart === undefined) throw new BridgeError('launch_not_found');
      return { ...smart.launch, id, patient: chart.patient };
    },
  });
}
