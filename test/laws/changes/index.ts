import type { Change } from '../draft.ts';
import { coverageChanges } from './coverage.ts';
import { diagnosisChanges } from './diagnosis.ts';
import { drugChanges } from './drug.ts';
import { orderChanges } from './order.ts';
import { patientChanges } from './patient.ts';
import { prescriberChanges } from './prescriber.ts';
import { supplyChanges } from './supply.ts';
import { timingChanges } from './timing.ts';

/** All changes that the generator combines. */
export const changes: readonly Change[] = [
  ...orderChanges,
  ...drugChanges,
  ...supplyChanges,
  ...timingChanges,
  ...patientChanges,
  ...prescriberChanges,
  ...coverageChanges,
  ...diagnosisChanges,
];
