import { readSig, type SigReading } from '../../../core/drug/dosage/read-sig.ts';
import { sensitiveMarks } from './public-words.ts';
import { splitWords } from './split-words.ts';

/**
 * Returns directions with the same amounts and times, and nothing else of the original: `words 1 tablet words bid` for
 * "Take one tablet by mouth twice a day". Directions that cannot be read stay unreadable. Returns undefined if there is
 * no such text.
 *
 * @param between - a word that is not in the original: with it, no four words of the original stand in a row
 */
export function neutralSig(text: string, between: string): string | undefined {
  const reading = readSig(text);
  if (reading === undefined) return undefined;
  const marks = [...new Set(splitWords(text))].filter((word) => sensitiveMarks.has(word));
  const made = [...marks, ...partsOf(reading)].map((part) => `${between} ${part}`).join(' ');
  return JSON.stringify(readSig(made)) === JSON.stringify(reading) ? made : undefined;
}

// At most three words each. An amount without a unit comes last, since only there it is read.
function partsOf(reading: SigReading): string[] {
  const { dose, mass, strength, rate, totalDays, isAsNeeded, isRange, changes, isUnread } = reading;
  const flags = [isUnread && 'every', isAsNeeded && 'prn', isRange && 'up to', changes && 'adjust'];
  const parts = [
    rate && rateText(rate),
    totalDays !== undefined && `for ${totalDays} days`,
    strength && `${strength.value} ${strength.unit} tablet`,
    mass && `${mass.value} ${mass.unit}`,
    dose && (dose.unit === 'any' ? `take ${dose.value}` : `${dose.value} ${dose.unit}`),
  ];
  return [...flags, ...parts].filter((part) => typeof part === 'string');
}

const daily: Readonly<Record<number, string>> = { 1: 'daily', 2: 'bid', 3: 'tid', 4: 'qid' };

function rateText({ times, days, unit }: NonNullable<SigReading['rate']>): string {
  if (unit === 'hour') return `every ${(24 * days) / times} hours`;
  if (unit === 'week' && days > 7) return `every ${days / 7} weeks`;
  if (unit === 'week') return times === 1 ? 'weekly' : `${times} times weekly`;
  return days === 1 ? (daily[times] ?? `${times} times daily`) : `every ${days} days`;
}
