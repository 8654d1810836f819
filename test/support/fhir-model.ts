import type { ElementDefinition } from 'fhir/r4.js';
import { loadFhirModel, loadStructures } from '../../src/cli/fhir-model.ts';
import type { FhirModel } from '../../src/proof/check.ts';

const model = await loadFhirModel();
const structures = await loadStructures();

/** FHIR R4 from the StructureDefinitions of HL7, as the command \`lint\` reads it. */
export function fhirModel(): FhirModel {
  return model;
}

/** Every R4 element with its types, keyed as in the StructureDefinitions (\`Observation.value[x]\`). */
export function elementDefinitions(): ElementDefinition[] {
  return structures.flatMap((structure) => structure.snapshot?.element ?? []);
}
