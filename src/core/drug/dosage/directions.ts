import type { Dosage } from 'fhir/r4.js';
import { meaningful } from '../../fhir/text/placeholder.ts';
import type { DrugKnowledge } from '../drug-knowledge.ts';
import type { DrugReading } from '../reading.ts';
import type { MassOfOne } from '../strength-of-one.ts';
import { certainDifference } from './compare-sig.ts';
import { textsDiffer } from './compare-texts.ts';
import { amountText } from './dose-unit.ts';
import { otherDrugIn } from './dosed-drug.ts';
import { rateText } from './rate.ts';
import { readDose } from './read-dose.ts';
import { readTiming } from './read-timing.ts';

/**
 * A contradiction between the directions of an order and another part of the order, with the directions that a person
 * may choose.
 */
export interface Contradiction {
  /** Without a final period: `The directions say 2 tablets, the dose 1 tablet`. */
  readonly said: string;
  readonly options: readonly { readonly value: string; readonly reason: string }[];
}

/** A certain contradiction between the patient instruction and the text of a dosage. */
export function besideText(dosages: readonly Dosage[]): Contradiction | undefined {
  const found = dosages.find(textsDiffer);
  if (found === undefined) return undefined;
  const { patientInstruction = '', text = '' } = found;
  const options = [
    { value: patientInstruction, reason: 'the instruction for the patient' },
    { value: text, reason: 'the text of the dose' },
  ];
  return contradiction('The order’s directions and its instruction for the patient differ', dosages, options);
}

/** A certain contradiction between the directions and their structured dose. */
export function besideDose(
  dosages: readonly Dosage[],
  strength: () => MassOfOne | undefined,
): Contradiction | undefined {
  for (const dosage of dosages) {
    const text = directionsOf(dosage);
    // Some EHRs repeat the text of all doses in each dosage, so repeated texts are skipped. `besideText` reports two
    // texts that differ.
    if (text === undefined || textsDiffer(dosage) || dosages.filter((one) => directionsOf(one) === text).length > 1)
      continue;
    const said = certainDifference(dosage, text, strength);
    if (said !== undefined) return contradiction(capitalized(said), dosages, written(dosage, text));
  }
  return undefined;
}

/** A contradiction if the directions name a drug other than the ordered one. */
export function besideDrug(
  dosages: readonly Dosage[],
  ordered: () => readonly DrugReading[],
  knowledge: DrugKnowledge,
): Contradiction | undefined {
  for (const dosage of dosages) {
    const text = directionsOf(dosage);
    const name = text === undefined ? undefined : otherDrugIn(text, ordered, knowledge);
    if (text === undefined || name === undefined) continue;
    const drug = ordered().find((reading) => reading.name !== undefined)?.name;
    const said = `The directions name ${name}, the order ${drug}`;
    return contradiction(said, dosages, written(dosage, text));
  }
  return undefined;
}

/** The directions that are sent: the patient instruction if there is one, or else the text. */
function directionsOf({ patientInstruction, text }: Dosage): string | undefined {
  return meaningful(patientInstruction) ?? meaningful(text);
}

// One text cannot replace the directions of several doses.
function contradiction(said: string, dosages: readonly Dosage[], options: Contradiction['options']): Contradiction {
  return { said, options: dosages.length === 1 ? options : [] };
}

function written(dosage: Dosage, text: string): Contradiction['options'] {
  const [dose, timing] = [readDose(dosage), readTiming(dosage)];
  const stated =
    typeof dose === 'string' || !timing.isWhole
      ? []
      : [{ value: `${amountText(dose)} ${rateText(timing)}`, reason: 'the stated dose' }];
  return [{ value: text, reason: 'the directions' }, ...stated];
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
