import type { Reviewed } from '../../src/core/fhir/sensitivity.ts';

/** Words and codes of a PractitionerRole that are not a specialty. */

interface ProviderRoles extends Reviewed {
  readonly words: RegExp;
  readonly nucc: Readonly<Record<string, string>>;
}

const nucc = {
  '163W00000X': 'Registered Nurse',
  '164W00000X': 'Licensed Practical Nurse',
  '174400000X': 'Specialist',
  '183500000X': 'Pharmacist',
  '363A00000X': 'Physician Assistant',
  '363L00000X': 'Nurse Practitioner',
  '364S00000X': 'Clinical Nurse Specialist',
  '390200000X': 'Student in an Organized Health Care Education/Training Program',
} as const;

const rank =
  'attending|staff|ordering|prescribing|requesting|referring|supervising|treating|consulting|resident|medical|' +
  'licensed|registered|certified|advanced|senior|chief|advanced practice|health ?care';
const role =
  'doctor|doctor of medicine|physician|nurse|nurse practitioner|clinical nurse specialist|physicians? assistant|' +
  'physician associate|practitioner|provider|prescriber|clinician|professional|specialist|consultant|resident|fellow|' +
  'intern|attending|assistant|pharmacist|researcher|teacher|team member|student';
const degree = 'md|do|np|aprn|arnp|crnp|fnp|agnp|dnp|cns|rn|lpn|pa(?:-c)?|pharmd|mbbs|ict';

export const providerRoles: ProviderRoles = {
  words: new RegExp(
    String.raw`^\s*(?:(?:${rank})[\s-]+)*(?:${role}|${degree}|(?:[md]\.){1,2}(?:o\.)?|${Object.keys(nucc).join('|')})` +
      String.raw`s?(?:\s*[,/(]\s*(?:${degree})\s*\)?)*\s*$`,
    'i',
  ),
  nucc,
  source:
    'HL7 practitioner-role code system (doctor, nurse, pharmacist, researcher, teacher, ict); NUCC provider ' +
    'taxonomy; words for the same and degrees, compiled from general knowledge; not reviewed',
  review: 'none',
};
