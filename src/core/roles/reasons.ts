import type { Clause } from './clauses.ts';

/** The reasons for the drug: the stated ones, or proposals if the order states none. */
export interface Reasons {
  readonly kind: 'reasons';
  /** CodeableConcepts and References (to Conditions) that state the reason. */
  readonly stated: { readonly concepts: string; readonly references: string };
  /** Clauses that rule a Condition out as a stated reason. */
  readonly unless: readonly Clause[];
  /** Clauses that rule out a concept that the order itself states. */
  readonly unlessConcept: readonly Clause[];
  /** The encounter of the order: its diagnoses are proposed before the problem list. */
  readonly encounter: string;
  /**
   * Clauses that rule a Condition out as a proposal; `ofEncounter` only if it belongs to the order's encounter,
   * `elsewhere` only if not.
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
 * The codes of the reasons for an order. A stated reason without a code is asked about and never replaced. Problems of
 * the patient are proposed only if the order states no reason, and a person confirms them.
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
