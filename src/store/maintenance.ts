import type { Vault } from '../base/vault.ts';
import type { Connection } from './database.ts';
import { erasePatient, purgeCases } from './erase.ts';
import { rekey } from './rekey.ts';
import type { Seals } from './seals.ts';
import type { Maintenance } from './types.ts';

export function createMaintenance(
  connection: Connection,
  seals: Seals,
  vault: Vault,
  tidy: () => Promise<void>,
): Maintenance {
  return {
    tidy: () => connection.read(tidy),
    rekey: () => rekey(connection, seals, vault),
    erase: (site, patient) => erasePatient(connection, seals, site, patient),
    purgeCases: (site, before) => purgeCases(connection, seals, site, before),
  };
}
