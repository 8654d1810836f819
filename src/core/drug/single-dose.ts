import type { DrugReading } from './reading.ts';
import type { Amount } from './unit.ts';

/** A container whose rest is discarded after one dose. */
export interface SingleDose {
  readonly milliliters: number;
  /** In mg or units of activity. Undefined when no source states it. */
  readonly content?: Amount | undefined;
}

// According to labels and RxNorm, prefilled syringes, auto-injectors and single-dose or unit-dose products are opened
// for one dose. Pen injectors, cartridges and insulins of any kind hold several doses.
const once =
  /\b(?:syringes?|pfs|auto-?injectors?|ampu(?:le|l|oule)s?|nebules?|(?:single|unit)[ -]?(?:dose|use)|sdv)\b/i;
const several =
  /\b(?:multi(?:ple)?[ -]?dose|mdv|insulin|kwikpens?|flexpens?|flextouch|solostar|penfill|cartridges?|bulk)\b/i;

/**
 * The single-dose container that all readings of a drug agree on. Undefined when the container may hold several doses,
 * or when readings state different volumes.
 *
 * @example singleDoseOf([readDrugName('0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe')])
 * // { milliliters: 0.4, content: { value: 40, unit: 'mg' } }
 */
export function singleDoseOf(readings: readonly DrugReading[]): SingleDose | undefined {
  // The volume is checked first, because most drugs are tablets and have none.
  const volumes = readings.flatMap((reading) => volumeOf(reading) ?? []);
  const [milliliters] = volumes;
  if (milliliters === undefined || volumes.some((other) => other !== milliliters)) return undefined;
  if (!readings.some(isOnce) || readings.some(isForSeveral)) return undefined;
  return { milliliters, content: readings.flatMap((reading) => contentOf(reading, milliliters) ?? [])[0] };
}

function isOnce({ words, form, source, holds }: DrugReading): boolean {
  if (once.test(form ?? '') || once.test(words)) return true;
  // In "3 ML albuterol 0.83 MG/ML Inhalation Solution", RxNorm states the volume that is opened for one inhalation.
  return source === 'rxnorm' && holds?.unit === 'mL' && form === 'Inhalation Solution';
}

function isForSeveral({ words, ingredients, form, source }: DrugReading): boolean {
  if (source === 'rxnorm' && form === 'Pen Injector') return true;
  return several.test(words) || ingredients.some((name) => several.test(name));
}

function volumeOf({ holds, amounts: [first] }: DrugReading): number | undefined {
  if (holds?.unit === 'mL') return holds.value;
  // "40 mg/0.4 mL" is a container, but "100 mg/mL" is a concentration.
  return first?.per?.unit === 'mL' && first.per.value !== 1 ? first.per.value : undefined;
}

function contentOf({ amounts }: DrugReading, milliliters: number): Amount | undefined {
  const [only, ...others] = amounts;
  if (only?.per?.unit !== 'mL' || others.length > 0) return undefined;
  const { value, unit } = only.amount;
  return { value: (value / only.per.value) * milliliters, unit };
}
