import type { CaseKind } from '../../cases/case.ts';
import { benefitSections, enrollmentSections, priorAuthSections, type SectionSpec } from './labels.ts';

/** What the pages of a request know of its kind. */
interface KindPages {
  /** Below the page of the order. */
  readonly path: string;
  readonly sections: readonly SectionSpec[];
  /** Where the body names the payer. */
  readonly payer: string;
  /** Clinical evidence may go: always, where the program of an enrollment needs it, or never. */
  readonly evidence: 'always' | 'by program' | 'never';
  /** A photo of the insurance card may be attached. */
  readonly takesCards: boolean;
}

export const kindPages: Readonly<Record<CaseKind, KindPages>> = {
  'prior-auth': {
    path: '',
    sections: priorAuthSections,
    payer: 'insurance_content.payer_name',
    evidence: 'always',
    takesCards: true,
  },
  enrollment: {
    path: '/enrollment',
    sections: enrollmentSections,
    payer: 'patient.insurance_details.data.payer',
    evidence: 'by program',
    takesCards: false,
  },
  'benefit-verification': {
    path: '/benefits',
    sections: benefitSections,
    payer: 'insurance_content.payer_name',
    evidence: 'never',
    takesCards: true,
  },
};

/** The sections of every kind, for what is asked of a field whatever its request. */
export const allSections: readonly SectionSpec[] = Object.values(kindPages).flatMap(({ sections }) => sections);
