import type { HumanName, Patient } from 'fhir/r4.js';
import type { Case } from '../cases/case.ts';
import { pickName } from '../chart/patient.ts';
import { BridgeError } from '../errors.ts';
import type { Entry } from '../fhir/bundle.ts';
import { todayAt } from '../fhir/time/today.ts';
import type { Launch } from '../smart/index.ts';

/** What the banner on every page says about the patient of the launch. Throws `patient_mismatch` when the chart that was read is another's. */
export function bannerOf(entries: readonly Entry[], launch: Launch, now: Date): Case['banner'] {
  const patient = entries
    .map(({ resource }) => resource)
    .find((resource): resource is Patient => resource.resourceType === 'Patient' && resource.id === launch.patient);
  if (patient === undefined) throw new BridgeError('patient_mismatch');
  const today = todayAt(now, launch.site.timeZone);
  const node = pickName({ resource: patient, reference: `Patient/${launch.patient}` }, patient.name ?? [], today).root
    .nodes[0];
  const mrn = mrnOf(patient, launch.site.mrnSystem);
  return {
    name: nameText(node?.value),
    ...(patient.birthDate === undefined ? {} : { birthDate: patient.birthDate }),
    ...(patient.gender === undefined ? {} : { sex: patient.gender }),
    ...(mrn === undefined ? {} : { mrn }),
  };
}

function nameText(value: unknown): string {
  const name = value as HumanName | undefined; // pickName gives back one of the HumanNames it was given
  if (name === undefined) return 'Name not in the chart';
  const parts = [...(name.given ?? []), name.family].filter((part) => part !== undefined && part.trim() !== '');
  return parts.length > 0 ? parts.join(' ') : (name.text ?? 'Name not in the chart');
}

function mrnOf(patient: Patient, system: string | undefined): string | undefined {
  const identifiers = patient.identifier ?? [];
  const found =
    (system === undefined ? undefined : identifiers.find((identifier) => identifier.system === system)) ??
    identifiers.find((identifier) => identifier.type?.coding?.some((coding) => coding.code === 'MR') ?? false);
  return found?.value?.trim();
}
