import type { SupplyWords } from '../../src/core/answers/knowledge.ts';

/** Words in dispenses for a free supply, for which no payer gets a claim. */

const free =
  'trials?|samples?|drug|goods|supply|medications?|medicines?|months?|starters?|vouchers?|cards?|coupons?|fills?|' +
  'pens?|doses?|program|offer|of charge';

export const supplyWords: SupplyWords = {
  free: new RegExp(
    String.raw`(?<!\b(?:no|not|never|without|denies|declined|refused)(?: an?)? (?:\w+ ){0,2})(?:` +
      [
        String.raw`(?<!\b(?:blood|urine|stool|skin|tissue|hair|saliva) )\bsamples?\b`,
        String.raw`(?<!-)\bfree (?:(?:\d+|one|first)[ -]?(?:days?|weeks?|months?)? )?(?:${free})\b`,
        String.raw`\b(?:trial|starter|bridge|compassionate|emergency|discharge|courtesy|donated)[ -]` +
          '(?:cards?|offers?|vouchers?|supply|supplies|packs?|kits?|doses?|fills?|' +
          String.raw`meds|medications?|program|use)\b`,
        '^(?:hospital )?(?:discharge|starter|trial fill)$',
        String.raw`\b(?:(?:patient|manufacturer) assistance|vouchers?|(?:at )?no (?:cost|charge)|meds[ -]to[ -]beds?|` +
          String.raw`quick ?start|given by the hospital)\b`,
      ].join('|') +
      ')',
    'i',
  ),
  source: 'words that dispenses are written in, compiled from general knowledge; not reviewed',
  review: 'none',
};
