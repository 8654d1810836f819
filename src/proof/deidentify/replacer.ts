import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { isNpi, npiCheckDigit } from '../../fhir/npi.ts';

/**
 * Consistent replacements for identifying values: the same original always gives the same stand-in, so that references,
 * repeated identifiers and a name inside a text still agree. Deterministic for one `seed`; nothing of the original can be read from a stand-in.
 */
export interface Replacer {
  readonly family: (original: string) => string;
  readonly given: (original: string) => string;
  readonly organization: (original: string) => string;
  readonly street: (original: string) => string;
  readonly city: (original: string) => string;
  /** Digits stay digits, letters stay letters of the same case, everything else stays: `Z6129 ` becomes `Q8350 `. An NPI keeps a right or wrong check digit. */
  readonly sameShape: (original: string) => string;
  /** Moves a FHIR date, dateTime or instant by the constant number of days; partial dates by whole months; a year alone stays. */
  readonly date: (original: string) => string;
  readonly id: (type: string, original: string) => string;
  /** Originals that must not be found in the result, lower case. */
  readonly originals: ReadonlySet<string>;
  /** The kept text with every known original in it replaced, dates in the forms 2026-10-05 and 10/5/2026 moved. */
  readonly scrub: (text: string) => string;
}

const families = [
  'Abernathy',
  'Birchwood',
  'Calloway',
  'Drummond',
  'Ellsworth',
  'Fairbanks',
  'Greenleaf',
  'Hathaway',
  'Ivers',
  'Jessup',
  'Kittredge',
  'Lockhart',
  'Merriweather',
  'Northcott',
  'Oakley',
];
const givens = [
  'Alder',
  'Briar',
  'Cedar',
  'Dale',
  'Ellis',
  'Finley',
  'Greer',
  'Hollis',
  'Indigo',
  'Jules',
  'Kit',
  'Lane',
  'Marlow',
  'Noel',
  'Oakes',
  'Perrin',
  'Quill',
  'Reese',
  'Sage',
  'Tatum',
];
const cities = ['Ashford', 'Brookfield', 'Claymont', 'Dunmore', 'Eastvale', 'Fernley', 'Glenhaven', 'Harborview'];
const streets = ['Alder Street', 'Beacon Road', 'Chestnut Lane', 'Dogwood Court', 'Elm Avenue', 'Foxglove Way'];

export function createReplacer(seed: string, shiftDays: number): Replacer {
  const known = new Map<string, string>();
  const originals = new Set<string>();
  const counters = new Map<string, number>();

  const remember = (kind: string, original: string, make: (hash: number) => string): string => {
    const trimmed = original.trim();
    if (trimmed === '') return original;
    const key = `${kind}|${trimmed.toLowerCase()}`;
    let stand = known.get(key);
    if (stand === undefined) {
      stand = unlike(trimmed, (attempt) => make(hashOf(`${seed}|${key}|${attempt}`)));
      known.set(key, stand);
      originals.add(trimmed.toLowerCase());
    }
    return original.replace(trimmed, () => likeCase(trimmed, stand));
  };
  const pick = (kind: string, list: readonly string[]) => (original: string) =>
    remember(kind, original, (hash) => list[hash % list.length] ?? 'Oakley');
  const date = (original: string) => moveDate(original, shiftDays);

  return {
    family: pick('family', families),
    given: pick('given', givens),
    organization: (original) =>
      remember('organization', original, (hash) => `${families[hash % families.length]} Health ${(hash % 89) + 10}`),
    street: (original) =>
      remember('street', original, (hash) => `${(hash % 899) + 100} ${streets[hash % streets.length]}`),
    city: pick('city', cities),
    sameShape: (original) => remember('shape', original, (hash) => reshape(original.trim(), hash)),
    date,
    id: (type, original) => {
      const key = `id|${type}|${original}`;
      const existing = known.get(key);
      if (existing !== undefined) return existing;
      const next = (counters.get(type) ?? 0) + 1;
      counters.set(type, next);
      const stand = `${type.replace(/[A-Z]/g, (letter, index: number) => (index === 0 ? letter.toLowerCase() : `-${letter.toLowerCase()}`))}-${next}`;
      known.set(key, stand);
      return stand;
    },
    originals,
    scrub: (text) => scrubDates(scrubKnown(text, known), date),
  };
}

function unlike(original: string, make: (attempt: number) => string): string {
  for (let attempt = 0; attempt < 50; attempt++) {
    const stand = make(attempt);
    if (stand.toLowerCase() !== original.toLowerCase()) return stand;
  }
  return `${make(0)}x`;
}

function likeCase(original: string, stand: string): string {
  if (original.length > 1 && original === original.toUpperCase() && /[A-Z]/.test(original)) return stand.toUpperCase();
  return original === original.toLowerCase() && /[a-z]/.test(original) ? stand.toLowerCase() : stand;
}

function reshape(original: string, hash: number): string {
  let state = hash;
  const next = (size: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * size);
  };
  const shaped = [...original]
    .map((char) =>
      /\d/.test(char)
        ? String(next(10))
        : /[A-Z]/.test(char)
          ? String.fromCharCode(65 + next(26))
          : /[a-z]/.test(char)
            ? String.fromCharCode(97 + next(26))
            : char,
    )
    .join('');
  if (!/^\d{10}$/.test(original)) return shaped;
  const body = `${/^[12]/.test(original) ? original[0] : shaped[0]}${shaped.slice(1, 9)}`;
  const check = npiCheckDigit(body);
  return `${body}${isNpi(original) ? check : (check + 1) % 10}`;
}

function moveDate(original: string, days: number): string {
  const full = /^(\d{4})-(\d{2})-(\d{2})(T.*)?$/.exec(original);
  if (full !== null) {
    const moved = addDays(new Date(Date.UTC(Number(full[1]), Number(full[2]) - 1, Number(full[3]), 12)), days);
    return `${moved.toISOString().slice(0, 10)}${full[4] ?? ''}`;
  }
  const month = /^(\d{4})-(\d{2})$/.exec(original);
  if (month === null) return original;
  return addMonths(new Date(Date.UTC(Number(month[1]), Number(month[2]) - 1, 15, 12)), Math.round(days / 30.4))
    .toISOString()
    .slice(0, 7);
}

function scrubKnown(text: string, known: ReadonlyMap<string, string>): string {
  let result = text;
  for (const [key, stand] of known) {
    const original = key.slice(key.indexOf('|') + 1);
    if (key.startsWith('id|') || original.length < 3) continue;
    result = result.replace(new RegExp(`(?<![\\p{L}\\p{N}])${literal(original)}(?![\\p{L}\\p{N}])`, 'giu'), (found) =>
      likeCase(found, stand),
    );
  }
  return result;
}

function scrubDates(text: string, date: (original: string) => string): string {
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, (found) => date(found))
    .replace(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, (_, month: string, day: string, year: string) => {
      const moved = date(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
      return `${Number(moved.slice(5, 7))}/${Number(moved.slice(8, 10))}/${moved.slice(0, 4)}`;
    });
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** FNV-1a, 32 bits: only spreads stand-ins, protects nothing; the original is not stored anywhere. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
