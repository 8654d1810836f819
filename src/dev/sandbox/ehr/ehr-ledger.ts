import type { Ledger } from '../control/ledger.ts';

const facts =
  '`resource` (`Task/7`), `type`, `id`, `version`, `status`, `identifier`, `patients` (ids of those it is ' +
  'about), `targets` (of a Provenance), `files` (SHA-256 of each attachment inside)';

export const ehrLedger = {
  'write.created': { meaning: 'A resource is there that was not there before.', facts },
  'write.updated': { meaning: 'A resource has a new version.', facts },
  'write.deleted': { meaning: 'A resource is gone; the facts are of its last version.', facts },
  'write.pending': {
    meaning: 'A write was accepted that will be there later (`late-commit`).',
    facts: 'the same, and `commitMs`',
  },
  'write.lost': { meaning: 'A pending write never came to be there.', facts: '`resource`' },
} as const;

export type EhrLedger = Ledger<keyof typeof ehrLedger>;
