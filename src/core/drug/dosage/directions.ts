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

/** What the directions of an order and another part of it say differently, and the directions to choose from. */
export interface Contradiction {
  /** A sentence without its end: `The directions say 2 tablets, the dose 1 tablet`. */
  readonly said: string;
  readonly options: readonly { readonly value: string; readonly reason: string }[];
}

/** What the instruction for the patient and the text of a dosage certainly say differently. */
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

/** What the directions and the structured dose beside them certainly say differently. */
export function besideDose(
  dosages: readonly Dosage[],
  strength: () => MassOfOne | undefined,
): Contradiction | undefined {
  for (const dosage of dosages) {
    const text = directionsOf(dosage);
    // An EHR repeats the text of all doses beside each of them; two texts that differ are asked by themselves.
    if (text === undefined || textsDiffer(dosage) || dosages.filter((one) => directionsOf(one) === text).length > 1)
      continue;
    const said = certainDifference(dosage, text, strength);
    if (said !== undefined) return contradiction(capitalized(said), dosages, written(dosage, text));
  }
  return undefined;
}

/** Whether the directions tell a dose of another drug than the order's. */
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

/** What is sent of a dosage: the instruction for the patient, else its text. */
function directionsOf({ patientInstruction, text }: Dosage): string | undefined {
  return meaningful(patientInstruction) ?? meaningful(text);
}

// Of several doses one text is no answer.
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
