import type { DrugKnowledge } from './drug-knowledge.ts';
import { isKnown, isMixRatio } from './name-words.ts';
import { namesPack } from './pack-words.ts';
import type { DrugReading } from './reading.ts';

/**
 * A number after a name without any strength, as in "Norco 10/325", is a strength without a unit. In an unknown name
 * the number may be part of the name, so it is unread.
 */
export function withoutBareNumber(reading: DrugReading, knowledge: DrugKnowledge): DrugReading {
  const { ingredients, amounts, refused } = reading;
  const last = ingredients.at(-1) ?? '';
  const [, name = '', number = ''] = behind.exec(last) ?? [];
  const isNamed = isKnown(name, knowledge);
  // In "Levora 0.15/30 28 Day Pack" the numbers tell packs apart. An unknown pack keeps them in its name.
  if (!isNamed && namesPack(reading.plain)) return reading;
  if (number === '' || amounts.length > 0 || refused !== undefined || isOfName(last, number, knowledge)) return reading;
  return {
    ...reading,
    ingredients: [...ingredients.slice(0, -1), name],
    name: reading.name?.replace(` ${number}`, ''),
    unread: isNamed ? reading.unread : [...reading.unread, number],
    refused: 'strength_without_unit',
    isCertain: false,
  };
}

const behind = /^(.*\p{L}.*) (\d[\d.,]*(?:[-/]\d[\d.,]*)*)$/u;

// The number is part of the name in "Vitamin B 12", "NovoLOG Mix 70-30" and brands with a number.
function isOfName(whole: string, number: string, { rowOf, isIngredient }: DrugKnowledge): boolean {
  const isRow = rowOf(whole)?.name.toLowerCase() === whole.toLowerCase();
  return isMixRatio(number) || isRow || isIngredient(whole) || /\b(?:vitamin [bdk]|q|omega) \d+$/i.test(whole);
}
