import { basename, dirname, resolve } from 'node:path';

const typeFolders = new Set(
  (
    'AllergyIntolerance Binary Condition Coverage DiagnosticReport DocumentReference Encounter HealthcareService ' +
    'Location Medication MedicationDispense MedicationRequest MedicationStatement Observation Organization Patient ' +
    'Practitioner PractitionerRole Procedure RelatedPerson'
  ).split(' '),
);

/** Folders inside of an export, which may stand in each other. */
const inner: readonly ((name: string) => boolean)[] = [
  (name) => typeFolders.has(name),
  (name) => name.toLowerCase() === 'deleted',
];

/**
 * The folder of the export that each file belongs to: its own; above a folder of one resource type
 * (`export/Patient/1.json`) or of deletions (`export/deleted/1.ndjson`), and above `export/output`, which is the
 * manifest's word for data, where a manifest or deletions stand beside it.
 */
export function exportFolders(paths: readonly string[]): readonly string[] {
  const folders = paths.map((path) => above(dirname(resolve(path)), inner));
  const exports = new Set(folders.filter((_, index) => isOfExport(paths[index] ?? '')));
  return folders.map((folder) => {
    const outer = dirname(folder);
    return basename(folder) === 'output' && exports.has(outer) ? outer : folder;
  });
}

function above(folder: string, kinds: typeof inner): string {
  const found = kinds.find((isOne) => isOne(basename(folder)));
  if (found === undefined) return folder;
  return above(
    dirname(folder),
    kinds.filter((kind) => kind !== found),
  );
}

// What stands beside data in folders of their own.
function isOfExport(path: string): boolean {
  return /(?:^|[\\/])(?:deleted(?:[\\/]|\b)|manifest\.json)/i.test(path);
}
