import type { HumanName, Patient } from 'fhir/r4.js';
import type { Case } from '../../cases/case.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { isObject } from '../../core/fhir/is-object.ts';
import { cleanText } from '../../core/fhir/text/text.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import { patientChart } from '../../core/roles/select.ts';
import type { Launch } from '../../ehr/smart/types.ts';

/**
 * The patient banner of every page about the launch's patient. Throws `patient_mismatch` if the chart belongs to
 * another patient.
 */
export function bannerOf(roles: RoleTable, entries: readonly Entry[], launch: Launch, now: Date): Case['banner'] {
  const patient = entries
    .map(({ resource }) => resource)
    .find((resource): resource is Patient => resource.resourceType === 'Patient' && resource.id === launch.patient);
  if (patient === undefined) throw new BridgeError('patient_mismatch');
  const chart = patientChart(entries, { roles, patient: `Patient/${launch.patient}`, now, site: launch.site });
  const [name] = chart.root('name').nodes;
  const mrn = textOf(chart.root('recordNumber').nodes[0]?.value);
  return {
    name: nameText(name?.value),
    ...(patient.birthDate === undefined ? {} : { birthDate: patient.birthDate }),
    ...(patient.gender === undefined ? {} : { sex: patient.gender }),
    ...(mrn === undefined ? {} : { mrn }),
  };
}

function nameText(value: unknown): string {
  const name = value as HumanName | undefined; // the role has HumanNames
  if (name === undefined) return 'Name not in the chart';
  const parts = cleanText([...(name.given ?? []), name.family].filter((part) => part !== undefined).join(' '));
  const text = parts === '' ? cleanText(name.text ?? '') : parts;
  return text === '' ? 'Name not in the chart' : text;
}

function textOf(identifier: unknown): string | undefined {
  const value: unknown = isObject(identifier) ? identifier.value : undefined;
  return typeof value === 'string' ? cleanText(value) : undefined;
}
