import type { Coding } from 'fhir/r4.js';
import { memoized } from '../../text-cache.ts';
import { systems } from './systems.ts';

/**
 * The ICD-10-CM code of a coding, with its dot and in capitals (`m069` -> `M06.9`); undefined for other systems and
 * texts.
 */
export function icd10OfCoding(coding: Coding): string | undefined {
  return coding.system === systems.icd10 ? normaliseIcd10(coding.code) : undefined;
}

/** In capitals, with a dot after the third character; undefined unless it has the form of an ICD-10-CM code. */
export function normaliseIcd10(text: string | undefined): string | undefined {
  return text === undefined ? undefined : normalised(text);
}

const normalised = memoized((text): string | undefined => {
  const bare = text.trim().toUpperCase().replaceAll('.', '');
  if (!/^[A-Z]\d[0-9A-Z]{1,5}$/.test(bare)) return undefined;
  return bare.length === 3 ? bare : `${bare.slice(0, 3)}.${bare.slice(3)}`;
});
