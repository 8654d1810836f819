/**
 * When a dose form releases the drug: at once (`immediate`, only if stated), late (`delayed`: DR, EC), or slowly
 * (`extended`: ER, SR, XL).
 */
export interface Release {
  readonly kind: 'immediate' | 'delayed' | 'extended';
  /** The hours that one dose lasts: 24 for XL and `24 HR`, 12 for SR and `12 HR`. Undefined if not stated. */
  readonly hours?: number | undefined;
}

const marks: Readonly<Record<string, Release>> = {
  er: { kind: 'extended' },
  xr: { kind: 'extended' },
  cr: { kind: 'extended' },
  la: { kind: 'extended' },
  cd: { kind: 'extended' },
  xt: { kind: 'extended' },
  sa: { kind: 'extended' },
  sr: { kind: 'extended', hours: 12 },
  xl: { kind: 'extended', hours: 24 },
  er12: { kind: 'extended', hours: 12 },
  er24: { kind: 'extended', hours: 24 },
  tb24: { kind: 'extended', hours: 24 },
  tb12: { kind: 'extended', hours: 12 },
  cp24: { kind: 'extended', hours: 24 },
  cp12: { kind: 'extended', hours: 12 },
  dr: { kind: 'delayed' },
  ec: { kind: 'delayed' },
  tbec: { kind: 'delayed' },
  cpdr: { kind: 'delayed' },
  ir: { kind: 'immediate' },
};

// Drug files shorten the second word, and some names have only the first: "phenytoin sodium extended".
const kindWords: Readonly<Record<string, Release>> = {
  extended: { kind: 'extended' },
  ext: { kind: 'extended' },
  prolonged: { kind: 'extended' },
  controlled: { kind: 'extended' },
  sustained: { kind: 'extended', hours: 12 },
  modified: { kind: 'extended' },
  timed: { kind: 'extended' },
  slow: { kind: 'extended' },
  delayed: { kind: 'delayed' },
  del: { kind: 'delayed' },
  immediate: { kind: 'immediate' },
  conventional: { kind: 'immediate' },
};
const releaseWords = new Set(['release', 'release.', 'rel', 'rel.', 'action']);
const alone = new Set(['extended', 'delayed']);
const notOfRelease = new Set(['cycle', 'wear', 'use', 'range']);

const inAnyCase = new Set([
  'er',
  'xr',
  'xl',
  'sr',
  'dr',
  'er12',
  'er24',
  'tb24',
  'tb12',
  'cp24',
  'cp12',
  'tbec',
  'cpdr',
]);

/** The release in one word (`ER`, `extended-release`) or two (`Extended Release`). Undefined for any other word. */
export function releaseOf(
  word: string,
  next?: string,
): { readonly release: Release; readonly words: 1 | 2 } | undefined {
  const plain = word.toLowerCase();
  const isMark = Object.hasOwn(marks, plain) && (inAnyCase.has(plain) || word === word.toUpperCase());
  const mark = isMark ? marks[plain] : undefined;
  if (mark !== undefined) return { release: mark, words: 1 };
  const [first = '', second] = plain.split('-');
  const following = second ?? next?.toLowerCase();
  const kind = Object.hasOwn(kindWords, first) ? kindWords[first] : undefined;
  const words = second === undefined ? 2 : 1;
  if (kind !== undefined && following !== undefined && releaseWords.has(following)) return { release: kind, words };
  if (first === 'enteric' && (following === 'coated' || following === 'coat')) return { release: late, words };
  if (first === 'long' && following === 'acting') return { release: { kind: 'extended' }, words };
  const isAlone = kind !== undefined && second === undefined && alone.has(first);
  return isAlone && !notOfRelease.has(following ?? '') ? { release: kind, words: 1 } : undefined;
}

const late: Release = { kind: 'delayed' };

export interface WithoutRelease {
  readonly rest: readonly string[];
  readonly releases: readonly Release[];
  readonly words: readonly string[];
}

/** The text must have single spaces. */
export function takeRelease(text: string): WithoutRelease {
  const all = text.split(' ').filter((word) => word !== '');
  const [rest, releases, words]: [string[], Release[], string[]] = [[], [], []];
  for (let index = 0; index < all.length; index += 1) {
    const found = releaseOf(all[index] ?? '', all[index + 1]);
    if (found === undefined) rest.push(all[index] ?? '');
    else {
      releases.push(found.release);
      words.push(all.slice(index, index + found.words).join(' '));
      index += found.words - 1;
    }
  }
  return { rest, releases, words };
}

/** Merges several words for one release, such as `Extended Release` and `24 HR`. `extended` wins over other kinds. */
export function mergeReleases(releases: readonly Release[], hours: number | undefined): Release | undefined {
  const [first, ...more] = releases;
  if (first === undefined) return hours === 12 || hours === 24 ? { kind: 'extended', hours } : undefined;
  const extended = [first, ...more].filter(({ kind }) => kind === 'extended');
  const stated = hours ?? extended.find((release) => release.hours !== undefined)?.hours;
  return extended.length > 0 ? { kind: 'extended', hours: stated } : first;
}

/**
 * Different kinds of release are different drugs, and so are 12 and 24 hours. A missing number of hours contradicts
 * nothing.
 */
export function compareReleases(left: Release, right: Release): 'same' | 'differs' {
  if (left.kind !== right.kind) return 'differs';
  return left.hours === undefined || right.hours === undefined || left.hours === right.hours ? 'same' : 'differs';
}
