import type { Dosage } from 'fhir/r4.js';
import { isSameAmount } from './dose-unit.ts';
import { isSameRate } from './rate.ts';
import { readSig, type SigReading } from './read-sig.ts';

/**
 * Whether the text of a dosage and its patient instruction certainly state two different doses or rates, such as "1
 * tablet twice daily" and "2 tablets once daily". A text that states less, or is not fully understood, does not
 * contradict the other.
 */
export function textsDiffer({ text, patientInstruction }: Dosage): boolean {
  const [ours, theirs] = [readSig(text), readSig(patientInstruction)];
  if (ours === undefined || theirs === undefined || [ours, theirs].some(isOpen)) return false;
  const isOtherRate = ours.rate !== undefined && theirs.rate !== undefined && !isSameRate(ours.rate, theirs.rate);
  return isOtherRate || isOtherDose(ours, theirs);
}

function isOpen({ isUnread, isRange, changes }: SigReading): boolean {
  return isUnread || isRange || changes;
}

function isOtherDose(ours: SigReading, theirs: SigReading): boolean {
  if (ours.mass !== undefined && theirs.mass !== undefined) return !isSameAmount(ours.mass, theirs.mass);
  const { dose: one } = ours;
  const { dose: other } = theirs;
  return one !== undefined && other !== undefined && one.unit === other.unit && one.value !== other.value;
}
