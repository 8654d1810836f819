import { isObject } from '../is-object.ts';

/** An element that stands in a resource and was not read, since it has not the form of FHIR R4. */
export interface UnreadElement {
  /** `name[0].family`, as the resource spells it. */
  readonly path: string;
  /** What stands there. */
  readonly value: unknown;
}

/**
 * What stands at an element of a resource, or in it, and was not read. An element of another release counts as the one
 * of FHIR R4 that it became: `reason` as `reasonCode`, `medication` as `medication[x]`, and those in `renamed`.
 *
 * @param stated - as it was given
 * @param read - as far as it has the form of FHIR R4
 * @param elements - the way to the element: `['dispenseRequest', 'quantity']`
 */
export function unreadAt(stated: unknown, read: unknown, elements: readonly string[], path = ''): UnreadElement[] {
  const [element, ...others] = elements;
  // What is read whole is the object that was given.
  if (stated === read) return [];
  if (Array.isArray(stated))
    return stated.flatMap((item: unknown, at) => unreadAt(item, itemAt(read, at), elements, `${path}[${at}]`));
  if (element === undefined) return isLost(stated, read) ? [{ path, value: stated }] : [];
  if (!isObject(stated)) return [];
  return Object.keys(stated).flatMap((key) => {
    const now = isObject(read) ? read[key] : undefined;
    if (!isOf(key, element, now === undefined) || stated[key] === null) return [];
    const value = stated[key];
    const at = path === '' ? key : `${path}.${key}`;
    return now === undefined ? [{ path: at, value }] : unreadAt(value, now, others, at);
  });
}

/** The same of items of a list of which a member was not read. */
export function unreadInItems(
  stated: unknown,
  read: unknown,
  [element, ...others]: readonly string[],
): UnreadElement[] {
  if (element === undefined || others.length > 0 || !isObject(stated) || !isObject(read) || stated === read) return [];
  const list = stated[element];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, at) =>
    unreadMembers(item, itemAt(read[element], at)).map((member) => {
      return { path: `${element}[${at}].${member}`, value: Reflect.get(Object(item), member) };
    }),
  );
}

/** Members of an element that were not read. */
export function unreadMembers(stated: unknown, read: unknown): string[] {
  if (!isObject(stated) || !isObject(read) || stated === read) return [];
  return Object.keys(stated).filter((key) => !isPrimitive(read[key]) && isLost(stated[key], read[key]));
}

/** Whether an element of this name is meant by another: `medicationReference` by `medication`. */
export function isNamed(key: string, element: string): boolean {
  return isOf(key, element, true);
}

// What was read as a text, a number or a boolean is there.
function isPrimitive(value: unknown): boolean {
  return value !== undefined && typeof value !== 'object';
}

function itemAt(list: unknown, at: number): unknown {
  return Array.isArray(list) ? list[at] : undefined;
}

// An item that was not read holds its place in its list.
function isLost(stated: unknown, read: unknown): boolean {
  if (stated === null || stated === undefined) return false;
  if (Array.isArray(stated)) return stated.some((item: unknown, at) => isLost(item, itemAt(read, at)));
  const isEmpty = read === undefined || read === null || (isObject(read) && Object.keys(read).length === 0);
  return isEmpty && !(isObject(stated) && Object.keys(stated).length === 0);
}

function isOf(key: string, element: string, isUnread: boolean): boolean {
  if (key === element || begins(element, key)) return true;
  return isUnread && (begins(key, element) || renamed[element]?.includes(key) === true);
}

/** Whether a name goes on as a choice does: `medication` and `medicationReference`. */
function begins(start: string, whole: string): boolean {
  return whole.length > start.length && whole.startsWith(start) && /[A-Z]/.test(whole[start.length] ?? '');
}

/** Elements of FHIR R4 under the names that they have in DSTU2, STU3 or R5 (`@types/fhir` r2, r3, r5). */
const renamed: Readonly<Record<string, readonly string[]>> = {
  encounter: ['context'],
  requester: ['prescriber'],
  authoredOn: ['dateWritten'],
  reasonCode: ['reasonCodeableConcept'],
  payor: ['insurer', 'issuer'],
  class: ['grouping', 'bin', 'group', 'plan'],
  form: ['doseForm'],
};
