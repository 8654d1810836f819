import { addressesLaw } from './addresses/law.ts';
import { changesLaw } from './changes-law.ts';
import { damagedTextLaw } from './damaged-text/law.ts';
import { drugLaw } from './drugs/law.ts';
import type { LongLaw } from './long-law.ts';
import { privacyLaw } from './privacy/law.ts';
import { randomDamageLaw } from './random-damage-law.ts';
import { spellingLaw } from './spelling-law.ts';

/**
 * The laws by the names that `npm run proof -- laws` takes. A new one is a file that exports a `LongLaw`, and a line
 * here.
 */
export const allLaws: Readonly<Record<string, LongLaw>> = {
  addresses: addressesLaw,
  changes: changesLaw,
  'damaged-text': damagedTextLaw,
  drugs: drugLaw,
  privacy: privacyLaw,
  'random-damage': randomDamageLaw,
  'spelling-of-systems': spellingLaw,
};
