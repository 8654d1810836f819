import type { ScoreRow } from '../../src/core/answers/knowledge.ts';

/**
 * Scores and stages that a result is by its exact name. They have no codes here: none stands in a file that was read.
 * Those with rows in `lab-concepts.ts` (DAS28, PASI, ...) are found by it.
 */

const source = 'names of published instruments and their usual abbreviations; no code is taken; not reviewed';
const review = 'none';

const inflammatory = ['immunomodulators for inflammatory disease'];
const skinAndLung = ['biologics for asthma and eczema'];

export const scores: readonly ScoreRow[] = [
  {
    name: 'EDSS',
    called: ['EDSS', 'Expanded Disability Status Scale'],
    classes: ['multiple sclerosis'],
    source,
    review,
  },
  {
    name: 'NYHA class',
    called: ['NYHA class', 'NYHA', 'NYHA functional class', 'New York Heart Association functional class'],
    classes: ['heart failure'],
    source,
    review,
  },
  {
    name: 'BASDAI',
    called: ['BASDAI', 'Bath Ankylosing Spondylitis Disease Activity Index'],
    classes: inflammatory,
    source,
    review,
  },
  {
    name: 'HAQ-DI',
    called: ['HAQ-DI', 'Health Assessment Questionnaire Disability Index'],
    classes: inflammatory,
    source,
    review,
  },
  { name: 'SDAI', called: ['SDAI', 'Simplified Disease Activity Index'], classes: inflammatory, source, review },
  {
    name: 'DLQI',
    called: ['DLQI', 'Dermatology Life Quality Index'],
    classes: [...inflammatory, ...skinAndLung],
    source,
    review,
  },
  { name: 'SCORAD', called: ['SCORAD', 'Scoring Atopic Dermatitis'], classes: skinAndLung, source, review },
  { name: 'POEM', called: ['POEM', 'Patient-Oriented Eczema Measure'], classes: skinAndLung, source, review },
  {
    name: 'ACT',
    called: ['Asthma Control Test', 'Asthma Control Test score', 'ACT score'],
    classes: skinAndLung,
    source,
    review,
  },
  {
    name: 'Body surface area affected',
    called: [
      'Body surface area affected',
      'BSA affected',
      'BSA involvement',
      'Percent body surface area affected',
      'BSA',
    ],
    classes: [...inflammatory, ...skinAndLung],
    units: ['%'],
    source,
    review,
  },
  {
    name: 'Monthly migraine days',
    called: ['Monthly migraine days', 'Migraine days per month'],
    classes: ['migraine prevention'],
    source,
    review,
  },
];

/** An area of the body, for doses by it; the name alone may also mean the part of the skin that is affected. */
export const bodySurfaceArea: ScoreRow = {
  name: 'Body surface area',
  called: ['Body surface area', 'BSA', 'Body surface area (BSA)'],
  classes: [],
  units: ['m2', 'm²', 'sqm'],
  source,
  review,
};
