/**
 * Whether a text is a National Provider Identifier: ten digits of which the last is the check digit of the others.
 * @example isNpi('1234567893') // true
 * @example isNpi('1234567890') // false: its check digit is wrong
 */
export function isNpi(text: string): boolean {
  return /^\d{10}$/.test(text) && npiCheckDigit(text.slice(0, 9)) === Number(text[9]);
}

// The amount that the prefix 80840, which precedes every NPI of the United States, adds to the sum.
const prefixSum = 24;

/**
 * The check digit of the first nine digits of an NPI: Luhn over `80840` and the digits (45 CFR 162.406; CMS,
 * "Requirements for NPI and NPI check digit").
 */
export function npiCheckDigit(digits: string): number {
  let sum = prefixSum;
  for (let index = 0; index < 9; index += 1) {
    const digit = Number(digits[index]);
    sum += index % 2 === 0 ? doubled(digit) : digit;
  }
  return (10 - (sum % 10)) % 10;
}

function doubled(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
