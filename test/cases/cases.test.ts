import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/cases/store.ts';
import { silentLog } from '../../src/log.ts';
import { newKey } from '../../src/vault.ts';
import { describeCases } from './behaviour.ts';

describeCases('cases on the embedded store', () => openStore({ config: { keys: [newKey()], dataDir: mkdtempSync(join(tmpdir(), 'bridge-cases-')) }, log: silentLog }));
