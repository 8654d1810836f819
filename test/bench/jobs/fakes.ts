import type { Bundle, MedicationRequest, Patient, Practitioner } from 'fhir/r4.js';
import { silentLog } from '../../../src/base/log.ts';
import { type FakesOptions, type FakesSaid, requestOf, sender } from './said.ts';

// A process of its own: the service and the EHR of each site, so that what they cost is told apart from the bridge.

// As it was built: its pages are TSX, which Node itself does not read.
const alone = new URL('../../../dist/src/dev/sandbox/alone.js', import.meta.url).href;
const { startEhrAlone, startServiceAlone }: typeof import('../../../src/dev/sandbox/alone.ts') = await import(alone);

const { bridge, sites, patients }: FakesOptions = JSON.parse(process.argv[2] ?? '');
const common = { port: 0, clock: () => new Date(), log: silentLog, bridge };
const { service, sites: callers } = await startServiceAlone({ ...common, sites, speed: 1000 });
const ehrs: FakesSaid['ehrs'] = [];
for (const site of sites) {
  const {
    ehr: { url, fhirBase },
  } = await startEhrAlone({ ...common, site, charts: [chart()] });
  ehrs.push({ site, url, iss: fhirBase });
}
const said: FakesSaid = { service: { url: service.url, sites: callers }, ehrs };
process.stdout.write(`${JSON.stringify(said)}\n`);
process.once('SIGTERM', () => process.exit(0));

/** What the Tasks and letters refer to: an EHR looks whether it is there. */
function chart(): Bundle {
  const resources: (Practitioner | Patient | MedicationRequest)[] = [
    { resourceType: 'Practitioner', id: idOf(sender), name: [{ family: 'Loper', given: ['Deva'] }] },
    ...Array.from({ length: patients }, (_, nth) => chartOf(nth)).flat(),
  ];
  return { resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) };
}

function chartOf(nth: number): readonly [Patient, MedicationRequest] {
  const { patient, order } = requestOf(nth);
  const medicationCodeableConcept = { text: 'adalimumab' };
  const about = {
    status: 'active',
    intent: 'order',
    medicationCodeableConcept,
    subject: { reference: patient },
  } as const;
  return [
    { resourceType: 'Patient', id: idOf(patient), name: [{ family: 'Bench', given: ['Canary'] }] },
    { resourceType: 'MedicationRequest', id: idOf(order), ...about },
  ];
}

function idOf(reference: string): string {
  return reference.split('/')[1] ?? '';
}
