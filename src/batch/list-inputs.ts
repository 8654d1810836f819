import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * One file to read. Files of one `pool` belong together: single resources and NDJSON lines refer to each other within
 * it.
 */
export interface InputFile {
  /** As the reader named it, or below the folder that the reader named. `-` is standard input. */
  readonly path: string;
  readonly pool: string;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * All files below the given files and folders, in name order. Hidden entries of a folder are left out; a path that
 * cannot be read is a problem, never an exception.
 */
export async function listInputs(paths: readonly string[]): Promise<Inputs> {
  const found = new Set<string>();
  const problems: { path: string; reason: string }[] = [];
  const visit = async (path: string, isNamed = false): Promise<void> => {
    try {
      const facts = await stat(path);
      if (facts.isFile()) found.add(path);
      else if (!facts.isDirectory()) problems.push({ path, reason: 'neither a file nor a folder' });
      // A linked folder may lead back up; a folder that the reader named is followed all the same.
      else if (!isNamed && (await lstat(path)).isSymbolicLink())
        problems.push({ path, reason: 'a link to a folder, not followed: name the folder itself' });
      else for (const name of await namesIn(path)) await visit(join(path, name));
    } catch (error) {
      problems.push({ path, reason: reasonOf(error) });
    }
  };
  for (const path of paths) {
    if (path === '-') found.add(path);
    else await visit(path, true);
  }
  const files = [...found];
  const pools = exportFolders(files);
  return { files: files.map((path, at) => ({ path, pool: path === '-' ? path : (pools[at] ?? path) })), problems };
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => !name.startsWith('.')).sort();
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'a link that points to itself',
  EISDIR: 'a folder',
};

export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return reasons[code] ?? `it cannot be read (${code})`;
}

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
function exportFolders(paths: readonly string[]): readonly string[] {
  const folders = paths.map((path) => above(dirname(resolve(path)), inner));
  const exports = new Set(folders.filter((_, index) => isOfExport(paths[index] ?? '')));
  return folders.map((folder) => {
    const outer = dirname(folder);
    return basename(folder) === 'output' && exports.has(outer) ? outer : folder;
  });
}

function above(folder: string, kinds: typeof inner): string {
  const found = kinds.find((isOne) => isOne(basename(folder)));
  const others = kinds.filter((kind) => kind !== found);
  return found === undefined ? folder : above(dirname(folder), others);
}

// What stands beside data in folders of their own.
function isOfExport(path: string): boolean {
  return /(?:^|[\\/])(?:deleted(?:[\\/]|\b)|manifest\.json)/i.test(path);
}
