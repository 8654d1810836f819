import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** A file to read. Resources and NDJSON lines in files of the same `pool` may refer to each other. */
export interface InputFile {
  /** The given path, or a path below a given folder. `-` is standard input. */
  readonly path: string;
  readonly pool: string;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Lists all files below the given files and folders, by name. Hidden entries of a folder are left out. Never throws: an
 * unreadable path becomes a problem.
 */
export async function listInputs(paths: readonly string[]): Promise<Inputs> {
  const found = new Set<string>();
  const problems: { path: string; reason: string }[] = [];
  const visit = async (path: string, isNamed = false): Promise<void> => {
    try {
      const facts = await stat(path);
      if (facts.isFile()) found.add(path);
      else if (!facts.isDirectory()) problems.push({ path, reason: 'neither a file nor a folder' });
      // A link may lead back to a parent folder, so only a link that the user gave is followed.
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

/** Folders inside an export, which may be nested. */
const inner: readonly ((name: string) => boolean)[] = [
  (name) => typeFolders.has(name),
  (name) => name.toLowerCase() === 'deleted',
];

/**
 * Returns the export folder of each file. Usually that is the file's own folder. It is the parent of a folder with one
 * resource type (`export/Patient/1.json`) or with deletions (`export/deleted/1.ndjson`). It is also the parent of
 * `export/output`, as manifests call the data, if there is a manifest or a deletion.
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

// A manifest or a folder of deletions comes with the data of an export.
function isOfExport(path: string): boolean {
  return /(?:^|[\\/])(?:deleted(?:[\\/]|\b)|manifest\.json)/i.test(path);
}
