import type { CodeableConcept } from 'fhir/r4.js';
import { sensitivity } from '../../../mappings/knowledge/sensitivity.ts';
import { systems } from '../../../src/core/fhir/codes/systems.ts';

/** One fact that nobody may send unasked, by what it can be told: a concept where codes stand, a text elsewhere. */
export interface Fact {
  readonly how: 'a code alone' | 'words' | 'the notice' | 'a code that nobody knows' | 'a label';
  readonly concept?: CodeableConcept;
  readonly text?: string;
  readonly label?: string;
}

type Next = (limit: number) => number;

/** Written beside the tables, so that they are held against something else than themselves. */
const phrases = [
  ...['HIV positive since 2019', 'HIV-1 viral load undetectable', 'Continues Biktarvy', 'started on PrEP', 'AIDS'],
  ...['major depressive disorder', 'Bipolar II, stable', 'panic attacks', 'PTSD after deployment', 'suicidal ideation'],
  ...['schizoaffective disorder', 'sees her psychiatrist monthly', 'PHQ-9 of 17', 'anorexia nervosa', 'ADHD'],
  ...['opioid use disorder', 'history of heroin use', 'alcohol dependence', 'in detox last spring', 'cocaine positive'],
  ...['on Suboxone 8 mg', 'methadone clinic', 'chemical dependency program', 'substance abuse counseling'],
  ...['pregnant at 12 weeks', 'termination of pregnancy; abortion in May', 'infertility work-up', 'IUD in place'],
  ...['OB/GYN follow-up', 'Chlamydia trachomatis detected', 'syphilis, treated', 'genital herpes'],
  ...['victim of domestic violence', 'sexual assault in 2020', 'intimate partner violence'],
] as const;

const notices = [
  'This record which has been disclosed to you is protected by Federal confidentiality rules (42 CFR part 2).',
  'This information has been disclosed to you from records protected by federal confidentiality rules.',
  'The federal rules prohibit you from making any further disclosure of this record.',
  '42 CFR part 2 prohibits unauthorized use or disclosure of these records.',
  '42 C.F.R. Part 2 prohibits unauthorized disclosure of these records.',
  'Care in a Part 2 program.',
] as const;

const labels = [
  'R',
  'V',
  'r',
  'psy',
  'ETH',
  '42CFRPart2',
  '42 CFR Part 2',
  'Restricted',
  'SDV',
  'hiv',
  'XYZ-77',
] as const;

const coded = sensitivity.codes.flatMap(({ system, codes }) => Object.keys(codes).map((code) => ({ system, code })));
const diseases = [
  'B20',
  'Z21',
  'F11.20',
  'f32.1',
  'F20.9',
  'O09.90',
  'Z33.1',
  'A51.0',
  'T74.11XA',
  'K70.30',
  'T39.1X2A',
];
const strange = [
  systems.sct,
  systems.loinc,
  systems.cpt,
  'urn:oid:1.2.840.114350.1.13',
  'https://x.example/c',
  undefined,
];

export const ways = {
  code: (next: Next): Fact => {
    const sick = { system: systems.icd10, code: one(diseases, next) };
    const { system, code } = next(4) === 0 ? sick : one(coded, next);
    const coding = { system: respelled(system, next), code };
    const beside = next(2) === 0 ? [] : [{ system: systems.icd10, code: 'Z79.899' }];
    return { how: 'a code alone', concept: { coding: [...beside, coding] } };
  },
  words: (next: Next): Fact => {
    const text = inAnyCase(one(phrases, next), next);
    return { how: 'words', text, concept: next(2) === 0 ? { text } : { coding: [{ code: 'X1', display: text }] } };
  },
  notice: (next: Next): Fact => ({ how: 'the notice', text: inAnySpacing(inAnyCase(one(notices, next), next), next) }),
  unknown: (next: Next): Fact => {
    const system = one(strange, next);
    const code = `${10_000_000 + next(89_999_999)}`;
    return {
      how: 'a code that nobody knows',
      concept: { coding: [{ code, ...(system === undefined ? {} : { system }) }] },
    };
  },
  label: (next: Next): Fact => ({ how: 'a label', label: one(labels, next) }),
} as const;
export type Way = keyof typeof ways;

const oids: Readonly<Record<string, string>> = {
  [systems.loinc]: '2.16.840.1.113883.6.1',
  [systems.sct]: '2.16.840.1.113883.6.96',
  [systems.icd10]: '2.16.840.1.113883.6.90',
};

/** A system as other systems write it. */
function respelled(system: string, next: Next): string {
  const oid = oids[system] ?? system;
  const bare = system.replace(/^https?:\/\/(www\.)?/, '');
  return one(
    [
      system,
      system,
      `${system}/`,
      `https://${bare}`,
      `http://www.${bare}`,
      oids[system] === undefined ? system : `urn:oid:${oid}`,
      oid,
    ],
    next,
  );
}

/** Sentences of an ordinary note. */
export const ordinaryText =
  'Follow-up visit. Morning stiffness of two hours, ten tender joints, six swollen. Lungs clear. Continue as planned.';

export function one<T>(all: readonly T[], next: Next): T {
  const found = all[next(all.length)];
  if (all.length === 0) throw new Error('nothing to choose from');
  return found as T;
}

// Abbreviations stay as they are: aids and prep are words.
function inAnyCase(text: string, next: Next): string {
  return next(3) === 0 && !/PrEP|AIDS/.test(text) ? text.toUpperCase() : text;
}

function inAnySpacing(text: string, next: Next): string {
  const blank = one([' ', ' ', '\n', '  ', '\u00a0'], next);
  return text.replaceAll(' ', blank);
}
