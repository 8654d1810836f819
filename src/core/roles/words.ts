import { type Refusal, refusalSentences } from '../fhir/references/refusals.ts';
import type { Agree } from './agree.ts';
import type { Clause, Preference } from './clauses.ts';
import type { Computed, Derive } from './computed.ts';
import type { Reasons } from './reasons.ts';

/**
 * The vocabulary for rules that select the resource, or the part of a resource, that fills a role of a request. A table
 * of roles is plain data: `describe` prints it, `lint` checks its paths, and a site's overlay may add to it. Paths are
 * the FHIRPath subset of the mappings; `%name` is another role. Every clause has the text that people read.
 */
export type RoleRule =
  | Given
  | Follow
  | First
  | Every
  | Pick
  | Choose
  | Together
  | Joined
  | Agree
  | Derive
  | Reasons
  | Computed
  | Own;

/** The rules of a role table, by role. */
export type RoleRules = Readonly<Record<string, RoleRule>>;

/** A question that a role asks while a clause holds. The mapping engine places it at the leaves that read the role. */
export interface Ask {
  readonly severity: 'blocks' | 'warns';
  readonly reason: 'choice' | 'invalid' | 'uncertain' | 'advice' | 'unconfirmed';
  /** The text for people. `{path}` is a value of the candidate. */
  readonly message: string;
  /** The member of the role that is in question (`family`, `quantity.value`). The whole role when absent. */
  readonly part?: string;
}

/** An `Ask` and its condition. */
export interface AskWhen extends Ask {
  readonly when: Clause;
  /**
   * With this, the question is asked only if another fitting candidate meets this clause. No candidate is then chosen
   * until a person answers.
   */
  readonly beside?: Clause;
  /** Why the chart's value cannot be used unchanged. */
  readonly why?: Refusal;
  /** The path of the value that a person may confirm unchanged. */
  readonly confirms?: string;
}

export interface Given {
  readonly kind: 'given';
  readonly type: string;
  readonly unless: readonly Clause[];
  /** The question when a clause rules the resource out. `{reason}` is the text of the clause. */
  readonly refused?: Ask;
  readonly asks: readonly AskWhen[];
  readonly warns: readonly Clause[];
  /** The first text of each path, joined, is the name that people see. */
  readonly label: readonly string[];
}

export interface Follow {
  readonly kind: 'follow';
  readonly types: readonly string[];
  readonly path: string;
  /** The warning for a reference whose target is not in the chart. */
  readonly missing?: string;
  readonly warns: readonly Clause[];
}

export interface First {
  readonly kind: 'first';
  readonly types: readonly string[];
  readonly paths: readonly string[];
  /** Questions about the first item. */
  readonly asks: readonly AskWhen[];
}

export interface Every {
  readonly kind: 'every';
  readonly types: readonly string[];
  readonly paths: readonly string[];
  readonly unless: readonly Clause[];
  readonly prefer: readonly Preference[];
  /** Whether a repeated part counts only once. */
  readonly distinct: boolean;
  /** Preferences across the parts of all paths. `prefer` only orders the parts of each path. */
  readonly lastly: readonly Preference[];
}

/** What happens when several candidates rank equal and have different content. */
export type Tie =
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }
  /** No candidate is chosen. `option` is the path of the values that a person chooses from. */
  | { readonly kind: 'ask'; readonly message: string; readonly option?: string; readonly part?: string }
  | { readonly kind: 'warn'; readonly message: string; readonly part?: string }
  /** No candidate is used, and there is a warning. */
  | { readonly kind: 'leave'; readonly message: string; readonly part?: string };

/** One part of a resource: the current name, the address, the NPI. */
export interface Pick {
  readonly kind: 'pick';
  readonly types: readonly string[];
  /** Tried in order. The first path with a candidate that no clause rules out decides. */
  readonly paths: readonly string[];
  readonly unless: readonly Clause[];
  readonly prefer: readonly Preference[];
  /** The elements that decide whether two candidates have the same content. */
  readonly same: readonly string[];
  readonly tie: Tie;
  readonly asks: readonly AskWhen[];
}

export interface Choose {
  readonly kind: 'choose';
  readonly type: string;
  /** `patient`: only resources of this patient. `anyone`: resources that belong to no patient. */
  readonly of: 'patient' | 'anyone';
  readonly unless: readonly Clause[];
  readonly prefer: readonly Preference[];
  readonly tie: Tie;
  readonly asks: readonly AskWhen[];
  /** The first text of each path, joined, is the name that people see. */
  readonly label: readonly string[];
  /** Paths whose texts are added when two candidates in a question have the same label. */
  readonly apart?: readonly string[];
  /** The key of the person's answer in `Answers`. */
  readonly answer?: 'coverage';
  /**
   * The clauses and preferences of the table itself, without the additions of a site. They decide which questions
   * between candidates are asked, whatever the site prefers.
   */
  readonly own?: { readonly unless: readonly Clause[]; readonly prefer: readonly Preference[] };
  /** The reason for the only candidate that fits, in place of `the only one that fits`. */
  readonly alone?: string;
  /** For records that the EHR links to this patient. Only a person may choose one of their resources. */
  readonly linked?: { readonly refused: string; readonly when: Clause; readonly ask: Ask };
}

export interface Together {
  readonly kind: 'together';
  readonly types: readonly string[];
  readonly paths: readonly string[];
  /** The condition for choosing an element. If no element meets it, the first element is used. */
  readonly needs: string;
  readonly asks: readonly AskWhen[];
}

export interface Joined {
  readonly kind: 'joined';
  readonly types: readonly string[];
  readonly path: string;
  /** Elements of an item. The first with a text that is not a placeholder is used. */
  readonly elements: readonly string[];
  readonly asks: readonly AskWhen[];
}

export interface Own {
  readonly kind: 'own';
  readonly keys: readonly string[];
  readonly from: 'site' | 'submission';
}

type Options<Rule, Keys extends keyof Rule> = Partial<Omit<Rule, 'kind' | Keys>>;

/**
 * The resource that the launch, the batch or the hook names.
 * @example
 * patient: given('Patient', { warns: [when('active = false', 'The patient record is marked as not active.')] })
 */
export function given(type: string, options: Options<Given, 'type'> = {}): Given {
  return Object.freeze({ kind: 'given', type, unless: [], asks: [], warns: [], label: [], ...options });
}

/**
 * The target of a reference, which may be a contained resource.
 * @example payer: follow('%coverage.payor', ['Organization'])
 */
export function follow(
  path: string,
  types: readonly string[],
  options: Options<Follow, 'path' | 'types'> = {},
): Follow {
  return Object.freeze({ kind: 'follow', path, types, warns: [], ...options });
}

/**
 * All items of the first path that finds any.
 * @example drugConcept: first(['CodeableConcept'], ['%order.medication.ofType(CodeableConcept)', '%medication.code'])
 */
export function first(
  types: readonly string[],
  paths: readonly string[],
  options: { readonly asks?: readonly AskWhen[] } = {},
): First {
  return Object.freeze({ kind: 'first', types, paths, asks: [], ...options });
}

/**
 * All parts of a resource that no clause rules out. Preferred parts come first.
 * @example dose: every(['Dosage'], ['%order.dosageInstruction'], { prefer: [lowest('sequence')], distinct: true })
 */
export function every(
  types: readonly string[],
  paths: readonly string[],
  options: Options<Every, 'types' | 'paths'> = {},
): Every {
  return Object.freeze({
    kind: 'every',
    types,
    paths,
    unless: [],
    prefer: [],
    distinct: false,
    lastly: [],
    ...options,
  });
}

/**
 * One part of a resource, such as the current name or the address.
 * @example
 * name: pick(['HumanName'], ['%patient.name'], {
 *   unless: [ended('period', 'its period is over')],
 *   prefer: [uses('official')],
 * })
 */
export function pick(
  types: readonly string[],
  paths: readonly string[],
  options: Options<Pick, 'types' | 'paths'> = {},
): Pick {
  const open: Tie = { kind: 'first' };
  return Object.freeze({
    kind: 'pick',
    types,
    paths,
    unless: [],
    prefer: [],
    same: [],
    tie: open,
    asks: [],
    ...options,
  });
}

/**
 * One resource of a type, among the patient's resources or among those that belong to no patient.
 * @example
 * coverage: choose('Coverage', {
 *   unless: [oneOf('status', ['active'], 'its status is {status}')],
 *   tie: ask('Several plans fit.'),
 * })
 */
export function choose(type: string, options: Options<Choose, 'type'> = {}): Choose {
  const none: Tie = { kind: 'none' };
  const open = { unless: [], prefer: [], tie: none, asks: [], label: [] } as const;
  return Object.freeze({ kind: 'choose', type, of: 'patient', ...open, ...options });
}

/**
 * One element that several leaves are read from. The first element with the needed content is used for all of them.
 * @example
 * supply: together(
 *   ['MedicationRequest.dispenseRequest'],
 *   ['%order.dispenseRequest', '%order.dispenseRequest.initialFill'],
 *   'quantity.exists()',
 * )
 */
export function together(
  types: readonly string[],
  paths: readonly string[],
  needs: string,
  options: { readonly asks?: readonly AskWhen[] } = {},
): Together {
  return Object.freeze({ kind: 'together', types, paths, needs, asks: [], ...options });
}

/**
 * The joined texts of all items. Empty if one of the items has no text.
 * @example directions: joined('%dose', ['patientInstruction', 'text'])
 */
export function joined(path: string, elements: readonly string[], asks: readonly AskWhen[] = []): Joined {
  return Object.freeze({ kind: 'joined', types: ['string'], path, elements, asks });
}

/**
 * Values that are not in a chart: keys of the site's configuration, or the bridge's own id.
 * @example site: own('site', 'country', 'fax')
 */
export function own(from: Own['from'], ...keys: readonly string[]): Own {
  return Object.freeze({ kind: 'own', from, keys });
}

/**
 * A tie that a person decides. Nothing is sent until then. `option` is the path of the values to choose from.
 * @example tie: ask('The prescriber has several NPIs.', { option: 'value' })
 */
export function ask(message: string, options: { readonly option?: string; readonly part?: string } = {}): Tie {
  return Object.freeze({ kind: 'ask', message, ...options });
}

/**
 * A tie with a warning, where the first candidate is used. `part` is the member of the role that is in question.
 * @example tie: warn('The chart has several current names of the same standing; the first is used.', 'family')
 */
export function warn(message: string, part?: string): Tie {
  return Object.freeze(part === undefined ? { kind: 'warn', message } : { kind: 'warn', message, part });
}

/**
 * A tie that leaves the role empty, with a warning.
 * @example tie: leave('The prescriber works at several places; none of their addresses is used.')
 */
export function leave(message: string): Tie {
  return Object.freeze({ kind: 'leave', message });
}

/**
 * A question that blocks sending while `when` holds for the chosen candidate.
 * @example asks: [blocks(when("link.exists(type = 'replaced-by')"), 'This record was merged into another one.')]
 */
export function blocks(when: Clause, message: string, reason: Ask['reason'] = 'invalid', part?: string): AskWhen {
  return Object.freeze({ severity: 'blocks', reason, message, when, ...(part === undefined ? {} : { part }) });
}

/**
 * A question that blocks while the chart's value at `part` is implausible. Its text is that of `why` in `refusals`. A
 * person enters another value, or with `confirms` may confirm the value that this path finds.
 * @example asks: [doubts(future('birthDate'), 'born_in_future', 'birthDate')]
 * @example asks: [doubts(when('deceased = true'), 'deceased', 'birthDate', 'birthDate')]
 */
export function doubts(when: Clause, why: Refusal, part: string, confirms?: string): AskWhen {
  const ask = { severity: 'blocks', reason: 'uncertain', message: refusalSentences(why), when, part, why } as const;
  return Object.freeze(confirms === undefined ? ask : { ...ask, confirms });
}

/**
 * Asks a person to choose between the chosen candidate, if `when` holds for it, and the other fitting candidates that
 * meet `beside`.
 * @example
 * const isMedicaid = says('type', /\bmedicaid\b/i);
 * const asked = asksBetween(isMedicaid, not(isMedicaid), 'Medicaid pays after other plans. Which plan pays?');
 */
export function asksBetween(when: Clause, beside: Clause, message: string): AskWhen {
  return Object.freeze({ severity: 'blocks', reason: 'choice', message, when, beside });
}

/**
 * A question that only warns while `when` holds. `part` is the member of the role that is in question.
 * @example asks: [advises(future('birthDate'), 'The birth date is in the future.', 'birthDate')]
 */
export function advises(when: Clause, message: string, part?: string): AskWhen {
  return Object.freeze({ severity: 'warns', reason: 'advice', message, when, ...(part === undefined ? {} : { part }) });
}
