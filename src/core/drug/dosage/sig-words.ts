const numberWords: Readonly<Record<string, string>> = {
  ...{ one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', ten: '10' },
  ...{
    eleven: '11',
    twelve: '12',
    fourteen: '14',
    fifteen: '15',
    twenty: '20',
    thirty: '30',
    sixty: '60',
    ninety: '90',
  },
};
const fractions: Readonly<Record<string, string>> = { '1/2': '.5', '1/4': '.25', '3/4': '.75' };

type Spelling = readonly [sign: string, pattern: RegExp, replacement: string | ((...parts: string[]) => string)];

// Applied in this order. Each row starts with a text that its pattern requires, because searching that text first is
// faster.
const spellings: readonly Spelling[] = [
  ['.', /\b([a-z])\.([a-z])\.(?:([a-z])\b\.?)?/g, '$1$2$3'],
  ['-', /([a-z])-([a-z])/g, '$1 $2'],
  ['half', /\bone half\b|\ba half\b|\bhalf (?:an?|of an?)\b|\bhalf(?= tab| tablet)/g, '1/2'],
  ['', new RegExp(`\\b(${Object.keys(numberWords).join('|')})\\b`, 'g'), (word) => numberWords[word ?? ''] ?? ''],
  ['q', /\bq ?(\d{1,3}) ?(?:hours?|hrs?|h)\b/g, 'every $1 hours'],
  ['q', /\bq ?(\d{1,3}) ?(?:days?|d)\b/g, 'every $1 days'],
  ['q', /\bq ?(\d{1,3}) ?(?:weeks?|wks?|w)\b/g, 'every $1 weeks'],
  ['', /(\d)-?([a-zµμ])/g, '$1 $2'],
  ['.', /(^|[^\d.])\.(\d)/g, '$10.$2'],
  ['/', /\b(?:(\d{1,2}) (?:and |& )?)?([13]\/[24])(?![\d/])/g, mixedNumber],
  ['(', /\b(\d{1,6}(?:\.\d{1,4})?) ?\( ?\1 ?\)/g, '$1'],
  ['=', /=/g, ' = '],
  ['', /[()[\]{}"';]|,(?!\d)|[.:](?!\d)/g, ' '],
  ['', /\s+/g, ' '],
];

/**
 * Normalizes English directions: lowercase, numbers as digits ("one and a half" is `1.5`, "2 (two)" is `2`),
 * abbreviations without periods ("b.i.d." is `bid`, "q8h" is `every 8 hours`), single spaces. Anything that may be a
 * number is kept, so that `readSig` notices the parts that it does not understand.
 */
export function sigWords(text: string): string {
  let words = inAscii(text).toLowerCase();
  // `replace` accepts a string and a function
  for (const [sign, pattern, replacement] of spellings)
    if (words.includes(sign)) words = words.replace(pattern, replacement as string);
  return words.trim();
}

// NFKC alone would turn "1½" into eleven halves.
function inAscii(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text;
  return text.replace(/[½¼¾]/g, (sign) => ` ${{ '½': '1/2', '¼': '1/4', '¾': '3/4' }[sign]} `).normalize('NFKC');
}

function mixedNumber(written: string, whole: string | undefined, fraction: string | undefined): string {
  const decimals = fractions[fraction ?? ''];
  return decimals === undefined ? written : `${whole ?? '0'}${decimals}`;
}
