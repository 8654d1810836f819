// Writes docs/develop/cases.md from the transition table. Run it after the build: npm run docs -- cases
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesDoc } from '../dist/src/cases/diagram.js';

writeFileSync(join(import.meta.dirname, '..', 'docs', 'develop', 'cases.md'), casesDoc());
