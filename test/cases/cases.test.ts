import { afterAll } from 'vitest';
import { openStore } from '../../src/cases/store.ts';
import { silentLog } from '../../src/log.ts';
import { newKey } from '../../src/vault.ts';
import { tempFolder } from '../support/temp.ts';
import { describeCases } from './behaviour.ts';

const folder = tempFolder('cases');
afterAll(folder.remove);

describeCases('cases on the embedded store', () =>
  openStore({ config: { keys: [newKey()], dataDir: folder.path }, log: silentLog }),
);
