import type { DoubtWords } from '../../src/core/evidence/knowledge.ts';

const openWords =
  '(?:to )?rule[- ]?out|r\\/o|possibl[ey]|probabl[ey]|likely|suspect(?:ed)?|suspicion (?:of|for)|' +
  'concern(?:s|ing)? for|questionable|question of|query|presum(?:ed|ptive)|eval(?:uat(?:e|ion))? for|work-?up for|' +
  'provisional|unconfirmed|differential|working diagnosis';
const words = new RegExp(
  `^\\s*(?:\\?|(?:${openWords}|not?|none|negative|without)\\b)|` +
    `[\\s(,-](?:${openWords}|ruled out|excluded|not confirmed)\\s*\\)?\\s*$|\\?\\s*\\)?\\s*$|` +
    '(?<!\\bgraft[- ])\\b(?:vs|versus)\\b',
  'i',
);

export const doubtWords: DoubtWords = {
  words,
  source:
    'ICD-10-CM guidelines, IV.H: what is possible, suspected or to be ruled out is not coded as if it were there; ' +
    'its words from general knowledge, not reviewed',
  review: 'none',
};
