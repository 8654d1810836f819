import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { Node } from '../mapping/input.ts';
import type { Around } from './around.ts';
import type { PlaceWords } from './knowledge.ts';
import { namesOtherDrug, sentencesIn } from './sentences.ts';
import { distinct } from './taken-products.ts';

/** Where the drug is given, if the directions and notes of the order state it clearly. One node for each statement. */
export function placesAround(around: Around): Node[] {
  const said = textsOf(around).flatMap(({ value = '', source }) =>
    placesIn(value, around).map((words) => new Cited(words, source)),
  );
  return distinct(said).map((words) => nodeOf({ words }, around.chart.order));
}

function textsOf({ chart: { order } }: Around): Cited<string | undefined>[] {
  const { dosageInstruction = [], note = [] } = order.resource;
  return [
    ...dosageInstruction.flatMap(({ text, patientInstruction, additionalInstruction = [] }, index) => {
      const at = `dosageInstruction[${index}]`;
      return [
        cite(order, text, `${at}.text`),
        cite(order, patientInstruction, `${at}.patientInstruction`),
        ...additionalInstruction.map((one, place) =>
          cite(order, labelOf(one), `${at}.additionalInstruction[${place}]`),
        ),
      ];
    }),
    ...note.map(({ text }, index) => cite(order, text, `note[${index}].text`)),
  ];
}

function placesIn(text: string, around: Around): string[] {
  return sentencesIn(text)
    .filter((sentence) => isCertain(sentence, around))
    .map((sentence) => clausesOf(sentence, around.knowledge.places));
}

function isCertain(sentence: string, around: Around): boolean {
  const { places } = around.knowledge;
  const { doubted, earlier, ofOthers } = places;
  if (!saysPlace(sentence, places)) return false;
  if ([doubted, earlier, ofOthers].some((words) => words.test(sentence.replace(places.training, '')))) return false;
  return (
    !namesOtherDrug(sentence, around.ordered, around.knowledge.drugs) &&
    around.privacy.words.ofText(sentence) === undefined
  );
}

function saysPlace(text: string, { stated, training }: PlaceWords): boolean {
  const plain = text.replace(training, '');
  return stated.some((words) => words.test(plain));
}

/** The clauses from the first to the last that states a place. The clauses before, such as a dose, are dropped. */
function clausesOf(sentence: string, places: PlaceWords): string {
  const clauses = sentence.split(/(?<=,)\s+/);
  const says = clauses.map((clause) => saysPlace(clause, places));
  const [first, last] = [says.indexOf(true), says.lastIndexOf(true)];
  if (first < 0) return sentence;
  return clauses
    .slice(first, last + 1)
    .join(' ')
    .replace(/,$/, '');
}
