import type { Banner } from '../../cases/case.ts';

const gap = '…';

/**
 * A text without its patient's identifiers: the parts of the name, the birth date in its usual spellings, and the
 * record number. A person must still review the result.
 *
 * @example withoutNames('Is Ms. Lindholm an adult?', { name: 'Beatriz Lindholm' }) // 'Is Ms. … an adult?'
 */
export function withoutNames(text: string, { name, birthDate, mrn }: Banner): string {
  const words = [...name.split(/[\s,]+/).filter((part) => part.length > 1), ...datesOf(birthDate), mrn ?? ''];
  return words
    .filter((word) => word !== '')
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(wordOf(word), gap), text);
}

function wordOf(word: string): RegExp {
  const plain = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${plain}(?![\p{L}\p{N}])`, 'giu');
}

function datesOf(date = ''): string[] {
  const [year, month, day] = date.split('-');
  if (year === undefined || month === undefined || day === undefined) return [];
  const plain = [Number(month), Number(day), year].map(String);
  return [date, ...['/', '-', '.'].flatMap((mark) => [[month, day, year].join(mark), plain.join(mark)])];
}
