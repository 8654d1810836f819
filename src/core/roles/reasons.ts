import type { Clause } from './clauses.ts';

/** The reasons for the order: the stated reasons, or proposals if the order states none. */
export interface Reasons {
  readonly kind: 'reasons';
  /** The paths of the CodeableConcepts and References (to Conditions) that state the reason. */
  readonly stated: { readonly concepts: string; readonly references: string };
  /** Clauses that rule a Condition out as a stated reason. */
  readonly unless: readonly Clause[];
  /** Clauses that rule out a concept that the order itself states. */
  readonly unlessConcept: readonly Clause[];
  /** The role of the order's encounter. Its diagnoses are proposed before the problem list. */
  readonly encounter: string;
  /**
   * Clauses that rule a Condition out as a proposal. `ofEncounter` is for Conditions of the order's encounter,
   * `elsewhere` for all others.
   */
  readonly proposeUnless: {
    readonly always: readonly Clause[];
    readonly ofEncounter: readonly Clause[];
    readonly elsewhere: readonly Clause[];
  };
  /** Clauses that keep the site's policy from accepting a single proposal without a person. */
  readonly acceptUnless: readonly Clause[];
}

/**
 * The diagnoses for an order. A stated reason without a code is asked about and never replaced. Problems of the patient
 * are proposed only if the order states no reason, and a person confirms them.
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
