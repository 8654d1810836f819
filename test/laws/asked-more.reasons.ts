/** For a question the defect of a review that demands it, by what the question says; undefined where none does. */
export function demandedBy(message: string): string | undefined {
  return demands.find(([words]) => words.test(message))?.[1];
}

const demands: readonly (readonly [RegExp, string])[] = [
  [/recorded as deceased|birth date is (?:in the future|before 1900)|says that no mail gets there/, 'K5'],
  [/characters are lost or it holds codes of a web page/, 'K3'],
  [/says of the order|words that nothing is known of/, 'K1'],
  [/the code and the words in the chart mean different things/, 'K6: the code is now read in the spelling it has'],
  [/names .+ with .+ strength|has no strength of its own/, 'K2'],
  [/enter a US state or territory by its two letters/, 'E12: asked together with the country, no longer after it'],
  [/Sign it in the EHR/, 'K16: the draft of a CDS Hooks request is now found'],
];
