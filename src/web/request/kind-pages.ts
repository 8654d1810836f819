import type { CaseKind } from '../../cases/case.ts';
import { type FieldSpec, type SectionSpec, sectionsIn, sectionWords } from './labels.ts';
import { benefitFields, enrollmentFields, priorAuthFields } from './request-fields.ts';

/** What pages need to know about a kind of request. */
interface KindPages {
  /** The path after the URL of the order. */
  readonly path: string;
  readonly sections: readonly SectionSpec[];
  /** When clinical evidence may be sent: always, if the enrollment's program needs it, or never. */
  readonly evidence: 'always' | 'by program' | 'never';
  /** true if a photo of the insurance card may be attached. */
  readonly takesCards: boolean;
}

export const kindPages: Readonly<Record<CaseKind, KindPages>> = {
  'prior-auth': {
    path: '',
    sections: sectionsIn(priorAuthFields),
    evidence: 'always',
    takesCards: true,
  },
  enrollment: {
    path: '/enrollment',
    // The page has the consent, but the request does not.
    sections: [
      ...sectionsIn(enrollmentFields),
      { id: 'consent', title: sectionWords.consent.title, fields: [], others: [] },
    ],
    evidence: 'by program',
    takesCards: false,
  },
  'benefit-verification': {
    path: '/benefits',
    sections: sectionsIn(benefitFields),
    evidence: 'never',
    takesCards: true,
  },
};

export const allSections: readonly SectionSpec[] = Object.values(kindPages).flatMap(({ sections }) => sections);

/** The target of a field whose name differs between kinds of request. */
export function targetOf(kind: CaseKind, means: NonNullable<FieldSpec['means']>): string | undefined {
  const fields = kindPages[kind].sections.flatMap((section) => section.fields);
  return fields.find((field) => field.means === means)?.target;
}
