import { type Refusal, refusalSentences } from '../fhir/references/refusals.ts';
import type { Agree } from './agree.ts';
import type { Clause, Preference } from './clauses.ts';
import type { Computed, Derive } from './computed.ts';
import type { Reasons } from './reasons.ts';

/**
 * The words that say which resource, or which part of one, fills a role of a request. A table of roles is plain data:
 * `describe` prints it, `lint` checks its paths, a site's overlay may add to it. Paths are the FHIRPath subset of the
 * mappings; `%name` is another role. Every clause carries the words that people read.
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

/** The role table: one entry a role. */
export type RoleRules = Readonly<Record<string, RoleRule>>;

/** A question that a role asks while a clause holds; the mapping engine puts it on the leaves that read the role. */
export interface Ask {
  readonly severity: 'blocks' | 'warns';
  readonly reason: 'choice' | 'invalid' | 'uncertain' | 'advice' | 'unconfirmed';
  /** What people read; `{path}` is a value of the candidate. */
  readonly message: string;
  /** The member below the role that is in question (`family`, `quantity.value`); the whole role when absent. */
  readonly part?: string;
}

/** An `Ask` and when it is asked. */
export interface AskWhen extends Ask {
  readonly when: Clause;
  /** Asked only where another candidate that fits meets this; nothing is chosen until a person answers. */
  readonly beside?: Clause;
  /** Why what the chart says cannot be used as it stands. */
  readonly why?: Refusal;
  /** The path of what a person may confirm as it stands. */
  readonly confirms?: string;
}

/** The resource that the launch, the batch or the hook names. */
export interface Given {
  readonly kind: 'given';
  readonly type: string;
  /** What rules it out. */
  readonly unless: readonly Clause[];
  /** Asked when something rules it out; `{reason}` says what. */
  readonly refused?: Ask;
  readonly asks: readonly AskWhen[];
  readonly warns: readonly Clause[];
  /** Paths whose first texts, joined, name it for people. */
  readonly label: readonly string[];
}

/** The resource that a reference points to. */
export interface Follow {
  readonly kind: 'follow';
  readonly types: readonly string[];
  readonly path: string;
  /** Said of a reference that names a resource which is not here. */
  readonly missing?: string;
  readonly warns: readonly Clause[];
}

/** What the first of several paths finds that finds anything. */
export interface First {
  readonly kind: 'first';
  readonly types: readonly string[];
  readonly paths: readonly string[];
  /** Asked of the first item that is found. */
  readonly asks: readonly AskWhen[];
}

/** All parts that nothing rules out, the preferred first. */
export interface Every {
  readonly kind: 'every';
  readonly types: readonly string[];
  readonly paths: readonly string[];
  readonly unless: readonly Clause[];
  readonly prefer: readonly Preference[];
  /** Repetitions count once. */
  readonly distinct: boolean;
  /** Compared over all paths; `prefer` orders what one path finds. */
  readonly lastly: readonly Preference[];
}

/** What happens when several candidates fit equally well and say different things. */
export type Tie =
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }
  /** Nothing is chosen; `option` is the path of what a person chooses. */
  | { readonly kind: 'ask'; readonly message: string; readonly option?: string; readonly part?: string }
  | { readonly kind: 'warn'; readonly message: string; readonly part?: string }
  /** None is used, and that is told. */
  | { readonly kind: 'leave'; readonly message: string; readonly part?: string };

/** The one part of a resource: the current name, the address, the NPI. */
export interface Pick {
  readonly kind: 'pick';
  readonly types: readonly string[];
  /** Tried in order; the first with a candidate that nothing rules out decides. */
  readonly paths: readonly string[];
  readonly unless: readonly Clause[];
  readonly prefer: readonly Preference[];
  /** Elements by which two candidates say the same. */
  readonly same: readonly string[];
  readonly tie: Tie;
  readonly asks: readonly AskWhen[];
}

/** The one resource of a type among those of the patient, or of nobody. */
export interface Choose {
  readonly kind: 'choose';
  readonly type: string;
  /** `patient`: only resources of this patient; `anyone`: those that belong to nobody. */
  readonly of: 'patient' | 'anyone';
  readonly unless: readonly Clause[];
  readonly prefer: readonly Preference[];
  readonly tie: Tie;
  readonly asks: readonly AskWhen[];
  /** Paths whose first texts, joined, name a candidate for people. */
  readonly label: readonly string[];
  /** Paths whose texts are added to the label where two candidates that are asked have the same one. */
  readonly apart?: readonly string[];
  /** The answer of a person that decides: its key in `Answers`. */
  readonly answer?: 'coverage';
  /**
   * What the table itself rules out and prefers, where a site adds to it: a question between candidates is asked as the
   * table asks it, whatever the site prefers.
   */
  readonly own?: { readonly unless: readonly Clause[]; readonly prefer: readonly Preference[] };
  /** What is said of the only one that fits, in place of `the only one that fits`. */
  readonly alone?: string;
  /** Of records that the EHR links to this patient: only a person may choose them. */
  readonly linked?: { readonly refused: string; readonly when: Clause; readonly ask: Ask };
}

/** The one element that gives several leaves, or none: nothing is filled from another. */
export interface Together {
  readonly kind: 'together';
  readonly types: readonly string[];
  readonly paths: readonly string[];
  /** What makes an element the one; where none has it, the first element that is there. */
  readonly needs: string;
  readonly asks: readonly AskWhen[];
}

/** One text of every item, in their order; nothing when one of them has none. */
export interface Joined {
  readonly kind: 'joined';
  readonly types: readonly string[];
  readonly path: string;
  /** Elements of an item, the first with a text that is no placeholder. */
  readonly elements: readonly string[];
  readonly asks: readonly AskWhen[];
}

/** What no chart holds: the site's configuration, our own id. */
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
 * The resource behind a reference, contained ones too.
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
 * All that the first path with an answer finds.
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
 * All parts that nothing rules out.
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
 * One part of a resource.
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
 * One resource among those of the patient (or of nobody).
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
 * One element that gives several leaves. The first path whose element has what is needed decides for all of them.
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
 * The texts of all items as one.
 * @example directions: joined('%dose', ['patientInstruction', 'text'])
 */
export function joined(path: string, elements: readonly string[], asks: readonly AskWhen[] = []): Joined {
  return Object.freeze({ kind: 'joined', types: ['string'], path, elements, asks });
}

/**
 * Values that no chart holds: keys of the site's configuration, or our own id.
 * @example site: own('site', 'country', 'fax')
 */
export function own(from: Own['from'], ...keys: readonly string[]): Own {
  return Object.freeze({ kind: 'own', from, keys });
}

/**
 * A tie that a person decides; nothing is sent until then. `option` is the path of the value that is chosen.
 * @example tie: ask('The prescriber has several NPIs.', { option: 'value' })
 */
export function ask(message: string, options: { readonly option?: string; readonly part?: string } = {}): Tie {
  return Object.freeze({ kind: 'ask', message, ...options });
}

/**
 * A tie that is told; the first is used. `part` is the member below the role that is in question.
 * @example tie: warn('The chart has several current names of the same standing; the first is used.', 'family')
 */
export function warn(message: string, part?: string): Tie {
  return Object.freeze(part === undefined ? { kind: 'warn', message } : { kind: 'warn', message, part });
}

/**
 * A tie that leaves the role empty and says so.
 * @example tie: leave('The prescriber works at several places; none of their addresses is used.')
 */
export function leave(message: string): Tie {
  return Object.freeze({ kind: 'leave', message });
}

/**
 * A question that blocks sending while `when` holds for what fills the role.
 * @example asks: [blocks(when("link.exists(type = 'replaced-by')"), 'This record was merged into another one.')]
 */
export function blocks(when: Clause, message: string, reason: Ask['reason'] = 'invalid', part?: string): AskWhen {
  return Object.freeze({ severity: 'blocks', reason, message, when, ...(part === undefined ? {} : { part }) });
}

/**
 * A question that blocks while what the chart says at `part` cannot be so, in the words of its row of `refusals`. A
 * person enters another value; with `confirms` they may also say that it stands: the option is what that path finds.
 * @example asks: [doubts(future('birthDate'), 'born_in_future', 'birthDate')]
 * @example asks: [doubts(when('deceased = true'), 'deceased', 'birthDate', 'birthDate')]
 */
export function doubts(when: Clause, why: Refusal, part: string, confirms?: string): AskWhen {
  const ask = { severity: 'blocks', reason: 'uncertain', message: refusalSentences(why), when, part, why } as const;
  return Object.freeze(confirms === undefined ? ask : { ...ask, confirms });
}

/**
 * Asks between the chosen candidate, while `when` holds for it, and the others that fit and meet `beside`.
 * @example
 * const isMedicaid = says('type', /\bmedicaid\b/i);
 * const asked = asksBetween(isMedicaid, not(isMedicaid), 'Medicaid pays after other plans. Which plan pays?');
 */
export function asksBetween(when: Clause, beside: Clause, message: string): AskWhen {
  return Object.freeze({ severity: 'blocks', reason: 'choice', message, when, beside });
}

/**
 * A question that only warns while `when` holds. `part` is the member below the role that is in question.
 * @example asks: [advises(future('birthDate'), 'The birth date is in the future.', 'birthDate')]
 */
export function advises(when: Clause, message: string, part?: string): AskWhen {
  return Object.freeze({ severity: 'warns', reason: 'advice', message, when, ...(part === undefined ? {} : { part }) });
}
