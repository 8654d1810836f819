import { createHmac } from 'node:crypto';
import { npiCheckDigit } from '../../../core/fhir/codes/npi.ts';
import { letterOrDigit, lettersAndDigits } from '../../../core/fhir/text/letters-and-digits.ts';
import type { InputWords } from './input-words.ts';
import { sensitiveMarks } from './public-words.ts';
import { isNoName, isNoPhone, saysNothing } from './says-nothing.ts';
import { splitWords, wordPattern } from './split-words.ts';

/**
 * Replacements by kind of value. The same original always has the same replacement, from which the original cannot be
 * found.
 */
export interface StandIns {
  /**
   * Replaces words by made-up words, so that a name in a text still matches the same name elsewhere, and numbers by
   * other numbers. Words that match `isKept` are kept, at most `most` in a row.
   */
  readonly name: (text: string, isKept?: (word: string) => boolean, most?: number) => string;
  /**
   * Replaces words that people wrote by as many neutral words, with the same punctuation. Words that mark sensitive
   * information are kept.
   */
  readonly prose: (text: string) => string;
  /** A neutral word that does not occur in the input. */
  readonly neutral: string;
  /**
   * Replaces digits by digits and letters by letters of the same case, and keeps everything else: `Z6129 ` becomes
   * `Q8350 `, and `z-6129` becomes `q-8350`. If a number begins or ends with another number of the chart (as a member
   * number with its plan's prefix), so do their replacements. The check digit of an NPI stays right or wrong.
   */
  readonly shape: (value: string) => string;
  /**
   * Returns a fictional 555-01xx number in the same notation. A number without seven, ten or eleven digits keeps only
   * its shape.
   */
  readonly phone: (value: string) => string;
  readonly email: (value: string) => string;
  readonly id: (type: string, original: string) => string;
  /** Returns `prefix` with a number, for values whose shape does not matter (`https://ehr.example.org/systems/2`). */
  readonly numbered: (prefix: string, original: string) => string;
}

/** No made-up word occurs in the input. */
export function createStandIns(seed: string, { taken, names, numbers }: InputWords): StandIns {
  const memory = new StandInMemory(seed, taken, numbers);
  const { neutral, digit } = memory.neutral();
  const isMark = (word: string) => sensitiveMarks.has(word) && !names.has(word);
  const prose = new Map<string, string>();
  const shape = (value: string) => shapeOf(value, memory);
  return {
    name: (text, isKept, most = 3) => byWord(text, { isKept, most, memory }),
    prose: (text) => {
      const made = prose.get(text) ?? proseOf(text, { neutral, digit, isMark });
      prose.set(text, made);
      return made;
    },
    neutral: neutral[0] ?? 'x',
    shape,
    phone: (value) => phoneOf(value, memory),
    email: (value) => {
      const at = value.indexOf('@');
      return at < 0 ? shape(value) : `${shape(value.slice(0, at))}@example.org`;
    },
    id: (type, original) => memory.numbered(`${hyphened(type)}-`, original),
    numbered: (prefix, original) => memory.numbered(prefix, original),
  };
}

/** The replacement of each original. Replacements differ from each other as long as their form has enough variants. */
class StandInMemory {
  private readonly known = new Map<string, string>();
  private readonly given = new Set<string>();

  constructor(
    private readonly seed: string,
    private readonly taken: ReadonlySet<string>,
    private readonly numbers: ReadonlySet<string>,
  ) {}

  /** Returns the longest other number of the chart that this one begins or ends with. */
  partOf(number: string): string | undefined {
    return [...this.numbers]
      .filter((part) => part.length < number.length && (number.startsWith(part) || number.endsWith(part)))
      .toSorted((one, other) => other.length - one.length)[0];
  }

  remember(kind: string, original: string, make: (bytes: Buffer) => string): string {
    const key = `${kind} ${original}`;
    return (
      this.known.get(key) ??
      this.keep(
        key,
        this.firstFree(original, (attempt) => make(this.random(key, attempt))),
      )
    );
  }

  numbered(prefix: string, original: string): string {
    const key = `${prefix} ${original}`;
    return this.known.get(key) ?? this.keep(key, this.nextNumber(prefix));
  }

  neutral(): { readonly neutral: readonly string[]; readonly digit: () => string } {
    const digit = digitStream((count) => this.random('digits', count));
    return { neutral: neutralWords(this.taken, this.random('neutral', 0)), digit };
  }

  private random(key: string, attempt: number): Buffer {
    return createHmac('sha256', this.seed).update(`${attempt} ${key}`).digest();
  }

  private keep(key: string, made: string): string {
    this.known.set(key, made);
    this.given.add(made);
    return made;
  }

  private firstFree(original: string, make: (attempt: number) => string): string {
    let last = '';
    for (let attempt = 0; attempt < 200; attempt++) {
      last = make(attempt);
      const isFree = last !== original && !saysNothing(last) && !isTaken(last, this.taken);
      if (isFree && (!this.given.has(last) || attempt > 100)) return last;
    }
    return last;
  }

  private nextNumber(prefix: string): string {
    for (let number = 1; ; number++) {
      const made = `${prefix}${number}`;
      if (!this.given.has(made) && !this.taken.has(splitWords(made).join(''))) return made;
    }
  }
}

function shapeOf(value: string, memory: StandInMemory): string {
  if (saysNothing(value.trim())) return value;
  const made = [...standInOf(lettersAndDigits(value), memory)];
  let position = 0;
  return value.replace(letterOrDigit, (char) => {
    const next = made[position++] ?? '0';
    return char === char.toLowerCase() ? next : next.toUpperCase();
  });
}

function standInOf(number: string, memory: StandInMemory): string {
  const part = memory.partOf(number);
  if (part === undefined) return memory.remember('shape', number, (bytes) => reshaped(number, bytes));
  const inner = standInOf(part, memory);
  return number.startsWith(part)
    ? `${inner}${memory.remember('behind', number, (bytes) => reshaped(number.slice(part.length), bytes))}`
    : `${memory.remember('in front', number, (bytes) => reshaped(number.slice(0, -part.length), bytes))}${inner}`;
}

function phoneOf(value: string, memory: StandInMemory): string {
  const bare = value.trim();
  const count = bare.replace(/\D/g, '').length;
  if (isNoPhone(bare)) return value;
  if (![7, 10, 11].includes(count) || /[^\d\s()+.x/-]/.test(bare)) return shapeOf(value, memory);
  return value.replace(bare, () => memory.remember('phone', bare, (bytes) => phoneFrom(bare, bytes)));
}

// Words of one or two letters occur in every text. A longer made-up word must not occur in the input, or it would be
// mistaken for the original.
function isTaken(made: string, taken: ReadonlySet<string>): boolean {
  const words = splitWords(made);
  return taken.has(words.join('')) || (words.length === 1 && made.length > 2 && taken.has(words[0] ?? ''));
}

const consonants = 'bdfgklmnprstv';
const vowels = 'aeiou';

// Consonants and vowels alternate, so the word is pronounceable and a real word only by chance.
function wordFrom(bytes: Buffer, length: number): string {
  const letters = Array.from({ length: Math.min(Math.max(length, 1), 10) }, (_, position) => {
    const pool = position % 2 === 0 ? consonants : vowels;
    return pool[(bytes[position] ?? 0) % pool.length];
  });
  return letters.join('');
}

function likeCase(original: string, stand: string): string {
  if (original.length > 1 && original === original.toUpperCase() && original !== original.toLowerCase())
    return stand.toUpperCase();
  const first = original.charAt(0);
  return first !== first.toLowerCase() ? stand.charAt(0).toUpperCase() + stand.slice(1) : stand;
}

interface ByWord {
  readonly isKept: ((word: string) => boolean) | undefined;
  readonly most: number;
  readonly memory: StandInMemory;
}

function byWord(text: string, { isKept, most, memory }: ByWord): string {
  if (isNoName(text)) return text;
  let row = 0;
  return text.normalize('NFC').replace(wordPattern, (word) => {
    const stays = isKept?.(word.toLowerCase()) === true && row < most;
    row = stays ? row + 1 : 0;
    return stays ? word : madeUp(word, memory);
  });
}

function madeUp(word: string, memory: StandInMemory): string {
  if (/\d/.test(word)) return memory.remember('number', word, (bytes) => reshaped(word, bytes));
  const small = word.toLowerCase();
  const made = memory.remember('word', small, (bytes) => wordFrom(bytes, small.length));
  return likeCase(word, made);
}

const neutralPhrase = ['words', 'that', 'stood', 'here', 'were', 'replaced'];

// Words that do not occur in the input, so that no sequence of them occurs in it either.
function neutralWords(taken: ReadonlySet<string>, bytes: Buffer): readonly string[] {
  const free = neutralPhrase.filter((word) => !taken.has(word));
  const madeUp = Array.from({ length: 24 }, (_, index) => wordFrom(bytes.subarray(index), 6));
  return free.length > 2 ? free : madeUp.filter((word) => !taken.has(word));
}

// A word follows every two numbers. So no four consecutive numbers can match the input.
interface Prose {
  readonly neutral: readonly string[];
  readonly digit: () => string;
  readonly isMark: (word: string) => boolean;
}

function proseOf(text: string, { neutral, digit, isMark }: Prose): string {
  if (saysNothing(text)) return text;
  let next = 0;
  let numbers = 0;
  let marks = 0;
  return text.normalize('NFC').replace(wordPattern, (word) => {
    numbers = /^\d+$/.test(word) ? numbers + 1 : 0;
    if (numbers > 0 && numbers < 3) return word.replace(/\d/g, digit);
    if (numbers > 2) numbers = 0;
    marks = isMark(word.toLowerCase()) ? marks + 1 : 0;
    if (marks % 4 > 0) return word;
    return likeCase(word.replace(/\d/g, 'x'), neutral[next++ % neutral.length] ?? 'x');
  });
}

function digitStream(bytesOf: (count: number) => Buffer): () => string {
  let count = 0;
  let bytes = bytesOf(0);
  return () => {
    if (count % bytes.length === 0) bytes = bytesOf(count);
    return String((bytes[count++ % bytes.length] ?? 0) % 10);
  };
}

function reshaped(original: string, bytes: Buffer): string {
  let position = 0;
  const next = (size: number) => (bytes[position++ % bytes.length] ?? 0) % size;
  const made = original.replace(letterOrDigit, (char) => {
    if (/\p{N}/u.test(char)) return String(next(10));
    const letter = String.fromCharCode(97 + next(26));
    return char === char.toLowerCase() ? letter : letter.toUpperCase();
  });
  return /^\d{10}$/.test(original) ? likeNpi(original, made) : made;
}

// An NPI begins with 1 or 2 (45 CFR 162.406). A wrong check digit is replaced by a wrong one.
function likeNpi(original: string, made: string): string {
  const body = (/^[12]/.test(original) ? original.charAt(0) : made.charAt(0)) + made.slice(1, 9);
  const check = npiCheckDigit(body);
  const wasRight = npiCheckDigit(original.slice(0, 9)) === Number(original[9]);
  return `${body}${wasRight ? check : (check + 1) % 10}`;
}

function phoneFrom(original: string, bytes: Buffer): string {
  const area = String(200 + (((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % 800));
  const digits = `1${area}55501${String((bytes[2] ?? 0) % 100).padStart(2, '0')}`;
  let position = digits.length - original.replace(/\D/g, '').length;
  return original.replace(/\d/g, () => digits[position++] ?? '0');
}

function hyphened(type: string): string {
  return type.replace(/[A-Z]/g, (letter, at: number) => (at === 0 ? letter.toLowerCase() : `-${letter.toLowerCase()}`));
}
