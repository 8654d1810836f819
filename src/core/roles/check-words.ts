import { BridgeError } from '../errors.ts';
import type { Clause } from './clauses.ts';
import type { RoleRule } from './words.ts';

/** Throws `mapping_invalid` for a refusal or warning without text. */
export function refuseSilent(mapping: string, role: string, rule: RoleRule): void {
  if (readByPeople(rule).every(({ text }) => text.trim() !== '')) return;
  throw new BridgeError('mapping_invalid', { mapping, role, reason: 'a clause that people read has no words' });
}

function readByPeople(rule: RoleRule): readonly Clause[] {
  switch (rule.kind) {
    case 'given':
      return [...rule.unless, ...rule.warns];
    case 'follow':
      return rule.warns;
    case 'every':
    case 'pick':
    case 'choose':
      return rule.unless;
    case 'reasons': {
      const { always, ofEncounter, elsewhere } = rule.proposeUnless;
      return [...rule.unless, ...rule.unlessConcept, ...always, ...ofEncounter, ...elsewhere, ...rule.acceptUnless];
    }
    default:
      return [];
  }
}
