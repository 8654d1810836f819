import { readFileSync, writeFileSync } from 'node:fs';
import { mayGenerate } from '../../src/core/fhir/may-generate.ts';
import { type Entries, toldOf } from './told.ts';

/** A process of its own that tells of charts without generated code: a line of JSON for each line of entries. */
const [from = '', to = ''] = process.argv.slice(2);
if (mayGenerate) throw new Error('started without --disallow-code-generation-from-strings');
const lines = readFileSync(from, 'utf8').split('\n');
writeFileSync(to, lines.map((line) => JSON.stringify(toldOf(JSON.parse(line) as Entries))).join('\n'));
