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
const numberWord = new RegExp(`\\b(${Object.keys(numberWords).join('|')})\\b`, 'g');
const fractions: Readonly<Record<string, string>> = { '1/2': '.5', '1/4': '.25', '3/4': '.75' };

/**
 * English directions in one spelling, for the patterns that read them: small letters, numbers as digits ("one and a half" is
 * `1.5`, "2 (two)" is `2`), abbreviations without dots ("b.i.d." is `bid`, "q8h" is `every 8 hours`), one blank between words.
 * Everything is kept that could be a number, so that what nobody understood is seen to be left over.
 */
export function sigWords(text: string): string {
  return text
    .replace(/[½¼¾]/g, (sign) => ` ${{ '½': '1/2', '¼': '1/4', '¾': '3/4' }[sign]} `)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b([a-z])\.([a-z])\.(?:([a-z])\b\.?)?/g, '$1$2$3')
    .replace(/([a-z])-([a-z])/g, '$1 $2')
    .replace(/\bone half\b|\ba half\b|\bhalf (?:an?|of an?)\b|\bhalf(?= tab| tablet)/g, '1/2')
    .replace(numberWord, (word) => numberWords[word] ?? word)
    .replace(/\bq ?(\d{1,3}) ?(?:hours?|hrs?|h)\b/g, 'every $1 hours')
    .replace(/\bq ?(\d{1,3}) ?(?:days?|d)\b/g, 'every $1 days')
    .replace(/\bq ?(\d{1,3}) ?(?:weeks?|wks?|w)\b/g, 'every $1 weeks')
    .replace(/(\d)-?([a-zµμ])/g, '$1 $2')
    .replace(/(^|[^\d.])\.(\d)/g, '$10.$2')
    .replace(/\b(?:(\d{1,2}) (?:and |& )?)?([13]\/[24])(?![\d/])/g, mixedNumber)
    .replace(/\b(\d+(?:\.\d+)?) ?\( ?\1 ?\)/g, '$1')
    .replace(/[()[\]{}"';]|,(?!\d)|[.:](?!\d)/g, ' ')
    .replace(/=/g, ' = ')
    .replace(/\s+/g, ' ')
    .trim();
}

function mixedNumber(written: string, whole: string | undefined, fraction: string): string {
  const decimals = fractions[fraction];
  return decimals === undefined ? written : `${whole ?? '0'}${decimals}`;
}
