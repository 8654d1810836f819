// Writes src/dev/sandbox/codes/icd10cm-excerpt-<year>.txt from CMS's ICD-10-CM order file, plain or gzipped: the lines
// of the categories that the sandbox's drugs are given for, copied byte for byte with their headers.
//
//   node bin/generate-sandbox-codes.mjs icd10cm-order-Jan-2021.txt.gz
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const charts = join(root, 'fixtures/charts');

// Categories near those of the charts, so that a search finds more than the right answer.
const neighbors =
  /^(?:E0[89]|E1[0-3]|E66|E78|G35|G4[34]|I1[0-6]|I2[0-5]|J4[0-7]|K5[0-2]|L2[0-9]|L4[0-5]|L73|M0[5-8]|M45)/;

const [, , source] = process.argv;
if (source === undefined) {
  console.error('Next: node bin/generate-sandbox-codes.mjs <icd10cm-order-...txt[.gz]>');
  process.exitCode = 2;
} else write(source);

function write(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
  const year = /20\d\d/.exec(basename(path))?.[0];
  if (year === undefined) throw new Error('the name of the file has no year');
  const used = categoriesOfCharts();
  // columns 7 to 13 have the code without its dot
  const lines = text.split('\r\n').filter((line) => used.has(line.slice(6, 9)) || neighbors.test(line.slice(6, 13)));
  const target = join(root, `src/dev/sandbox/codes/icd10cm-excerpt-${year}.txt`);
  writeFileSync(target, `${lines.join('\r\n')}\r\n`, 'latin1');
  console.log(`${target}: ${lines.length} lines`);
}

/** The categories of all ICD-10-CM codes in the charts that the sandbox starts with. */
function categoriesOfCharts() {
  const folders = readdirSync(charts).filter((name) => name.startsWith('story-'));
  const found = folders.flatMap((name) => codesIn(JSON.parse(readFileSync(join(charts, name, 'bundle.json'), 'utf8'))));
  return new Set(found.map((code) => code.slice(0, 3)));
}

function codesIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  const own =
    value.system === 'http://hl7.org/fhir/sid/icd-10-cm' && typeof value.code === 'string' ? [value.code] : [];
  return [...own, ...Object.values(value).flatMap(codesIn)];
}
