import type { Clause } from './clauses.ts';

/** Why the drug is ordered: the stated reasons, or proposals where the order states none. */
export interface Reasons {
  readonly kind: 'reasons';
  /** CodeableConcepts and References (to Conditions) that state the reason. */
  readonly stated: { readonly concepts: string; readonly references: string };
  /** What keeps a Condition from being a stated reason. */
  readonly unless: readonly Clause[];
  /** What keeps a concept that the order itself states from being one. */
  readonly unlessConcept: readonly Clause[];
  /** The encounter of the order: its diagnoses are proposed before the problem list. */
  readonly encounter: string;
  /**
   * What keeps a Condition from being proposed; `ofEncounter` only where it belongs to the order's encounter,
   * `elsewhere` only where not.
   */
  readonly proposeUnless: {
    readonly always: readonly Clause[];
    readonly ofEncounter: readonly Clause[];
    readonly elsewhere: readonly Clause[];
  };
  /** What keeps the only proposal from standing unseen by the site's policy. */
  readonly acceptUnless: readonly Clause[];
}

/**
 * The codes of the reasons for an order. A stated reason without a code is asked and never replaced; problems of the
 * patient are proposed only where the order states no reason, and a person confirms them.
 * @example
 * diagnosis: reasons({
 *   stated: { concepts: '%order.reasonCode', references: '%order.reasonReference' },
 *   unless: [coded('verificationStatus', ['refuted'], 'it is refuted')],
 *   unlessConcept: [says('text', /^rule out\b/i, 'its words say that it is not certain')],
 *   encounter: 'encounter',
 *   proposeUnless: { always: [labelled('it carries a security label')], ofEncounter: [], elsewhere: [] },
 *   acceptUnless: [sensitive('it is sensitive; only a person may accept it')],
 * })
 */
export function reasons(rule: Omit<Reasons, 'kind'>): Reasons {
  return Object.freeze({ kind: 'reasons', ...rule });
}
