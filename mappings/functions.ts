import { evidenceFor } from '../src/core/evidence/role.ts';
import { defaultCountry } from '../src/core/roles/functions/default-country.ts';
import { chooseProgram } from '../src/core/roles/functions/program.ts';
import { supplyDays } from '../src/core/roles/functions/supply-days.ts';
import { computed, derive } from '../src/core/roles/index.ts';
import { knowledge } from './knowledge/index.ts';
import { days } from './value-transforms.ts';

/** Roles that the role vocabulary cannot express: each is a named function, with the sentence that `describe` shows. */

export const program = computed({
  types: ['programId'],
  reads: [],
  questions: [{ severity: 'blocks' }],
  fill: {
    name: 'chooseProgram',
    sentence: 'the program that was asked for, else the site’s only one',
    call: chooseProgram,
  },
});

/**
 * The days that the quantity lasts, cited at the dose instruction. Empty if a part of the dosage could not be read, or
 * if the dose is in milligrams and the sources differ on the strength.
 */
export const daysSupply = derive({
  types: ['integer'],
  reads: ['supply', 'dose', 'drug', 'order'],
  derive: {
    name: 'supplyDays',
    sentence:
      'the quantity at one regular dose whose timing is wholly understood and which the directions do not contradict',
    call: supplyDays,
  },
  stated: '%supply.expectedSupplyDuration | %supply.duration',
  read: days,
  differ: 'The order states {stated} days; {says}. How many days is it for?',
  sources: { stated: 'the order states {stated} days', derived: 'worked out from quantity and directions: {note}' },
});

export const countryOf = (role: string) =>
  computed({
    types: ['string'],
    reads: [role, 'site'],
    fill: {
      name: 'defaultCountry',
      sentence: 'the site’s country, where the address has a ZIP code or a state of the US and names no country',
      call: defaultCountry(role),
    },
  });

export const evidence = computed({
  types: ['diagnosis', 'therapy', 'allergy', 'test', 'note'],
  reads: ['order', 'patient'],
  fill: {
    name: 'chooseEvidence',
    sentence: 'what a person ticked; with the site’s policy “suggested”, what is suggested for this drug',
    call: evidenceFor(knowledge),
  },
});
